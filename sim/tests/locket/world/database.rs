//! The database: stalls, outages, failovers.

use super::rig::*;
use locket_sim::protocol::message::Request;
use locket_sim::protocol::profile::Profile;
use locket_sim::time::Time;
use locket_sim::world::event::What;
use locket_sim::world::view::NodeStatus;
use locket_sim::world::{DATABASE, WorldSettings};

// B23: the driver's default.
#[test]
fn a_poll_that_is_never_answered_is_given_up_after_ten_minutes() {
    let mut rig =
        Rig::new(WorldSettings { processes: 2, ..settings(vec![client(upstream("k", "a"))]) });
    let other = rig.world.process(1);
    rig.run_to(1_000);
    rig.act(|step| {
        step.cut(other, DATABASE, true);
        step.start_client(0);
    });
    rig.run_to(300_000);
    rig.heal(other, DATABASE);
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

// B22
#[test]
fn a_stall_is_waited_out_for_ten_seconds_and_then_nothing_is_committed() {
    for (length, written) in [(9_000, vec![0, 13_000]), (12_000, vec![0])] {
        let mut rig = Rig::holder_and(vec![]);
        rig.run_to(4_000);
        rig.act(|step| step.stall_database(ms(length)));
        rig.run_to(17_000);

        // The client has given its renewal of 5 s up at 10 s, Locket only at 15 s.
        assert_eq!(rig.commits(), written);
    }
}

#[test]
fn a_failover_loses_the_commits_that_changed_a_row_and_no_more_than_there_were() {
    // b is refused at 1, 6 and 11 s, so the last commit is a's of 10 s.
    for (commits, lost, index) in [(1, 1, Some(2)), (100, 3, None)] {
        let clients = vec![client(upstream("k", "a")), client(upstream("k", "b"))];
        let mut rig = Rig::new(WorldSettings { lost_commits: 8, ..settings(clients) });
        rig.act(|step| step.start_client(0));
        rig.run_to(1_000);
        rig.act(|step| step.start_client(1));
        rig.run_to(12_000);
        rig.act(|step| step.fail_over(commits));

        let is_lost =
            |what: &What| matches!(what, What::FailedOver { commits } if *commits == lost);
        assert_eq!(rig.times(DATABASE, is_lost), [12_000]);
        assert_eq!(rig.world.row("k").and_then(|row| row.modified_index), index);
    }
}

/// The holder's row would expire at 15 s.
#[test]
fn an_exact_table_expires_its_rows_itself_by_the_clock_of_the_database() {
    for (pause, expired) in [(None, 15_000), (Some(false), 40_000), (Some(true), 54_000)] {
        let clients = vec![client(upstream("k", "a"))];
        let profile = Profile::DOCUMENTED;
        let mut rig = Rig::new(WorldSettings { profile, ..settings(clients) });
        rig.act(|step| step.start_client(0));
        rig.run_to(1_000);
        rig.act(|step| step.crash_client(0));
        if let Some(is_suspended) = pause {
            rig.act(|step| step.pause(DATABASE, Some(ms(39_000)), is_suspended));
        }
        rig.run_to(60_000);

        assert_eq!(rig.expired(), [expired], "{pause:?}");
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
