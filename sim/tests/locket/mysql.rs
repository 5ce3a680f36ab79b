//! Claims about Locket on MySQL, as it was observed on MariaDB 10.11.

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::flavor::Flavor;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::profile::{FetchAllOrder, Profile};
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::row::Row;

const MYSQL: Profile = Profile::UPSTREAM.on(Flavor::Mysql);

fn mysql() -> Locket {
    Locket::new(MYSQL)
}

fn keys(locket: &mut Locket) -> Vec<String> {
    let rows = locket.rows();
    rows.into_iter().map(|row| row.path).collect()
}

// B37
#[test]
fn keys_that_differ_in_case_accents_of_latin_letters_or_spaces_at_the_end_are_one() {
    for (one, other) in
        [("Key", "kEY"), ("k", "k  "), ("", " "), ("e", "é"), ("Ångström", "angstrom"), ("ж", "Ж")]
    {
        let mut locket = mysql();
        locket.lock(one, "bbs-0", 15).unwrap();

        assert_eq!(
            locket.lock(other, "bbs-1", 15),
            Err(LockError::LockCollision),
            "{one:?} {other:?}"
        );
        assert_eq!(keys(&mut locket), [one]);
    }
}

// B37
#[test]
fn characters_beyond_the_basic_plane_are_all_one() {
    let mut locket = mysql();
    locket.lock("🔒", "bbs-0", 15).unwrap();
    assert_eq!(locket.lock("🔑", "bbs-1", 15), Err(LockError::LockCollision));
}

// B37
#[test]
fn a_composed_letter_and_its_parts_are_two_keys() {
    let mut locket = mysql();
    locket.lock("e\u{301}", "bbs-0", 15).unwrap();
    locket.lock("é", "bbs-1", 15).unwrap();
    assert_eq!(locket.rows().len(), 2);
}

// B37
#[test]
fn spaces_before_the_end_and_other_letters_tell_keys_apart() {
    for other in ["a  b", " a b", "a-b", "a b.", "ø", "æ"] {
        let mut locket = mysql();
        for key in ["a b", "o", "ae"] {
            locket.lock(key, "bbs-0", 15).unwrap();
        }
        assert!(locket.lock(other, "bbs-1", 15).is_ok(), "{other:?}");
    }
}

#[test]
fn a_renewal_keeps_the_stored_key_and_fetch_tells_the_one_asked_for() {
    let mut locket = mysql();
    locket.lock("Key", "bbs-0", 15).unwrap();
    locket.lock("KEY", "bbs-0", 15).unwrap();

    assert_eq!(keys(&mut locket), ["Key"]);
    assert_eq!(locket.fetch("key").unwrap().key, "key");
}

// The owner is compared by Locket, not by the database.
#[test]
fn owners_that_differ_in_case_are_two() {
    let mut locket = mysql();
    locket.lock("bbs", "bbs-0", 15).unwrap();
    assert_eq!(locket.lock("bbs", "BBS-0", 15), Err(LockError::LockCollision));
}

#[test]
fn a_lock_that_was_renewed_by_another_spelling_ends_with_its_last_ttl() {
    let mut locket = mysql();
    locket.lock("Key", "bbs-0", 15).unwrap();
    locket.at(10_000).lock("KEY", "bbs-0", 15).unwrap();

    assert!(locket.at(24_999).fetch("key").is_ok());
    assert_eq!(locket.at(25_000).fetch("key"), Err(LockError::ResourceNotFound));
}

#[test]
fn fetch_all_lists_by_key_and_takes_types_of_any_case() {
    let mut locket = mysql();
    for key in ["c", "B", "a"] {
        locket.lock(key, "bbs-0", 15).unwrap();
    }
    let row = Row { type_name: Some("LOCK".into()), ..row("d", "bbs-0", 15) };
    locket.put(row).unwrap();

    let Ok(Response::FetchAll(list)) = locket.handle(&fetch_all("", TypeCode::Lock)) else {
        panic!("a list")
    };
    let listed: Vec<&str> = list.iter().map(|resource| resource.key.as_str()).collect();
    assert_eq!(listed, ["a", "B", "c", "d"]);
}

#[test]
fn a_nul_byte_is_a_byte_like_any_other() {
    let mut locket = mysql();
    locket.lock("a\0b", "bbs-0", 15).unwrap();
    assert_eq!(locket.fetch("a\0b").unwrap().key, "a\0b");
}

// A text that is not UTF-8 comes from the wire as NUL bytes only.
#[test]
fn what_is_no_text_is_refused_by_a_write_and_found_by_no_read() {
    let mut locket = mysql();
    let ill_formed = LockError::Database("sql-unknown, error code: 1366, flavor: mysql".into());
    assert_eq!(locket.lock("\0", "bbs-0", 15), Err(ill_formed));
    assert_eq!(locket.fetch("\0"), Err(LockError::ResourceNotFound));
    assert_eq!(locket.release("\0", "bbs-0"), Ok(Response::Release));
}

// B58
#[test]
fn who_loses_the_race_of_two_inserts_sees_a_collision() {
    let mut locket = mysql();
    locket.cluster.lose_insert_race("bbs-1".into());
    assert_eq!(locket.lock("bbs", "bbs-0", 15), Err(LockError::LockCollision));
}

#[test]
fn a_profile_says_which_database_and_may_still_say_the_order() {
    let read = |json: &str| serde_json::from_str::<Profile>(json).unwrap();
    assert_eq!(read(r#"{"extends": "upstream", "database": "mysql"}"#), MYSQL);
    let listed = read(r#"{"database": "mysql", "fetchAllOrder": "insertion"}"#);
    assert_eq!(listed.fetch_all_order, FetchAllOrder::Insertion);
    assert_eq!(read(r#"{"database": "postgres"}"#), Profile::DOCUMENTED);
}
