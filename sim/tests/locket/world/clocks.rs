//! Clocks that are set wrong, run wrong, or are frozen.

use super::rig::*;
use locket_sim::node::clock::NodeClock;
use locket_sim::world::{ClientSettings, event::WorldEvent};

fn with_clock(clock: NodeClock) -> Vec<WorldEvent> {
    let a = ClientSettings { clock, ..client(upstream("k", "a")) };
    let mut rig = Rig::new(settings(vec![a, client(upstream("k", "b"))]));
    rig.act(|step| step.start_client(0));
    rig.run_to(1_000);
    rig.act(|step| step.start_client(1));
    rig.run_to(12_000);
    let (a, locket) = (rig.a(), rig.locket());
    rig.act(|step| step.cut(a, locket, true));
    rig.run_to(60_000);
    rig.events
}

// S15
#[test]
fn a_clock_that_is_set_wrong_changes_nothing_at_all() {
    let right = with_clock(NodeClock::default());

    let wrong = with_clock(NodeClock::new(ms(3_600_000), 0));

    assert_eq!(wrong, right);
}

// S16
#[test]
fn a_fast_clock_renews_sooner_and_a_slow_one_later() {
    for (rate_ppm, expected) in [
        (1_000_000, [2_500, 5_000, 7_500]),
        (0, [5_000, 10_000, 15_000]),
        (-500_000, [10_000, 20_000, 30_000]),
    ] {
        let a =
            ClientSettings { clock: NodeClock::new(ms(0), rate_ppm), ..client(upstream("k", "a")) };
        let mut rig = Rig::new(settings(vec![a]));
        rig.act(|step| step.start_client(0));
        rig.run_to(30_000);

        assert_eq!(rig.renewed(rig.a())[..3], expected, "{rate_ppm}");
    }
}

// S16: two owners as soon as the slow clock's 2r are more than the true clock's T.
#[test]
fn a_clock_below_two_thirds_of_the_servers_is_unsafe_after_a_partition() {
    for (rate_ppm, overlaps) in [(-330_000, false), (-340_000, true)] {
        let a =
            ClientSettings { clock: NodeClock::new(ms(0), rate_ppm), ..client(upstream("k", "a")) };
        let mut rig = Rig::new(settings(vec![a, client(upstream("k", "b"))]));
        rig.act(|step| step.start_client(0));
        let (a, locket) = (rig.a(), rig.locket());
        rig.act(|step| step.start_client(1));
        rig.run_to(1);
        rig.act(|step| step.cut(a, locket, true));
        rig.run_to(15_000);

        assert_eq!(rig.believers() == [0, 1], overlaps, "{rate_ppm}");
    }
}

#[test]
fn a_suspended_machines_lease_stands_still_with_its_clock() {
    let mut rig = Rig::new(settings(vec![client(safe("k", "a"))]));
    rig.act(|step| step.start_client(0));
    let a = rig.a();

    rig.run_to(6_000);
    rig.act(|step| step.pause(a, Some(ms(20_000)), true));
    rig.run_to(25_000);

    assert_eq!(rig.world.local_time(a).as_ms(), 6_000);
    assert_eq!(rig.believers(), [0], "it does nothing, but it has not let go");
    rig.run_to(27_000);
    assert_eq!(rig.world.local_time(a).as_ms(), 7_000);
}

// C31: 10 s until the ping, 22 s for its answer, by the clock of the waiting client.
#[test]
fn a_fast_clock_notices_a_dead_connection_sooner_and_a_slow_one_later() {
    for (rate_ppm, noticed) in [(1_000_000, 16_000), (0, 32_000), (-500_000, 64_000)] {
        let a =
            ClientSettings { clock: NodeClock::new(ms(0), rate_ppm), ..client(upstream("k", "a")) };
        let mut rig = Rig::new(settings(vec![a]));
        let (a, locket) = (rig.a(), rig.locket());
        rig.act(|step| step.cut(a, locket, true));
        rig.act(|step| step.start_client(0));
        rig.run_to(65_000);

        let first = rig.answers(a).into_iter().next();
        assert_eq!(first, Some((noticed, "Unavailable".to_owned())), "{rate_ppm}");
    }
}
