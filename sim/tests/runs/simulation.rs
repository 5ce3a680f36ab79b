//! Claims about simulations: stepping, going back, branches, acts, calls and links.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod acts;
mod links;
mod looks;

use locket_sim::scenario::{Position, Scenario, run_text};
use locket_sim::simulation::{RunStatus, Simulation, SimulationError};
use locket_sim::time::Time;
use locket_sim::world::choice::{Site, SiteKind};

const FAULTY: &str = include_str!("../data/faulty.json");

/// Two runners and a client `me` whose calls come from outside.
const OPEN: &str = r#"{
    "name": "open", "profile": "upstream", "until": "1m",
    "network": { "latency": "10ms" },
    "clients": [
        { "name": "a", "key": "k", "retryInterval": "5s", "runner": "upstream" },
        { "name": "b", "key": "k", "retryInterval": "5s", "runner": "upstream", "startAt": "1s" },
        { "name": "me", "key": "mine" }
    ]
}"#;

fn faulty(seed: u64) -> String {
    FAULTY.replacen('{', &format!("{{\"seed\":{seed},"), 1)
}

fn simulation(text: &str) -> Simulation {
    Simulation::from_json(text).unwrap()
}

fn at(ms: u64) -> Time {
    Time::from_ms(ms)
}

// Stepping

#[test]
fn a_step_makes_something_happen() {
    let mut simulation = simulation(&faulty(3));
    let mut events = 0;
    while simulation.step().unwrap() {
        assert!(simulation.events().len() > events);
        events = simulation.events().len();
    }
}

#[test]
fn back_and_forward_by_the_same_steps_is_the_same_place() {
    let mut simulation = simulation(&faulty(1));
    for _ in 0..200 {
        assert!(simulation.step().unwrap());
    }
    let here = (simulation.position(), simulation.digest(), simulation.state());
    let events = simulation.events().to_vec();
    for count in [1, 2, 17, 100, 199, 200] {
        for _ in 0..count {
            assert!(simulation.step_back());
        }
        assert!(simulation.events().len() < events.len());
        for _ in 0..count {
            assert!(simulation.step().unwrap());
        }
        let there = (simulation.position(), simulation.digest(), simulation.state());
        assert_eq!(there, here, "{count}");
        assert_eq!(simulation.events(), events, "{count}");
    }
}

#[test]
fn all_steps_back_lead_to_the_start() {
    let mut simulation = simulation(&faulty(2));
    let digest_of_nothing = simulation.digest();
    simulation.run_to_end().unwrap();
    while simulation.step_back() {}
    assert_eq!(simulation.position(), Position::START);
    assert!(simulation.events().is_empty());
    assert_eq!(simulation.digest(), digest_of_nothing);
}

#[test]
fn a_sought_time_or_event_is_found_from_both_sides() {
    let text = faulty(5);
    let mut simulation = simulation(&text);
    let run = run_text(&text).unwrap();
    let times = [0, 1, 15_000, 299_999, 40_000, 300_000, 123_456, 7];
    for ms in times {
        simulation.seek_time(at(ms)).unwrap();
        let happened = run.events.iter().filter(|event| event.time() <= at(ms));
        assert_eq!(simulation.events().len(), happened.count(), "{ms}");
        assert_eq!(simulation.now(), at(ms));
    }
    for count in [0, 1, 500, 30, run.events.len(), 2, run.events.len() + 9] {
        simulation.seek_event(count).unwrap();
        let found = simulation.events().len();
        assert!(found >= count.min(run.events.len()), "{count} {found}");
        assert_eq!(simulation.events(), &run.events[..found]);
        let before = simulation.snapshot();
        if count > 0 && count <= run.events.len() {
            simulation.step_back();
            assert!(simulation.events().len() < count, "the first moment with {count}");
            simulation.restore(before).unwrap();
        }
    }
}

#[test]
fn time_goes_on_after_the_end_but_steps_do_not() {
    let mut simulation = simulation(OPEN);
    simulation.run_to_end().unwrap();
    assert!(!simulation.step().unwrap());
    let events = simulation.events().len();
    simulation.run_until(at(120_000)).unwrap();
    assert!(simulation.events().len() > events);
    assert_eq!(simulation.now(), at(120_000));
    assert!(!simulation.step().unwrap());
}

#[test]
fn a_time_too_far_away_is_refused_and_nothing_changes() {
    let mut simulation = simulation(OPEN);
    simulation.step().unwrap();
    let here = simulation.snapshot();
    let refused = simulation.run_until(Time::MAX);
    assert!(matches!(refused, Err(SimulationError::Argument { field, .. }) if field == "time"));
    assert_eq!(simulation.snapshot(), here);
}
