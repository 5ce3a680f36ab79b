//! Claims about when a run has settled: everything that happens to it has had its effect.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use super::stories::shipped;
use locket_sim::simulation::{OutageStatus, Simulation};
use locket_sim::time::Time;

const COLLISION: &str = include_str!("../../scenarios/collision-while-the-holder-renews.json");
const FIRST_ATTEMPT: &str = include_str!("../../scenarios/first-attempt-has-no-deadline.json");

fn opened(scenario: &str) -> Simulation {
    Simulation::from_json(scenario).unwrap()
}

/// The run of the story after an act at its end.
fn after(act: &str) -> Simulation {
    let mut simulation = opened(COLLISION);
    simulation.run_to_end().unwrap();
    simulation.act_json(act).unwrap();
    simulation
}

#[test]
fn a_calm_run_has_settled_where_it_ends_and_goes_no_further() {
    let mut simulation = opened(COLLISION);
    assert_eq!(simulation.settle(), Ok(true));
    assert_eq!(simulation.now(), simulation.end());
}

#[test]
fn a_crash_at_the_end_is_followed_to_the_next_owner() {
    let mut simulation = after(r#"{ "do": "crash", "node": "bbs-0" }"#);
    assert!(!simulation.has_settled());
    assert_eq!(simulation.settle(), Ok(true));
    let rows = simulation.state().rows;
    assert_eq!(rows[0].owner.as_deref(), Some("bbs-1"));
}

#[test]
fn a_pause_is_followed_beyond_its_end() {
    let mut simulation = after(r#"{ "do": "pause", "node": "bbs-0", "for": "50s" }"#);
    let end = simulation.end();
    assert_eq!(simulation.settle(), Ok(true));
    assert!(simulation.now().as_ms() > end.as_ms() + 50_000);
}

/// The restart leaves a first attempt of before under way, whose answer makes a second owner.
#[test]
fn an_answer_that_was_under_way_at_the_last_fault_is_waited_for() {
    let mut simulation = opened(FIRST_ATTEMPT);
    simulation.seek_time(Time::from_ms(8_920)).unwrap();
    let restart = r#"{ "do": "restart", "node": "bbs-0" }"#;
    simulation.act_json(restart).unwrap();
    simulation.seek_time(Time::from_ms(28_900)).unwrap();
    assert!(!simulation.has_settled());
    simulation.settle().unwrap();
    let two_owners = simulation.timeline().unwrap().two_owners;
    assert!(!two_owners.is_empty());
}

#[test]
fn nothing_has_settled_before_what_is_planned() {
    let text = COLLISION.replacen(
        r#""actions": ["#,
        r#""actions": [{ "at": "15s", "do": "crash", "node": "bbs-0" },"#,
        1,
    );
    let mut simulation = opened(&text);
    simulation.seek_time(Time::from_ms(9_000)).unwrap();
    assert!(!simulation.has_settled());
}

#[test]
fn a_run_that_never_settles_is_given_up() {
    let mut simulation = opened(
        r#"{ "name": "forever", "profile": "upstream", "until": "18s", "clients": [
            { "name": "a", "key": "k", "ttl": "2s", "retryInterval": "5s", "runner": "upstream" }
        ] }"#,
    );
    assert_eq!(simulation.settle(), Ok(false));
}

/// Each story with a freeze at its end, unless its lock expires before each renewal.
#[test]
fn no_freeze_lasts_at_the_end_of_a_settled_story() {
    let mut settled = 0;
    for (name, text) in shipped() {
        let mut simulation = opened(&text);
        let nodes = simulation.state().nodes;
        let Some(runner) = nodes.into_iter().find(|it| it.is_runner) else {
            continue;
        };
        simulation.run_to_end().unwrap();
        let pause = format!(r#"{{ "do": "pause", "node": "{}", "for": "20s" }}"#, runner.name);
        if simulation.act_json(&pause).is_err() || !simulation.settle().unwrap() {
            continue;
        }
        let timeline = simulation.timeline().unwrap();
        let mut outages = timeline.outages.iter();
        let ends = outages.all(|it| it.status != OutageStatus::Paused || it.span.to < timeline.end);
        assert!(ends, "{name}");
        settled += 1;
    }
    assert!(settled > 20, "{settled}");
}
