//! Which process a client talks to, and for how long.

use super::rig::*;
use locket_sim::world::{ClientSettings, WorldSettings};

fn processes(processes: usize, clients: Vec<ClientSettings>) -> WorldSettings {
    WorldSettings { processes, ..settings(clients) }
}

// C30
#[test]
fn a_client_stays_with_its_process_until_that_dies() {
    let b = ClientSettings { prefers: 1, ..client(upstream("k", "a")) };
    let mut rig = Rig::new(processes(3, vec![b]));
    rig.act(|step| step.start_client(0));
    rig.run_to(6_000);
    assert_eq!(rig.world.connected_to(0), Some(1));

    rig.act(|step| step.crash_process(1));
    rig.run_to(11_000);
    assert_eq!(rig.world.connected_to(0), Some(2), "the next after it");

    rig.act(|step| step.start_process(1));
    rig.run_to(60_000);
    assert_eq!(rig.world.connected_to(0), Some(2), "and it stays");
    assert_eq!(rig.lost(rig.a()), [0; 0]);
}

// C3
#[test]
fn a_first_attempt_fails_at_once_if_no_process_runs() {
    let mut rig = Rig::new(settings(vec![client(upstream("k", "a"))]));
    rig.act(|step| step.crash_process(0));
    rig.act(|step| step.start_client(0));
    rig.run_to(0);

    let unavailable = (0, "Unavailable".to_owned());
    assert_eq!(rig.answers(rig.a()), [unavailable.clone(), unavailable]);
}

#[test]
fn a_process_that_only_waits_for_its_database_answers_pings() {
    let mut rig = Rig::new(processes(2, vec![client(presence("k", "a"))]));
    let a = rig.a();
    rig.act(|step| step.start_client(0));
    rig.run_to(4_000);
    rig.act(|step| step.stall_database(ms(60_000)));
    rig.run_to(63_000);

    assert_eq!(rig.world.connected_to(0), Some(0));
    let unavailable = rig.answers(a);
    assert!(!unavailable.iter().any(|(_, it)| it == "Unavailable"));
}

#[test]
fn a_connection_that_nobody_uses_stays() {
    let mut rig = Rig::new(processes(2, vec![by_hand()]));
    rig.act(|step| step.call(0, lock("k", "a"), None));
    rig.run_to(3_600_000);
    rig.act(|step| step.call(0, lock("k", "a"), None));
    rig.run_to(3_600_000);

    assert_eq!(rig.world.connected_to(0), Some(0));
}
