//! Claims about one request at one process: validation, what the database is asked, what is
//! counted, logged and registered. The database's answer is given by the test.
//!
//! T58, an operation timeout on the database's side, has no clock to run on here, since the
//! database answers within the call. What is left of it is what the handler makes of a
//! database that gave up: see `a_database_that_gives_up_is_a_deadline_exceeded`.

mod common;

use common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::log::Level;
use locket_sim::protocol::message::{Method, Request, Response};
use locket_sim::protocol::operation::{Operation, Outcome};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::request_counters::MethodCounters;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::{Registration, RowType};
use locket_sim::protocol::server::{Caller, Patience, Server};
use locket_sim::time::Duration;

type Answer = Result<Outcome, LockError>;

/// One request, from `begin` to `finish`, at a fresh upstream process.
struct Served {
    server: Server,
    answer: Result<Response, LockError>,
    logs: Logs,
}

impl Served {
    fn counters(&self, method: Method) -> MethodCounters {
        *self.server.requests().of(method)
    }
}

fn serve(request: &Request, database: Answer, caller: Caller<'_>) -> Served {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let mut logs = Logs::default();
    let (call, operation) = server.begin(request, s(0));
    let result = operation.and(database);
    let answer = server.finish(call, request, result, caller, s(0), &mut logs);
    Served {
        server,
        answer,
        logs,
    }
}

/// The one thing that the database is asked for a request, or why it is not asked.
fn asked(request: &Request) -> Result<Operation<'_>, LockError> {
    Server::new(Profile::UPSTREAM, s(0)).begin(request, s(0)).1
}

const CANCELLED: Caller<'_> = Caller {
    request_id: "some-request-id",
    patience: Patience::Cancelled,
};

const TOO_LATE: Caller<'_> = Caller {
    request_id: "some-request-id",
    patience: Patience::DeadlineExceeded,
};

const SUCCEEDED: MethodCounters = MethodCounters {
    started: 1,
    succeeded: 1,
    failed: 0,
    in_flight: 0,
    cancelled: 0,
    latency_max: Duration::ZERO,
};

const FAILED: MethodCounters = MethodCounters {
    succeeded: 0,
    failed: 1,
    ..SUCCEEDED
};

const FAILED_AND_CANCELLED: MethodCounters = MethodCounters {
    cancelled: 1,
    ..FAILED
};

fn test_resource() -> Resource {
    Resource {
        value: "test-value".into(),
        ..resource("test", "myself")
    }
}

fn test_lock() -> Request {
    lock_of(test_resource(), 10)
}

fn test_release() -> Request {
    Request::Release {
        resource: Some(test_resource()),
    }
}

/// The row that the database stored for `test_lock`.
fn stored() -> Registration {
    Registration {
        key: "test".into(),
        owner: "myself".into(),
        row_type: RowType::Lock,
        modified_id: "guid".into(),
        modified_index: 2,
        ttl_in_seconds: 10,
    }
}

fn two_resources() -> Vec<Resource> {
    let cell = Resource {
        key: "cell".into(),
        owner: "cell-1".into(),
        value: "{}".into(),
        ..Resource::default()
    };
    vec![test_resource(), cell]
}

fn boom() -> Answer {
    Err(database("Boom."))
}

fn unrecoverable() -> Answer {
    Err(database("sql-unrecoverable"))
}

/// That a patience is logged with all that identifies the call.
fn check_patience_is_logged(
    request: &Request,
    caller: Caller<'_>,
    message: &str,
    key: &str,
    owner: &str,
) {
    let served = serve(request, boom(), caller);

    let lines = served.logs.of(message);
    assert_eq!(lines.len(), 1, "{:?}", served.logs);
    assert_eq!(lines[0].level, Level::Info);
    assert_eq!(lines[0].request_id.as_deref(), Some("some-request-id"));
    assert_eq!(lines[0].method, Some(request.method()));
    assert_eq!((&*lines[0].key, &*lines[0].owner), (key, owner));
}

/// That a lost table is logged, counted and stops the process.
fn check_unrecoverable(request: &Request) {
    let served = serve(request, unrecoverable(), WAITING);

    assert_eq!(served.logs.count("unrecoverable-error"), 1);
    assert_eq!(served.counters(request.method()), FAILED);
    assert!(served.server.exits());
}

// Lock

// T5
#[test]
fn lock_asks_the_database_once_for_that_resource_and_ttl() {
    let request = test_lock();
    let expected = test_resource();

    let served = serve(&request, Ok(Outcome::Locked(stored().into())), WAITING);

    assert_eq!(
        asked(&request),
        Ok(Operation::Lock {
            resource: &expected,
            ttl_in_seconds: 10
        })
    );
    assert_eq!(served.counters(Method::Lock), SUCCEEDED);
}

// T5, B24
#[test]
fn a_call_is_counted_under_its_own_name_only() {
    let served = serve(&test_lock(), Ok(Outcome::Locked(stored().into())), WAITING);

    for method in [Method::Release, Method::Fetch, Method::FetchAll] {
        assert_eq!(served.counters(method), MethodCounters::default());
    }
}

// T6
#[test]
fn lock_is_in_flight_from_begin_to_finish() {
    let request = test_lock();
    let mut server = Server::new(Profile::UPSTREAM, s(0));

    let (call, _) = server.begin(&request, s(0));
    let during = server.requests().of(Method::Lock).in_flight;
    let stored = Ok(Outcome::Locked(stored().into()));
    server
        .finish(call, &request, stored, WAITING, s(0), &mut ())
        .unwrap();
    let after = server.requests().of(Method::Lock).in_flight;

    assert_eq!((during, after), (1, 0));
}

// T7, B17
#[test]
fn lock_registers_exactly_the_row_that_was_stored() {
    let mut served = serve(&test_lock(), Ok(Outcome::Locked(stored().into())), WAITING);

    assert_eq!(served.answer, Ok(Response::Lock));
    assert_eq!(served.server.expiry().len(), 1);
    let (_, registered) = served.server.poll_fired(s(10)).unwrap();
    assert_eq!(registered, stored());
}

// T8
#[test]
fn lock_needs_no_type_string_beside_the_code() {
    let request = lock_typed("test", "myself", "", TypeCode::Lock, 10);

    let served = serve(&request, Ok(Outcome::Locked(stored().into())), WAITING);

    assert_eq!(served.answer, Ok(Response::Lock));
    assert_eq!(served.counters(Method::Lock), SUCCEEDED);
}

// T9
#[test]
fn lock_without_code_and_string_is_an_invalid_type() {
    let request = lock_typed("test", "myself", "", TypeCode::Unknown, 10);

    let served = serve(&request, Ok(Outcome::Locked(stored().into())), WAITING);

    assert_eq!(served.answer, Err(LockError::InvalidType(Code::NotFound)));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

// T10
#[test]
fn lock_with_a_code_outside_the_enum_is_an_invalid_type() {
    let request = lock_typed("test", "myself", "", TypeCode::Other(4), 10);

    let served = serve(&request, Ok(Outcome::Locked(stored().into())), WAITING);

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

// T11
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
        assert_eq!(
            serve(&request, boom(), WAITING).answer,
            Err(LockError::InvalidTtl)
        );
    }
}

// T12
#[test]
fn lock_without_an_owner_is_refused_and_logged_with_key_and_owner() {
    let served = serve(&lock("test", "", 10), boom(), WAITING);

    assert_eq!(served.answer, Err(LockError::InvalidOwner));
    let line = served.logs.of("failed-locking-lock")[0];
    assert_eq!(line.error.as_deref(), Some("invalid-owner"));
    assert_eq!((&*line.key, &*line.owner), ("test", ""));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

// T13, B13
#[test]
fn lock_hands_on_what_the_database_says() {
    let served = serve(&test_lock(), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::Lock), FAILED);
}

// T14
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

// T15, B28
#[test]
fn the_handler_does_not_log_a_collision() {
    let served = serve(&test_lock(), Err(LockError::LockCollision), WAITING);

    assert_eq!(served.logs.messages(), Vec::<&str>::new());
}

// T16, B25
#[test]
fn a_collision_of_lock_counts_as_success() {
    let served = serve(&test_lock(), Err(LockError::LockCollision), WAITING);

    assert_eq!(served.answer, Err(LockError::LockCollision));
    assert_eq!(served.counters(Method::Lock), SUCCEEDED);
}

// T17
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

// T18
#[test]
fn a_lock_whose_caller_gave_up_is_logged() {
    check_patience_is_logged(
        &test_lock(),
        CANCELLED,
        "context-cancelled",
        "test",
        "myself",
    );
}

// T19, B26
#[test]
fn a_lock_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&test_lock(), boom(), CANCELLED);

    assert_eq!(served.counters(Method::Lock), FAILED_AND_CANCELLED);
}

// T20
#[test]
fn a_lock_whose_caller_ran_out_of_time_is_logged() {
    let message = "context-deadline-exceeded";
    check_patience_is_logged(&test_lock(), TOO_LATE, message, "test", "myself");
}

// T21
#[test]
fn a_lock_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&test_lock(), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::Lock), FAILED);
}

// T22, B27
#[test]
fn a_caller_without_a_request_id_is_logged_with_an_empty_one() {
    let nameless = Caller {
        request_id: "",
        ..CANCELLED
    };

    let served = serve(&test_lock(), boom(), nameless);

    let line = served.logs.of("context-cancelled")[0];
    assert_eq!(line.request_id.as_deref(), Some(""));
}

// Release

// T23, T24
#[test]
fn release_is_in_flight_while_the_database_is_silent() {
    let request = test_release();
    let mut server = Server::new(Profile::UPSTREAM, s(0));

    let (_call, _) = server.begin(&request, s(0));

    assert_eq!(server.requests().of(Method::Release).in_flight, 1);
}

// T25
#[test]
fn release_is_in_flight_no_more_once_the_database_answered() {
    let served = serve(&test_release(), Ok(Outcome::Released), WAITING);

    assert_eq!(served.counters(Method::Release).in_flight, 0);
}

// T26
#[test]
fn release_asks_the_database_once_for_that_key_and_owner() {
    let request = test_release();

    let served = serve(&request, Ok(Outcome::Released), WAITING);

    let (key, owner) = ("test", "myself");
    assert_eq!(asked(&request), Ok(Operation::Release { key, owner }));
    assert_eq!(served.answer, Ok(Response::Release));
    assert_eq!(served.counters(Method::Release), SUCCEEDED);
}

// T27
#[test]
fn release_hands_on_what_the_database_says() {
    let served = serve(&test_release(), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::Release), FAILED);
}

// B25
#[test]
fn a_collision_of_release_counts_as_success() {
    let served = serve(&test_release(), Err(LockError::LockCollision), WAITING);

    assert_eq!(served.answer, Err(LockError::LockCollision));
    assert_eq!(served.counters(Method::Release), SUCCEEDED);
}

// T28
#[test]
fn release_without_a_table_stops_the_process() {
    check_unrecoverable(&test_release());
}

// T29
#[test]
fn a_release_whose_caller_gave_up_is_logged() {
    let message = "context-cancelled";
    check_patience_is_logged(&test_release(), CANCELLED, message, "test", "myself");
}

// T30
#[test]
fn a_release_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&test_release(), boom(), CANCELLED);

    assert_eq!(served.counters(Method::Release), FAILED_AND_CANCELLED);
}

// T31
#[test]
fn a_release_whose_caller_ran_out_of_time_is_logged() {
    let message = "context-deadline-exceeded";
    check_patience_is_logged(&test_release(), TOO_LATE, message, "test", "myself");
}

// T32
#[test]
fn a_release_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&test_release(), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::Release), FAILED);
}

// B19
#[test]
fn upstream_release_validates_nothing() {
    let request = Request::Release {
        resource: Some(Resource {
            type_code: TypeCode::Other(7),
            type_name: "dog".into(),
            ..Resource::default()
        }),
    };

    let (key, owner) = ("", "");
    assert_eq!(asked(&request), Ok(Operation::Release { key, owner }));
}

// Fetch

// T33
#[test]
fn fetch_asks_the_database_once_and_answers_its_resource() {
    let request = fetch("test-fetch");

    let served = serve(
        &request,
        Ok(Outcome::Fetched(test_resource().into())),
        WAITING,
    );

    assert_eq!(asked(&request), Ok(Operation::Fetch { key: "test-fetch" }));
    assert_eq!(served.answer, Ok(Response::Fetch(test_resource().into())));
    assert_eq!(served.counters(Method::Fetch), SUCCEEDED);
}

// T34
#[test]
fn fetch_hands_on_what_the_database_says() {
    let served = serve(&fetch("test-fetch"), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::Fetch), FAILED);
}

// B25
#[test]
fn a_fetch_that_finds_nothing_counts_as_failure() {
    let nothing = Err(LockError::ResourceNotFound);

    let served = serve(&fetch("test-fetch"), nothing, WAITING);

    assert_eq!(served.counters(Method::Fetch), FAILED);
}

// T35
#[test]
fn fetch_without_a_table_stops_the_process() {
    check_unrecoverable(&fetch("test-fetch"));
}

// T36
#[test]
fn a_fetch_whose_caller_gave_up_is_logged() {
    let message = "context-cancelled";
    check_patience_is_logged(&fetch("test-fetch"), CANCELLED, message, "test-fetch", "");
}

// T37
#[test]
fn a_fetch_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&fetch("test-fetch"), boom(), CANCELLED);

    assert_eq!(served.counters(Method::Fetch), FAILED_AND_CANCELLED);
}

// T38
#[test]
fn a_fetch_whose_caller_ran_out_of_time_is_logged() {
    let message = "context-deadline-exceeded";
    check_patience_is_logged(&fetch("test-fetch"), TOO_LATE, message, "test-fetch", "");
}

// T39
#[test]
fn a_fetch_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&fetch("test-fetch"), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::Fetch), FAILED);
}

// FetchAll

// T40, T42, T43, T44, T45
#[test]
fn fetch_all_by_code_asks_for_that_type_and_answers_in_the_database_order() {
    for (code, type_filter) in [(TypeCode::Lock, "lock"), (TypeCode::Presence, "presence")] {
        let request = fetch_all("", code);

        let served = serve(&request, Ok(Outcome::FetchedAll(two_resources())), WAITING);

        assert_eq!(asked(&request), Ok(Operation::FetchAll { type_filter }));
        assert_eq!(served.answer, Ok(Response::FetchAll(two_resources())));
        assert_eq!(served.counters(Method::FetchAll), SUCCEEDED);
    }
}

// T41, T46, T47, B21
#[test]
fn fetch_all_without_a_known_code_is_an_invalid_type() {
    for (name, code) in [
        ("", TypeCode::Unknown),
        ("dawg", TypeCode::Unknown),
        ("lock", TypeCode::Unknown),
        ("", TypeCode::Other(7)),
    ] {
        let request = fetch_all(name, code);

        let served = serve(&request, Ok(Outcome::FetchedAll(Vec::new())), WAITING);

        assert_eq!(served.answer, Err(LockError::InvalidType(Code::NotFound)));
        assert_eq!(served.counters(Method::FetchAll), FAILED);
        assert_eq!(served.logs.messages(), ["invalid-request"]);
    }
}

// T48: upstream's test means the storage's error but never reaches the storage.
#[test]
fn fetch_all_of_an_invalid_type_does_not_reach_the_database() {
    let request = fetch_all("", TypeCode::Unknown);

    assert_eq!(asked(&request), Err(LockError::InvalidType(Code::NotFound)));
}

// T48, as meant
#[test]
fn fetch_all_hands_on_what_the_database_says() {
    let served = serve(&fetch_all("", TypeCode::Lock), boom(), WAITING);

    assert_eq!(served.answer, Err(database("Boom.")));
    assert_eq!(served.counters(Method::FetchAll), FAILED);
}

// T49
#[test]
fn fetch_all_without_a_table_stops_the_process() {
    check_unrecoverable(&fetch_all("", TypeCode::Presence));
}

// T50
#[test]
fn a_fetch_all_whose_caller_gave_up_is_logged() {
    let request = fetch_all("", TypeCode::Unknown);
    check_patience_is_logged(&request, CANCELLED, "context-cancelled", "", "");
}

// T51
#[test]
fn a_fetch_all_whose_caller_gave_up_is_counted_as_cancelled_beside_its_result() {
    let served = serve(&fetch_all("", TypeCode::Unknown), boom(), CANCELLED);

    assert_eq!(served.counters(Method::FetchAll), FAILED_AND_CANCELLED);
}

// T52
#[test]
fn a_fetch_all_whose_caller_ran_out_of_time_is_logged() {
    let request = fetch_all("", TypeCode::Unknown);
    check_patience_is_logged(&request, TOO_LATE, "context-deadline-exceeded", "", "");
}

// T53
#[test]
fn a_fetch_all_whose_caller_ran_out_of_time_is_not_counted_as_cancelled() {
    let served = serve(&fetch_all("", TypeCode::Unknown), boom(), TOO_LATE);

    assert_eq!(served.counters(Method::FetchAll), FAILED);
}

// A caller that gives up while the database works

/// That the call goes on when its caller gives up, and ends with the database's answer.
fn check_the_work_goes_on(request: &Request, outcome: Outcome, expected: &Response) {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let (call, operation) = server.begin(request, s(0));
    assert!(operation.is_ok());
    assert_eq!(server.requests().of(request.method()).in_flight, 1);

    let answer = server.finish(call, request, Ok(outcome), CANCELLED, ms(200), &mut ());

    assert_eq!(answer.as_ref(), Ok(expected));
    let counters = server.requests().of(request.method());
    assert_eq!((counters.succeeded, counters.cancelled), (1, 1));
}

// T54
#[test]
fn a_lock_is_done_although_its_caller_gave_up() {
    let outcome = Outcome::Locked(stored().into());
    check_the_work_goes_on(&test_lock(), outcome, &Response::Lock);
}

// B22
#[test]
fn a_lock_whose_caller_gave_up_is_registered_all_the_same() {
    let served = serve(
        &test_lock(),
        Ok(Outcome::Locked(stored().into())),
        CANCELLED,
    );

    assert_eq!(served.server.expiry().len(), 1);
}

// T55
#[test]
fn a_release_is_done_although_its_caller_gave_up() {
    check_the_work_goes_on(&test_release(), Outcome::Released, &Response::Release);
}

// T56
#[test]
fn a_fetch_is_done_although_its_caller_gave_up() {
    let outcome = Outcome::Fetched(test_resource().into());
    let expected = Response::Fetch(test_resource().into());
    check_the_work_goes_on(&fetch("test"), outcome, &expected);
}

// T57
#[test]
fn a_fetch_all_is_done_although_its_caller_gave_up() {
    let outcome = Outcome::FetchedAll(two_resources());
    let expected = Response::FetchAll(two_resources());
    check_the_work_goes_on(&fetch_all("", TypeCode::Lock), outcome, &expected);
}

// Instead of T58; B13, B22
#[test]
fn a_database_that_gives_up_is_a_deadline_exceeded() {
    let served = serve(&test_lock(), Err(LockError::DeadlineExceeded), WAITING);

    assert_eq!(served.answer, Err(LockError::DeadlineExceeded));
    assert_eq!(served.counters(Method::Lock), FAILED);
    assert!(!served.server.exits());
}

// Order of validation

// B14
#[test]
fn upstream_checks_type_before_ttl_before_owner() {
    let wrong = TypeCode::Unknown;
    let invalid_type = LockError::InvalidType(Code::NotFound);
    for (request, expected) in [
        (lock_typed("", "", "", wrong, 0), invalid_type.clone()),
        (lock_typed("", "", "", wrong, 10), invalid_type.clone()),
        (lock_typed("", "o", "", wrong, 0), invalid_type),
        (lock("", "", 0), LockError::InvalidTtl),
        (lock("", "", 10), LockError::InvalidOwner),
    ] {
        assert_eq!(serve(&request, boom(), WAITING).answer, Err(expected));
    }
}

// B15
#[test]
fn upstream_lock_takes_an_empty_key_and_any_length() {
    let long = "x".repeat(5000);
    let request = lock_of(
        Resource {
            value: long.clone(),
            ..resource("", &long)
        },
        i64::MAX,
    );

    assert!(asked(&request).is_ok());
}

// Latency

// B24
#[test]
fn the_longest_latency_is_kept() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let request = fetch("test");
    for (begun, finished) in [(0, 5), (10, 40), (50, 51)] {
        let (call, _) = server.begin(&request, ms(begun));
        let found = Ok(Outcome::Fetched(test_resource().into()));
        server
            .finish(call, &request, found, WAITING, ms(finished), &mut ())
            .unwrap();
    }

    let counters = server.requests().of(Method::Fetch);

    assert_eq!(counters.latency_max, Duration::from_ms(30));
}
