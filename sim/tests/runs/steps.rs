//! Claims about the limit of a run's work: a short text cannot take long.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use locket_sim::scenario::{Execution, STEPS_DEFAULT, Scenario, StepsExceeded};
use locket_sim::simulation::{MarginQuestion, Minimizer, Simulation, SimulationError};
use locket_sim::time::{Duration, Time};

const FIRST_LOOK: &str = include_str!("../../scenarios/first-look.json");

/// No client does anything in it, and every process polls every five seconds for 416 days.
const QUIET: &str = r#"{
    "name": "quiet", "profile": "upstream", "processes": 16, "until": "10000h", "clients": [],
    "actions": [{ "at": "1s", "do": "note", "text": "a note" }]
}"#;

/// The same with an expectation that does not hold, and two clients of which it is asked.
const FAILING: &str = r#"{
    "name": "failing", "profile": "upstream", "processes": 16, "until": "10000h",
    "clients": [
        { "name": "a", "key": "k", "retryInterval": "1000h", "runner": "upstream", "ttl": "3000h" },
        { "name": "b", "key": "k", "retryInterval": "1000h", "runner": "upstream", "ttl": "3000h" }
    ],
    "expect": [{ "key": "k", "at": "1s", "owner": "nobody" }]
}"#;

/// Few enough for a test.
const STEPS: u64 = 50_000;

fn execution(text: &str, max_steps: u64) -> Execution {
    let scenario = Scenario::from_json_of_any_length(text).unwrap();
    Execution::new(scenario, max_steps)
}

fn exceeded<T: std::fmt::Debug>(result: Result<T, SimulationError>) -> StepsExceeded {
    match result.unwrap_err() {
        SimulationError::Steps(exceeded) => exceeded,
        other @ (SimulationError::Argument { .. }
        | SimulationError::Link(_)
        | SimulationError::Scenario(_)) => panic!("{other}"),
    }
}

fn hours(hours: u64) -> Time {
    Time::ZERO + Duration::from_seconds(3600 * hours)
}

#[test]
fn a_run_ends_after_as_many_steps_as_it_may_take_and_says_how_far_they_led() {
    for execution in [execution(QUIET, STEPS), execution(QUIET, STEPS).without_trace()] {
        let exceeded = { execution }.run(u64::MAX).unwrap_err();
        assert_eq!((exceeded.max_steps, exceeded.until), (STEPS, hours(10_000)));
        // A poll of 16 processes takes each of them three steps.
        let polls = exceeded.reached.as_ms() / 5_000;
        assert!(polls * 16 * 3 <= STEPS && STEPS < (polls + 2) * 16 * 3, "{exceeded}");
        assert!(exceeded.to_string().contains("limit of 50000 steps"));
    }
}

#[test]
fn a_run_may_take_exactly_the_steps_that_it_needs() {
    let takes = |steps| execution(FIRST_LOOK, steps).run(u64::MAX).is_ok();
    let (mut few, mut enough) = (0, STEPS_DEFAULT);
    while few + 1 < enough {
        let half = few.midpoint(enough);
        if takes(half) {
            enough = half;
        } else {
            few = half;
        }
    }
    assert!((100..10_000).contains(&enough), "{enough}");
    let mut least = execution(FIRST_LOOK, enough);
    assert_eq!(least.run(u64::MAX), Ok(true));
    let whole = Scenario::from_json(FIRST_LOOK).unwrap().run();
    assert_eq!(least.finish(), whole);
}

#[test]
fn slices_change_neither_the_run_nor_where_it_is_ended() {
    for slice in [1, 7, 1_000] {
        let mut sliced = execution(FIRST_LOOK, STEPS);
        while !sliced.run(slice).unwrap() {}
        let whole = Scenario::from_json(FIRST_LOOK).unwrap().run();
        assert_eq!(sliced.finish(), whole);

        let mut endless = execution(QUIET, STEPS).without_trace();
        let ended = loop {
            if let Err(exceeded) = endless.run(slice) {
                break exceeded;
            }
        };
        let at_once = execution(QUIET, STEPS).without_trace().run(u64::MAX);
        assert_eq!(Err(ended), at_once);
    }
}

#[test]
fn what_was_due_and_comes_to_nothing_is_a_step_too() {
    // Each poll waits ten minutes for a stalled database, and each tick meanwhile is left out.
    let stuck =
        QUIET.replace(r#""do": "note", "text": "a note""#, r#""do": "pause", "node": "database""#);
    let exceeded = execution(&stuck, STEPS).run(u64::MAX).unwrap_err();
    assert!(exceeded.reached < hours(100), "{exceeded}");
}

#[test]
fn a_simulation_stays_where_it_is_if_a_place_is_too_far() {
    let mut simulation = Simulation::from_json_within(QUIET, STEPS).unwrap();
    simulation.run_until(Time::from_ms(3_000)).unwrap();
    let before = (simulation.position(), simulation.digest(), simulation.events().len());
    let is_as_before = |simulation: &Simulation| {
        let now = (simulation.position(), simulation.digest(), simulation.events().len());
        assert_eq!(now, before);
    };
    exceeded(simulation.seek_time(hours(9_000)));
    is_as_before(&simulation);
    exceeded(simulation.run_until(hours(9_000)));
    is_as_before(&simulation);
    exceeded(simulation.step());
    is_as_before(&simulation);
    exceeded(simulation.seek_event(7));
    is_as_before(&simulation);
    exceeded(simulation.run_to_end());
    is_as_before(&simulation);
    exceeded(simulation.timeline());
    is_as_before(&simulation);
    // It was never there, so this is the end of the branch, and not the past of it.
    simulation.act_json(r#"{ "do": "note", "text": "here" }"#).unwrap();
    assert_eq!(simulation.current_branch(), 0);
    // A near moment can still be reached.
    simulation.seek_time(Time::from_ms(60_000)).unwrap();
    assert_eq!(simulation.now(), Time::from_ms(60_000));
}

#[test]
fn a_simulation_that_goes_on_in_slices_stays_alive_between_them() {
    let mut simulation = Simulation::from_json_within(QUIET, STEPS).unwrap();
    assert_eq!(simulation.step_within(hours(1), 1_000), Ok(Some(true)));
    assert_eq!(simulation.step_within(hours(1), 100), Ok(None));
    let between = simulation.now();
    assert!(Time::from_ms(1_000) < between && between < hours(1));
    let mut slices = 0;
    while simulation.step_within(hours(1), 1_000) == Ok(None) {
        slices += 1;
    }
    assert!(slices > 20);
    assert_eq!(simulation.now(), hours(1));
}

#[test]
fn a_link_to_a_place_that_is_too_far_is_refused() {
    let header = format!(r#"{{"at":"{}h","count":0,"digest":""}}"#, 9_000);
    let link = format!("l1.{}", URL_SAFE_NO_PAD.encode(format!("{header}\n{QUIET}")));
    let refused = exceeded(Simulation::from_link_within(&link, STEPS).map(drop));
    assert_eq!(refused.max_steps, STEPS);
    let near = link_to(QUIET, 60_000);
    assert_eq!(Simulation::from_link_within(&near, STEPS).unwrap().now(), Time::from_ms(60_000));
}

fn link_to(scenario: &str, ms: u64) -> String {
    let mut simulation = Simulation::from_json(scenario).unwrap();
    simulation.run_until(Time::from_ms(ms)).unwrap();
    simulation.link()
}

#[test]
fn a_safety_margin_of_a_run_that_is_too_long_is_refused() {
    let simulation = Simulation::from_json_within(FAILING, STEPS).unwrap();
    let step = Duration::from_seconds(3600 * 10);
    let question = MarginQuestion { step, ..MarginQuestion::default() };
    let mut search = simulation.safety_margin(question).unwrap();
    let refused = exceeded(search.run(u64::MAX));
    assert_eq!(refused.max_steps, STEPS);
    assert_eq!(exceeded(search.run(1)), refused);
}

#[test]
fn the_minimization_of_a_run_that_is_too_long_is_refused() {
    let minimizer = Minimizer::new(FAILING, Some(1), 10, STEPS);
    assert_eq!(exceeded(minimizer.map(drop)).max_steps, STEPS);
}
