//! Claims about a whole Locket, as its callers see it. Where both presets agree, both are
//! asked.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::server::{Caller, CallerState};

/// `jim` holds `test`.
fn held(profile: Profile) -> Locket {
    let mut locket = Locket::new(profile);
    locket.lock("test", "jim", 10).unwrap();
    locket
}

#[test]
fn the_request_id_of_a_call_is_in_the_log() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        let caller = Caller { request_id: "some-uuid", state: CallerState::Waiting };
        let refused = lock("test", "jim", 0);

        let _ = locket.cluster.handle(0, &refused, caller, s(0), &mut locket.logs);

        assert_eq!(locket.logs.0[0].request_id.as_deref(), Some("some-uuid"));
    }
}

// S34
#[test]
fn who_loses_a_race_of_two_inserts_is_told_that_the_row_exists() {
    for profile in PRESETS {
        let mut locket = Locket::with_processes(profile, 2);
        locket.cluster.lose_insert_race("rival".into());

        let lost = locket.via(1).lock("bbs", "bbs-0", 10);

        assert_eq!(lost, Err(database("sql-resource-exists")));
        assert_eq!(locket.fetch("bbs").unwrap().owner, "rival");
        assert_eq!(locket.lock("bbs", "bbs-0", 10), Err(LockError::LockCollision));
        assert_eq!(locket.at(10_000).lock("bbs", "bbs-0", 10), Ok(Response::Lock));
    }
}

#[test]
fn only_a_lock_that_would_insert_a_row_loses_a_race() {
    for profile in PRESETS {
        let mut locket = held(profile);
        locket.cluster.lose_insert_race("rival".into());

        assert_eq!(locket.lock("test", "jim", 10), Ok(Response::Lock));
        assert_eq!(locket.lock("auctioneer", "a-0", 0), Err(LockError::InvalidTtl));
        assert!(locket.fetch("auctioneer").is_err());
        assert_eq!(locket.lock("auctioneer", "a-0", 10), Err(database("sql-resource-exists")));
        assert_eq!(locket.lock("tps", "tps-0", 10), Ok(Response::Lock));
    }
}

#[test]
fn a_process_that_does_not_run_or_never_was_is_unavailable() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    assert!(locket.stop(0) && !locket.stop(0));
    for process in [0, 7] {
        let answer = locket.via(process).lock("test", "jim", 10);
        assert_eq!(answer, Err(LockError::Unavailable));
    }
    assert!(locket.start(0) && !locket.start(0));
    assert!(!locket.start(1) && !locket.restart(1));
}

// B29, S35
#[test]
fn without_a_table_every_call_fails_and_stops_the_process_and_a_start_makes_an_empty_one() {
    for profile in PRESETS {
        for request in [
            lock("test", "jim", 10),
            release("test", "jim"),
            fetch("test"),
            fetch_all("", TypeCode::Lock),
        ] {
            let mut locket = held(profile);
            locket.cluster.drop_table(s(0), &mut ());

            let answer = locket.handle(&request);

            assert_eq!(answer, Err(database("sql-unrecoverable")));
            assert_eq!(locket.logs.count("unrecoverable-error"), 1);
            assert!(!locket.cluster.is_running(0));
            assert!(locket.start(0));
            assert_eq!(locket.rows(), []);
            assert_eq!(locket.lock("test", "nima", 10), Ok(Response::Lock));
        }
    }
}

#[test]
fn time_that_goes_back_stands_still() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        locket.at(10_000);

        locket.at(3_000).lock("test", "jim", 15).unwrap();

        assert_eq!(locket.cluster.now(), s(10));
        assert_eq!(locket.end_of("test"), Some(25_000));
    }
}

#[test]
fn the_end_of_time_is_no_trouble() {
    for profile in PRESETS {
        let mut locket = held(profile);

        locket.at(u64::MAX).lock("test", "jim", 15).unwrap();
        locket.at(u64::MAX);

        assert_eq!(locket.holder("test"), None);
    }
}
