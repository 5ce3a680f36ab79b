//! A Locket process that stops in order: it finishes its calls and accepts no connection (B90).

use super::rig::*;
use locket_sim::world::WorldSettings;
use locket_sim::world::event::What;
use locket_sim::world::view::NodeStatus;

/// Two processes 100 ms away from a lock runner, which holds the key at 200 ms.
fn far_from_two_processes() -> Rig {
    let mut rig = Rig::new(WorldSettings {
        processes: 2,
        network: distant(ms(100)),
        ..settings(vec![client(upstream("k", "a"))])
    });
    rig.act(|step| step.start_client(0));
    rig
}

fn drain_at(rig: &mut Rig, time: u64) {
    rig.run_to(time);
    rig.act(|step| step.drain_process(0));
}

fn stopped(rig: &Rig) -> Vec<u64> {
    rig.times(rig.locket(), |what| *what == What::Stopped)
}

#[test]
fn an_idle_process_stops_at_once_and_is_no_crash() {
    let mut rig = far_from_two_processes();
    drain_at(&mut rig, 1_000);

    assert_eq!(stopped(&rig), [1_000]);
    assert_eq!(rig.times(rig.locket(), |what| *what == What::Crashed), [0; 0]);
    assert_eq!(rig.world.status(rig.locket()), NodeStatus::Down);
}

#[test]
fn a_call_on_its_way_is_served_before_the_process_stops() {
    let mut rig = far_from_two_processes();
    // The renewal has left at 5.2 s and arrives at 5.3 s.
    drain_at(&mut rig, 5_250);
    assert_eq!(stopped(&rig), [0; 0]);
    rig.run_to(5_400);

    assert_eq!(stopped(&rig), [5_300]);
    assert_eq!(rig.renewed(rig.a()), [5_400]);
}

#[test]
fn the_next_call_goes_to_another_process_without_a_failure() {
    let mut rig = far_from_two_processes();
    drain_at(&mut rig, 1_000);
    rig.run_to(12_000);

    assert_eq!(rig.renewed(rig.a()), [5_400, 10_600]);
    assert_eq!(rig.world.connected_to(0), Some(1));
    assert_eq!(rig.messages_lost(), 0);
}

#[test]
fn a_process_that_is_started_while_it_drains_starts_when_it_has_stopped() {
    let mut rig = far_from_two_processes();
    drain_at(&mut rig, 5_250);
    rig.act(|step| step.start_process(0));
    assert_eq!(rig.times(rig.locket(), |what| *what == What::Started), [0; 0]);
    rig.run_to(5_300);

    assert_eq!(rig.times(rig.locket(), |what| *what == What::Started), [5_300]);
    assert_eq!(rig.world.status(rig.locket()), NodeStatus::Running);
}

#[test]
fn a_paused_process_drains_when_it_goes_on() {
    let mut rig = far_from_two_processes();
    rig.run_to(1_000);
    let locket = rig.locket();
    rig.act(|step| step.pause(locket, Some(ms(2_000)), false));
    drain_at(&mut rig, 2_000);
    assert_eq!(stopped(&rig), [0; 0]);
    rig.run_to(3_000);

    assert_eq!(stopped(&rig), [3_000]);
}

#[test]
fn a_crash_ends_a_process_that_drains() {
    let mut rig = far_from_two_processes();
    drain_at(&mut rig, 5_250);
    rig.act(|step| step.crash_process(0));
    rig.run_to(6_000);

    assert_eq!(rig.times(rig.locket(), |what| *what == What::Crashed), [5_250]);
    assert_eq!(stopped(&rig), [0; 0]);
}

#[test]
fn a_process_waits_for_a_stuck_call_no_longer_than_its_timeout() {
    let mut rig = far_from_two_processes();
    rig.run_to(5_250);
    rig.act(|step| step.stall_database(ms(60_000)));
    rig.act(|step| step.drain_process(0));
    rig.run_to(30_000);

    let [end] = stopped(&rig)[..] else {
        panic!("{:?}", stopped(&rig));
    };
    assert!((5_300..=15_300).contains(&end), "{end}");
}
