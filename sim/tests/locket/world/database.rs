//! The database: stalls, outages, answers that are lost, failovers, a dropped table.

use super::rig::*;
use locket_sim::protocol::message::Request;
use locket_sim::protocol::profile::Profile;
use locket_sim::time::Time;
use locket_sim::world::WorldSettings;
use locket_sim::world::event::What;
use locket_sim::world::view::NodeStatus;

// S28, B22
#[test]
fn a_call_ends_after_ten_seconds_of_a_stall_its_client_after_five() {
    let mut rig = Rig::holder_and(vec![]);
    let (a, locket) = (rig.a(), rig.locket());
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(60_000)));
    rig.run_to(20_000);

    assert_eq!(rig.lost(a), [10_000]);
    let handled = rig.times(locket, |what| matches!(what, What::Handled { .. }));
    assert_eq!(handled, [0, 15_000]);
}

#[test]
fn what_is_still_waited_for_is_committed_when_a_stall_ends() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(9_000)));
    rig.run_to(14_000);

    // The client has given up at 10 s, Locket has not.
    assert_eq!(rig.written().last(), Some(&(13_000, "a".to_owned(), 2)));
}

#[test]
fn what_was_given_up_in_a_stall_is_not_committed_after_it() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(12_000)));
    rig.run_to(17_000);

    assert_eq!(rig.written().len(), 1);
}

// S28, B23
#[test]
fn nothing_expires_during_a_stall_and_at_once_after_it() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(4_000);
    rig.act(|step| {
        step.crash_client(0);
        step.stall_database(ms(200_000));
    });
    rig.run_to(300_000);

    assert_eq!(rig.expired(), [204_000]);
}

// B23: the driver's default.
#[test]
fn a_poll_that_is_never_answered_is_given_up_after_ten_minutes() {
    let mut rig =
        Rig::new(WorldSettings { processes: 2, ..settings(vec![client(upstream("k", "a"))]) });
    let other = rig.world.process(1);
    rig.run_to(1_000);
    rig.act(|step| {
        step.cut(other, locket_sim::world::DATABASE, true);
        step.start_client(0);
    });
    rig.run_to(300_000);
    rig.heal(other, locket_sim::world::DATABASE);
    rig.run_to(700_000);
    rig.act(|step| {
        step.crash_client(0);
        step.crash_process(0);
    });
    rig.run_to(800_000);

    // Else the other process would never look again, and the row would stay.
    assert_eq!(rig.expired().len(), 1);
    assert!(rig.expired()[0] <= 720_000);
}

// S13
#[test]
fn a_commit_whose_answer_is_lost_is_a_commit_all_the_same() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();
    rig.run_to(4_000);
    rig.act(|step| step.lose_commit_answers(1));
    rig.run_to(12_000);

    assert_eq!(rig.written().last(), Some(&(5_000, "a".to_owned(), 2)));
    assert_eq!(rig.lost(a), [10_000]);
    rig.run_to(14_999);
    let handled = |rig: &Rig| rig.times(rig.locket(), |what| matches!(what, What::Handled { .. }));
    assert_eq!(handled(&rig), [0]);
    rig.run_to(15_000);
    assert_eq!(handled(&rig), [0, 15_000], "Locket waits for 10 s");
}

// S27
#[test]
fn a_database_that_is_down_refuses_and_keeps_its_rows() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();
    rig.run_to(4_000);
    rig.act(|step| step.crash_database());
    assert_eq!(rig.world.status(locket_sim::world::DATABASE), NodeStatus::Down);
    rig.run_to(22_000);
    assert_eq!(rig.answers(a).last(), Some(&(5_000, "Unknown".into())));
    assert_eq!(rig.lost(a), [5_000]);
    rig.act(|step| step.start_database());
    rig.run_to(60_000);

    // The timer of 15 s has failed; the poll of 25 s registers the row again.
    assert_eq!(rig.expired(), [40_000]);
}

// S27
#[test]
fn a_locket_process_that_starts_without_a_database_is_up_as_soon_as_there_is_one() {
    let mut rig = Rig::holder_and(vec![]);
    let locket = rig.locket();
    rig.run_to(1_000);
    rig.act(|step| step.crash_database());
    rig.act(|step| step.crash_process(0));
    rig.run_to(2_000);
    rig.act(|step| step.start_process(0));
    assert_eq!(rig.world.status(locket), NodeStatus::Down);
    rig.run_to(4_000);
    rig.act(|step| step.start_database());

    assert_eq!(rig.world.status(locket), NodeStatus::Running);
    let starts = rig.times(locket, |what| matches!(what, What::Started));
    assert_eq!(starts, [4_000]);
}

#[test]
fn no_operator_reaches_a_database_that_is_down() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(1_000);
    rig.act(|step| {
        step.crash_database();
        assert!(!step.delete_row("k"));
        step.drop_table();
        step.start_database();
    });

    let rows = rig.world.rows();
    assert_eq!(rows.len(), 1, "{rows:?}");
}

#[test]
fn a_crash_ends_a_stall() {
    let mut rig = Rig::holder_and(vec![by_hand()]);
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(60_000)));
    rig.run_to(6_000);
    rig.act(|step| {
        step.crash_database();
        step.stall_database(ms(60_000));
        step.start_database();
    });
    rig.run_to(7_000);
    rig.act(|step| {
        let fetch = Request::Fetch { key: "k".into() };
        step.call(1, fetch, None);
    });
    rig.run_to(8_000);

    // The renewal that has waited since 5 s is refused at the crash.
    assert_eq!(rig.lost(rig.a()), [6_000]);
    assert_eq!(rig.world.stalled_until(), None);
    assert_eq!(rig.answers(rig.b()), [(7_000, "Fetch".to_owned())]);
}

// S29

/// Both renew from 0 s on; the failover comes just after the commit of `at` seconds.
fn failed_over(lost: usize, at: u64) -> Rig {
    let mut rig = Rig::new(WorldSettings {
        lost_commits: 8,
        ..settings(vec![client(upstream("k", "a")), client(upstream("k", "b"))])
    });
    rig.act(|step| step.start_client(0));
    rig.run_to(1_000);
    rig.act(|step| step.start_client(1));
    rig.run_to(at);
    rig.act(|step| step.fail_over(lost));
    rig
}

// B72: exactly two.
#[test]
fn exactly_two_lost_renewals_let_the_old_timer_delete_a_live_row() {
    for lost in 0..=4 {
        let mut rig = failed_over(lost, 32_000);
        rig.run_to(90_000);

        let expected: &[u64] = if lost == 2 { &[45_000] } else { &[] };
        assert_eq!(rig.expired(), expected, "{lost} lost");
        assert_eq!(rig.lost(rig.a()), [0; 0], "{lost} lost");
    }
}

#[test]
fn only_what_has_changed_a_row_is_a_commit_to_lose() {
    let mut rig = failed_over(1, 12_000);
    rig.run_to(12_000);

    // b was refused at 1, 6 and 11 s; the last commit is a's of 10 s.
    assert_eq!(rig.written().last(), Some(&(12_000, "a".to_owned(), 2)));
}

// S29b
#[test]
fn a_lost_insert_lets_another_owner_in() {
    let mut rig = failed_over(2, 5_500);
    rig.run_to(6_000);

    assert_eq!(rig.owner("k").as_deref(), Some("b"));
    assert_eq!(rig.believers(), [0, 1], "b comes at 6 s");
    rig.run_to(10_000);
    assert_eq!(rig.believers(), [1], "a is refused at 10 s");
}

// S29c
#[test]
fn a_lost_release_brings_a_dead_owners_row_back() {
    let mut rig =
        Rig::new(WorldSettings { lost_commits: 1, ..settings(vec![client(upstream("k", "a"))]) });
    rig.act(|step| step.start_client(0));
    rig.run_to(16_000);
    rig.act(|step| step.signal_client(0));
    rig.run_to(31_000);
    assert_eq!(rig.owner("k"), None);
    rig.act(|step| step.fail_over(1));
    assert_eq!(rig.owner("k").as_deref(), Some("a"));
    rig.run_to(120_000);

    // The timer of 15 s has found no row; the poll of 35 s finds this one.
    assert_eq!(rig.expired(), [50_000]);
}

#[test]
fn a_failover_loses_no_more_than_there_was() {
    let mut rig = failed_over(100, 2_000);
    rig.run_to(2_000);

    assert_eq!(rig.owner("k"), None);
    let lost = rig.events.iter().find_map(|event| match event.what {
        What::FailedOver { commits } => Some(commits),
        _ => None,
    });
    assert_eq!(lost, Some(1));
}

// S35, B29
#[test]
fn a_process_that_finds_no_table_stops_and_makes_one_when_it_starts() {
    let mut rig = Rig::holder_and(vec![]);
    let (a, locket) = (rig.a(), rig.locket());
    rig.run_to(1_000);
    rig.act(|step| step.drop_table());
    assert_eq!(rig.world.rows(), []);
    rig.run_to(6_000);

    assert_eq!(rig.answers(a).last(), Some(&(5_000, "Unknown".into())));
    let crashed = rig.times(locket, |what| *what == What::Crashed);
    assert_eq!(crashed, [5_000]);
    rig.act(|step| {
        step.start_process(0);
        step.start_client(0);
    });
    rig.run_to(6_000);
    assert_eq!(rig.written().last(), Some(&(6_000, "a".to_owned(), 1)));
}

// The documented profile expires in the table itself.
#[test]
fn an_exact_table_expires_by_itself_unless_it_stands_still() {
    use locket_sim::protocol::profile::Profile;
    for (pause, expired) in [(false, 15_000), (true, 40_000)] {
        let mut rig = Rig::new(WorldSettings {
            profile: Profile::DOCUMENTED,
            ..settings(vec![client(upstream("k", "a"))])
        });
        rig.act(|step| step.start_client(0));
        rig.run_to(1_000);
        rig.act(|step| step.crash_client(0));
        if pause {
            let database = locket_sim::world::DATABASE;
            rig.act(|step| step.pause(database, Some(ms(39_000)), false));
        }
        rig.run_to(60_000);

        assert_eq!(rig.expired(), [expired], "{pause}");
        assert_eq!(rig.world.next_time(), None::<Time>);
    }
}

// B36
#[test]
fn a_row_whose_key_was_cut_to_fit_is_told_as_written() {
    let mut rig = Rig::new(settings(vec![by_hand()]));
    let key = format!("k{}", " ".repeat(300));
    rig.act(|step| step.call(0, lock(&key, "a"), None));
    rig.run_to(1);

    assert_eq!(rig.written(), [(0, "a".to_owned(), 1)]);
    assert_eq!(rig.world.rows()[0].path.len(), 255);
}

#[test]
fn the_end_of_a_renewed_lease_is_to_come_in_either_profile() {
    for profile in [Profile::UPSTREAM, Profile::DOCUMENTED] {
        let mut rig =
            Rig::new(WorldSettings { profile, ..settings(vec![client(upstream("k", "a"))]) });
        rig.act(|step| step.start_client(0));
        rig.run_to(7_000);

        let pending = rig.world.pending();
        let servers = pending.iter().filter(|it| it.node != rig.a());
        let ends: Vec<u64> = servers.map(|it| it.time.as_ms()).collect();
        assert_eq!(ends, [20_000]);
    }
}
