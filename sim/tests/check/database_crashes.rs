//! A database that crashes: it refuses every query until it starts again.

use locket_sim::check::{Bounds, Fault, Property, Question, Reductions, Verdict};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{RunnerKind, Scenario};

use super::rig::{delays, s, search_with, two, verdict, with_first_deadline};

fn one_crash(downtime: u64) -> Bounds {
    delays(0).with_length(Fault::DatabaseCrash, 1, s(downtime))
}

/// One client with a TTL of 6 s and a retry interval of 2 s.
fn alone(runner: RunnerKind, property: Property, bounds: Bounds) -> Question {
    let mut question = with_first_deadline(two(runner, 6, 2, bounds));
    question.clients.truncate(1);
    Question { property, ..question }
}

#[test]
fn a_query_that_is_refused_takes_upstreams_lock_away_and_not_the_safe_runners() {
    let loses = |runner, bounds| verdict(alone(runner, Property::FalseLoss, bounds));
    assert_eq!(loses(RunnerKind::Upstream, delays(0)), Verdict::Safe);
    assert_eq!(loses(RunnerKind::Upstream, one_crash(0)), Verdict::Unsafe);
    assert_eq!(loses(RunnerKind::Safe, one_crash(0)), Verdict::Safe);
}

#[test]
fn a_safe_runner_keeps_its_lock_while_one_attempt_of_its_lease_succeeds() {
    // Its lease ends at 5.5 s, after attempts at 2 s and 4 s. An outage of 2 s can refuse both.
    let loses = |downtime| {
        let bounds = one_crash(downtime);
        verdict(alone(RunnerKind::Safe, Property::FalseLoss, bounds))
    };
    assert_eq!(loses(1), Verdict::Safe);
    assert_eq!(loses(2), Verdict::Unsafe);
}

#[test]
fn a_database_that_is_down_makes_no_two_owners_whoever_deletes_expired_rows() {
    for profile in [Profile::UPSTREAM, Profile::DOCUMENTED] {
        for runner in [RunnerKind::Upstream, RunnerKind::Safe] {
            let question =
                Question { profile, ..with_first_deadline(two(runner, 6, 2, one_crash(3))) };
            assert_eq!(verdict(question), Verdict::Safe, "{profile:?} {runner:?}");
        }
    }
}

#[test]
fn a_counterexample_with_a_database_crash_is_a_scenario_that_crashes_it() {
    let question = alone(RunnerKind::Upstream, Property::FalseLoss, one_crash(1));
    let search = search_with(question, Reductions::default());
    let answer = search.answer().expect("the world repeats what was found");
    let (counterexample, story) = answer.counterexample.expect("it is broken");
    let scenario = &counterexample.scenario;
    let crash = r#""do":"crash","node":"database""#;
    assert!(scenario.contains(crash), "{scenario}");
    let run = Scenario::from_json(scenario).expect("it is one").run();
    assert_eq!(run.failures, Vec::<String>::new());
    let words: Vec<&str> = story.lines.iter().map(|it| it.words.as_str()).collect();
    assert!(words.contains(&"database crashes"), "{words:?}");
}

#[test]
fn queries_that_wait_at_a_stalled_database_are_refused_when_it_crashes() {
    // A stall alone holds the renewal up for less than its deadline.
    let bounds = delays(0).with_length(Fault::Stall, 1, s(1));
    let loses = |bounds| verdict(alone(RunnerKind::Upstream, Property::FalseLoss, bounds));
    assert_eq!(loses(bounds), Verdict::Safe);
    let with_crash = bounds.with(Fault::DatabaseCrash, 1);
    assert_eq!(loses(with_crash), Verdict::Unsafe);
}
