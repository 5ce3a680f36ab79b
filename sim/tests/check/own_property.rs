//! Claims about properties that users make, and about what a search says that it tried.

use locket_sim::check::{
    Bounds, Fault, Property, Question, Reductions, Verdict, VisibleState, VisibleStates,
};
use locket_sim::scenario::RunnerKind;

use super::rig::{
    Changed, ONE_OWNER, answer, assert_verdicts, delays, one_pause, s, search_with, two, verdict,
};
use RunnerKind::Upstream;
use Verdict::{NeverExercised, Safe, Unsafe};

fn own(runner: RunnerKind, allow: u64, never: impl Fn(VisibleState) -> bool) -> Question {
    let (never, allow) = (VisibleStates::of(never), s(allow));
    two(runner, 15, 5, one_pause(1, 20)).about(Property::Own { never, allow })
}

#[test]
fn two_owners_as_a_property_of_the_users_own_are_what_one_owner_forbids() {
    for runner in [Upstream, RunnerKind::Safe] {
        let own = own(runner, 0, |it| it.believers.count_ones() > 1);
        let built_in = verdict(own.clone().about(ONE_OWNER));
        assert_verdicts([(own, built_in)]);
    }
    // Two owners take more clients than there are.
    let never = own(RunnerKind::Safe, 0, |it| it.believers == 3);
    assert_verdicts([(never, Safe)]);
}

#[test]
fn what_is_found_is_a_run_that_comes_there() {
    let answer = answer(own(Upstream, 0, |it| it.believes(1) && it.owner == Some(0)));
    assert_eq!(answer.verdict, Unsafe);
    let (counterexample, story) = answer.counterexample.expect("it is broken");
    assert!(counterexample.scenario.contains("\"pause\""));
    assert!(!story.lines.is_empty());
}

#[test]
fn a_property_that_no_state_of_these_clients_can_break_was_never_exercised() {
    let never: [fn(VisibleState) -> bool; 3] =
        [|_| false, |it| it.believers.count_ones() > 2, |it| it.owner == Some(3)];
    assert_verdicts(never.map(|never| (own(RunnerKind::Safe, 0, never), NeverExercised)));
}

#[test]
fn a_property_that_names_a_client_is_searched_with_both_in_each_place() {
    const NO_SYMMETRY: Reductions = Reductions { dead_states: true, ..Reductions::NONE };
    // That b is the first owner, while a runs, takes an order that is not that of their numbers.
    for (client, other) in [(0, 1), (1, 0)] {
        let first =
            own(Upstream, 0, |it| it.owner == Some(client) && it.runs(other) && !it.runs(client));
        let said = [Reductions::default(), NO_SYMMETRY].map(|reductions| {
            let search = search_with(first.clone(), reductions);
            (search.verdict(), search.states(), search.reached())
        });
        assert_eq!(said[0], said[1]);
    }
}

#[test]
fn what_may_last_for_a_while_does() {
    let nobody = own(Upstream, 60, |it| it.believers == 0);
    let nobody = |bounds| Question { bounds, ..nobody.clone() };
    let leaving = Bounds::default().with(Fault::Stop, 2);
    assert_verdicts([(nobody(Bounds::default()), Safe), (nobody(leaving), Unsafe)]);
}

#[test]
fn a_search_says_which_faults_never_happened_and_how_runners_were_met() {
    let mut question = own(Upstream, 0, |_| false);
    question.bounds = delays(1).with(Fault::Pause, 1).with(Fault::Crash, 1);
    let coverage = search_with(question, Reductions::default()).coverage();
    assert_eq!(coverage.never_happened, ["pause"]);
    for words in ["a client crashes", "a message arrives", "time passes"] {
        assert!(coverage.happened.contains(&words), "{words}");
    }
    assert!(!coverage.happened.contains(&"a client is paused"));
    assert!(coverage.client_states > 1 && coverage.locket_states > 1);
    let all = [
        "was not started",
        "asks for the lock",
        "waits for its next attempt",
        "renews its lock",
        "holds its lock",
        "has ended",
    ];
    assert_eq!(coverage.runners, all);
}

#[test]
fn a_set_that_was_written_is_read_as_the_same() {
    let set = VisibleStates::of(|it| it.believes(1) && it.owner.is_none());
    let read: VisibleStates = serde_json::from_str(&format!("\"{set}\"")).unwrap();
    assert_eq!(read, set);
    for wrong in ["", "0", &"g".repeat(320), &"+".repeat(320)] {
        assert!(serde_json::from_str::<VisibleStates>(&format!("\"{wrong}\"")).is_err());
    }
}
