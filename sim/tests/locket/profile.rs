//! Claims about the switches of a profile: what each value does, and how profiles are written.
//!
//! Each switch is tried on the preset that has the other value, so that it is shown to act
//! alone.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::flavor::Flavor;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::{
    CallerGone, EmptyOwnerRelease, ExpiryRule, FetchAllOrder, InvalidTypeError, InvalidTypeStatus,
    NilResource, Profile, ReleaseMissing, Schema, TtlOverflow, TypeRules,
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
fn the_documented_preset_in_full() {
    let expected = Profile {
        caller_gone: CallerGone::Commits,
        database: Flavor::Postgres,
        empty_owner_release: EmptyOwnerRelease::Missing,
        expiry: ExpiryRule::Exact,
        fetch_all_order: FetchAllOrder::Insertion,
        invalid_type_error: InvalidTypeError::Undocumented,
        invalid_type_status: InvalidTypeStatus::NotFound,
        key_required: true,
        nil_resource: NilResource::Invalid,
        release_missing: ReleaseMissing::NotFound,
        release_owner_required: true,
        schema: Schema::Documented,
        ttl_overflow: TtlOverflow::Keep,
        type_rules: TypeRules::Documented,
    };

    assert_eq!(DOCUMENTED, expected);
}

#[test]
fn the_upstream_preset_in_full() {
    let expected = Profile {
        caller_gone: CallerGone::Commits,
        database: Flavor::Postgres,
        empty_owner_release: EmptyOwnerRelease::Collision,
        expiry: ExpiryRule::UpstreamTimers,
        fetch_all_order: FetchAllOrder::LastWrite,
        invalid_type_error: InvalidTypeError::Upstream,
        invalid_type_status: InvalidTypeStatus::NotFound,
        key_required: false,
        nil_resource: NilResource::Crash,
        release_missing: ReleaseMissing::Ok,
        release_owner_required: false,
        schema: Schema::Upstream,
        ttl_overflow: TtlOverflow::Wrap,
        type_rules: TypeRules::Upstream,
    };

    assert_eq!(UPSTREAM, expected);
}

#[test]
fn the_documents_are_the_default() {
    assert_eq!(Profile::default(), DOCUMENTED);
}

// D10: empty_owner_release

fn release_of_a_row_without_owner(empty_owner_release: EmptyOwnerRelease) -> Vec<String> {
    [DOCUMENTED, UPSTREAM]
        .map(|preset| {
            let mut locket = Locket::new(Profile { empty_owner_release, ..preset });
            locket.put(row("bbs", "", 15)).unwrap();
            match locket.release("bbs", "bbs-0") {
                Ok(_) => "ok".to_owned(),
                Err(error) => error.message().to_owned(),
            }
        })
        .to_vec()
}

#[test]
fn a_row_without_an_owner_collides_with_a_release() {
    let answers = release_of_a_row_without_owner(EmptyOwnerRelease::Collision);

    assert_eq!(answers, ["lock-collision", "lock-collision"]);
}

// It is then answered as `release_missing` says.
#[test]
fn a_row_without_an_owner_is_missing_to_a_release() {
    let answers = release_of_a_row_without_owner(EmptyOwnerRelease::Missing);

    assert_eq!(answers, ["resource-not-found", "ok"]);
}

#[test]
fn a_row_that_is_missing_to_a_release_stays() {
    let mut locket = Locket::new(DOCUMENTED);
    locket.put(row("bbs", "", 15)).unwrap();

    let _ = locket.release("bbs", "bbs-0");

    assert_eq!(locket.rows().len(), 1);
}

// D19: expiry

/// When a row with a TTL of 2 s goes that an operator puts at 7.3 s.
fn end_of_a_put_row(expiry: ExpiryRule, preset: Profile) -> Option<u64> {
    let mut locket = Locket::new(Profile { expiry, ..preset });
    locket.at(7_300).put(row("bbs", "bbs-0", 2)).unwrap();
    locket.end_of("bbs")
}

#[test]
fn exact_expiry_counts_from_the_write_whoever_wrote() {
    assert_eq!(end_of_a_put_row(ExpiryRule::Exact, UPSTREAM), Some(9_300));
}

#[test]
fn upstream_timers_count_from_when_a_process_sees_the_row() {
    assert_eq!(end_of_a_put_row(ExpiryRule::UpstreamTimers, DOCUMENTED), Some(12_000));
}

// D24: fetch_all_order

/// Lists after inserts of c, a and b, a renewal of c, a release of a and an insert of aa.
fn listed_in(fetch_all_order: FetchAllOrder) -> Vec<String> {
    let mut locket = Locket::new(Profile { fetch_all_order, ..DOCUMENTED });
    for key in ["c", "a", "b", "c"] {
        locket.lock(key, "o", 15).unwrap();
    }
    locket.release("a", "o").unwrap();
    locket.lock("aa", "o", 15).unwrap();
    locket.listed("", TypeCode::Lock).unwrap()
}

#[test]
fn a_list_by_insertion_is_in_the_order_in_which_keys_were_first_taken() {
    assert_eq!(listed_in(FetchAllOrder::Insertion), ["c", "b", "aa"]);
}

#[test]
fn a_list_by_key_is_sorted() {
    assert_eq!(listed_in(FetchAllOrder::Key), ["aa", "b", "c"]);
}

#[test]
fn a_list_by_last_write_has_renewed_rows_behind() {
    assert_eq!(listed_in(FetchAllOrder::LastWrite), ["b", "c", "aa"]);
}

#[test]
fn a_row_that_is_taken_again_counts_as_a_new_insertion() {
    let mut locket = Locket::new(DOCUMENTED);
    for key in ["a", "b"] {
        locket.lock(key, "o", 15).unwrap();
    }
    locket.release("a", "o").unwrap();
    locket.lock("a", "o", 15).unwrap();

    let listed = locket.listed("", TypeCode::Lock);

    assert_eq!(listed, Ok(vec!["b".into(), "a".into()]));
}

#[test]
fn an_update_of_all_rows_keeps_the_order_of_insertion() {
    let mut locket = Locket::new(DOCUMENTED);
    for key in ["c", "a", "b"] {
        locket.lock(key, "o", 15).unwrap();
    }

    locket.update(&Default::default()).unwrap();

    let listed = locket.listed("", TypeCode::Lock).unwrap();
    assert_eq!(listed, ["c", "a", "b"]);
}

fn shuffled() -> Locket {
    let mut locket =
        Locket::new(Profile { fetch_all_order: FetchAllOrder::Shuffled, ..DOCUMENTED });
    for key in ["a", "b", "c", "d", "e"] {
        locket.lock(key, "o", 15).unwrap();
    }
    locket
}

#[test]
fn a_shuffled_list_has_every_row_once() {
    let mut listed = shuffled().listed("", TypeCode::Lock).unwrap();
    listed.sort();

    assert_eq!(listed, ["a", "b", "c", "d", "e"]);
}

#[test]
fn a_shuffled_list_stays_the_same_until_a_write() {
    let mut locket = shuffled();

    let lists = [(); 3].map(|()| locket.listed("", TypeCode::Lock).unwrap());

    assert!(lists.iter().all(|list| *list == lists[0]));
}

#[test]
fn a_shuffled_list_differs_after_writes() {
    let mut locket = shuffled();
    let first = locket.listed("", TypeCode::Lock).unwrap();

    let differs = (0..10).any(|_| {
        locket.lock("a", "o", 15).unwrap();
        locket.listed("", TypeCode::Lock).unwrap() != first
    });

    assert!(differs);
}

// D5, D6: invalid_type_error

/// The errors of a Lock with a wrong type, TTL and owner, then without one error after
/// the other.
fn ranked(invalid_type_error: InvalidTypeError, preset: Profile) -> Vec<LockError> {
    let profile = Profile { invalid_type_error, ..preset };
    let code = TypeCode::Other(7);
    [("", 0), ("", 15), ("bbs-0", 15)]
        .map(|(owner, ttl)| {
            let request = lock_typed("bbs", owner, "", code, ttl);
            answer(profile, &request).unwrap_err()
        })
        .to_vec()
}

#[test]
fn an_undocumented_invalid_type_comes_after_the_documented_errors() {
    let said = ranked(InvalidTypeError::Undocumented, UPSTREAM);

    let expected = [LockError::InvalidTtl, LockError::InvalidOwner, INVALID_TYPE];
    assert_eq!(said, expected);
}

#[test]
fn an_invalid_type_of_upstream_comes_first() {
    let said = ranked(InvalidTypeError::Upstream, DOCUMENTED);

    assert_eq!(said, [INVALID_TYPE, INVALID_TYPE, INVALID_TYPE]);
}

#[test]
fn an_invalid_type_of_upstream_comes_before_a_required_key() {
    let profile = Profile { key_required: true, ..UPSTREAM };

    let said = answer(profile, &lock_typed("", "o", "", TypeCode::Unknown, 15));

    assert_eq!(said, Err(INVALID_TYPE));
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

// D8: key_required

#[test]
fn a_required_key_is_refused_when_it_is_empty() {
    let profile = Profile { key_required: true, ..UPSTREAM };

    for request in [lock("", "bbs-0", 15), release("", "bbs-0"), fetch("")] {
        assert_eq!(answer(profile, &request), Err(LockError::InvalidKey));
    }
}

#[test]
fn an_empty_key_that_is_not_required_works_like_any_other() {
    let mut locket = Locket::new(Profile { key_required: false, ..DOCUMENTED });

    assert_eq!(locket.lock("", "bbs-0", 15), Ok(Response::Lock));
    assert_eq!(locket.lock("", "bbs-1", 15), Err(LockError::LockCollision));
    assert_eq!(locket.fetch("").unwrap().owner, "bbs-0");
    assert_eq!(locket.release("", "bbs-0"), Ok(Response::Release));
}

// D11: nil_resource

fn said_to_no_resource(nil_resource: NilResource, preset: Profile) -> [(Code, String); 2] {
    let profile = Profile { nil_resource, ..preset };
    let resource = None;
    let lock = Request::Lock { resource: None, ttl_in_seconds: 15 };
    [lock, Request::Release { resource }].map(|request| {
        let error = answer(profile, &request).unwrap_err();
        (error.code(), error.message().to_owned())
    })
}

#[test]
fn a_missing_resource_is_refused_as_invalid() {
    let said = said_to_no_resource(NilResource::Invalid, UPSTREAM);

    let expected = || (Code::InvalidArgument, "invalid-resource".to_owned());
    assert_eq!(said, [expected(), expected()]);
}

#[test]
fn a_missing_resource_that_would_crash_upstream_says_so() {
    let said = said_to_no_resource(NilResource::Crash, DOCUMENTED);

    for (code, message) in said {
        assert_eq!(code, Code::Internal);
        assert!(message.contains("crashes the real Locket process"));
    }
}

// D1: release_missing

fn said_to_a_release_of_nothing(
    release_missing: ReleaseMissing,
    preset: Profile,
) -> Result<Response, LockError> {
    let profile = Profile { release_missing, ..preset };
    answer(profile, &release("bbs", "bbs-0"))
}

#[test]
fn a_release_of_nothing_may_be_not_found() {
    assert_eq!(
        said_to_a_release_of_nothing(ReleaseMissing::NotFound, UPSTREAM),
        Err(LockError::ResourceNotFound)
    );
}

#[test]
fn a_release_of_nothing_may_succeed() {
    assert_eq!(said_to_a_release_of_nothing(ReleaseMissing::Ok, DOCUMENTED), Ok(Response::Release));
}

#[test]
fn a_release_of_nothing_may_fail_as_it_did_before_2019() {
    for preset in PRESETS {
        let error = said_to_a_release_of_nothing(ReleaseMissing::SqlNotFound, preset).unwrap_err();

        assert_eq!((error.code(), error.message()), (Code::Unknown, "sql-resource-not-found"));
    }
}

// D9: release_owner_required

#[test]
fn a_release_may_require_an_owner() {
    let profile = Profile { release_owner_required: true, ..UPSTREAM };

    assert_eq!(answer(profile, &release("bbs", "")), Err(LockError::InvalidOwner));
}

#[test]
fn a_release_may_leave_the_owner_to_the_comparison() {
    let mut locket = Locket::new(Profile { release_owner_required: false, ..DOCUMENTED });
    locket.lock("bbs", "bbs-0", 15).unwrap();

    assert_eq!(locket.release("bbs", ""), Err(LockError::LockCollision));
}

// D12, D13: schema

fn row_without_a_value() -> Row {
    Row { value: None, ..row("bbs", "bbs-0", 15) }
}

#[test]
fn the_documented_schema_takes_no_null() {
    let mut locket = Locket::new(Profile { schema: Schema::Documented, ..UPSTREAM });
    let whole = || row("bbs", "bbs-0", 15);

    for broken in [
        row_without_a_value(),
        Row { owner: None, ..whole() },
        Row { type_name: None, ..whole() },
        Row { ttl: None, ..whole() },
        Row { modified_id: None, ..whole() },
        Row { modified_index: None, ..whole() },
    ] {
        let refused = Err(database("sql-unknown, error code: 23502, flavor: postgres"));
        assert_eq!(locket.put(broken), refused);
    }
}

#[test]
fn the_upstream_schema_takes_null() {
    let mut locket = Locket::new(Profile { schema: Schema::Upstream, ..DOCUMENTED });

    locket.put(row_without_a_value()).unwrap();

    assert_eq!(locket.rows(), [row_without_a_value()]);
}

#[test]
fn the_schemas_order_their_columns_differently() {
    assert_eq!(
        Row::columns(Schema::Documented).join(" "),
        "path owner value type ttl modified_id modified_index"
    );
    assert_eq!(
        Row::columns(Schema::Upstream).join(" "),
        "path owner value type modified_index modified_id ttl"
    );
}

// D20: ttl_overflow

fn end_with_an_overflowing_ttl(ttl_overflow: TtlOverflow, preset: Profile) -> Option<u64> {
    let mut locket = Locket::new(Profile { ttl_overflow, ..preset });
    locket.lock("bbs", "bbs-0", 18_446_744_074).unwrap();
    locket.end_of("bbs")
}

#[test]
fn an_overflowing_ttl_may_be_kept_under_both_rules_of_expiry() {
    for preset in PRESETS {
        assert_eq!(
            end_with_an_overflowing_ttl(TtlOverflow::Keep, preset),
            Some(18_446_744_074_000)
        );
    }
}

#[test]
fn an_overflowing_ttl_may_wrap_under_both_rules_of_expiry() {
    for preset in PRESETS {
        assert_eq!(end_with_an_overflowing_ttl(TtlOverflow::Wrap, preset), Some(291));
    }
}

// D2, D3, D4: type_rules

/// The result of a set of rules for every combination of string and code: the type that Lock
/// stores and the type that FetchAll lists, `-` for invalid-type.
fn check_types(type_rules: TypeRules, expected: &[(&str, i32, &str, &str)]) {
    for preset in PRESETS {
        let profile = Profile { type_rules, ..preset };
        for &(name, code, stored, listed) in expected {
            let code = TypeCode::from(code);
            let mut locket = Locket::new(profile);
            locket.lock("a lock", "o", 15).unwrap();
            locket.handle(&presence("a presence", "o", 15)).unwrap();

            let list = locket.listed(name, code);
            let locked = locket.handle(&lock_typed("new", "o", name, code, 15));

            let invalid = |error: LockError| {
                assert_eq!(error, INVALID_TYPE);
                "-".to_owned()
            };
            let list = list.map_or_else(invalid, |keys| keys.join(" "));
            let stored_type = match locked {
                Ok(_) => locket.row("new").unwrap().type_name.unwrap(),
                Err(error) => invalid(error),
            };
            assert_eq!((&*stored_type, &*list), (stored, listed), "{name:?} {code:?}");
        }
    }
}

#[test]
fn the_documents_take_a_code_a_string_or_neither() {
    let expected = [
        ("", 0, "", "-"),
        ("lock", 0, "lock", "a lock"),
        ("presence", 0, "presence", "a presence"),
        ("dog", 0, "dog", "-"),
        ("Lock", 0, "Lock", "-"),
        ("", 1, "lock", "a lock"),
        ("", 2, "presence", "a presence"),
        ("lock", 1, "lock", "a lock"),
        ("presence", 1, "lock", "a lock"),
        ("dog", 2, "presence", "a presence"),
        ("", 7, "-", "-"),
        ("lock", 7, "-", "-"),
        ("lock", -1, "-", "-"),
    ];
    check_types(TypeRules::Documented, &expected);
}

#[test]
fn from_2017_to_2024_code_and_string_had_to_agree() {
    let expected = [
        ("", 0, "-", "-"),
        ("lock", 0, "lock", "a lock"),
        ("presence", 0, "presence", "a presence"),
        ("dog", 0, "-", "-"),
        ("Lock", 0, "-", "-"),
        ("", 1, "lock", "a lock"),
        ("", 2, "presence", "a presence"),
        ("lock", 1, "lock", "a lock"),
        ("presence", 1, "-", "-"),
        ("dog", 2, "-", "-"),
        ("", 7, "-", "-"),
        ("lock", 7, "-", "-"),
        ("lock", -1, "-", "-"),
    ];
    check_types(TypeRules::Legacy, &expected);
}

// B14, B16, B21
#[test]
fn upstream_takes_a_code_and_ignores_the_string() {
    let expected = [
        ("", 0, "-", "-"),
        ("lock", 0, "-", "-"),
        ("presence", 0, "-", "-"),
        ("dog", 0, "-", "-"),
        ("Lock", 0, "-", "-"),
        ("", 1, "lock", "a lock"),
        ("", 2, "presence", "a presence"),
        ("lock", 1, "lock", "a lock"),
        ("presence", 1, "lock", "a lock"),
        ("dog", 2, "presence", "a presence"),
        ("", 7, "-", "-"),
        ("lock", 7, "-", "-"),
        ("lock", -1, "-", "-"),
    ];
    check_types(TypeRules::Upstream, &expected);
}

// In JSON

fn read(json: &str) -> Result<Profile, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn a_profile_is_written_as_a_presets_name() {
    assert_eq!(read(r#""documented""#), Ok(DOCUMENTED));
    assert_eq!(read(r#""upstream""#), Ok(UPSTREAM));
}

#[test]
fn a_profile_is_written_as_a_preset_with_changes() {
    let profile = read(r#"{"extends": "upstream", "releaseMissing": "not-found"}"#);

    let expected = Profile { release_missing: ReleaseMissing::NotFound, ..UPSTREAM };
    assert_eq!(profile, Ok(expected));
}

#[test]
fn a_profile_without_extends_changes_the_documents() {
    assert_eq!(read("{}"), Ok(DOCUMENTED));
}

#[test]
fn a_profile_that_was_written_out_is_read_back() {
    for preset in PRESETS {
        let json = serde_json::to_string(&preset).unwrap();

        assert_eq!(read(&json), Ok(preset));
    }
}

#[test]
fn the_written_form_names_every_switch() {
    let json = serde_json::to_value(UPSTREAM).unwrap();

    assert_eq!(
        json,
        serde_json::json!({
            "callerGone": "commits",
            "database": "postgres",
            "emptyOwnerRelease": "collision",
            "expiry": "upstream-timers",
            "fetchAllOrder": "last-write",
            "invalidTypeError": "upstream",
            "invalidTypeStatus": "not-found",
            "keyRequired": false,
            "nilResource": "crash",
            "releaseMissing": "ok",
            "releaseOwnerRequired": false,
            "schema": "upstream",
            "ttlOverflow": "wrap",
            "typeRules": "upstream",
        })
    );
}

#[test]
fn a_profile_that_does_not_exist_is_answered_with_those_that_do() {
    let error = read(r#""upstreem""#).unwrap_err();

    assert!(error.contains("`documented` or `upstream`"), "{error}");
}

#[test]
fn a_switch_that_does_not_exist_is_answered_with_those_that_do() {
    let error = read(r#"{"releaseMising": "ok"}"#).unwrap_err();

    assert!(error.contains("`releaseMissing`"), "{error}");
}

#[test]
fn a_value_that_a_switch_does_not_have_is_answered_with_those_it_has() {
    let error = read(r#"{"releaseMissing": "maybe"}"#).unwrap_err();

    assert!(error.contains("`not-found`, `ok`, `sql-not-found`"), "{error}");
}

#[test]
fn what_is_neither_a_name_nor_an_object_is_no_profile() {
    for json in ["null", "7", "true", "[]"] {
        let error = read(json).unwrap_err();
        assert!(error.contains("expected a profile"), "{json}: {error}");
    }
}
