//! Crashes and starts of clients and processes.

use super::rig::*;
use locket_sim::world::event::What;
use locket_sim::world::view::NodeStatus;

#[test]
fn a_crash_releases_nothing_and_believes_nothing() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(1_000);
    rig.act(|step| step.crash_client(0));

    assert_eq!(rig.owner("k").as_deref(), Some("a"));
    assert_eq!(rig.believers(), [0; 0]);
    assert_eq!(rig.world.status(rig.a()), NodeStatus::Down);
    rig.run_to(60_000);
    assert_eq!(rig.called(rig.a()), [0]);
    assert_eq!(rig.expired(), [15_000]);
}

// S3
#[test]
fn a_restart_with_the_same_owner_renews_its_own_row() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(6_000);
    rig.act(|step| {
        step.crash_client(0);
        step.start_client(0);
    });
    rig.run_to(6_000);

    assert_eq!(rig.written().last(), Some(&(6_000, "a".to_owned(), 3)));
    assert_eq!(rig.believers(), [0]);
}

// S4
#[test]
fn a_restart_with_a_new_owner_waits_for_its_own_old_row() {
    let mut rig = Rig::new(settings(vec![client(presence("k", "old"))]));
    rig.act(|step| step.start_client(0));
    rig.run_to(6_000);
    rig.act(|step| {
        step.crash_client(0);
        step.reconfigure_client(0, presence("k", "new").into());
        step.start_client(0);
    });
    rig.run_to(30_000);

    assert_eq!(rig.expired(), [20_000]);
    assert_eq!(rig.acquired(rig.a()), [0, 21_000]);
    assert_eq!(rig.owner("k").as_deref(), Some("new"));
}

#[test]
fn an_answer_to_an_earlier_life_is_nobodys() {
    let mut rig = Rig::distant_holder_and(vec![], ms(100));
    let a = rig.a();
    rig.run_to(150);
    rig.act(|step| {
        step.crash_client(0);
        step.start_client(0);
    });
    rig.run_to(349);
    assert_eq!(rig.acquired(a), [0; 0], "the answer of 0.2 s was to the one before");
    rig.run_to(350);
    assert_eq!(rig.acquired(a), [350]);
}

#[test]
fn who_runs_is_not_started_again() {
    let mut rig = Rig::holder_and(vec![by_hand()]);
    rig.run_to(1_000);
    let before = rig.events.len();

    let (a, locket) = (rig.a(), rig.locket());
    rig.act(|step| {
        step.start_client(0);
        step.start_client(1);
        step.start_process(0);
        step.pause(a, None, false);
        step.start_client(0);
    });

    let started = rig.events[before..].iter().filter(|event| event.what == What::Started);
    assert_eq!(started.count(), 0);
    assert_eq!(rig.world.status(locket), NodeStatus::Running);
}

#[test]
fn a_runner_that_has_ended_can_be_started_again() {
    let mut rig = Rig::holder_and(vec![]);
    let (a, locket) = (rig.a(), rig.locket());
    rig.world.network().drop_next(a, locket, 1);
    rig.run_to(11_000);
    assert_eq!(rig.lost(a), [10_000]);

    rig.act(|step| step.start_client(0));
    rig.run_to(11_000);

    assert_eq!(rig.acquired(a), [0, 11_000]);
}

// S20
#[test]
fn a_process_that_starts_gives_every_row_a_full_lease() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(1_000);
    rig.act(|step| step.crash_client(0));
    rig.run_to(14_000);
    rig.act(|step| {
        step.crash_process(0);
        step.start_process(0);
    });
    rig.run_to(60_000);

    assert_eq!(rig.expired(), [29_000]);
}

// B79
#[test]
fn nothing_expires_while_no_process_runs() {
    let mut rig = Rig::holder_and(vec![]);
    rig.run_to(1_000);
    rig.act(|step| {
        step.crash_client(0);
        step.crash_process(0);
    });
    rig.run_to(3_600_000);

    assert_eq!(rig.owner("k").as_deref(), Some("a"));
}

// S19, B76: a process sees every five seconds what the others have written.
#[test]
fn the_other_processes_see_a_renewal_at_their_next_poll() {
    for (crash, expired) in [(2_000, 20_000), (7_000, 25_000), (12_000, 30_000)] {
        let mut rig = Rig::new(locket_sim::world::WorldSettings {
            processes: 2,
            ..settings(vec![client(upstream("k", "a"))])
        });
        rig.run_to(1_000);
        rig.act(|step| step.start_client(0));
        rig.run_to(crash);
        rig.act(|step| {
            step.crash_client(0);
            step.crash_process(0);
        });
        rig.run_to(60_000);

        assert_eq!(rig.expired(), [expired], "after a crash at {crash}");
    }
}
