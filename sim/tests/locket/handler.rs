//! Claims about one request at one process: validation, what the database is asked, what is
//! counted, logged and registered. The database's answer is given by the test.
//!
//! Upstream also tests an operation timeout on the database's side. There is no
//! clock for it here, since the database answers within the call. The rest of it is the answer of
//! the handler when the database gave up: see `a_database_that_gives_up_is_a_deadline_exceeded`.

mod fetch;
mod lock;
mod release;

use crate::common::*;
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
    Served { server, answer, logs }
}

/// The one thing that the database is asked for a request, or why it is not asked.
fn asked(request: &Request) -> Result<Operation<'_>, LockError> {
    Server::new(Profile::UPSTREAM, s(0)).begin(request, s(0)).1
}

const CANCELLED: Caller<'_> =
    Caller { request_id: "some-request-id", patience: Patience::Cancelled };

const TOO_LATE: Caller<'_> =
    Caller { request_id: "some-request-id", patience: Patience::DeadlineExceeded };

const SUCCEEDED: MethodCounters = MethodCounters {
    started: 1,
    succeeded: 1,
    failed: 0,
    in_flight: 0,
    cancelled: 0,
    latency_max: Duration::ZERO,
};

const FAILED: MethodCounters = MethodCounters { succeeded: 0, failed: 1, ..SUCCEEDED };

const FAILED_AND_CANCELLED: MethodCounters = MethodCounters { cancelled: 1, ..FAILED };

fn test_resource() -> Resource {
    Resource { value: "test-value".into(), ..resource("test", "myself") }
}

fn test_lock() -> Request {
    lock_of(test_resource(), 10)
}

fn test_release() -> Request {
    Request::Release { resource: Some(test_resource()) }
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

#[test]
fn a_lock_is_done_although_its_caller_gave_up() {
    let outcome = Outcome::Locked(Some(stored().into()));
    check_the_work_goes_on(&test_lock(), outcome, &Response::Lock);
}

// B22
#[test]
fn a_lock_whose_caller_gave_up_is_registered_all_the_same() {
    let served = serve(&test_lock(), Ok(Outcome::Locked(Some(stored().into()))), CANCELLED);

    assert_eq!(served.server.expiry().len(), 1);
}

#[test]
fn a_release_is_done_although_its_caller_gave_up() {
    check_the_work_goes_on(&test_release(), Outcome::Released, &Response::Release);
}

#[test]
fn a_fetch_is_done_although_its_caller_gave_up() {
    let outcome = Outcome::Fetched(test_resource().into());
    let expected = Response::Fetch(test_resource().into());
    check_the_work_goes_on(&fetch("test"), outcome, &expected);
}

#[test]
fn a_fetch_all_is_done_although_its_caller_gave_up() {
    let outcome = Outcome::FetchedAll(two_resources());
    let expected = Response::FetchAll(two_resources());
    check_the_work_goes_on(&fetch_all("", TypeCode::Lock), outcome, &expected);
}

// B13, B22
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
    let request = lock_of(Resource { value: long.clone(), ..resource("", &long) }, i64::MAX);

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
        server.finish(call, &request, found, WAITING, ms(finished), &mut ()).unwrap();
    }

    let counters = server.requests().of(Method::Fetch);

    assert_eq!(counters.latency_max, Duration::from_ms(30));
}
