//! Claims about the `documented` profile: Locket as its published documents describe it.

use crate::common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};

fn locket() -> Locket {
    Locket::new(Profile::DOCUMENTED)
}

fn said_to(request: &Request) -> (Code, String) {
    let error = locket().handle(request).expect_err("it is refused");
    (error.code(), error.message().to_owned())
}

fn with_code_and_message(code: Code, message: &str) -> (Code, String) {
    (code, message.to_owned())
}

// D1
#[test]
fn a_release_of_a_key_that_nobody_holds_is_not_found() {
    assert_eq!(
        said_to(&release("bbs", "bbs-0")),
        with_code_and_message(Code::NotFound, "resource-not-found")
    );
}

#[test]
fn a_release_after_the_ttl_is_not_found() {
    let mut locket = locket();
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    let answer = locket.at(15_000).release("bbs", "bbs-0");

    assert_eq!(answer, Err(LockError::ResourceNotFound));
}

#[test]
fn a_fetch_of_a_key_that_nobody_holds_is_not_found() {
    assert_eq!(said_to(&fetch("bbs")), with_code_and_message(Code::NotFound, "resource-not-found"));
}

#[test]
fn a_lock_of_what_another_owner_holds_is_a_collision() {
    let mut locket = locket();
    locket.lock("bbs", "bbs-0", 15).unwrap();

    let error = locket.lock("bbs", "bbs-1", 15).unwrap_err();

    assert_eq!(error.code(), Code::AlreadyExists);
    assert_eq!(error.message(), "lock-collision");
}

#[test]
fn a_release_of_what_another_owner_holds_is_a_collision() {
    let mut locket = locket();
    locket.lock("bbs", "bbs-0", 15).unwrap();

    let answer = locket.release("bbs", "bbs-1");

    assert_eq!(answer, Err(LockError::LockCollision));
}

// D2
#[test]
fn a_list_goes_by_type_code_or_by_type_string() {
    let mut locket = locket();
    locket.lock("bbs", "bbs-0", 15).unwrap();
    locket.handle(&presence("cell-1", "cell", 15)).unwrap();

    for (name, code, expected) in [
        ("", TypeCode::Lock, "bbs"),
        ("lock", TypeCode::Unknown, "bbs"),
        ("", TypeCode::Presence, "cell-1"),
        ("presence", TypeCode::Unknown, "cell-1"),
    ] {
        let listed = locket.listed(name, code);
        assert_eq!(listed, Ok(vec![expected.to_owned()]));
    }
}

// D6
#[test]
fn a_list_of_any_other_type_is_an_invalid_type() {
    for (name, code) in [
        ("", TypeCode::Unknown),
        ("dog", TypeCode::Unknown),
        ("", TypeCode::Other(3)),
        ("lock", TypeCode::Other(3)),
    ] {
        assert_eq!(
            said_to(&fetch_all(name, code)),
            with_code_and_message(Code::NotFound, "invalid-type")
        );
    }
}

// D3, D4
#[test]
fn a_lock_takes_a_code_a_string_or_neither_and_reads_back_so() {
    for (name, code, expected_name, expected_code) in [
        ("", TypeCode::Lock, "lock", TypeCode::Lock),
        ("presence", TypeCode::Unknown, "presence", TypeCode::Presence),
        ("dog", TypeCode::Unknown, "dog", TypeCode::Unknown),
        ("", TypeCode::Unknown, "", TypeCode::Unknown),
    ] {
        let mut locket = locket();
        locket.handle(&lock_typed("bbs", "bbs-0", name, code, 15)).unwrap();

        let expected = Resource {
            type_name: expected_name.into(),
            type_code: expected_code,
            ..resource("bbs", "bbs-0")
        };
        assert_eq!(locket.fetch("bbs"), Ok(expected));
    }
}

#[test]
fn a_lock_with_a_code_outside_the_enum_is_an_invalid_type() {
    assert_eq!(
        said_to(&lock_typed("bbs", "bbs-0", "lock", TypeCode::Other(3), 15)),
        with_code_and_message(Code::NotFound, "invalid-type")
    );
}

// D11
#[test]
fn a_missing_resource_is_an_invalid_argument() {
    let resource = None;
    let lock = Request::Lock { resource: None, ttl_in_seconds: 15 };
    for request in [lock, Request::Release { resource }] {
        assert_eq!(
            said_to(&request),
            with_code_and_message(Code::InvalidArgument, "invalid-resource")
        );
    }
}

// D8
#[test]
fn an_empty_key_is_an_invalid_argument() {
    for request in [lock("", "bbs-0", 15), release("", "bbs-0"), fetch("")] {
        assert_eq!(said_to(&request), with_code_and_message(Code::InvalidArgument, "invalid-key"));
    }
}

#[test]
fn an_empty_owner_is_an_invalid_argument() {
    for request in [lock("bbs", "", 15), release("bbs", "")] {
        assert_eq!(
            said_to(&request),
            with_code_and_message(Code::InvalidArgument, "invalid-owner")
        );
    }
}

#[test]
fn a_ttl_that_is_not_positive_is_an_invalid_argument() {
    for ttl in [0, -15] {
        assert_eq!(
            said_to(&lock("bbs", "bbs-0", ttl)),
            with_code_and_message(Code::InvalidArgument, "invalid-ttl")
        );
    }
}

#[test]
fn resource_key_ttl_owner_type_is_the_order_of_validation() {
    let wrong = TypeCode::Other(3);
    let resource = |key: &str, owner: &str| Resource { type_code: wrong, ..resource(key, owner) };
    let nothing = Request::Lock { resource: None, ttl_in_seconds: 0 };
    for (request, expected) in [
        (nothing, "invalid-resource"),
        (lock_of(resource("", ""), 0), "invalid-key"),
        (lock_of(resource("bbs", ""), 0), "invalid-ttl"),
        (lock_of(resource("bbs", ""), 15), "invalid-owner"),
        (lock_of(resource("bbs", "bbs-0"), 15), "invalid-type"),
    ] {
        assert_eq!(said_to(&request).1, expected);
    }
}

#[test]
fn an_empty_key_comes_before_an_empty_owner_in_release() {
    assert_eq!(said_to(&release("", "")).1, "invalid-key");
}

#[test]
fn validation_comes_before_a_collision() {
    let mut locket = locket();
    locket.lock("bbs", "bbs-0", 15).unwrap();

    let answer = locket.lock("bbs", "bbs-1", 0);

    assert_eq!(answer, Err(LockError::InvalidTtl));
}

// D27
#[test]
fn a_repeated_lock_by_the_holder_is_no_error() {
    let mut locket = locket();
    locket.lock("bbs", "bbs-0", 15).unwrap();

    assert_eq!(locket.lock("bbs", "bbs-0", 15), Ok(Response::Lock));
}

// D19
#[test]
fn a_row_is_gone_the_moment_its_ttl_ends() {
    let mut locket = locket();

    locket.at(1).lock("bbs", "bbs-0", 15).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(15_001));
}

#[test]
fn the_next_owner_gets_the_lock_the_moment_the_ttl_ends() {
    let mut locket = locket();
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    assert_eq!(locket.at(14_999).lock("bbs", "bbs-1", 15), Err(LockError::LockCollision));
    assert_eq!(locket.at(15_000).lock("bbs", "bbs-1", 15), Ok(Response::Lock));
}

#[test]
fn rows_that_went_by_themselves_are_counted_by_kind() {
    let mut locket = locket();
    locket.lock("bbs", "bbs-0", 15).unwrap();
    locket.handle(&presence("cell-1", "cell", 15)).unwrap();
    locket.handle(&presence("cell-2", "cell", 15)).unwrap();

    let stats = locket.cluster.stats(s(15), &mut ());

    assert_eq!((stats.expired.locks, stats.expired.presences), (1, 2));
}
