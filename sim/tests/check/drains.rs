//! Drains of Locket processes, one after the other as in a rolling deploy.

use locket_sim::check::{Bounds, Fault, Property, Question, Reductions, Search, Verdict};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, RunnerKind};
use locket_sim::time::Duration;

use super::rig::{STATES_MAX, delays, s, two, verdict};

fn ends(drains: u8, crashes: u8, downtime: u64) -> Bounds {
    delays(1).with_length(Fault::LocketCrash, crashes, s(downtime)).with_length(
        Fault::LocketDrain,
        drains,
        s(downtime),
    )
}

/// One client with a TTL of 15 s and a retry interval of 5 s.
fn alone(processes: usize, property: Property, bounds: Bounds) -> Question {
    let mut question = two(RunnerKind::Safe, 15, 5, bounds);
    question.clients.truncate(1);
    Question { property, processes, ..question }
}

#[test]
fn a_rolling_deploy_of_two_processes_costs_no_healthy_owner_its_lock_however_long_each_is_down() {
    let loses = |bounds| verdict(alone(2, Property::FalseLoss, bounds));
    assert_eq!(loses(ends(2, 0, 8)), Verdict::Safe);
    // Crashes may take both at once.
    assert_eq!(loses(ends(0, 2, 8)), Verdict::Unsafe);
}

#[test]
fn the_only_process_takes_the_lock_away_when_it_drains_and_stays_down() {
    let loses = |downtime| verdict(alone(1, Property::FalseLoss, ends(1, 0, downtime)));
    assert_eq!(loses(1), Verdict::Safe);
    assert_eq!(loses(8), Verdict::Unsafe);
}

#[test]
fn a_process_that_drains_answers_the_calls_it_has_and_one_that_crashes_does_not() {
    // This runner gives up at the first error. Another process accepts its next call.
    let loses = |bounds| {
        let mut question = alone(2, Property::FalseLoss, bounds);
        question.clients[0].runner = RunnerKind::Upstream;
        verdict(question)
    };
    assert_eq!(loses(ends(2, 0, 1)), Verdict::Safe);
    assert_eq!(loses(ends(0, 1, 1)), Verdict::Unsafe);
}

#[test]
fn a_counterexample_with_a_drain_is_a_scenario_that_drains() {
    let question = alone(1, Property::FalseLoss, ends(1, 0, 8));
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    let answer = search.answer().expect("the world repeats what was found");
    let (counterexample, story) = answer.counterexample.expect("it is broken");
    assert!(counterexample.scenario.contains(r#""do":"drain""#));
    let story = story.to_string();
    assert!(story.contains("locket-0 finishes its calls"), "{story}");
}

#[test]
fn a_draining_process_gives_up_on_a_call_after_its_client_has() {
    let bounds = delays(0)
        .with_length(Fault::LocketDrain, 2, Duration::from_ms(500))
        .with(Fault::LostReply, 1);
    let mut question = alone(1, Property::PresenceGap { allow: s(2) }, bounds);
    question.profile = Profile::DOCUMENTED;
    for client in &mut question.clients {
        (client.kind, client.ttl, client.retry_interval) = (ClientKind::Presence, s(7), s(1));
        (client.margin, client.first_attempt_deadline) = (Some(s(1)), true);
    }
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    assert_eq!(search.run(u64::MAX), Verdict::Unsafe);
    search.run_to_longest(u64::MAX);
    search.answer().expect("the world repeats what was found");
}
