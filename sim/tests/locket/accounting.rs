//! Claims about what operators see: request counters, counts of rows, and the codes, names and
//! messages of errors.

use crate::common::*;
use locket_sim::cluster::Stats;
use locket_sim::protocol::error::{Code, LockError, MissingResource};
use locket_sim::protocol::expiry::ExpiredCounters;
use locket_sim::protocol::message::{Method, Request};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::request_counters::MethodCounters;
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::row::Row;
use locket_sim::protocol::server::{Caller, Patience};
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

// Requests

// B24, B25
#[test]
fn every_request_is_counted_by_its_call_and_result() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("bbs", "bbs-0", 15).unwrap();
        let _collision = locket.lock("bbs", "bbs-1", 15);
        let _invalid = locket.lock("bbs", "bbs-0", 0);
        let _collision = locket.release("bbs", "bbs-1");
        let _missing = locket.fetch("nothing");
        locket.fetch("bbs").unwrap();
        let _invalid = locket.listed("dog", TypeCode::Other(9));

        assert_eq!(counters(&mut locket, Method::Lock), [3, 2, 1, 0, 0]);
        assert_eq!(counters(&mut locket, Method::Release), [1, 1, 0, 0, 0]);
        assert_eq!(counters(&mut locket, Method::Fetch), [2, 1, 1, 0, 0]);
        assert_eq!(counters(&mut locket, Method::FetchAll), [1, 0, 1, 0, 0]);
    }
}

// B26
#[test]
fn a_caller_that_gave_up_is_counted_beside_the_result() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        for patience in [Patience::Waiting, Patience::Cancelled, Patience::DeadlineExceeded] {
            let caller = Caller { request_id: "", patience };
            let request = lock("bbs", "bbs-0", 15);
            let _ = locket.cluster.handle(0, &request, caller, s(0), &mut ());
        }

        assert_eq!(counters(&mut locket, Method::Lock), [3, 3, 0, 0, 1]);
    }
}

// B24
#[test]
fn a_process_that_does_not_run_counts_nothing() {
    let mut locket = Locket::with_processes(Profile::DOCUMENTED, 2);
    locket.stop(0);

    let _unavailable = locket.lock("bbs", "bbs-0", 15);

    assert_eq!(stats(&mut locket).requests, Default::default());
}

// B85
#[test]
fn stats_add_up_the_running_processes() {
    let mut locket = Locket::with_processes(Profile::UPSTREAM, 3);
    for process in 0..3 {
        locket.via(process).lock("bbs", "bbs-0", 15).unwrap();
    }
    assert_eq!(counters(&mut locket, Method::Lock)[0], 3);

    locket.stop(1);

    assert_eq!(counters(&mut locket, Method::Lock)[0], 2);
}

#[test]
fn every_call_has_a_name_and_counters_of_its_own() {
    let names = Method::ALL.map(Method::name);

    assert_eq!(names, ["Fetch", "FetchAll", "Lock", "Release"]);
}

#[test]
fn every_request_knows_its_call() {
    let requests =
        [fetch("k"), fetch_all("", TypeCode::Lock), lock("k", "o", 1), release("k", "o")];

    assert_eq!(requests.map(|request| request.method()), Method::ALL);
}

#[test]
fn a_request_names_its_key_and_owner_where_it_has_them() {
    let nothing = Request::Release { resource: None };
    let named = [fetch("k"), fetch_all("lock", TypeCode::Lock), lock("k", "o", 1), nothing]
        .map(|request| format!("{}/{}", request.key(), request.owner()));

    assert_eq!(named, ["k/", "/", "k/o", "/"]);
}

// Rows

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

// B66, B77
#[test]
fn expired_rows_are_added_up_over_the_processes() {
    let mut locket = Locket::with_processes(Profile::UPSTREAM, 2);
    locket.via(0).lock("a", "o", 1).unwrap();
    locket.via(1).lock("b", "o", 1).unwrap();
    locket.via(1).handle(&presence("c", "o", 1)).unwrap();

    locket.at(2_000);

    let expected = ExpiredCounters { locks: 2, presences: 1 };
    assert_eq!(stats(&mut locket).expired, expected);
}

#[test]
fn a_release_is_no_expiry() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("a", "o", 1).unwrap();
        locket.release("a", "o").unwrap();

        locket.at(60_000);

        assert_eq!(stats(&mut locket).expired, ExpiredCounters::default());
    }
}

// An operator's hand

#[test]
fn deleting_a_row_says_whether_there_was_one() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.lock("a", "o", 15).unwrap();

        let deleted = [(); 2].map(|()| locket.cluster.delete_row("a", s(0), &mut ()));

        assert_eq!(deleted, [true, false]);
        assert_eq!(locket.rows(), []);
    }
}

#[test]
fn a_row_that_is_put_twice_is_replaced() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.put(row("a", "first", 15)).unwrap();

        locket.put(row("a", "second", 20)).unwrap();

        assert_eq!(locket.rows(), [row("a", "second", 20)]);
    }
}

#[test]
fn the_tables_rows_are_shown_by_key() {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    for key in ["c", "a", "b"] {
        locket.lock(key, "o", 15).unwrap();
    }

    let keys: Vec<String> = locket.rows().into_iter().map(|row| row.path).collect();

    assert_eq!(keys, ["a", "b", "c"]);
}

// Errors

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
        (Unavailable, 14, "Unavailable", "no Locket process answered; call again, or start one"),
    ];

    for (error, code, name, message) in table {
        assert_eq!(error.code() as u8, code);
        assert_eq!(error.code().name(), name);
        assert_eq!(error.message(), message);
    }
}

// B12
#[test]
fn an_error_prints_as_go_prints_a_status() {
    assert_eq!(
        LockError::LockCollision.to_string(),
        "rpc error: code = AlreadyExists desc = lock-collision"
    );
}

#[test]
fn every_code_has_its_name_in_go() {
    let names = [Code::Canceled, Code::Unknown, Code::Internal, Code::Unavailable].map(Code::name);

    assert_eq!(names, ["Canceled", "Unknown", "Internal", "Unavailable"]);
}
