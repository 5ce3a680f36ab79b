//! Claims about one request at one process: validation, what the database is asked, what is
//! counted, logged and registered. The database's answer is given by the test.

use crate::common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::log::Level;
use locket_sim::protocol::message::{Method, Request, Response};
use locket_sim::protocol::operation::{Operation, Outcome};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::request_counters::MethodCounters;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::{Registration, RowType};
use locket_sim::protocol::server::{Caller, CallerState, Server};
use locket_sim::time::Duration;

type Answer = Result<Outcome, LockError>;

/// One request, from `begin` to `finish`, at a fresh upstream process.
struct Served {
    server: Server,
    answer: Result<Response, LockError>,
    logs: Logs,
    counters: MethodCounters,
}

fn serve(request: &Request, database: Answer, caller: Caller<'_>) -> Served {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let mut logs = Logs::default();
    let (call, operation) = server.begin(request, s(0));
    assert_eq!(server.requests().of(request.method()).in_flight, 1);
    let result = operation.and(database);
    let answer = server.finish(call, request, result, caller, s(0), &mut logs);
    for other in Method::ALL {
        if other != request.method() {
            assert_eq!(*server.requests().of(other), MethodCounters::default());
        }
    }
    let counters = *server.requests().of(request.method());
    Served { server, answer, logs, counters }
}

/// What the database is asked for a request, or why it is not asked.
fn asked(request: &Request) -> Result<Operation<'_>, LockError> {
    Server::new(Profile::UPSTREAM, s(0)).begin(request, s(0)).1
}

const CANCELLED: Caller<'_> =
    Caller { request_id: "some-request-id", state: CallerState::Cancelled };
const TOO_LATE: Caller<'_> = Caller { state: CallerState::DeadlineExceeded, ..CANCELLED };

const SUCCEEDED: MethodCounters = MethodCounters {
    started: 1,
    succeeded: 1,
    failed: 0,
    in_flight: 0,
    cancelled: 0,
    latency_max: Duration::ZERO,
};
const FAILED: MethodCounters = MethodCounters { succeeded: 0, failed: 1, ..SUCCEEDED };

fn test_resource() -> Resource {
    Resource { value: "test-value".into(), ..resource("test", "myself") }
}

/// The row that the database stored for the Lock.
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

fn locked() -> Answer {
    Ok(Outcome::Locked(Some(stored().into())))
}

fn boom() -> Answer {
    Err(database("Boom."))
}

/// A request of each method, with its success and the key and owner that its log lines name.
fn each() -> [(Request, Answer, Response, [&'static str; 2]); 4] {
    let (found, all) = (test_resource, || vec![test_resource(), resource("cell", "cell-1")]);
    let release = Request::Release { resource: Some(found()) };
    [
        (lock_of(found(), 10), locked(), Response::Lock, ["test", "myself"]),
        (release, Ok(Outcome::Released), Response::Release, ["test", "myself"]),
        (
            fetch("test"),
            Ok(Outcome::Fetched(found().into())),
            Response::Fetch(found().into()),
            ["test", ""],
        ),
        (
            fetch_all("", TypeCode::Lock),
            Ok(Outcome::FetchedAll(all())),
            Response::FetchAll(all()),
            ["", ""],
        ),
    ]
}

#[test]
fn a_request_hands_on_what_the_database_says_and_counts_under_its_own_name() {
    for (request, found, response, _) in each() {
        let served = serve(&request, found, WAITING);
        assert_eq!((served.answer, served.counters), (Ok(response), SUCCEEDED));
        let served = serve(&request, boom(), WAITING);
        assert_eq!((served.answer, served.counters), (Err(database("Boom.")), FAILED));
        // B29
        assert!(!served.server.exits());
    }
}

#[test]
fn a_request_asks_the_database_once() {
    let [lock, release, fetch, all] = each().map(|(request, ..)| request);
    let (resource, presence) = (test_resource(), fetch_all("", TypeCode::Presence));
    let (key, owner) = ("test", "myself");
    assert_eq!(asked(&lock), Ok(Operation::Lock { resource: &resource, ttl_in_seconds: 10 }));
    assert_eq!(asked(&release), Ok(Operation::Release { key, owner }));
    assert_eq!(asked(&fetch), Ok(Operation::Fetch { key }));
    assert_eq!(asked(&all), Ok(Operation::FetchAll { type_filter: "lock" }));
    assert_eq!(asked(&presence), Ok(Operation::FetchAll { type_filter: "presence" }));
    // B19
    let unchecked =
        Resource { type_code: TypeCode::Other(7), type_name: "dog".into(), ..Resource::default() };
    let (request, key, owner) = (Request::Release { resource: Some(unchecked) }, "", "");
    assert_eq!(asked(&request), Ok(Operation::Release { key, owner }));
}

#[test]
fn a_lost_table_is_logged_and_counted_and_stops_the_process() {
    for (request, ..) in each() {
        let served = serve(&request, Err(database("sql-unrecoverable")), WAITING);
        assert_eq!(served.logs.count("unrecoverable-error"), 1);
        assert_eq!(served.counters, FAILED);
        assert!(served.server.exits());
    }
}

// B26, B27
#[test]
fn a_caller_that_stopped_waiting_is_logged_and_only_one_that_gave_up_is_counted_as_cancelled() {
    let nameless = Caller { request_id: "", ..CANCELLED };
    for (request, _, _, [key, owner]) in each() {
        for (caller, message, cancelled) in [
            (CANCELLED, "context-cancelled", 1),
            (nameless, "context-cancelled", 1),
            (TOO_LATE, "context-deadline-exceeded", 0),
        ] {
            let served = serve(&request, boom(), caller);
            let [line] = served.logs.of(message)[..] else { panic!("{:?}", served.logs) };
            assert_eq!((line.level, line.method), (Level::Info, Some(request.method())));
            assert_eq!(line.request_id.as_deref(), Some(caller.request_id));
            assert_eq!((&*line.key, &*line.owner), (key, owner));
            assert_eq!(served.counters, MethodCounters { cancelled, ..FAILED });
        }
    }
}

#[test]
fn a_request_is_done_although_its_caller_gave_up() {
    for (request, found, response, _) in each() {
        let served = serve(&request, found, CANCELLED);
        assert_eq!(served.answer, Ok(response));
        assert_eq!(served.counters, MethodCounters { cancelled: 1, ..SUCCEEDED });
        // B22
        let registers = request.method() == Method::Lock;
        assert_eq!(served.server.expiry().len(), usize::from(registers));
    }
}

// B13, B22, B25, B28
#[test]
fn a_refusal_of_the_database_is_handed_on_and_counted_but_not_logged() {
    let [lock, release, fetch, _] = each().map(|(request, ..)| request);
    for (request, error, counted) in [
        (&lock, LockError::DeadlineExceeded, FAILED),
        (&lock, LockError::LockCollision, SUCCEEDED),
        (&release, LockError::LockCollision, SUCCEEDED),
        (&fetch, LockError::ResourceNotFound, FAILED),
    ] {
        let served = serve(request, Err(error.clone()), WAITING);
        assert_eq!((served.answer, served.counters), (Err(error), counted));
        assert!(served.server.expiry().is_empty() && !served.server.exits());
        let expected: &[&str] = if counted == SUCCEEDED { &[] } else { &["failed"] };
        assert_eq!(served.logs.messages().is_empty(), expected.is_empty());
    }
}

// B14, B21, B28: type before TTL before owner
#[test]
fn a_request_that_makes_no_sense_is_refused_before_the_database_and_logged() {
    let invalid_type = || LockError::InvalidType(Code::NotFound);
    let (none, other) = (TypeCode::Unknown, TypeCode::Other(4));
    for (request, error, message) in [
        (lock_typed("test", "myself", "", none, 10), invalid_type(), "invalid-request"),
        (lock_typed("test", "myself", "", other, 10), invalid_type(), "invalid-request"),
        (lock_typed("", "", "", none, 0), invalid_type(), "invalid-request"),
        (lock_typed("", "o", "", none, 0), invalid_type(), "invalid-request"),
        (lock("", "", 0), LockError::InvalidTtl, "failed-locking-lock"),
        (lock("test", "myself", -1), LockError::InvalidTtl, "failed-locking-lock"),
        (lock("test", "myself", i64::MIN), LockError::InvalidTtl, "failed-locking-lock"),
        (lock("test", "", 10), LockError::InvalidOwner, "failed-locking-lock"),
        (fetch_all("", none), invalid_type(), "invalid-request"),
        (fetch_all("dawg", none), invalid_type(), "invalid-request"),
        (fetch_all("lock", none), invalid_type(), "invalid-request"),
        (fetch_all("", other), invalid_type(), "invalid-request"),
    ] {
        assert_eq!(asked(&request), Err(error.clone()));
        let served = serve(&request, boom(), WAITING);
        assert_eq!((served.answer, served.counters), (Err(error), FAILED));
        assert_eq!(served.logs.messages(), [message]);
    }
}

#[test]
fn a_failed_lock_is_logged_with_its_error_its_key_and_its_owner() {
    for (request, error, owner) in [
        (lock("test", "myself", 0), "invalid-ttl", "myself"),
        (lock("test", "", 10), "invalid-owner", ""),
        (lock("test", "myself", 10), "Boom.", "myself"),
    ] {
        let served = serve(&request, boom(), WAITING);
        let line = served.logs.of("failed-locking-lock")[0];
        assert_eq!((line.error.as_deref(), &*line.key, &*line.owner), (Some(error), "test", owner));
    }
}

// B15, B17
#[test]
fn upstream_takes_any_key_and_length_and_registers_exactly_the_row_that_was_stored() {
    let long = "x".repeat(5000);
    let any = Resource { value: long.clone(), ..resource("", &long) };
    for request in [lock_of(any, i64::MAX), lock_typed("test", "myself", "", TypeCode::Lock, 10)] {
        let mut served = serve(&request, locked(), WAITING);
        assert_eq!((served.answer, served.counters), (Ok(Response::Lock), SUCCEEDED));
        assert_eq!(served.server.expiry().len(), 1);
        assert_eq!(served.server.poll_fired(s(10)).unwrap().1, stored());
    }
}

// B24
#[test]
fn the_longest_latency_is_kept() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let [_, _, (request, found, ..), _] = each();
    for (begun, finished) in [(0, 5), (10, 40), (50, 51)] {
        let (call, _) = server.begin(&request, ms(begun));
        server.finish(call, &request, found.clone(), WAITING, ms(finished), &mut ()).unwrap();
    }
    assert_eq!(server.requests().of(Method::Fetch).latency_max, Duration::from_ms(30));
}
