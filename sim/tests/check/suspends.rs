//! Machines of clients that are suspended: their clocks are frozen.

use locket_sim::check::{Bounds, Fault, Property, Reductions, Verdict};
use locket_sim::scenario::{RunnerKind, Scenario};
use locket_sim::time::Duration;

use super::rig::{delays, one_pause, search_with, two, verdict};

/// Two safe runners with a TTL of 6 s, a retry interval of 2 s and so a margin of 500 ms.
fn safe(bounds: Bounds) -> locket_sim::check::Question {
    two(RunnerKind::Safe, 6, 2, bounds)
}

fn one_suspend(ms: u64) -> Bounds {
    delays(0).with_length(Fault::Suspend, 1, Duration::from_ms(ms))
}

#[test]
fn a_suspend_from_an_attempt_to_the_end_of_the_row_makes_two_owners_of_safe_runners() {
    // The attempt is due 2 s after the renewal, and the row ends 4 s later.
    assert_eq!(verdict(safe(one_suspend(4_000))), Verdict::Preview);
    let search = search_with(safe(one_suspend(4_500)), Reductions::default());
    assert_eq!(search.verdict(), Verdict::Unsafe);
    let answer = search.answer().expect("the world repeats what was found");
    let (counterexample, _) = answer.counterexample.expect("it is broken");
    let scenario = &counterexample.scenario;
    assert!(scenario.contains(r#""do":"suspend""#), "{scenario}");
    let run = Scenario::from_json(scenario).expect("it is one").run();
    assert_eq!(run.failures, Vec::<String>::new());
}

#[test]
fn the_margin_of_safe_runners_covers_a_suspend_where_their_renewals_are_lost() {
    let bounds = |ms| one_suspend(ms).with(Fault::LostMessage, 2);
    assert_eq!(verdict(safe(bounds(500))), Verdict::Preview);
    assert_eq!(verdict(safe(bounds(1_000))), Verdict::Unsafe);
}

#[test]
fn a_pause_of_any_length_makes_no_two_owners_of_safe_runners() {
    assert_eq!(verdict(safe(one_pause(0, 9))), Verdict::Safe);
}

#[test]
fn a_search_with_suspends_proves_nothing_and_says_so() {
    let search = search_with(safe(one_suspend(500)), Reductions::default());
    let summary = search.answer().expect("nothing is to be repeated").summary();
    assert!(summary.contains("no step makes a search with suspends exact"), "{summary}");
}

#[test]
fn a_suspended_client_takes_its_belief_along_for_as_long_as_it_is_suspended() {
    let mut search = search_with(safe(one_suspend(5_500)), Reductions::default());
    search.run_to_longest(u64::MAX);
    assert_eq!(search.longest(), Some(Duration::from_ms(1_500)));
}

#[test]
fn symmetry_changes_nothing_with_suspends() {
    for allow in [0, 500] {
        let mut question = safe(one_suspend(1_500));
        question.property = Property::OneOwner { allow: Duration::from_ms(allow) };
        let verdicts = [Reductions::default(), Reductions::NONE].map(|reductions| {
            let search = search_with(question.clone(), reductions);
            (search.verdict(), search.reached())
        });
        assert_eq!(verdicts[0], verdicts[1]);
    }
}
