//! Claims about a reference server whose database stalls, is down, loses answers or its table.

use crate::common::*;
use locket_sim::cluster::{Finished, Handled};
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::flavor::Flavor;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::time::Duration;

type Ended = (u64, Result<Response, LockError>);

fn upstream() -> Locket {
    Locket::new(Profile::UPSTREAM)
}

fn stalled_for(seconds: u64) -> Locket {
    let mut locket = upstream();
    stall(&mut locket, seconds);
    locket
}

fn stall(locket: &mut Locket, seconds: u64) {
    let now = locket.cluster.now();
    locket.cluster.stall_database(Duration::from_seconds(seconds), now, &mut ());
}

fn stop_database(locket: &mut Locket) -> bool {
    let now = locket.cluster.now();
    locket.cluster.stop_database(now, &mut ())
}

fn start_database(locket: &mut Locket) -> bool {
    let now = locket.cluster.now();
    locket.cluster.start_database(now, &mut ())
}

fn call(locket: &mut Locket, request: &Request) -> Handled {
    let now = locket.cluster.now();
    locket.cluster.handle(0, request, WAITING, now, &mut ())
}

fn lock_bbs(locket: &mut Locket, ttl: i64) -> Handled {
    call(locket, &lock("bbs", "bbs-0", ttl))
}

/// Ends of calls, in order, with the times at which they came.
fn finished(locket: &mut Locket) -> Vec<Ended> {
    let finished = locket.cluster.take_finished().into_iter();
    finished.map(|Finished { at, result, .. }| (at.as_ms(), result)).collect()
}

/// That `bbs` is held until this moment and no longer.
#[track_caller]
fn check_ends(locket: &mut Locket, end: u64) {
    assert_eq!(locket.at(end - 1).holder("bbs").as_deref(), Some("bbs-0"));
    assert_eq!(locket.at(end).holder("bbs"), None);
}

#[test]
fn calls_in_a_stall_are_done_in_their_order_at_its_end_from_where_a_ttl_counts() {
    for profile in PRESETS {
        let mut locket = Locket::new(profile);
        stall(&mut locket, 5);
        for owner in ["bbs-0", "bbs-1"] {
            let handled = call(locket.at(1_000), &lock("bbs", owner, 15));
            assert!(matches!(handled, Handled::Waits(_)));
        }
        assert_eq!(locket.at(4_999).holder("bbs"), None);
        assert_eq!(finished(&mut locket), []);

        locket.at(5_000);

        let collision = Err(LockError::LockCollision);
        assert_eq!(finished(&mut locket), [(5_000, Ok(Response::Lock)), (5_000, collision)]);
        check_ends(&mut locket, 20_000);
    }
}

// B23
#[test]
fn a_call_is_given_up_after_ten_seconds_and_nothing_came_of_it() {
    let mut locket = stalled_for(11);
    lock_bbs(&mut locket, 15);

    locket.at(12_000);

    assert_eq!(finished(&mut locket), [(10_000, Err(LockError::DeadlineExceeded))]);
    assert_eq!(locket.holder("bbs"), None);
}

#[test]
fn what_takes_no_database_is_answered_in_a_stall() {
    let refused = lock_bbs(&mut stalled_for(5), 0);
    assert_eq!(refused.answer(), Some(Err(LockError::InvalidTtl)));
}

#[test]
fn a_row_that_is_due_in_a_stall_goes_at_its_end() {
    let mut locket = upstream();
    lock_bbs(&mut locket, 2);
    stall(locket.at(1_000), 5);

    check_ends(&mut locket, 6_000);
}

#[test]
fn a_process_that_ends_in_a_stall_answers_nobody_and_does_nothing() {
    let mut locket = stalled_for(5);
    lock_bbs(&mut locket, 15);
    locket.at(1_000).stop(0);

    assert_eq!(finished(&mut locket), [(1_000, Err(LockError::Unavailable))]);
    assert_eq!(locket.at(6_000).holder("bbs"), None);
}

#[test]
fn a_database_that_is_down_refuses_at_once_and_keeps_its_rows() {
    for (flavor, text) in [(Flavor::Postgres, "failed to connect to"), (Flavor::Mysql, "dial tcp")]
    {
        let mut locket = Locket::new(Profile::UPSTREAM.on(flavor));
        lock_bbs(&mut locket, 60);
        assert!(stop_database(&mut locket));

        let Some(Err(error)) = call(locket.at(1_000), &fetch("bbs")).answer() else {
            panic!("an error")
        };
        assert!(error.message().starts_with(text), "{error}");
        let nameless = call(&mut locket, &lock("bbs", "", 15));
        assert_eq!(nameless.answer(), Some(Err(LockError::InvalidOwner)));

        assert!(start_database(&mut locket));
        let fetched = call(&mut locket, &fetch("bbs")).answer();
        assert!(matches!(fetched, Some(Ok(Response::Fetch(_)))));
    }
}

// Seen on the real server: a deletion that fails is forgotten, and the next poll grants the TTL
// anew.
#[test]
fn a_row_that_is_due_while_the_database_is_down_gets_its_whole_ttl_again() {
    let mut locket = upstream();
    lock_bbs(&mut locket, 4);
    stop_database(locket.at(3_000));
    start_database(locket.at(7_000));

    check_ends(&mut locket, 14_000);
}

#[test]
fn a_process_that_starts_while_the_database_is_down_ends_at_once() {
    let mut locket = upstream();
    stop_database(&mut locket);
    assert!(!locket.restart(0));
    assert!(!locket.cluster.is_running(0));
}

#[test]
fn no_operator_reaches_a_database_that_is_down() {
    let mut locket = upstream();
    lock_bbs(&mut locket, 60);
    stop_database(&mut locket);
    let refused = locket.put(row("other", "a", 4));
    assert!(matches!(refused, Err(LockError::Database(_))), "{refused:?}");
    assert!(!locket.cluster.delete_row("bbs", s(0), &mut ()));
    assert!(!locket.cluster.drop_table(s(0), &mut ()));
    start_database(&mut locket);

    let keys: Vec<_> = locket.rows().into_iter().map(|row| row.path).collect();
    assert_eq!(keys, ["bbs"]);
}

#[test]
fn a_database_that_goes_down_ends_a_stall_refuses_what_has_waited_and_stalls_no_more() {
    let mut locket = stalled_for(60);
    lock_bbs(&mut locket, 15);
    stop_database(locket.at(2_000));
    let finished = finished(&mut locket);
    assert!(matches!(finished[..], [(2_000, Err(LockError::Database(_)))]), "{finished:?}");

    stall(&mut locket, 60);
    start_database(&mut locket);

    assert!(lock_bbs(&mut locket, 15).answer().is_some());
}

#[test]
fn a_lost_answer_is_a_call_that_was_done_and_is_given_up() {
    let mut locket = upstream();
    locket.cluster.lose_answers(1);
    assert!(matches!(lock_bbs(&mut locket, 60), Handled::Waits(_)));
    assert_eq!(locket.holder("bbs").as_deref(), Some("bbs-0"));
    assert!(call(&mut locket, &fetch("bbs")).answer().is_some(), "one answer, not two");

    locket.at(10_000);

    assert_eq!(finished(&mut locket), [(10_000, Err(LockError::DeadlineExceeded))]);
}

// Else a test that lets a long time pass would take as long.
#[test]
fn a_century_without_the_database_is_cheap() {
    let century = 100 * 365 * 24 * 3600;
    for is_down in [false, true] {
        let mut locket = upstream();
        lock_bbs(&mut locket, 60);
        if is_down {
            stop_database(&mut locket);
        } else {
            stall(&mut locket, century);
        }
        start_database(locket.at(century * 1_000));
        assert!(locket.at((century + 100) * 1_000).holder("bbs").is_none());
    }
}

#[test]
fn a_poll_that_waits_for_the_end_of_a_stall_is_answered_there() {
    let mut locket = stalled_for(11);
    let put = locket.at(1_000).put(row("bbs", "bbs-0", 4));
    put.expect("an operator has a connection of his own");

    // Registered at 11 s, not at the next tick.
    check_ends(&mut locket, 15_000);
}

// B29
#[test]
fn who_sees_first_that_the_table_is_gone_ends_the_calls_that_wait_with_it() {
    let mut locket = stalled_for(5);
    lock_bbs(&mut locket, 15);
    call(&mut locket, &fetch("bbs"));
    locket.cluster.drop_table(s(1), &mut ());

    locket.at(5_000);

    let unrecoverable = Err(database("sql-unrecoverable"));
    let unavailable = Err(LockError::Unavailable);
    assert_eq!(finished(&mut locket), [(5_000, unrecoverable), (5_000, unavailable)]);
    assert!(!locket.cluster.is_running(0));
}
