//! Clients that present one owner string, as two processes with the same configuration do.

use locket_sim::check::{Bounds, Property, Question, Reductions, Search, Verdict};
use locket_sim::scenario::RunnerKind;

use super::rig::{STATES_MAX, delays, one_pause, s, search_with, two, verdict};

/// Two clients with one owner string, a TTL of 15 s and a retry interval of 5 s.
fn sharing(property: Property, bounds: Bounds) -> Question {
    let mut question = two(RunnerKind::Safe, 15, 5, bounds);
    question.property = property;
    for client in &mut question.clients {
        client.owner = Some("cell-1".to_owned());
    }
    question
}

const ONE_OWNER: Property = Property::OneOwner { allow: s(0) };
const MATCHES: Property = Property::BeliefMatchesRow { allow: s(0) };

#[test]
fn two_clients_with_one_owner_string_hold_the_lock_at_once_without_a_fault() {
    let search = search_with(sharing(ONE_OWNER, delays(0)), Reductions::default());
    assert_eq!(search.verdict(), Verdict::Unsafe);
    assert_eq!(search.reached(), (0, 0));
}

#[test]
fn the_row_of_one_owner_string_is_the_row_of_both_clients() {
    assert_eq!(verdict(sharing(MATCHES, delays(1))), Verdict::Safe);
}

#[test]
fn a_third_client_with_its_own_owner_string_does_not_share_the_row() {
    let mut question = sharing(MATCHES, one_pause(0, 16));
    question.clients.push(question.clients[0].clone());
    question.clients[0].owner = None;
    // The safe runner believes nothing beyond its lease; upstream's may.
    assert_eq!(verdict(question.clone()), Verdict::Safe);
    for client in &mut question.clients {
        client.runner = RunnerKind::Upstream;
    }
    assert_eq!(verdict(question), Verdict::Unsafe);
}

#[test]
fn owner_strings_that_no_two_clients_share_change_no_answer() {
    let own = two(RunnerKind::Upstream, 6, 2, one_pause(1, 3));
    let mut named = own.clone();
    for (client, owner) in named.clients.iter_mut().zip(["cell-1", "cell-2"]) {
        client.owner = Some(owner.to_owned());
    }
    let [own, named] = [own, named].map(|it| search_with(it, Reductions::default()));
    assert_eq!(own.verdict(), named.verdict());
    assert_eq!(own.states(), named.states());
}

#[test]
fn a_counterexample_says_whose_owner_string_a_client_presents() {
    let search = Search::new(sharing(ONE_OWNER, delays(0)), Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    let answer = search.answer().expect("the world repeats what was found");
    assert!(answer.summary().contains("clients with the same owner string"));
    let (counterexample, _) = answer.counterexample.expect("it is broken");
    assert!(counterexample.scenario.contains(r#""name":"b","key":"lock","owner":"a""#));
}
