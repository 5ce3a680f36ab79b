//! Claims about the switches of a profile: what each value does, and how profiles are written.
//!
//! Each switch is tried on the preset that has the other value, so that it is shown to act
//! alone.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::{
    EmptyOwnerRelease, ExpiryRule, FetchAllOrder, InvalidTypeError, InvalidTypeStatus, NilResource,
    Profile, ReleaseMissing, Schema, TtlOverflow, TypeRules,
};
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::row::Row;

const DOCUMENTED: Profile = Profile::DOCUMENTED;
const UPSTREAM: Profile = Profile::UPSTREAM;

const INVALID_TYPE: LockError = LockError::InvalidType(Code::NotFound);

fn answer(profile: Profile, request: &Request) -> Result<Response, LockError> {
    Locket::new(profile).handle(request)
}

// The presets

#[test]
fn the_documents_are_the_default() {
    assert_eq!(Profile::default(), DOCUMENTED);
}

// D10: empty_owner_release; a row that is missing to a Release is answered by `release_missing`.
#[test]
fn a_row_without_an_owner_collides_with_a_release_or_is_missing_and_stays() {
    for (empty_owner_release, expected) in [
        (EmptyOwnerRelease::Collision, ["lock-collision", "lock-collision"]),
        (EmptyOwnerRelease::Missing, ["resource-not-found", "ok"]),
    ] {
        let answers = PRESETS.map(|preset| {
            let mut locket = Locket::new(Profile { empty_owner_release, ..preset });
            locket.put(row("bbs", "", 15)).unwrap();
            let answer = locket.release("bbs", "bbs-0");
            assert_eq!(locket.rows().len(), 1);
            answer.map_or_else(|error| error.message().to_owned(), |_| "ok".to_owned())
        });
        assert_eq!(answers, expected);
    }
}

// D19: expiry
#[test]
fn exact_expiry_counts_from_the_write_and_upstream_timers_from_the_next_poll() {
    for (expiry, end) in [(ExpiryRule::Exact, 9_300), (ExpiryRule::UpstreamTimers, 12_000)] {
        for preset in PRESETS {
            let mut locket = Locket::new(Profile { expiry, ..preset });
            locket.at(7_300).put(row("bbs", "bbs-0", 2)).unwrap();
            assert_eq!(locket.end_of("bbs"), Some(end), "{expiry:?}");
        }
    }
}

// D24: fetch_all_order

fn with_keys(fetch_all_order: FetchAllOrder, keys: &[&str]) -> Locket {
    let mut locket = Locket::new(Profile { fetch_all_order, ..DOCUMENTED });
    for key in keys {
        locket.lock(key, "o", 15).unwrap();
    }
    locket
}

fn locks(locket: &mut Locket) -> Vec<String> {
    locket.listed("", TypeCode::Lock).unwrap()
}

/// Inserts c, a and b, renews c, releases a, and inserts aa and a.
#[test]
fn a_list_is_in_the_order_of_first_insertion_of_keys_or_of_last_writes() {
    for (order, expected) in [
        (FetchAllOrder::Insertion, ["c", "b", "aa", "a"]),
        (FetchAllOrder::Key, ["a", "aa", "b", "c"]),
        (FetchAllOrder::LastWrite, ["b", "c", "aa", "a"]),
    ] {
        let mut locket = with_keys(order, &["c", "a", "b", "c"]);
        locket.release("a", "o").unwrap();
        locket.lock("aa", "o", 15).unwrap();
        locket.lock("a", "o", 15).unwrap();
        assert_eq!(locks(&mut locket), expected, "{order:?}");
    }
}

#[test]
fn a_shuffled_list_has_every_row_once_and_changes_with_writes_only() {
    let mut locket = with_keys(FetchAllOrder::Shuffled, &["a", "b", "c", "d", "e"]);

    let first = locks(&mut locket);
    let mut sorted = first.clone();
    sorted.sort();
    assert_eq!(sorted, ["a", "b", "c", "d", "e"]);
    for _ in 0..3 {
        assert_eq!(locks(&mut locket), first);
    }
    let differs = (0..10).any(|_| {
        locket.lock("a", "o", 15).unwrap();
        locks(&mut locket) != first
    });
    assert!(differs);
}

// D5, D6: invalid_type_error

/// A Lock with a wrong type, TTL and owner, then without one error after the other.
#[test]
fn an_invalid_type_of_upstream_comes_first_and_an_undocumented_one_last() {
    let documented = [LockError::InvalidTtl, LockError::InvalidOwner, INVALID_TYPE];
    for (invalid_type_error, expected) in [
        (InvalidTypeError::Undocumented, documented),
        (InvalidTypeError::Upstream, [(); 3].map(|()| INVALID_TYPE)),
    ] {
        for preset in PRESETS {
            let profile = Profile { invalid_type_error, ..preset };
            let said = [("", 0), ("", 15), ("bbs-0", 15)].map(|(owner, ttl)| {
                answer(profile, &lock_typed("bbs", owner, "", TypeCode::Other(7), ttl)).unwrap_err()
            });
            assert_eq!(said, expected);
        }
    }
    let keyless = lock_typed("", "o", "", TypeCode::Unknown, 15);
    assert_eq!(answer(Profile { key_required: true, ..UPSTREAM }, &keyless), Err(INVALID_TYPE));
}

// D7: invalid_type_status
#[test]
fn the_code_of_an_invalid_type_is_a_switch_for_lock_and_fetch_all() {
    for (invalid_type_status, code) in [
        (InvalidTypeStatus::InvalidArgument, Code::InvalidArgument),
        (InvalidTypeStatus::NotFound, Code::NotFound),
    ] {
        for preset in PRESETS {
            let profile = Profile { invalid_type_status, ..preset };
            for request in [
                lock_typed("bbs", "bbs-0", "", TypeCode::Other(7), 15),
                fetch_all("", TypeCode::Other(7)),
            ] {
                let error = answer(profile, &request).unwrap_err();
                assert_eq!((error.code(), error.message()), (code, "invalid-type"));
            }
        }
    }
}

// D1, D8, D9: release_missing, key_required, release_owner_required
#[test]
fn a_switch_decides_the_answer_to_one_request_in_both_presets() {
    let sql = || Err(database("sql-resource-not-found"));
    for preset in PRESETS {
        let missing = |release_missing| Profile { release_missing, ..preset };
        let keyed = Profile { key_required: true, ..preset };
        let owned = Profile { release_owner_required: true, ..preset };
        for (profile, request, expected) in [
            (
                missing(ReleaseMissing::NotFound),
                release("bbs", "o"),
                Err(LockError::ResourceNotFound),
            ),
            (missing(ReleaseMissing::Ok), release("bbs", "o"), Ok(Response::Release)),
            // As it was before 2019.
            (missing(ReleaseMissing::SqlNotFound), release("bbs", "o"), sql()),
            (keyed, lock("", "bbs-0", 15), Err(LockError::InvalidKey)),
            (keyed, release("", "bbs-0"), Err(LockError::InvalidKey)),
            (keyed, fetch(""), Err(LockError::InvalidKey)),
            (owned, release("bbs", ""), Err(LockError::InvalidOwner)),
        ] {
            assert_eq!(answer(profile, &request), expected, "{request:?}");
        }
    }
    assert_eq!(database("sql-resource-not-found").code(), Code::Unknown);
}

#[test]
fn an_empty_key_or_owner_that_is_not_required_is_compared_like_any_other() {
    let optional = Profile { key_required: false, release_owner_required: false, ..DOCUMENTED };
    let mut locket = Locket::new(optional);

    assert_eq!(locket.lock("", "bbs-0", 15), Ok(Response::Lock));
    assert_eq!(locket.lock("", "bbs-1", 15), Err(LockError::LockCollision));
    assert_eq!(locket.fetch("").unwrap().owner, "bbs-0");
    assert_eq!(locket.release("", ""), Err(LockError::LockCollision));
    assert_eq!(locket.release("", "bbs-0"), Ok(Response::Release));
}

// D11: nil_resource
#[test]
fn a_missing_resource_is_refused_as_invalid_or_as_what_crashes_upstream() {
    for (nil_resource, code, text) in [
        (NilResource::Invalid, Code::InvalidArgument, "invalid-resource"),
        (NilResource::Crash, Code::Internal, "crashes the real Locket process"),
    ] {
        for preset in PRESETS {
            let (profile, resource) = (Profile { nil_resource, ..preset }, None);
            let lock = Request::Lock { resource: None, ttl_in_seconds: 15 };
            for request in [lock, Request::Release { resource }] {
                let error = answer(profile, &request).unwrap_err();
                assert!(error.code() == code && error.message().contains(text), "{error:?}");
            }
        }
    }
}

// D12, D13: schema

#[test]
fn the_documented_schema_takes_no_null_and_that_of_upstream_does() {
    let whole = || row("bbs", "bbs-0", 15);
    for broken in [
        Row { value: None, ..whole() },
        Row { owner: None, ..whole() },
        Row { type_name: None, ..whole() },
        Row { ttl: None, ..whole() },
        Row { modified_id: None, ..whole() },
        Row { modified_index: None, ..whole() },
    ] {
        let mut locket = Locket::new(Profile { schema: Schema::Documented, ..UPSTREAM });
        let refused = Err(database("sql-unknown, error code: 23502, flavor: postgres"));
        assert_eq!(locket.put(broken.clone()), refused);
        let mut locket = Locket::new(Profile { schema: Schema::Upstream, ..DOCUMENTED });
        locket.put(broken.clone()).unwrap();
        assert_eq!(locket.rows(), [broken]);
    }
}

#[test]
fn the_schemas_order_their_columns_differently() {
    for (schema, columns) in [
        (Schema::Documented, "path owner value type ttl modified_id modified_index"),
        (Schema::Upstream, "path owner value type modified_index modified_id ttl"),
    ] {
        assert_eq!(Row::columns(schema).join(" "), columns);
    }
}

// D20: ttl_overflow
#[test]
fn an_overflowing_ttl_is_kept_or_wraps_under_both_rules_of_expiry() {
    for (ttl_overflow, end) in [(TtlOverflow::Keep, 18_446_744_074_000), (TtlOverflow::Wrap, 291)] {
        for preset in PRESETS {
            let mut locket = Locket::new(Profile { ttl_overflow, ..preset });
            locket.lock("bbs", "bbs-0", 18_446_744_074).unwrap();
            assert_eq!(locket.end_of("bbs"), Some(end));
        }
    }
}

// D2, D3, D4: type_rules

/// The string and the code of a type; then the type that Lock stores and the rows that FetchAll
/// lists by the documents, by the server from 2017 to 2024, where both had to agree, and by that
/// of today, which ignores the string (B14, B16, B21). `-` is invalid-type.
const TYPES: [(&str, i32, [[&str; 2]; 3]); 13] = [
    ("", 0, [["", "-"], ["-", "-"], ["-", "-"]]),
    ("lock", 0, [["lock", "a lock"], ["lock", "a lock"], ["-", "-"]]),
    ("presence", 0, [["presence", "a presence"], ["presence", "a presence"], ["-", "-"]]),
    ("dog", 0, [["dog", "-"], ["-", "-"], ["-", "-"]]),
    ("Lock", 0, [["Lock", "-"], ["-", "-"], ["-", "-"]]),
    ("", 1, [["lock", "a lock"]; 3]),
    ("", 2, [["presence", "a presence"]; 3]),
    ("lock", 1, [["lock", "a lock"]; 3]),
    ("presence", 1, [["lock", "a lock"], ["-", "-"], ["lock", "a lock"]]),
    ("dog", 2, [["presence", "a presence"], ["-", "-"], ["presence", "a presence"]]),
    ("", 7, [["-", "-"]; 3]),
    ("lock", 7, [["-", "-"]; 3]),
    ("lock", -1, [["-", "-"]; 3]),
];

fn valid(result: Result<String, LockError>) -> String {
    result.unwrap_or_else(|error| {
        assert_eq!(error, INVALID_TYPE);
        "-".to_owned()
    })
}

#[test]
fn the_rules_of_types_say_what_lock_stores_and_fetch_all_lists() {
    for (index, type_rules) in
        [TypeRules::Documented, TypeRules::Legacy, TypeRules::Upstream].into_iter().enumerate()
    {
        for (preset, (name, code, expected)) in
            PRESETS.iter().flat_map(|it| TYPES.map(|row| (it, row)))
        {
            let code = TypeCode::from(code);
            let mut locket = Locket::new(Profile { type_rules, ..*preset });
            locket.lock("a lock", "o", 15).unwrap();
            locket.handle(&presence("a presence", "o", 15)).unwrap();

            let listed = locket.listed(name, code).map(|keys| keys.join(" "));
            let locked = locket.handle(&lock_typed("new", "o", name, code, 15));
            let stored = locked.map(|_| locket.row("new").unwrap().type_name.unwrap());

            assert_eq!(
                [valid(stored), valid(listed)],
                expected[index],
                "{type_rules:?} {name:?} {code:?}"
            );
        }
    }
}

// In JSON

fn read(json: &str) -> Result<Profile, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn a_profile_is_a_presets_name_or_a_preset_with_changes() {
    let changed = Profile { release_missing: ReleaseMissing::NotFound, ..UPSTREAM };
    for (json, profile) in [
        (r#""documented""#, DOCUMENTED),
        (r#""upstream""#, UPSTREAM),
        (r#"{"extends": "upstream", "releaseMissing": "not-found"}"#, changed),
        // Without `extends` it changes the documents.
        ("{}", DOCUMENTED),
    ] {
        assert_eq!(read(json), Ok(profile));
    }
}

#[test]
fn a_profile_is_written_with_every_switch_and_read_back() {
    for preset in PRESETS {
        assert_eq!(read(&serde_json::to_string(&preset).unwrap()), Ok(preset));
    }
    let written = [
        ("callerGone", ["commits", "commits"]),
        ("database", ["postgres", "postgres"]),
        ("emptyOwnerRelease", ["missing", "collision"]),
        ("expiry", ["exact", "upstream-timers"]),
        ("fetchAllOrder", ["insertion", "last-write"]),
        ("invalidTypeError", ["undocumented", "upstream"]),
        ("invalidTypeStatus", ["not-found", "not-found"]),
        ("keyRequired", ["true", "false"]),
        ("nilResource", ["invalid", "crash"]),
        ("releaseMissing", ["not-found", "ok"]),
        ("releaseOwnerRequired", ["true", "false"]),
        ("schema", ["documented", "upstream"]),
        ("ttlOverflow", ["keep", "wrap"]),
        ("typeRules", ["documented", "upstream"]),
    ];
    for (number, preset) in PRESETS.into_iter().enumerate() {
        let switches = serde_json::to_value(preset).unwrap();
        let switches = switches.as_object().unwrap().iter();
        let shown =
            switches.map(|(name, value)| (name.clone(), value.to_string().replace('"', "")));
        assert!(shown.eq(written.map(|(name, values)| (name.into(), values[number].into()))));
    }
}

#[test]
fn a_profile_that_cannot_be_read_is_answered_with_what_can_be() {
    for (json, said) in [
        (r#""upstreem""#, "`documented` or `upstream`"),
        (r#"{"releaseMising": "ok"}"#, "`releaseMissing`"),
        (r#"{"releaseMissing": "maybe"}"#, "`not-found`, `ok`, `sql-not-found`"),
        ("null", "expected a profile"),
        ("7", "expected a profile"),
        ("true", "expected a profile"),
        ("[]", "expected a profile"),
    ] {
        let error = read(json).unwrap_err();
        assert!(error.contains(said), "{json}: {error}");
    }
}
