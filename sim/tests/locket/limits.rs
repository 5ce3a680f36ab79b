//! Claims about what fits into the table: lengths, NUL bytes, NULL columns, the largest index,
//! and the ids that rows get.

mod lengths;
mod texts;

use std::collections::BTreeSet;

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::{IdSource, ModifiedId};
use locket_sim::protocol::lock_table::RowChanges;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::Row;

const TOO_LONG: LockError = LockError::Database(std::borrow::Cow::Borrowed("sql-bad-request"));
const NUL_BYTE: LockError = LockError::Database(std::borrow::Cow::Borrowed(
    "sql-unknown, error code: 22021, flavor: postgres",
));

fn with_value(value: &str) -> Resource {
    Resource { value: value.into(), ..resource("bbs", "bbs-0") }
}

/// The answer of Lock on an empty table, in both presets, which must agree.
fn lock_once(resource: &Resource) -> Result<Response, LockError> {
    let request = lock_of(resource.clone(), 15);
    let [documented, upstream] = PRESETS.map(|profile| Locket::new(profile).handle(&request));
    assert_eq!(documented, upstream);
    upstream
}

// B43, B49, B51, B53, B75, S38
#[test]
fn a_row_without_an_owner_never_expires_is_free_for_lock_and_absent_for_all_else() {
    for (profile, released) in [
        (Profile::UPSTREAM, LockError::LockCollision),
        (Profile::DOCUMENTED, LockError::ResourceNotFound),
    ] {
        let mut locket = Locket::new(profile);
        locket.put(row("bbs", "", 15)).unwrap();

        assert_eq!(locket.end_of("bbs"), None);
        assert_eq!(locket.fetch("bbs"), Err(LockError::ResourceNotFound));
        assert_eq!(locket.listed("", TypeCode::Lock), Ok(vec![]));
        assert_eq!(locket.cluster.stats(s(0), &mut ()).active_locks, 0);
        assert_eq!(locket.release("bbs", "bbs-0"), Err(released));
        assert_eq!(locket.at(1_000).lock("bbs", "bbs-0", 15), Ok(Response::Lock));
        assert_eq!(locket.end_of("bbs"), Some(16_000));
    }
}

// Index and ids

// B45
#[test]
fn an_id_is_a_lower_case_guid_with_version_4_and_the_old_variant() {
    let mut ids = IdSource::new(7);
    for _ in 0..1000 {
        let id = ids.next_id().to_string();
        for (place, character) in id.chars().enumerate() {
            let expected = match place {
                8 | 13 | 18 | 23 => "-",
                14 => "4",
                19 => "4567",
                _ => "0123456789abcdef",
            };
            assert!(expected.contains(character), "{id} at {place}");
        }
        assert_eq!(id.len(), 36);
    }
}

#[test]
fn the_same_seed_gives_the_same_ids_which_differ_and_another_seed_others() {
    let ids = |seed| {
        let mut ids = IdSource::new(seed);
        (0..1000).map(|_| ids.next_id().to_string()).collect::<Vec<_>>()
    };

    assert_eq!(ids(1), ids(1));
    assert_eq!(BTreeSet::from_iter([ids(1), ids(2)].concat()).len(), 2000);
}

#[test]
fn an_id_is_the_text_that_was_written() {
    let texts = [
        "",
        "roof",
        "1b4e28ba-2fa1-41d2-483f-0016d3cca427",
        "1B4E28BA-2FA1-41D2-483F-0016D3CCA427",
        "1b4e28ba2fa141d2483f0016d3cca427",
        "{1b4e28ba-2fa1-41d2-483f-0016d3cca427}",
    ];
    for text in texts {
        assert_eq!(ModifiedId::from(text).to_string(), text);
        let equal = texts.into_iter().filter(|other| ModifiedId::from(*other) == text.into());
        assert_eq!(equal.count(), 1, "{text}");
    }
}
