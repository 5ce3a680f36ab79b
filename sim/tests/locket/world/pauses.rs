//! Paused nodes: the messages that wait for them, and the burst when they resume.

use super::rig::*;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::runner::Event;
use locket_sim::world::choice::{Site, SiteKind};
use locket_sim::world::event::What;
use locket_sim::world::{DATABASE, WorldSettings};

// S10 and S11: the interval goes on while a process is paused, and does not on a suspended
// machine.
#[test]
fn after_a_pause_a_runner_is_late_at_once_after_a_suspension_later() {
    for (suspended, next_call) in [(false, 26_000), (true, 30_000)] {
        let mut rig = Rig::holder_and(vec![]);
        let a = rig.a();
        rig.run_to(6_000);
        rig.act(|step| step.pause(a, Some(ms(20_000)), suspended));
        rig.run_to(31_000);

        assert_eq!(rig.called(a)[..3], [0, 5_000, next_call], "{suspended}");
    }
}

#[test]
fn a_pause_lasts_until_somebody_ends_it() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();

    rig.run_to(6_000);
    rig.act(|step| step.pause(a, None, false));
    rig.run_to(600_000);
    rig.act(|step| step.resume(a));
    rig.run_to(600_000);

    assert_eq!(rig.called(a), [0, 5_000, 600_000]);
}

#[test]
fn a_pause_that_was_ended_early_does_not_end_the_next_one() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();

    rig.run_to(6_000);
    rig.act(|step| step.pause(a, Some(ms(10_000)), false));
    rig.run_to(7_000);
    rig.act(|step| {
        step.resume(a);
        step.pause(a, Some(ms(30_000)), false);
    });
    rig.run_to(40_000);

    assert_eq!(rig.called(a)[..3], [0, 5_000, 37_000]);
}

/// A reply and the deadline of its call are both due when the client wakes.
fn woken_with_reply_and_deadline(tie: u32) -> Rig {
    let mut rig = Rig::distant_holder_and(vec![], ms(100));
    let a = rig.a();
    rig.run_to(5_300);
    rig.act(|step| step.pause(a, Some(ms(5_700)), false));
    let site = Site { kind: SiteKind::Tie, subject: 11_000, count: 0 };
    rig.script.overrides.insert(site, tie);
    rig.run_to(11_000);
    rig
}

#[test]
fn what_waited_for_a_paused_node_bursts_in_either_order() {
    let reply_first = woken_with_reply_and_deadline(0);
    let deadline_first = woken_with_reply_and_deadline(1);

    assert_eq!(reply_first.renewed(reply_first.a()), [11_000]);
    assert_eq!(deadline_first.lost(deadline_first.a()), [11_000]);
}

#[test]
fn messages_wait_for_a_paused_process() {
    let mut rig = Rig::holder_and(vec![]);
    let (a, locket) = (rig.a(), rig.locket());

    rig.run_to(4_000);
    rig.act(|step| step.pause(locket, Some(ms(3_000)), false));
    rig.run_to(8_000);

    assert_eq!(rig.called(a), [0, 5_000]);
    assert_eq!(rig.renewed(a), [7_000]);
}

// S22
#[test]
fn all_timers_of_a_process_fire_when_it_goes_on() {
    let mut rig = Rig::holder_and(vec![client(upstream("k2", "b"))]);
    rig.run_to(1_000);
    rig.act(|step| step.start_client(1));
    let locket = rig.locket();
    rig.run_to(2_000);
    rig.act(|step| {
        step.crash_client(0);
        step.crash_client(1);
        step.pause(locket, Some(ms(30_000)), false);
    });
    rig.run_to(40_000);

    assert_eq!(rig.expired(), [32_000, 32_000]);
}

// S22: with monotonic time stopped they do not fire early.
#[test]
fn a_suspended_processs_timers_have_as_long_to_go_as_before() {
    let mut rig = Rig::holder_and(vec![]);
    let locket = rig.locket();
    rig.run_to(2_000);
    rig.act(|step| {
        step.crash_client(0);
        step.pause(locket, Some(ms(30_000)), true);
    });
    rig.run_to(60_000);

    assert_eq!(rig.expired(), [45_000]);
}

#[test]
fn a_process_that_stands_still_gives_nothing_up_before_it_goes_on() {
    let mut rig = Rig::holder_and(vec![]);
    let (a, locket) = (rig.a(), rig.locket());
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(60_000)));
    rig.run_to(6_000);
    rig.act(|step| step.pause(locket, Some(ms(20_000)), false));
    rig.run_to(30_000);

    let handled = rig.times(locket, |what| matches!(what, What::Handled { .. }));
    assert_eq!(handled, [0, 26_000]);
    assert_eq!(rig.lost(a), [10_000]);
}

#[test]
fn a_signal_waits_for_a_paused_runner() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();
    rig.run_to(1_000);
    rig.act(|step| step.pause(a, Some(ms(3_000)), false));
    rig.run_to(2_000);
    rig.act(|step| step.signal_client(0));
    rig.run_to(10_000);

    let signalled = rig.times(a, |what| matches!(what, What::Runner(Event::Signalled)));
    assert_eq!(signalled, [4_000]);
}

#[test]
fn a_paused_database_answers_when_it_goes_on() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();
    rig.run_to(4_000);
    rig.act(|step| step.pause(DATABASE, Some(ms(3_000)), false));
    rig.run_to(8_000);

    assert_eq!(rig.renewed(a), [7_000]);
}

#[test]
fn a_suspended_process_waits_for_its_database_as_long_as_before() {
    let mut rig = Rig::holder_and(vec![]);
    let locket = rig.locket();
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(60_000)));
    rig.run_to(6_000);
    rig.act(|step| step.pause(locket, Some(ms(20_000)), true));
    rig.run_to(40_000);

    let handled = rig.times(locket, |what| matches!(what, What::Handled { .. }));
    assert_eq!(handled, [0, 35_000], "1 s before, 9 s after");
}

#[test]
fn rows_of_a_suspended_database_have_as_long_to_go_as_before() {
    let mut rig = Rig::new(WorldSettings {
        profile: Profile::DOCUMENTED,
        ..settings(vec![client(upstream("k", "a"))])
    });
    rig.act(|step| step.start_client(0));
    rig.run_to(1_000);
    rig.act(|step| {
        step.crash_client(0);
        step.pause(DATABASE, Some(ms(20_000)), true);
    });
    rig.run_to(60_000);

    assert_eq!(rig.expired(), [35_000]);
}

#[test]
fn a_pause_that_was_ended_at_once_does_not_end_the_next_one() {
    let mut rig = Rig::holder_and(vec![]);
    let a = rig.a();

    rig.run_to(6_000);
    rig.act(|step| {
        step.pause(a, Some(ms(10_000)), false);
        step.resume(a);
        step.pause(a, Some(ms(30_000)), false);
    });
    rig.run_to(40_000);

    assert_eq!(rig.called(a)[..3], [0, 5_000, 36_000]);
}
