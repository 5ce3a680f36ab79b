//! Claims about the `documented` profile: Locket as its published documents describe it.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::error::Code;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};

/// `bbs-0` holds `bbs`.
fn held() -> Locket {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    locket.lock("bbs", "bbs-0", 15).unwrap();
    locket
}

// D1, D5, D6, D8, D9, D11; what is wrong with a Lock is said in the order resource, key, TTL,
// owner, type, collision.
#[test]
fn a_refused_request_has_the_documented_code_and_message() {
    const INVALID: Code = Code::InvalidArgument;
    let typed = |key, owner, ttl| lock_typed(key, owner, "lock", TypeCode::Other(3), ttl);
    let no_resource = |ttl_in_seconds| Request::Lock { resource: None, ttl_in_seconds };
    for (request, code, message) in [
        (no_resource(0), INVALID, "invalid-resource"),
        (Request::Release { resource: None }, INVALID, "invalid-resource"),
        (typed("", "", 0), INVALID, "invalid-key"),
        (lock("", "bbs-0", 15), INVALID, "invalid-key"),
        (release("", ""), INVALID, "invalid-key"),
        (fetch(""), INVALID, "invalid-key"),
        (typed("bbs", "", 0), INVALID, "invalid-ttl"),
        (lock("bbs", "bbs-1", 0), INVALID, "invalid-ttl"),
        (lock("bbs", "bbs-1", -15), INVALID, "invalid-ttl"),
        (typed("bbs", "", 15), INVALID, "invalid-owner"),
        (lock("bbs", "", 15), INVALID, "invalid-owner"),
        (release("bbs", ""), INVALID, "invalid-owner"),
        (typed("bbs", "bbs-1", 15), Code::NotFound, "invalid-type"),
        (fetch_all("", TypeCode::Unknown), Code::NotFound, "invalid-type"),
        (fetch_all("dog", TypeCode::Unknown), Code::NotFound, "invalid-type"),
        (fetch_all("", TypeCode::Other(3)), Code::NotFound, "invalid-type"),
        (fetch_all("lock", TypeCode::Other(3)), Code::NotFound, "invalid-type"),
        (lock("bbs", "bbs-1", 15), Code::AlreadyExists, "lock-collision"),
        (release("bbs", "bbs-1"), Code::AlreadyExists, "lock-collision"),
        (release("free", "bbs-0"), Code::NotFound, "resource-not-found"),
        (fetch("free"), Code::NotFound, "resource-not-found"),
    ] {
        let error = held().handle(&request).expect_err("it is refused");
        assert_eq!((error.code(), error.message()), (code, message), "{request:?}");
    }
}

// D2
#[test]
fn a_list_goes_by_type_code_or_by_type_string() {
    let mut locket = held();
    locket.handle(&presence("cell-1", "cell", 15)).unwrap();
    for (name, code, expected) in [
        ("", TypeCode::Lock, "bbs"),
        ("lock", TypeCode::Unknown, "bbs"),
        ("", TypeCode::Presence, "cell-1"),
        ("presence", TypeCode::Unknown, "cell-1"),
    ] {
        assert_eq!(locket.listed(name, code), Ok(vec![expected.to_owned()]));
    }
}

// D3, D4
#[test]
fn a_lock_takes_a_code_a_string_or_neither_and_reads_back_so() {
    for (name, code, type_name, type_code) in [
        ("", TypeCode::Lock, "lock", TypeCode::Lock),
        ("presence", TypeCode::Unknown, "presence", TypeCode::Presence),
        ("dog", TypeCode::Unknown, "dog", TypeCode::Unknown),
        ("", TypeCode::Unknown, "", TypeCode::Unknown),
    ] {
        let mut locket = held();
        locket.handle(&lock_typed("new", "o", name, code, 15)).unwrap();
        let expected = Resource { type_name: type_name.into(), type_code, ..resource("new", "o") };
        assert_eq!(locket.fetch("new"), Ok(expected));
    }
}

// D19, D27
#[test]
fn a_lock_may_be_repeated_and_is_free_the_moment_its_ttl_ends() {
    let mut locket = held();
    assert_eq!(locket.at(1).lock("bbs", "bbs-0", 15), Ok(Response::Lock));

    assert_eq!(locket.end_of("bbs"), Some(15_001));
    assert!(locket.at(15_000).lock("bbs", "bbs-1", 15).is_err());
    assert!(locket.at(15_001).release("bbs", "bbs-0").is_err());
    assert_eq!(locket.lock("bbs", "bbs-1", 15), Ok(Response::Lock));
}

#[test]
fn rows_that_expired_are_counted_by_kind() {
    let mut locket = held();
    locket.handle(&presence("cell-1", "cell", 15)).unwrap();
    locket.handle(&presence("cell-2", "cell", 15)).unwrap();

    let stats = locket.cluster.stats(s(15), &mut ());

    assert_eq!((stats.expired.locks, stats.expired.presences), (1, 2));
}
