//! Claims about properties that users make, and about what a search says that it tried.

use locket_sim::check::{
    Bounds, ClientQuestion, Count, Fault, Property, Question, Reductions, Search, Verdict,
    VisibleState, VisibleStates,
};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_seconds(seconds)
}

fn runners(runner: RunnerKind, never: impl Fn(VisibleState) -> bool) -> Question {
    let client = ClientQuestion::new(runner, seconds(15), seconds(5));
    let never = VisibleStates::of(never);
    let allow = Duration::ZERO;
    Question {
        property: Property::Own { never, allow },
        bounds: Bounds { latency: seconds(1), ..Bounds::default() }.with_length(
            Fault::Pause,
            1,
            seconds(20),
        ),
        profile: locket_sim::protocol::profile::Profile::UPSTREAM,
        ..Question::one_owner(client)
    }
}

fn asked(question: &Question, reductions: Reductions) -> Search {
    let mut search =
        Search::new(question.clone(), reductions, 2_000_000).expect("the question makes sense");
    search.run(u64::MAX);
    search
}

fn verdict(question: &Question) -> Verdict {
    asked(question, Reductions::default()).verdict()
}

const NO_SYMMETRY: Reductions = Reductions { dead_states: true, ..Reductions::NONE };

#[test]
fn two_owners_as_a_property_of_the_users_own_are_what_one_owner_forbids() {
    for runner in [RunnerKind::Upstream, RunnerKind::Safe] {
        let own = runners(runner, |it| it.believers.count_ones() > 1);
        let property = Property::OneOwner { allow: Duration::ZERO };
        let built_in = Question { property, ..own.clone() };
        assert_eq!(verdict(&own), verdict(&built_in), "{runner:?}");
    }
}

#[test]
fn what_is_found_is_a_run_that_comes_there() {
    let b_holds_as_row_of_a =
        runners(RunnerKind::Upstream, |it| it.believes(1) && it.owner == Some(0));
    let answer = asked(&b_holds_as_row_of_a, Reductions::default()).answer().unwrap();
    assert_eq!(answer.verdict, Verdict::Unsafe);
    let (counterexample, story) = answer.counterexample.unwrap();
    assert!(counterexample.scenario.contains("\"pause\""));
    assert!(!story.lines.is_empty());
}

#[test]
fn what_a_safe_runner_never_does_has_no_run() {
    let has_two_owners = runners(RunnerKind::Safe, |it| it.believers == 3);
    assert_eq!(verdict(&has_two_owners), Verdict::Safe);
}

#[test]
fn a_property_that_no_state_of_these_clients_can_break_was_never_exercised() {
    let never: [fn(VisibleState) -> bool; 3] =
        [|_| false, |it| it.believers.count_ones() > 2, |it| it.owner == Some(3)];
    for never in never {
        assert_eq!(verdict(&runners(RunnerKind::Safe, never)), Verdict::NeverExercised);
    }
}

#[test]
fn a_property_that_names_a_client_is_searched_with_both_in_each_place() {
    // That b is the first owner, while a runs, takes an order that is not that of their numbers.
    for (client, other) in [(0, 1), (1, 0)] {
        let first = runners(RunnerKind::Upstream, |it| {
            it.owner == Some(client) && it.runs(other) && !it.runs(client)
        });
        let searches = [Reductions::default(), NO_SYMMETRY].map(|it| asked(&first, it));
        let said = searches.map(|it| (it.verdict(), it.states(), it.reached()));
        assert_eq!(said[0], said[1]);
    }
}

#[test]
fn what_may_last_for_a_while_does() {
    let nobody = |allow| Question {
        property: Property::Own { never: VisibleStates::of(|it| it.believers == 0), allow },
        bounds: Bounds::default(),
        ..runners(RunnerKind::Upstream, |_| false)
    };
    assert_eq!(verdict(&nobody(seconds(60))), Verdict::Safe);
    let mut leaving = nobody(seconds(60));
    leaving.bounds.faults[Fault::Stop].count = Count::UpTo(2);
    assert_eq!(verdict(&leaving), Verdict::Unsafe);
}

#[test]
fn a_search_says_which_faults_never_happened() {
    let mut question = runners(RunnerKind::Upstream, |_| false);
    question.bounds.faults[Fault::Pause].length = Duration::ZERO;
    question.bounds.faults[Fault::Crash].count = Count::UpTo(1);
    let coverage = asked(&question, Reductions::default()).coverage();
    assert_eq!(coverage.never_happened, ["pause"]);
    for words in ["a client crashes", "a message arrives", "time passes"] {
        assert!(coverage.happened.contains(&words), "{words}");
    }
    assert!(!coverage.happened.contains(&"a client is paused"));
    assert!(coverage.client_states > 1 && coverage.locket_states > 1);
}

#[test]
fn a_search_says_how_runners_were_met() {
    let question = runners(RunnerKind::Upstream, |_| false);
    let coverage = asked(&question, Reductions::default()).coverage();
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
