//! Claims about a whole Locket, as its callers see it. Where both presets agree, both are
//! asked.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message::Response;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::server::{Caller, Patience};

#[test]
fn what_was_locked_is_fetched_with_its_type_string() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let resource = Resource { value: "test-data".into(), ..resource("test", "jim") };
        locket.handle(&lock_of(resource.clone(), 10)).unwrap();

        let fetched = locket.fetch("test");

        let type_name = "lock".into();
        assert_eq!(fetched, Ok(Resource { type_name, ..resource }));
    }
}

#[test]
fn what_was_locked_is_nobody_elses() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 10).unwrap();

        let other = locket.lock("test", "nima", 10);

        assert_eq!(other, Err(LockError::LockCollision));
    }
}

#[test]
fn the_request_id_of_a_call_is_in_the_log() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let caller = Caller { request_id: "some-uuid", patience: Patience::Waiting };
        let refused = lock("test", "jim", 0);

        let _ = locket.cluster.handle(0, &refused, caller, s(0), &mut locket.logs);

        assert_eq!(locket.logs.0[0].request_id.as_deref(), Some("some-uuid"));
    }
}

#[test]
fn a_lock_of_6_seconds_is_gone_within_10() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 6).unwrap();
        assert!(locket.at(5_999).fetch("test").is_ok());

        let fetched = locket.at(6_000).fetch("test");

        assert_eq!(fetched, Err(LockError::ResourceNotFound));
    }
}

#[test]
fn a_lock_of_3_seconds_is_gone_within_6_although_the_server_was_restarted() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 3).unwrap();

        locket.at(2_000).restart(0);

        assert!(locket.end_of("test").unwrap() < 6_000);
    }
}

#[test]
fn upstream_releases_what_is_not_held_without_error() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    assert_eq!(locket.release("test", "jim"), Ok(Response::Release));
}

#[test]
fn a_released_lock_is_gone_at_once() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 10).unwrap();

        assert_eq!(locket.release("test", "jim"), Ok(Response::Release));

        assert_eq!(locket.fetch("test"), Err(LockError::ResourceNotFound));
    }
}

#[test]
fn nobody_else_releases_a_lock() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 10).unwrap();

        let other = locket.release("test", "nima");

        assert_eq!(other, Err(LockError::LockCollision));
        assert_eq!(locket.holder("test").as_deref(), Some("jim"));
    }
}

/// Two locks and two presences of one owner.
fn four_rows(profile: Profile) -> Locket {
    let mut locket = Locket::new(profile);
    for key in ["lock-1", "lock-2"] {
        locket.lock(key, "jim", 10).unwrap();
    }
    for key in ["presence-1", "presence-2"] {
        locket.handle(&presence(key, "jim", 10)).unwrap();
    }
    locket
}

fn check_list(code: TypeCode, type_name: &str, expected: [&str; 2]) {
    for profile in PRESETS {
        let mut locket = four_rows(profile);

        let Ok(Response::FetchAll(mut found)) = locket.handle(&fetch_all("", code)) else {
            panic!("FetchAll failed");
        };

        found.sort_by(|a, b| a.key.cmp(&b.key));
        let expected = expected.map(|key| Resource {
            type_name: type_name.into(),
            type_code: code,
            ..resource(key, "jim")
        });
        assert_eq!(found, expected);
    }
}

#[test]
fn all_locks_and_nothing_else_are_listed_by_their_code() {
    check_list(TypeCode::Lock, "lock", ["lock-1", "lock-2"]);
}

#[test]
fn all_presences_and_nothing_else_are_listed_by_their_code() {
    check_list(TypeCode::Presence, "presence", ["presence-1", "presence-2"]);
}

// B46, S5
#[test]
fn two_processes_with_one_owner_string_both_succeed() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "same", 10).unwrap();

        assert_eq!(locket.lock("test", "same", 10), Ok(Response::Lock));
        assert_eq!(locket.row("test").unwrap().modified_index, Some(2));
    }
}

// B47
#[test]
fn taking_a_released_key_starts_over_with_a_new_id_and_index_1() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 10).unwrap();
        locket.lock("test", "jim", 10).unwrap();
        let first = locket.row("test").unwrap();
        locket.release("test", "jim").unwrap();

        locket.lock("test", "jim", 10).unwrap();

        let second = locket.row("test").unwrap();
        assert_ne!(second.modified_id, first.modified_id);
        assert_eq!(second.modified_index, Some(1));
    }
}

// S12
#[test]
fn a_holder_that_slept_too_long_takes_the_lock_anew_and_cannot_notice() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(0).lock("test", "jim", 15).unwrap();

        let renewal = locket.at(60_000).lock("test", "jim", 15);

        assert_eq!(renewal, Ok(Response::Lock));
        assert_eq!(locket.row("test").unwrap().modified_index, Some(1));
    }
}

// S34
#[test]
fn who_loses_a_race_of_two_inserts_is_told_that_the_row_exists() {
    for profile in PRESETS {
        let mut locket = Locket::with_processes(profile, 2);
        locket.cluster.lose_insert_race("rival".into());

        let lost = locket.via(1).lock("bbs", "bbs-0", 10);

        assert_eq!(lost, Err(database("sql-resource-exists")));
        assert_eq!(locket.fetch("bbs").unwrap().owner, "rival");
        assert_eq!(locket.lock("bbs", "bbs-0", 10), Err(LockError::LockCollision));
        assert_eq!(locket.at(10_000).lock("bbs", "bbs-0", 10), Ok(Response::Lock));
    }
}

#[test]
fn only_a_lock_that_would_insert_a_row_loses_a_race() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("bbs", "bbs-0", 10).unwrap();
        locket.cluster.lose_insert_race("rival".into());

        assert_eq!(locket.lock("bbs", "bbs-0", 10), Ok(Response::Lock));
        assert_eq!(locket.lock("auctioneer", "a-0", 0), Err(LockError::InvalidTtl));
        assert!(locket.fetch("auctioneer").is_err());
        assert_eq!(locket.lock("auctioneer", "a-0", 10), Err(database("sql-resource-exists")));
        assert_eq!(locket.lock("tps", "tps-0", 10), Ok(Response::Lock));
    }
}

// A process that is not there

#[test]
fn a_stopped_process_is_unavailable() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.stop(0);

        assert_eq!(locket.lock("test", "jim", 10), Err(LockError::Unavailable));
    }
}

#[test]
fn a_process_that_never_was_is_unavailable() {
    let mut locket = Locket::new(Profile::DOCUMENTED);

    let answer = locket.via(7).fetch("test");

    assert_eq!(answer.map_err(|error| error.code()), Err(Code::Unavailable));
}

#[test]
fn stopping_and_starting_say_whether_there_was_anything_to_do() {
    let mut locket = Locket::new(Profile::UPSTREAM);

    assert!(locket.stop(0));
    assert!(!locket.stop(0));
    assert!(locket.start(0));
    assert!(!locket.start(0));
    assert!(!locket.start(1));
    assert!(!locket.restart(1));
}

// A dropped table

// B29, S35
#[test]
fn without_a_table_every_call_fails_and_stops_the_process() {
    for profile in PRESETS {
        for request in [
            lock("test", "jim", 10),
            release("test", "jim"),
            fetch("test"),
            fetch_all("", TypeCode::Lock),
        ] {
            let mut locket = Locket::new(profile);
            locket.lock("test", "jim", 10).unwrap();
            locket.cluster.drop_table(s(0), &mut ());

            let answer = locket.handle(&request);

            assert_eq!(answer, Err(database("sql-unrecoverable")));
            assert_eq!(locket.logs.count("unrecoverable-error"), 1);
            assert!(!locket.cluster.is_running(0));
        }
    }
}

// B29, S35
#[test]
fn a_start_creates_the_table_anew_and_empty() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 10).unwrap();
        locket.cluster.drop_table(s(0), &mut ());
        let _ = locket.fetch("test");

        assert!(locket.start(0));

        assert_eq!(locket.rows(), []);
        assert_eq!(locket.lock("test", "nima", 10), Ok(Response::Lock));
    }
}

#[test]
fn without_a_table_nothing_expires() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 10).unwrap();
        locket.cluster.drop_table(s(0), &mut ());

        locket.at(60_000);

        assert_eq!(locket.logs.count("lock-expired"), 0);
    }
}

#[test]
fn without_a_table_an_operator_cannot_write_either() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.cluster.drop_table(s(0), &mut ());

        let put = locket.put(row("test", "jim", 10));
        let update = locket.update(&Default::default());

        assert_eq!(put, Err(database("sql-unrecoverable")));
        assert_eq!(update, Err(database("sql-unrecoverable")));
    }
}

// Time

#[test]
fn time_that_goes_back_stands_still() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(10_000);

        locket.at(3_000).lock("test", "jim", 15).unwrap();

        assert_eq!(locket.cluster.now(), s(10));
        assert_eq!(locket.end_of("test"), Some(25_000));
    }
}

#[test]
fn the_end_of_time_is_no_trouble() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("test", "jim", 15).unwrap();

        locket.at(u64::MAX).lock("test", "jim", 15).unwrap();
        locket.at(u64::MAX);

        assert_eq!(locket.holder("test"), None);
    }
}
