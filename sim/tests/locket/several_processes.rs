//! Claims about several Locket processes on one database, and about processes that come and
//! go. Nothing but the table connects them.

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::lock_table::LockTable;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::operation::Operation;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::row::Registration;
use locket_sim::protocol::server::Server;
use locket_sim::time::Time;

fn two() -> Locket {
    Locket::with_processes(Profile::UPSTREAM, 2)
}

#[test]
fn what_one_process_stores_the_other_sees() {
    for profile in PRESETS {
        let mut locket = Locket::with_processes(profile, 2);
        locket.via(0).lock("bbs", "bbs-0", 15).unwrap();

        let collision = locket.via(1).lock("bbs", "bbs-1", 15);

        assert_eq!(collision, Err(LockError::LockCollision));
    }
}

// B79
#[test]
fn the_process_that_handled_the_renewal_expires_the_row() {
    let mut locket = two();
    locket.at(7_300).via(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(60_000);

    let expired = [0, 1].map(|process| {
        let server = locket.cluster.process(process).unwrap();
        server.expiry().expired().locks
    });
    assert_eq!(expired, [1, 0]);
    assert_eq!(locket.logs.count("lock-expired"), 1);
}

// B69: the other's timer finds no row any more, which is nothing to complain of.
#[test]
fn the_other_process_finds_nothing_left_to_delete() {
    let mut locket = two();
    locket.at(7_300).via(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(60_000);

    assert_eq!(locket.logs.count("lock-does-not-exist"), 1);
    assert_eq!(locket.logs.count("failed-compare-and-release"), 0);
}

// S19, B79
#[test]
fn if_the_handling_process_dies_the_row_goes_a_ttl_after_the_next_poll_of_another() {
    let mut locket = two();
    locket.at(7_300).via(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(7_301).stop(0);

    assert_eq!(locket.end_of("bbs"), Some(25_000));
}

// S19, B76
#[test]
fn a_renewal_through_another_process_counts_from_the_next_poll_too() {
    let mut locket = two();
    locket.at(0).via(0).lock("bbs", "bbs-0", 15).unwrap();
    locket.at(6_000).via(1).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(6_001).stop(1);

    assert_eq!(locket.end_of("bbs"), Some(25_000));
}

// S20, B75
#[test]
fn a_restart_of_all_grants_every_row_a_full_ttl_again() {
    let mut locket = two();
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(10_123);
    for process in [0, 1] {
        locket.restart(process);
    }

    assert_eq!(locket.end_of("bbs"), Some(25_123));
}

// B75
#[test]
fn a_restart_at_every_turn_keeps_a_dead_row_for_ever() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    for turn in 1..100 {
        locket.at(turn * 14_999).restart(0);
    }

    assert_eq!(locket.holder("bbs").as_deref(), Some("bbs-0"));
}

#[test]
fn where_expiry_is_exact_a_restart_changes_no_lease() {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(10_123).restart(0);

    assert_eq!(locket.end_of("bbs"), Some(15_000));
}

// S20
#[test]
fn a_restart_of_one_leaves_the_others_timer() {
    let mut locket = two();
    locket.at(0).via(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(10_000).restart(1);

    assert_eq!(locket.end_of("bbs"), Some(15_000));
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

// S21, B79
#[test]
fn while_no_process_runs_nothing_expires_and_then_all_get_a_full_ttl() {
    let mut locket = two();
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();
    for process in [0, 1] {
        locket.at(3_000).stop(process);
    }
    assert_eq!(locket.end_of("bbs"), None);

    locket.at(3_600_000).start(1);

    assert_eq!(locket.end_of("bbs"), Some(3_615_000));
}

#[test]
fn where_expiry_is_exact_rows_go_although_no_process_runs() {
    let mut locket = Locket::new(Profile::DOCUMENTED);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();

    locket.at(3_000).stop(0);

    assert_eq!(locket.end_of("bbs"), Some(15_000));
}

// S23, B81
#[test]
fn a_short_lease_whose_process_dies_waits_for_the_next_poll_of_another() {
    let mut locket = two();
    locket.at(500).via(0).lock("bbs", "bbs-0", 2).unwrap();

    locket.at(1_000).stop(0);

    assert_eq!(locket.end_of("bbs"), Some(7_000));
}

// B81
#[test]
fn a_short_lease_may_pass_unseen_by_the_other_process() {
    let mut locket = two();

    locket.at(500).via(0).lock("bbs", "bbs-0", 2).unwrap();

    assert_eq!(locket.end_of("bbs"), Some(2_500));
    locket.at(60_000);
    let other = locket.cluster.process(1).unwrap();
    assert_eq!(locket.logs.count("lock-does-not-exist"), 0);
    assert!(other.expiry().is_empty());
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

// B76
#[test]
fn one_process_learns_of_anothers_renewals_and_lets_the_row_live() {
    let mut locket = two();
    for second in (0..=60).step_by(5) {
        locket.at(second * 1_000).via(0).lock("bbs", "bbs-0", 15).unwrap();
    }

    assert_eq!(locket.row("bbs").unwrap().modified_index, Some(13));
    assert_eq!(locket.logs.count("failed-compare-and-release"), 0);
}

#[test]
fn a_process_added_later_registers_what_it_finds() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    locket.at(0).lock("bbs", "bbs-0", 15).unwrap();
    locket.at(12_000);

    let added = locket.cluster.add_process(s(12), &mut ());
    locket.stop(0);

    assert_eq!(added, 1);
    assert_eq!(locket.end_of("bbs"), Some(27_000));
}

// A frozen process: its timers fire late, and all at once.

/// The deletions at `now` of a process that locked some keys at 0 with a TTL of 15 s, and
/// whether the table accepted each.
fn wake_up(table: &mut LockTable, frozen: &mut Server, now: Time) -> Vec<(String, bool)> {
    let mut attempts = Vec::new();
    while let Some((fired, row)) = frozen.poll_fired(now) {
        let operation = Operation::CompareAndDelete(&row);
        let result = table.apply(operation, now, || Ok("unused".into()), &mut ());
        attempts.push((row.key.to_string(), result.is_ok()));
        frozen.handle_attempt(fired, result, &mut ());
    }
    attempts
}

fn lock_through(table: &mut LockTable, server: &mut Server, key: &str, now: Time) {
    let request = lock(key, "owner", 15);
    let (call, operation) = server.begin(&request, now);
    let result = operation.and_then(|it| table.apply(it, now, || Ok(key.into()), &mut ()));
    let answer = server.finish(call, &request, result, WAITING, now, &mut ());
    assert_eq!(answer, Ok(Response::Lock));
}

// S22
#[test]
fn a_frozen_process_that_wakes_up_spares_rows_that_were_renewed_elsewhere() {
    let mut table = LockTable::new(Profile::UPSTREAM);
    let mut frozen = Server::new(Profile::UPSTREAM, s(0));
    let mut other = Server::new(Profile::UPSTREAM, s(0));
    for key in ["a", "b"] {
        lock_through(&mut table, &mut frozen, key, s(0));
    }
    lock_through(&mut table, &mut other, "b", s(20));

    let attempts = wake_up(&mut table, &mut frozen, s(30));

    assert_eq!(attempts, [("a".into(), true), ("b".into(), false)]);
}

// S22
#[test]
fn a_single_frozen_process_that_wakes_up_deletes_all_rows_in_one_burst() {
    let mut table = LockTable::new(Profile::UPSTREAM);
    let mut frozen = Server::new(Profile::UPSTREAM, s(0));
    for key in ["a", "b", "c"] {
        lock_through(&mut table, &mut frozen, key, s(0));
    }

    let attempts = wake_up(&mut table, &mut frozen, s(30));

    assert_eq!(attempts.len(), 3);
    assert!(table.is_empty());
}

// B60, B64
#[test]
fn registrations_that_arrive_out_of_order_do_not_shorten_the_lease() {
    let mut server = Server::new(Profile::UPSTREAM, s(0));
    let row = |modified_index| Registration {
        key: "bbs".into(),
        owner: "bbs-0".into(),
        row_type: "lock".into(),
        modified_id: "guid".into(),
        modified_index,
        ttl_in_seconds: 15,
    };
    server.handle_polled_rows(Ok([row(8)].into_iter()), s(5), &mut ());

    server.handle_polled_rows(Ok([row(7)].into_iter()), s(4), &mut ());

    assert_eq!(server.deadline(Time::MAX), Some(s(20)));
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
