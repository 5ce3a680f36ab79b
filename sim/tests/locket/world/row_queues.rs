//! Transactions that hold their row until they commit, and those that wait behind them.

use super::rig::*;
use crate::common::row;
use locket_sim::protocol::message::Request;
use locket_sim::protocol::profile::{CallerGone, Profile};
use locket_sim::protocol::resource::TypeCode;
use locket_sim::time::Duration;
use locket_sim::world::event::What;
use locket_sim::world::network::LinkRule;
use locket_sim::world::{ClientSettings, DATABASE, WorldSettings};

/// Clients that call by hand, and transactions of this time.
fn slow(transaction_ms: u64, clients: usize) -> Rig {
    slow_at(Profile::UPSTREAM, transaction_ms, clients)
}

/// The same at a Locket of before 2026-04-28.
fn cancelling(transaction_ms: u64, clients: usize) -> Rig {
    let profile = Profile { caller_gone: CallerGone::RollsBack, ..Profile::UPSTREAM };
    slow_at(profile, transaction_ms, clients)
}

fn slow_at(profile: Profile, transaction_ms: u64, clients: usize) -> Rig {
    let transaction_time = LinkRule::fixed(ms(transaction_ms));
    let clients = vec![by_hand(); clients];
    Rig::new(WorldSettings { profile, transaction_time, ..settings(clients) })
}

/// The same, with a row of `a`.
fn with_row(mut rig: Rig) -> Rig {
    rig.act(|step| step.put_row(row("k", "a", 15))).unwrap();
    rig.events.clear();
    rig
}

impl Rig {
    fn call(&mut self, client: usize, request: Request, timeout: Option<Duration>) {
        self.act(|step| step.call(client, request, timeout));
    }

    fn handled(&self) -> Vec<u64> {
        self.times(self.locket(), |what| matches!(what, What::Handled { .. }))
    }
}

#[test]
fn transactions_on_a_key_commit_one_after_the_other_in_the_order_of_their_statements() {
    let mut rig = with_row(slow(400, 3));
    for client in 0..3 {
        rig.call(client, lock("k", "a"), None);
        rig.run_to(100 * (client as u64 + 1));
    }
    rig.run_to(5_000);
    let answered = |client: usize| rig.answers(rig.world.client(client))[0].0;

    assert_eq!(rig.commits(), [400, 800, 1_200]);
    assert_eq!([answered(0), answered(1), answered(2)], [400, 800, 1_200]);
}

#[test]
fn a_transaction_waits_for_no_transaction_on_another_key() {
    let mut rig = slow(400, 2);
    rig.call(0, lock("k", "a"), None);
    rig.call(1, lock("other", "b"), None);
    rig.run_to(5_000);

    assert_eq!(rig.commits(), [400, 400]);
}

// B51, B52
#[test]
fn a_fetch_locks_its_row_and_a_list_locks_none() {
    let list = Request::FetchAll { type_name: String::new(), type_code: TypeCode::Lock };
    let fetch = Request::Fetch { key: "k".into() };
    for (request, expected) in [
        (fetch, [(0, "NotFound"), (2_000, "Fetch")]),
        (list, [(0, "FetchAll"), (1_200, "FetchAll")]),
    ] {
        let mut rig = slow(400, 2);
        rig.call(0, lock("k", "a"), None);
        rig.call(1, request.clone(), None);
        rig.run_to(1_200);
        rig.call(0, lock("k", "a"), None);
        rig.call(1, request, None);
        rig.run_to(5_000);

        let expected = expected.map(|(at, answer)| (at, answer.to_owned()));
        assert_eq!(rig.answers(rig.b()), expected);
    }
}

// B59
#[test]
fn a_transaction_that_waits_behind_a_deletion_finds_no_row() {
    let mut rig = slow(400, 4);
    rig.call(0, lock("k", "a"), None);
    rig.run_to(1_000);
    let resource = Some(resource("k", "a"));
    rig.call(0, Request::Release { resource }, None);
    rig.call(1, Request::Fetch { key: "k".into() }, None);
    rig.call(2, lock("k", "b"), None);
    rig.call(3, lock("k", "c"), None);
    rig.run_to(5_000);
    let answers = |client: usize| rig.answers(rig.world.client(client));

    assert_eq!(answers(1), [(1_400, "NotFound".to_owned())]);
    assert_eq!(answers(2), [(1_800, "Lock".to_owned())]);
    assert_eq!(answers(3), [(1_800, "Unknown".to_owned())]);
}

#[test]
fn the_timer_of_a_row_waits_behind_the_renewal_that_came_before_it() {
    let mut rig = slow(400, 1);
    rig.call(0, lock("k", "a"), None);
    rig.run_to(15_100);
    // The timer of 15 s after the commit comes at 15.4 s.
    rig.call(0, lock("k", "a"), None);
    rig.run_to(20_000);

    assert_eq!(rig.commits(), [400, 15_500]);
    assert_eq!(rig.expired(), [0; 0], "the row has another index");
}

// B22
#[test]
fn a_transaction_that_has_waited_for_ten_seconds_fails_and_leaves_the_queue() {
    let mut rig = with_row(slow(6_000, 3));
    for client in 0..3 {
        rig.call(client, lock("k", "a"), None);
    }
    rig.run_to(30_000);
    let answers = |client: usize| rig.answers(rig.world.client(client));

    assert_eq!(rig.commits(), [6_000]);
    for client in [1, 2] {
        assert_eq!(answers(client), [(10_000, "DeadlineExceeded".to_owned())]);
    }
    rig.call(0, lock("k", "a"), None);
    rig.run_to(40_000);
    assert_eq!(rig.commits(), [6_000, 36_000], "nothing is in front of it");
}

// B22
#[test]
fn a_caller_that_has_gone_leaves_its_transaction_in_the_queue() {
    let mut rig = with_row(slow(2_000, 2));
    rig.call(0, lock("k", "a"), Some(ms(500)));
    rig.call(1, lock("k", "a"), None);
    rig.run_to(10_000);

    assert_eq!(rig.commits(), [2_000, 4_000]);
    assert_eq!(rig.handled(), [2_000, 4_000]);
}

// S31
#[test]
fn before_2026_04_28_a_transaction_leaves_the_queue_with_its_caller() {
    let mut rig = with_row(cancelling(2_000, 3));
    rig.call(0, lock("k", "a"), Some(ms(500)));
    rig.call(1, lock("k", "a"), Some(ms(1_000)));
    rig.call(2, lock("k", "a"), None);
    rig.run_to(10_000);

    assert_eq!(rig.commits(), [3_000], "the third gets the row at 1 s");
    assert_eq!(rig.handled(), [500, 1_000, 3_000]);
}

#[test]
fn before_2026_04_28_a_crash_of_a_client_or_a_broken_connection_takes_its_transaction_along() {
    for breaks in [true, false] {
        let mut rig = cancelling(2_000, 2);
        rig.call(0, lock("k", "a"), None);
        rig.call(1, lock("k", "b"), None);
        rig.run_to(700);
        rig.act(|step| match breaks {
            true => step.disconnect(0),
            false => step.crash_client(0),
        });
        rig.run_to(10_000);

        let owners: Vec<_> = rig.written().into_iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(owners, [(2_700, "b".to_owned())], "breaks: {breaks}");
    }
}

#[test]
fn before_2026_04_28_a_stall_leaves_nothing_behind_of_a_caller_that_has_gone() {
    let mut rig = cancelling(0, 1);
    rig.act(|step| step.stall_database(ms(2_000)));
    rig.call(0, lock("k", "a"), Some(ms(500)));
    rig.run_to(10_000);

    assert_eq!(rig.commits(), [0; 0]);
}

#[test]
fn the_row_of_a_transaction_is_free_as_soon_as_its_process_crashes() {
    let mut rig = Rig::new(WorldSettings {
        processes: 2,
        transaction_time: LinkRule::fixed(ms(2_000)),
        ..settings(vec![by_hand(), ClientSettings { prefers: 1, ..by_hand() }])
    });
    rig.call(0, lock("k", "a"), None);
    rig.call(1, lock("k", "b"), None);
    rig.run_to(500);
    rig.act(|step| step.crash_process(0));
    rig.run_to(10_000);

    let owners: Vec<_> = rig.written().into_iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(owners, [(2_500, "b".to_owned())]);
}

#[test]
fn a_database_that_stalls_or_is_paused_commits_what_is_overdue_when_it_goes_on() {
    for stalls in [true, false] {
        let mut rig = with_row(slow(400, 2));
        rig.call(0, lock("k", "a"), None);
        rig.call(1, lock("k", "a"), None);
        rig.run_to(100);
        rig.act(|step| match stalls {
            true => step.stall_database(ms(2_000)),
            false => step.pause(DATABASE, Some(ms(2_000)), false),
        });
        rig.run_to(10_000);

        assert_eq!(rig.commits(), [2_100, 2_500], "stalls: {stalls}");
    }
}

#[test]
fn a_crash_or_a_failover_of_the_database_fails_all_transactions_under_way() {
    for crashes in [true, false] {
        let mut rig = slow(400, 2);
        rig.call(0, lock("k", "a"), None);
        rig.call(1, lock("k", "a"), None);
        rig.run_to(100);
        rig.act(|step| match crashes {
            true => step.crash_database(),
            false => step.fail_over(0),
        });
        rig.run_to(5_000);

        assert_eq!(rig.commits(), [0; 0], "crashes: {crashes}");
        for client in [rig.a(), rig.b()] {
            assert_eq!(rig.answers(client), [(100, "Unknown".to_owned())]);
        }
    }
}

#[test]
fn a_transaction_that_gets_its_row_while_the_database_is_slow_takes_as_long_as_then() {
    let mut rig = slow(0, 1);
    rig.call(0, lock("k", "a"), None);
    rig.run_to(1_000);
    rig.act(|step| step.set_transaction_time(LinkRule::fixed(ms(700)), Some(ms(1_000))));
    rig.call(0, lock("k", "a"), None);
    rig.run_to(3_000);
    rig.call(0, lock("k", "a"), None);
    rig.run_to(5_000);

    assert_eq!(rig.commits(), [0, 1_700, 3_000]);
}
