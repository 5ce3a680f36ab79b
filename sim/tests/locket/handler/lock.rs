//! Claims about Lock requests.

use super::*;

#[test]
fn lock_asks_the_database_once_for_that_resource_and_ttl() {
    let request = test_lock();
    let expected = test_resource();

    let served = serve(&request, Ok(Outcome::Locked(Some(stored().into()))), WAITING);

    assert_eq!(asked(&request), Ok(Operation::Lock { resource: &expected, ttl_in_seconds: 10 }));
    assert_eq!(served.counters(Method::Lock), SUCCEEDED);
}

// B24
#[test]
fn a_call_is_counted_under_its_own_name_only() {
    let served = serve(&test_lock(), Ok(Outcome::Locked(Some(stored().into()))), WAITING);

    for method in [Method::Release, Method::Fetch, Method::FetchAll] {
        assert_eq!(served.counters(method), MethodCounters::default());
    }
}

#[test]
fn lock_is_in_flight_from_begin_to_finish() {
    let request = test_lock();
    let mut server = Server::new(Profile::UPSTREAM, s(0));

    let (call, _) = server.begin(&request, s(0));
    let during = server.requests().of(Method::Lock).in_flight;
    let stored = Ok(Outcome::Locked(Some(stored().into())));
    server.finish(call, &request, stored, WAITING, s(0), &mut ()).unwrap();
    let after = server.requests().of(Method::Lock).in_flight;

    assert_eq!((during, after), (1, 0));
}

// B17
#[test]
fn lock_registers_exactly_the_row_that_was_stored() {
    let mut served = serve(&test_lock(), Ok(Outcome::Locked(Some(stored().into()))), WAITING);

    assert_eq!(served.answer, Ok(Response::Lock));
    assert_eq!(served.server.expiry().len(), 1);
    let (_, registered) = served.server.poll_fired(s(10)).unwrap();
    assert_eq!(registered, stored());
}

#[test]
fn lock_needs_no_type_string_beside_the_code() {
    let request = lock_typed("test", "myself", "", TypeCode::Lock, 10);

    let served = serve(&request, Ok(Outcome::Locked(Some(stored().into()))), WAITING);

    assert_eq!(served.answer, Ok(Response::Lock));
    assert_eq!(served.counters(Method::Lock), SUCCEEDED);
}

#[test]
fn lock_without_code_and_string_is_an_invalid_type() {
    let request = lock_typed("test", "myself", "", TypeCode::Unknown, 10);

    let served = serve(&request, Ok(Outcome::Locked(Some(stored().into()))), WAITING);

    assert_eq!(served.answer, Err(LockError::InvalidType(Code::NotFound)));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

#[test]
fn lock_with_a_code_outside_the_enum_is_an_invalid_type() {
    let request = lock_typed("test", "myself", "", TypeCode::Other(4), 10);

    let served = serve(&request, Ok(Outcome::Locked(Some(stored().into()))), WAITING);

    assert_eq!(served.answer, Err(LockError::InvalidType(Code::NotFound)));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

// B28
#[test]
fn an_invalid_type_is_logged_as_an_invalid_request() {
    let request = lock_typed("test", "myself", "", TypeCode::Unknown, 10);

    let served = serve(&request, boom(), WAITING);

    assert_eq!(served.logs.messages(), ["invalid-request"]);
}

#[test]
fn lock_without_a_ttl_is_refused_and_logged_with_key_and_owner() {
    let served = serve(&lock("test", "myself", 0), boom(), WAITING);

    assert_eq!(served.answer, Err(LockError::InvalidTtl));
    let line = served.logs.of("failed-locking-lock")[0];
    assert_eq!(line.error.as_deref(), Some("invalid-ttl"));
    assert_eq!((&*line.key, &*line.owner), ("test", "myself"));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

// B14
#[test]
fn a_ttl_below_zero_is_invalid_too() {
    for ttl in [-1, i64::MIN] {
        let request = lock("test", "myself", ttl);
        assert_eq!(serve(&request, boom(), WAITING).answer, Err(LockError::InvalidTtl));
    }
}

#[test]
fn lock_without_an_owner_is_refused_and_logged_with_key_and_owner() {
    let served = serve(&lock("test", "", 10), boom(), WAITING);

    assert_eq!(served.answer, Err(LockError::InvalidOwner));
    let line = served.logs.of("failed-locking-lock")[0];
    assert_eq!(line.error.as_deref(), Some("invalid-owner"));
    assert_eq!((&*line.key, &*line.owner), ("test", ""));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

// B13
#[test]
fn lock_hands_on_what_the_database_says() {
    let served = serve(&test_lock(), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

#[test]
fn what_the_database_says_to_lock_is_logged_with_key_and_owner() {
    let served = serve(&test_lock(), boom(), WAITING);

    let line = served.logs.of("failed-locking-lock")[0];
    assert_eq!(line.error.as_deref(), Some("Boom."));
    assert_eq!((&*line.key, &*line.owner), ("test", "myself"));
}

#[test]
fn a_lock_that_failed_registers_nothing() {
    let served = serve(&test_lock(), boom(), WAITING);

    assert!(served.server.expiry().is_empty());
}

// B28
#[test]
fn the_handler_does_not_log_a_collision() {
    let served = serve(&test_lock(), Err(LockError::LockCollision), WAITING);

    assert_eq!(served.logs.messages(), Vec::<&str>::new());
}

// B25
#[test]
fn a_collision_of_lock_counts_as_success() {
    let served = serve(&test_lock(), Err(LockError::LockCollision), WAITING);

    assert_eq!(served.answer, Err(LockError::LockCollision));
    assert_eq!(served.counters(Method::Lock), SUCCEEDED);
}

#[test]
fn lock_without_a_table_stops_the_process() {
    check_unrecoverable(&test_lock());
}

// B29
#[test]
fn any_other_failure_lets_the_process_go_on() {
    let served = serve(&test_lock(), boom(), WAITING);

    assert!(!served.server.exits());
}

#[test]
fn a_lock_whose_caller_gave_up_is_logged() {
    check_patience_is_logged(&test_lock(), CANCELLED, "context-cancelled", "test", "myself");
}

// B26
#[test]
fn a_lock_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&test_lock(), boom(), CANCELLED);

    assert_eq!(served.counters(Method::Lock), FAILED_AND_CANCELLED);
}

#[test]
fn a_lock_whose_caller_ran_out_of_time_is_logged() {
    let message = "context-deadline-exceeded";
    check_patience_is_logged(&test_lock(), TOO_LATE, message, "test", "myself");
}

#[test]
fn a_lock_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&test_lock(), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::Lock), FAILED);
}

// B27
#[test]
fn a_caller_without_a_request_id_is_logged_with_an_empty_one() {
    let nameless = Caller { request_id: "", ..CANCELLED };

    let served = serve(&test_lock(), boom(), nameless);

    let line = served.logs.of("context-cancelled")[0];
    assert_eq!(line.request_id.as_deref(), Some(""));
}
