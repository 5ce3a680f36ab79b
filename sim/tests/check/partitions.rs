//! The effects of partitions, and of messages that arrive twice.

use locket_sim::check::{Bounds, Count, Fault, Property, Question, Reductions, Search, Verdict};
use locket_sim::scenario::{RunnerKind, Scenario};

use super::rig::{STATES_MAX, delays, s, two, verdict, with_first_deadline};

fn one_partition(seconds: u64) -> Bounds {
    delays(0).with_length(Fault::Partition, 1, s(seconds))
}

fn to_the_end(question: Question) -> Search {
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    assert!(search.run_to_longest(u64::MAX));
    search
}

/// Production's settings, with a deadline for the first attempt.
fn with_partition(runner: RunnerKind, seconds: u64) -> Question {
    with_first_deadline(two(runner, 15, 5, one_partition(seconds)))
}

#[test]
fn a_partition_makes_two_owners_with_upstream_before_october_2025_and_not_with_the_safe_runner() {
    for seconds in [1, 20] {
        let broken = to_the_end(with_partition(RunnerKind::UpstreamBefore202510, seconds));
        assert_eq!(broken.verdict(), Verdict::Unsafe);
        // The lease ends 15 s after the last renewal, and the belief a retry interval later.
        assert_eq!(broken.longest(), Some(s(5)));
        let safe = with_partition(RunnerKind::Safe, seconds);
        assert_eq!(verdict(safe), Verdict::Safe);
    }
}

#[test]
fn a_partition_that_ends_before_the_next_attempt_takes_no_lock_away() {
    let false_loss = |seconds| Question {
        property: Property::FalseLoss,
        ..with_partition(RunnerKind::Safe, seconds)
    };
    assert_eq!(verdict(false_loss(1)), Verdict::Safe);
    assert_eq!(verdict(false_loss(10)), Verdict::Unsafe);
}

fn verdict_after(fault: Fault, processes: usize) -> Verdict {
    let bounds = delays(0).with_length(fault, 1, s(60));
    let mut question = two(RunnerKind::Safe, 60, 5, bounds);
    question.processes = processes;
    question.property = Property::FalseLoss;
    verdict(with_first_deadline(question))
}

#[test]
fn another_process_helps_a_client_against_a_cut_link_but_not_against_its_isolation() {
    for (fault, processes, expected) in [
        (Fault::Partition, 1, Verdict::Unsafe),
        (Fault::Partition, 2, Verdict::Safe),
        (Fault::Isolation, 1, Verdict::Unsafe),
        (Fault::Isolation, 2, Verdict::Unsafe),
    ] {
        let verdict = verdict_after(fault, processes);
        assert_eq!(verdict, expected, "{fault:?} with {processes} processes");
    }
}

/// One client, which must own its lock within a minute.
fn owned(first_attempt_deadline: bool) -> Question {
    let mut question = two(RunnerKind::Upstream, 15, 5, one_partition(2));
    question.clients.truncate(1);
    question.clients[0].first_attempt_deadline = first_attempt_deadline;
    question.property = Property::Acquired { allow: s(60) };
    question
}

#[test]
fn a_first_attempt_without_a_deadline_that_gets_no_answer_waits_for_ever() {
    let search = to_the_end(owned(false));
    assert_eq!(search.verdict(), Verdict::Unsafe);
    assert!(search.longest_is_cut(), "{:?}", search.longest());
    assert_eq!(verdict(owned(true)), Verdict::Safe);
}

#[test]
fn a_lock_that_arrives_again_after_its_release_keeps_others_waiting_for_its_ttl() {
    let handover = |duplicates, allow| {
        let bounds = delays(1).with(Fault::Duplicate, duplicates).with(Fault::Stop, 1);
        let mut question = two(RunnerKind::Safe, 15, 5, bounds);
        question.property = Property::NoClientActs { allow: s(allow) };
        verdict(question)
    };
    assert_eq!(handover(Count::UpTo(0), 10), Verdict::Safe);
    assert_eq!(handover(Count::UpTo(1), 10), Verdict::Unsafe);
    assert_eq!(handover(Count::UpTo(1), 30), Verdict::Safe);
}

#[test]
fn a_counterexample_with_a_partition_is_a_scenario_that_cuts_a_link_and_heals_it() {
    let search = to_the_end(with_partition(RunnerKind::UpstreamBefore202510, 1));
    let answer = search.answer().expect("the world repeats what was found");
    let (counterexample, _) = answer.counterexample.expect("it is broken");
    assert!(counterexample.scenario.contains(r#""do":"cut""#));
    let scenario = Scenario::from_json(&counterexample.scenario).expect("it was played");
    assert!(scenario.run().failures.is_empty());
}
