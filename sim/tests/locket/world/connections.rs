//! Which process a client talks to, and what becomes of a call whose connection breaks.

use super::rig::*;
use locket_sim::world::event::What;
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

// C7
#[test]
fn later_attempts_wait_for_a_process_as_long_as_they_may() {
    let mut rig = Rig::holder_and(vec![client(upstream("k2", "b"))]);
    rig.act(|step| step.start_client(1));
    rig.run_to(1_000);
    let b = rig.b();
    rig.act(|step| {
        step.pause(b, Some(ms(8_000)), false);
        step.crash_process(0);
    });
    rig.run_to(12_000);
    rig.act(|step| step.start_process(0));
    rig.run_to(13_000);

    assert_eq!(rig.lost(rig.a()), [10_000], "5 s of waiting are over");
    assert_eq!(rig.renewed(b), [12_000], "this one has waited 3 s");
}

// S24, S39
#[test]
fn a_call_under_way_fails_with_unavailable_when_its_process_dies() {
    let mut rig = Rig::distant_holder_and(vec![], ms(100));
    let a = rig.a();
    rig.run_to(5_250);
    rig.act(|step| step.crash_process(0));
    rig.run_to(6_000);

    assert_eq!(rig.lost(a), [5_350]);
    assert_eq!(rig.answers(a).last(), Some(&(5_350, "Unavailable".into())));
}

#[test]
fn a_process_that_starts_again_does_not_take_the_calls_of_the_one_before() {
    let mut rig = Rig::distant_holder_and(vec![], ms(100));
    rig.run_to(5_250);
    rig.act(|step| {
        step.crash_process(0);
        step.start_process(0);
    });
    rig.run_to(6_000);

    assert_eq!(rig.written().len(), 1, "{:?}", rig.written());
}

// C31: 10 s until the ping, 22 s for its answer.
#[test]
fn a_call_without_a_deadline_ends_when_keepalive_finds_nobody() {
    let mut rig = Rig::new(settings(vec![client(upstream("k", "a"))]));
    let (a, locket) = (rig.a(), rig.locket());
    rig.act(|step| step.cut(a, locket, true));
    rig.act(|step| step.start_client(0));
    rig.run_to(33_000);

    assert_eq!(rig.answers(a), [(32_000, "Unavailable".to_owned())]);
}

// S26
#[test]
fn after_a_dead_connection_another_process_comes_first() {
    let mut rig = Rig::new(processes(2, vec![client(presence("k", "a"))]));
    let (a, locket) = (rig.a(), rig.locket());
    rig.act(|step| step.start_client(0));
    rig.run_to(6_000);
    rig.act(|step| step.cut(a, locket, true));
    rig.run_to(60_000);

    assert_eq!(rig.acquired(a), [0, 47_000]);
    assert_eq!(rig.world.connected_to(0), Some(1));
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

// B18, S49
#[test]
fn a_lock_of_nothing_kills_the_process_that_gets_it() {
    let mut rig = Rig::new(processes(2, vec![by_hand()]));
    let nothing =
        locket_sim::protocol::message::Request::Lock { resource: None, ttl_in_seconds: 15 };
    for _ in 0..2 {
        rig.act(|step| step.call(0, nothing.clone(), None));
        rig.run_to(1_000);
    }

    let crashed = rig.events.iter().filter(|it| it.what == What::Crashed);
    assert_eq!(crashed.count(), 2);
}

// S25
#[test]
fn a_slow_connection_is_kept_however_slow_it_is() {
    let mut rig = Rig::new(WorldSettings {
        network: distant(ms(3_000)),
        ..processes(2, vec![client(presence("k", "a"))])
    });
    rig.act(|step| step.start_client(0));
    rig.run_to(120_000);

    assert_eq!(rig.world.connected_to(0), Some(0));
    assert_eq!(rig.acquired(rig.a()), [6_000]);
    assert_eq!(rig.lost(rig.a()), [16_000]);
    assert_eq!(rig.owner("k").as_deref(), Some("a"), "every request arrives");
}
