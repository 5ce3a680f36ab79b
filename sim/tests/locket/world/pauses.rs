//! Paused nodes: the messages that wait for them, and the burst when they resume.

use super::rig::*;
use locket_sim::protocol::runner::Event;
use locket_sim::world::DATABASE;
use locket_sim::world::choice::{Site, SiteKind};
use locket_sim::world::event::What;

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
    for (resumed, ends) in [(6_000, 36_000), (7_000, 37_000)] {
        let mut rig = Rig::holder_and(vec![]);
        let a = rig.a();
        rig.run_to(6_000);
        rig.act(|step| step.pause(a, Some(ms(10_000)), false));
        rig.run_to(resumed);
        rig.act(|step| {
            step.resume(a);
            step.pause(a, Some(ms(30_000)), false);
        });
        rig.run_to(40_000);

        assert_eq!(rig.called(a)[..3], [0, 5_000, ends]);
    }
}

#[test]
fn what_is_sent_to_a_paused_node_waits_there() {
    for pauses in [|rig: &Rig| rig.locket(), |_: &Rig| DATABASE] {
        let mut rig = Rig::holder_and(vec![]);
        let node = pauses(&rig);
        rig.run_to(4_000);
        rig.act(|step| step.pause(node, Some(ms(3_000)), false));
        rig.run_to(8_000);

        assert_eq!(rig.called(rig.a()), [0, 5_000]);
        assert_eq!(rig.renewed(rig.a()), [7_000]);
    }
}

/// It waits since 5 s for an answer of the database, and is paused from 6 s to 26 s.
#[test]
fn a_paused_process_gives_nothing_up_and_a_suspended_one_has_as_long_to_go_as_before() {
    for (is_suspended, given_up) in [(false, 26_000), (true, 35_000)] {
        let mut rig = Rig::holder_and(vec![]);
        let locket = rig.locket();
        rig.run_to(4_000);
        rig.act(|step| step.stall_database(ms(60_000)));
        rig.run_to(6_000);
        rig.act(|step| step.pause(locket, Some(ms(20_000)), is_suspended));
        rig.run_to(40_000);

        let handled = rig.times(locket, |what| matches!(what, What::Handled { .. }));
        assert_eq!(handled, [0, given_up]);
    }
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
