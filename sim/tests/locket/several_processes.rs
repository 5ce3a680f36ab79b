//! Claims about several Locket processes on one database, and about processes that come and
//! go. Nothing but the table connects them.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use crate::common::*;
use locket_sim::protocol::message::Request;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::TypeCode;

fn two() -> Locket {
    Locket::with_processes(Profile::UPSTREAM, 2)
}

// B69, B79: the other's timer finds no row any more, which is nothing to complain of.
#[test]
fn the_process_that_handled_the_renewal_expires_the_row_and_the_other_finds_nothing_to_delete() {
    let mut locket = two();
    locket.at(7_300).via(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(60_000);

    let expired = [0, 1].map(|process| {
        let server = locket.cluster.process(process).unwrap();
        server.expiry().expired().locks
    });
    assert_eq!(expired, [1, 0]);
    let lines = ["lock-expired", "lock-does-not-exist", "failed-compare-and-release"];
    assert_eq!(lines.map(|line| locket.logs.count(line)), [1, 1, 0]);
}

/// What happens to a lock of two processes, and when its row goes.
type Story = (&'static str, fn(&mut Locket), Option<u64>);

#[track_caller]
fn check_ends<const N: usize>(profile: Profile, stories: [Story; N]) {
    for (story, happens, end) in stories {
        let mut locket = Locket::with_processes(profile, 2);
        happens(&mut locket);
        assert_eq!(locket.end_of("bbs"), end, "{story}");
    }
}

/// Locks `bbs` for 15 s at a time, through a process.
fn lock_via(locket: &mut Locket, at: u64, process: usize) {
    locket.at(at).via(process).lock("bbs", "bbs-0", 15).unwrap();
}

fn short_lock(locket: &mut Locket) {
    locket.at(500).via(0).lock("bbs", "bbs-0", 2).unwrap();
}

fn stop_all(locket: &mut Locket) {
    lock_via(locket, 0, 0);
    locket.at(3_000);
    for process in [0, 1] {
        locket.stop(process);
    }
}

fn restart_all(locket: &mut Locket) {
    lock_via(locket, 0, 0);
    locket.at(10_123);
    for process in [0, 1] {
        locket.restart(process);
    }
}

// S19, S20, S21, S23, B75, B76, B79, B81
#[test]
fn a_row_goes_a_ttl_after_a_process_that_runs_has_heard_of_it() {
    check_ends(
        Profile::UPSTREAM,
        [
            (
                "the process that handled the lock dies, and the other polls at 10 s",
                |it| {
                    lock_via(it, 7_300, 0);
                    it.at(7_301).stop(0);
                },
                Some(25_000),
            ),
            (
                "so does the one that handled a renewal",
                |it| {
                    lock_via(it, 0, 0);
                    lock_via(it, 6_000, 1);
                    it.at(6_001).stop(1);
                },
                Some(25_000),
            ),
            ("all restart", restart_all, Some(25_123)),
            (
                "the other restarts",
                |it| {
                    lock_via(it, 0, 0);
                    it.at(10_000).restart(1);
                },
                Some(15_000),
            ),
            ("no process runs", stop_all, None),
            (
                "one starts after that",
                |it| {
                    stop_all(it);
                    it.at(3_600_000).start(1);
                },
                Some(3_615_000),
            ),
            (
                "a process is added, and the others die",
                |it| {
                    stop_all(it);
                    assert_eq!(it.cluster.add_process(s(12), &mut ()), 2);
                },
                Some(27_000),
            ),
            ("a short TTL passes unseen by the other", short_lock, Some(2_500)),
            (
                "the process of a short TTL dies, and the other polls at 5 s",
                |it| {
                    short_lock(it);
                    it.at(1_000).stop(0);
                },
                Some(7_000),
            ),
        ],
    );
}

// B77
#[test]
fn a_restart_sets_the_counters_of_upstream_back() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.lock("bbs", "bbs-0", 1).unwrap();
    locket.at(2_000);
    assert_eq!(locket.cluster.stats(s(2), &mut ()).expired.locks, 1);

    locket.restart(0);

    let stats = locket.cluster.stats(s(2), &mut ());
    assert_eq!(stats.expired.locks, 0);
    assert_eq!(stats.requests, Default::default());
}

// B81
#[test]
fn steady_short_renewals_make_the_other_process_complain_once_a_poll_and_do_no_harm() {
    let mut locket = two();
    for second in 0..60 {
        locket.at(second * 1_000 + 500).via(0).lock("bbs", "bbs-0", 2).unwrap();
    }

    // Polls at 5, 10, … 55 s registered the row; all but the last of those timers have fired.
    assert_eq!(locket.logs.count("release-failed-index-mismatch"), 11);
    assert_eq!(locket.row("bbs").unwrap().modified_index, Some(60));
}

// B18: of a cluster, only the call fails; only a model of nodes loses the process.
#[test]
fn a_call_without_a_resource_leaves_the_process_running() {
    let mut locket = two();
    let request = Request::Lock { resource: None, ttl_in_seconds: 15 };

    let answer = locket.handle(&request);

    assert!(answer.is_err());
    assert!(locket.cluster.is_running(0));
    assert_eq!(locket.listed("", TypeCode::Lock), Ok(vec![]));
}
