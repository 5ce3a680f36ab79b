//! Claims about random walks.

use locket_sim::check::{Bounds, ClientQuestion, Fault, Question, Walked, Walks};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

/// Far more states than can be visited.
fn large(runner: RunnerKind) -> Question {
    let seconds = Duration::from_seconds;
    let client = ClientQuestion::new(runner, seconds(15), seconds(5));
    Question {
        clients: vec![client.clone(); 4],
        bounds: Bounds { latency: seconds(3), ..Bounds::default() }
            .with(Fault::LostMessage, 3)
            .with_length(Fault::Pause, 3, seconds(30))
            .with_length(Fault::LocketCrash, 2, seconds(10)),
        profile: locket_sim::protocol::profile::Profile::UPSTREAM,
        ..Question::one_owner(client)
    }
}

fn walked(question: &Question, seed: u64, walks: u64) -> Walked {
    let mut walking = Walks::new(question.clone(), seed, 400).expect("the question makes sense");
    for _ in 0..walks {
        walking.walk();
    }
    walking.answer().expect("the world repeats it")
}

#[test]
fn walks_through_more_than_can_be_searched_find_what_the_world_repeats() {
    let walked = walked(&large(RunnerKind::Upstream), 1, 150);
    let (found, story) = walked.counterexample.as_ref().unwrap();
    assert!(found.two_owners_for > Duration::ZERO && !story.lines.is_empty());
    assert!(walked.words().contains("150 random walks from seed 1"));
}

#[test]
fn walks_find_no_two_owners_among_safe_runners_and_say_that_this_proves_nothing() {
    let walked = walked(&large(RunnerKind::Safe), 1, 150);
    assert_eq!(walked.counterexample, None);
    assert!(walked.words().ends_with("That proves nothing."));
}

#[test]
fn the_same_seed_takes_the_same_walks() {
    let question = large(RunnerKind::Upstream);
    let [one, again, other] = [5, 5, 6].map(|seed| walked(&question, seed, 60).to_string());
    assert_eq!(one, again);
    assert_ne!(one, other);
}

#[test]
fn a_walk_ends_where_nothing_can_happen_any_more() {
    let mut question = large(RunnerKind::Upstream);
    question.clients.truncate(2);
    question.bounds = Bounds::default().with(Fault::Crash, 2);
    let walked = walked(&question, 1, 50);
    assert!(walked.steps < 50 * 400, "{}", walked.steps);
}

#[test]
fn walks_try_every_fault_that_is_allowed() {
    let walked = walked(&large(RunnerKind::Safe), 2, 150);
    assert_eq!(walked.coverage.never_happened, [""; 0]);
}
