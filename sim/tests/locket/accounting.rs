//! Claims about what operators see: request counters, counts of rows, and the codes, names and
//! messages of errors.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::cluster::Stats;
use locket_sim::protocol::error::{Code, LockError, MissingResource};
use locket_sim::protocol::message::{Method, Request};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::request_counters::MethodCounters;
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::row::Row;
use locket_sim::protocol::server::{Caller, CallerState};
use locket_sim::time::Duration;

fn stats(locket: &mut Locket) -> Stats {
    let now = locket.cluster.now();
    locket.cluster.stats(now, &mut ())
}

/// `[started, succeeded, failed, in flight, cancelled]`
fn counters(locket: &mut Locket, method: Method) -> [u64; 5] {
    let stats = stats(locket);
    let MethodCounters { started, succeeded, failed, in_flight, cancelled, latency_max } =
        *stats.requests.of(method);
    assert_eq!(latency_max, Duration::ZERO, "a call takes no virtual time");
    [started, succeeded, failed, in_flight, cancelled]
}

// B24, B25, B26
#[test]
fn every_request_is_counted_by_its_call_and_result_and_a_caller_that_gave_up_beside_it() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let gone = Caller { request_id: "", state: CallerState::Cancelled };
        let late = Caller { request_id: "", state: CallerState::DeadlineExceeded };
        for (caller, request) in [
            (WAITING, lock("bbs", "bbs-0", 15)),
            (WAITING, lock("bbs", "bbs-1", 15)),
            (WAITING, lock("bbs", "bbs-0", 0)),
            (gone, lock("bbs", "bbs-0", 15)),
            (late, lock("bbs", "bbs-0", 15)),
            (WAITING, release("bbs", "bbs-1")),
            (WAITING, fetch("nothing")),
            (WAITING, fetch("bbs")),
            (WAITING, fetch_all("dog", TypeCode::Other(9))),
        ] {
            let _ = locket.cluster.handle(0, &request, caller, s(0), &mut ());
        }

        assert_eq!(counters(&mut locket, Method::Lock), [5, 4, 1, 0, 1]);
        assert_eq!(counters(&mut locket, Method::Release), [1, 1, 0, 0, 0]);
        assert_eq!(counters(&mut locket, Method::Fetch), [2, 1, 1, 0, 0]);
        assert_eq!(counters(&mut locket, Method::FetchAll), [1, 0, 1, 0, 0]);
    }
}

// B24, B85
#[test]
fn stats_add_up_the_running_processes() {
    let mut locket = Locket::with_processes(Profile::UPSTREAM, 3);
    for process in 0..3 {
        locket.via(process).lock("bbs", "bbs-0", 15).unwrap();
    }
    assert_eq!(counters(&mut locket, Method::Lock)[0], 3);

    locket.stop(1);
    let _unavailable = locket.via(1).lock("bbs", "bbs-0", 15);

    assert_eq!(counters(&mut locket, Method::Lock)[0], 2);
}

#[test]
fn every_request_knows_its_call_its_key_and_its_owner() {
    let list = fetch_all("lock", TypeCode::Lock);
    let requests = [fetch("k"), list, lock("k", "o", 1), Request::Release { resource: None }];

    assert_eq!(requests.each_ref().map(Request::method), Method::ALL);
    assert_eq!(Method::ALL.map(Method::name), ["Fetch", "FetchAll", "Lock", "Release"]);
    let named = requests.map(|request| format!("{}/{}", request.key(), request.owner()));
    assert_eq!(named, ["k/", "/", "k/o", "/"]);
}

// B53, B82
#[test]
fn rows_with_an_owner_are_counted_by_type() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        for key in ["a", "b", "c"] {
            locket.lock(key, "o", 15).unwrap();
        }
        for key in ["d", "e"] {
            locket.handle(&presence(key, "o", 15)).unwrap();
        }
        locket.put(row("free", "", 15)).unwrap();
        let dog = Row { type_name: Some("dog".into()), ..row("dog", "o", 15) };
        locket.put(dog).unwrap();

        let stats = stats(&mut locket);

        assert_eq!((stats.active_locks, stats.active_presences), (3, 2));
    }
}

// B7…B13
#[test]
fn every_error_has_its_code_and_message() {
    use LockError::*;
    let crash = "a request without a resource crashes the real Locket process; set the resource";
    let table = [
        (DeadlineExceeded, 4, "DeadlineExceeded", "context deadline exceeded"),
        (database("sql-deadlock"), 2, "Unknown", "sql-deadlock"),
        (InvalidKey, 3, "InvalidArgument", "invalid-key"),
        (InvalidOwner, 3, "InvalidArgument", "invalid-owner"),
        (InvalidResource(MissingResource::Refused), 3, "InvalidArgument", "invalid-resource"),
        (InvalidResource(MissingResource::Crashes), 13, "Internal", crash),
        (InvalidTtl, 3, "InvalidArgument", "invalid-ttl"),
        (InvalidType(Code::NotFound), 5, "NotFound", "invalid-type"),
        (InvalidType(Code::InvalidArgument), 3, "InvalidArgument", "invalid-type"),
        (LockCollision, 6, "AlreadyExists", "lock-collision"),
        (ResourceNotFound, 5, "NotFound", "resource-not-found"),
        (Status(Code::Canceled, "gone".into()), 1, "Canceled", "gone"),
        (Unavailable, 14, "Unavailable", "no Locket process answered; call again, or start one"),
    ];

    for (error, code, name, message) in table {
        assert_eq!(error.code() as u8, code);
        assert_eq!(error.code().name(), name);
        assert_eq!(error.message(), message);
        // B12: as Go prints a status.
        assert_eq!(error.to_string(), format!("rpc error: code = {name} desc = {message}"));
    }
}

// B3: the enum is open on the wire.
#[test]
fn every_number_is_a_code_of_which_three_are_declared_members() {
    for number in [i32::MIN, -1, 0, 1, 2, 3, 7, i32::MAX] {
        let code = TypeCode::from(number);
        assert_eq!(i32::from(code), number);
        assert_eq!(code.is_member(), (0..=2).contains(&number), "{number}");
    }
}
