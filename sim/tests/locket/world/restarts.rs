//! Crashes and starts of clients and processes.

use super::rig::*;
use locket_sim::world::event::What;
use locket_sim::world::view::NodeStatus;

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
