//! Claims about proofs for any number of clients, by questions of each client alone.
//!
//! That each state of several clients is one of each of them alone is tested where states are known,
//! in `check/explorer/projection.rs`. Here are verdicts. `SEED=7 CASES=1000` tries other random
//! questions, or more of them.

#![allow(clippy::print_stdout, reason = "a seed is printed to be tried again")]

use locket_sim::check::{
    Answer, Bounds, ClientCount, Property, ProvedBy, Question, Reductions, Search, Verdict,
};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;
use rand_pcg::Pcg64;

use super::random_question::Random;
use super::random_questions::from_environment;
use super::rig::{delays, one_pause, two, upstream};

const CASES: u64 = 60;
const STATES_MAX: usize = 20_000;

fn answer(question: &Question, states_max: usize) -> Answer {
    let search = Search::new(question.clone(), Reductions::default(), states_max);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    search.answer().expect("the world repeats it")
}

/// A search of all schedules of the question's clients.
fn of_all(question: &Question) -> Search {
    let reductions = Reductions {
        each_client: false,
        ..Reductions::default()
    };
    let search = Search::new(question.clone(), reductions, STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    search
}

#[test]
fn what_a_search_of_three_clients_does_not_finish_is_proved_for_any_number() {
    let bounds = Bounds {
        lost_messages: 1,
        ..one_pause(2, 20)
    };
    let mut question = two(RunnerKind::Safe, 15, 5, bounds);
    question.clients.push(question.clients[0].clone());
    assert_eq!(of_all(&question).verdict(), Verdict::NotFinished);

    let answer = answer(&question, STATES_MAX);
    assert_eq!(answer.verdict, Verdict::Safe);
    assert_eq!(answer.clients, ClientCount::Any);
    let proof = answer.proof.expect("it is safe");
    assert_eq!(proof.by, ProvedBy::EachClient);
    assert_eq!(proof.states, answer.states);
    let view = serde_json::to_value(answer.view()).expect("it can be written");
    assert_eq!(view["clients"], "any");
    assert_eq!(view["proof"]["by"], "each-client");
    assert_eq!(view["coverage"]["neverHappened"], serde_json::json!([]));
}

#[test]
fn what_each_client_alone_does_not_prove_is_searched() {
    let answer = answer(&upstream(15, 5, one_pause(1, 9)), STATES_MAX);
    assert_eq!(answer.verdict, Verdict::Unsafe);
    assert_eq!((answer.clients, answer.proof), (ClientCount::Of(2), None));
    assert!(answer.counterexample.is_some());
    assert!(answer.lower_bound.is_some_and(|it| it <= answer.reached));
}

#[test]
fn a_search_that_is_cut_says_what_no_number_of_clients_breaks() {
    let answer = answer(&upstream(15, 5, one_pause(1, 9)), 1_000);
    assert_eq!(answer.verdict, Verdict::NotFinished);
    let (faults, _) = answer.lower_bound.expect("each client was asked");
    assert_eq!(faults, 1);
    let words = "With any number of clients, no schedule with fewer than 1 fault has two owners";
    assert!(answer.summary().contains(words), "{}", answer.summary());
}

#[test]
fn joint_locks_are_proved_by_one_of_their_keys() {
    let question = r#"{"kind": "joint", "runner": "safe", "profile": "upstream", "ttl": "6s",
        "retryInterval": "2s", "clients": [{"keys": ["x", "y"]}, {"keys": ["y", "x"]}]}"#;
    let answer = answer(&Question::from_json(question).unwrap(), 500_000);
    assert_eq!(answer.verdict, Verdict::Safe);
    assert_eq!(answer.clients, ClientCount::Any);
}

#[test]
fn clients_that_share_an_owner_string_are_not_asked_alone() {
    let mut question = two(RunnerKind::Safe, 6, 2, delays(1));
    for client in &mut question.clients {
        client.owner = Some("same".to_owned());
    }
    assert_eq!(answer(&question, STATES_MAX).verdict, Verdict::Unsafe);
}

#[test]
fn nothing_is_proved_for_any_number_that_a_search_of_several_clients_breaks() {
    let seed = from_environment("SEED", 1);
    println!("SEED={seed}");
    let (mut proved, mut broken) = (0, 0);
    for case in 0..from_environment("CASES", CASES) {
        let mut question = Random(Pcg64::new(seed.into(), case.into())).question();
        if !matches!(question.property, Property::OneOwner { .. }) {
            let allow = Duration::ZERO;
            question.property = Property::OneOwner { allow };
        }
        let all = of_all(&question);
        let search = Search::new(question.clone(), Reductions::default(), STATES_MAX);
        let mut search = search.expect("it makes sense");
        search.run(u64::MAX);
        let is_proved = search
            .proof()
            .is_some_and(|it| it.by == ProvedBy::EachClient);
        proved += usize::from(is_proved);
        if all.verdict() == Verdict::Unsafe {
            broken += 1;
            assert!(!is_proved, "SEED={seed}, case {case}: {question:?}");
            let least = search.lower_bound().unwrap_or_default();
            let found = all.reached();
            assert!(
                least <= found,
                "SEED={seed}, case {case}: {least:?}, {found:?}"
            );
        }
    }
    println!("{proved} proved, {broken} broken");
    assert!(proved > 0 && broken > 0, "{proved} proved, {broken} broken");
}
