//! Clocks that run wrong or are frozen.

use super::rig::*;
use locket_sim::node::clock::NodeClock;
use locket_sim::world::ClientSettings;

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
