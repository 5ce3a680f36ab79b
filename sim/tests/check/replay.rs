//! A smallest schedule is a scenario that shows the same violation in the full simulated world.

use locket_sim::check::{Fault, Property, Question, Reductions, Verdict};
use locket_sim::scenario::{RunnerKind, Scenario};
use locket_sim::time::Duration;

use super::rig::{delays, one_pause, s, search_with, two, upstream, with_first_deadline};

/// Searches, and runs the counterexample as a scenario. How long that has two owners.
fn two_owners_for(question: &Question) -> Duration {
    let search = search_with(question.clone(), Reductions::default());
    assert_eq!(search.verdict(), Verdict::Unsafe, "{question:?}");
    let answer = search.answer();
    let answer = answer.unwrap_or_else(|error| panic!("{error}: {question:?}"));
    let (counterexample, _) = answer.counterexample.expect("there is a violation");
    let run = Scenario::from_json(&counterexample.scenario)
        .unwrap_or_else(|error| panic!("{error}: {}", counterexample.scenario))
        .run();
    assert_eq!(run.failures, Vec::<String>::new(), "{question:?}");
    counterexample.two_owners_for
}

#[test]
fn a_first_attempt_without_a_deadline_makes_two_owners_for_a_second() {
    assert_eq!(two_owners_for(&upstream(15, 5, delays(6))), s(1));
}

#[test]
fn a_pause_of_11_s_makes_two_owners_for_a_second() {
    assert_eq!(two_owners_for(&upstream(15, 5, one_pause(0, 11))), s(1));
}

#[test]
fn every_violation_of_the_map_is_a_scenario() {
    for (ttl, retry_interval) in
        (3..=8).flat_map(|ttl| (1..=4).map(move |retry_interval| (ttl, retry_interval)))
    {
        for delay in 0..=2 {
            let question = upstream(ttl, retry_interval, one_pause(delay, ttl));
            assert!(two_owners_for(&question) >= s(1));
        }
    }
}

#[test]
fn a_schedule_of_each_kind_of_fault_is_a_scenario() {
    let faults = delays(1).with(Fault::LostMessage, 1);
    two_owners_for(&two(RunnerKind::UpstreamBefore202510, 15, 5, faults));
    for (crashes, restarts, stops, evictions) in [(0, 0, 0, 1), (1, 1, 1, 0)] {
        let faults = delays(1)
            .with(Fault::Crash, crashes)
            .with(Fault::Restart, restarts)
            .with(Fault::Stop, stops)
            .with(Fault::RowDeletion, evictions);
        two_owners_for(&upstream(6, 2, faults));
    }
    let failover = delays(1).with(Fault::Failover, 1);
    two_owners_for(&upstream(6, 2, failover));
    let lost = delays(1).with(Fault::LostReply, 1);
    let mut false_loss = upstream(6, 2, lost);
    false_loss.property = Property::FalseLoss;
    two_owners_for(&false_loss);
    let restart = delays(1).with_length(Fault::LocketCrash, 1, s(2));
    let mut false_loss = upstream(6, 2, restart);
    false_loss.property = Property::FalseLoss;
    two_owners_for(&false_loss);
    let clocks = {
        let mut question = with_first_deadline(upstream(4, 1, one_pause(1, 3)));
        question.clients[0].rate_ppm = -500_000;
        question
    };
    two_owners_for(&clocks);
}

#[test]
fn a_schedule_of_two_locket_processes_is_a_scenario() {
    let mut question = upstream(6, 2, one_pause(1, 6));
    question.processes = 2;
    two_owners_for(&question);
}

#[test]
fn a_schedule_for_each_property_is_a_scenario() {
    let faults = one_pause(1, 6).with(Fault::LostMessage, 1).with(Fault::Crash, 1);
    for property in [
        Property::FalseLoss,
        Property::NoClientActs { allow: s(5) },
        Property::Acquired { allow: s(1) },
        Property::PresenceGap { allow: s(1) },
        Property::BeliefMatchesRow { allow: s(0) },
    ] {
        let mut question = upstream(6, 2, faults);
        question.property = property;
        two_owners_for(&question);
    }
}

/// The longest schedule and the first, and how long each has two owners in its scenario.
fn longest_of(question: Question) -> (Duration, [Duration; 2], String) {
    let mut search = search_with(question.clone(), Reductions::default());
    search.run_to_longest(u64::MAX);
    let answer = search.answer().unwrap_or_else(|error| panic!("{error}"));
    assert!(answer.has_longest, "{question:?}");
    let (first, _) = answer.counterexample.expect("there is a violation");
    let longest = answer.longest.expect("one lasts longest");
    for it in [&first, &longest] {
        let run = Scenario::from_json(&it.scenario).expect("it is one").run();
        assert_eq!(run.failures, Vec::<String>::new(), "{}", it.scenario);
    }
    let both = [first.two_owners_for, longest.two_owners_for];
    (longest.lasted, both, longest.scenario)
}

#[test]
fn a_schedule_goes_on_within_its_bounds_after_the_violation() {
    let crashed = delays(0).with_length(Fault::LocketCrash, 1, s(2)).with(Fault::RowDeletion, 1);
    let drained = crashed.with(Fault::LocketCrash, 0).with_length(Fault::LocketDrain, 1, s(2));
    let cut = delays(0).with_length(Fault::Partition, 1, s(3)).with(Fault::RowDeletion, 1);
    for (bounds, end) in [(crashed, "start"), (drained, "start"), (cut, "heal")] {
        let (longest, both, scenario) = longest_of(upstream(15, 5, bounds));
        assert!(both.iter().all(|it| *it <= longest), "{longest}: {both:?} in {scenario}");
        let ends = scenario.matches(&format!(r#""do":"{end}""#)).count();
        assert_eq!(ends, 1, "what lasts ends in time: {scenario}");
    }
}

#[test]
fn a_lock_that_is_taken_and_given_up_in_one_step_was_acquired() {
    let stopped = delays(1).with(Fault::Stop, 1);
    let mut question = upstream(15, 5, stopped);
    // The stop signal comes before the answer of the first attempt. The other one is refused.
    question.property = Property::Acquired { allow: s(4) };
    let search = search_with(question, Reductions::default());
    assert_eq!(search.verdict(), Verdict::Safe);
}
