//! The effects of transactions that hold their row for a while: others on the same key wait behind
//! them, in order.
//!
//! A failure of the random questions prints its case. `SEED=7 CASES=5000 cargo test -p locket-sim
//! --test check row_queues` tries others, or more of them.

#![allow(clippy::print_stdout, reason = "a seed is printed to be tried again")]

use locket_sim::check::{
    Bounds, Fault, Property, Question, Reductions, Search, Space, Verdict, WhyNotAny, WhyUnknown,
};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;
use rand_pcg::Pcg64;

use super::random_question::Random;
use super::random_questions::from_environment;
use super::rig::{s, search_with, two, verdict};
use super::walk::walk;

const CASES: u64 = 2_000;
const STEPS_MAX: u32 = 150;

/// A question whose clocks run alike, since timers of others are due between the instants of the
/// search.
fn random(random: &mut Random<Pcg64>) -> Option<Question> {
    let mut question = random.question();
    question.bounds.transaction_time = random.time(1, 4);
    let has_rates = question.clients.iter().any(|it| it.rate_ppm != 0);
    (!has_rates).then_some(question)
}

#[test]
fn the_world_lets_transactions_wait_as_the_search_does() {
    let seed = from_environment("SEED", 1);
    println!("SEED={seed}");
    let mut played = 0;
    for case in 0..from_environment("CASES", CASES) {
        let mut chance = Random(Pcg64::new(seed.into(), case.into()));
        let Some(question) = random(&mut chance) else {
            continue;
        };
        let space = Space::new(question.clone(), Reductions::default());
        let mut space = space.expect("it makes sense");
        let states = walk(&mut space, &mut chance, STEPS_MAX);
        played += space.play(&states).unwrap_or_else(|error| {
            panic!("SEED={seed}, case {case}: {error}\n{question:?}");
        });
    }
    println!("{played} steps");
    assert!(played > 0);
}

#[test]
fn a_search_with_a_higher_limit_has_room_for_more_states_of_locket() {
    let storm = include_str!("../../scenarios/retry-storm.json");
    let question = Question::of_scenario(storm).expect("it is a question");
    let cut_at = |states_max| {
        let search = Search::new(question.clone(), Reductions::default(), states_max);
        let mut search = search.expect("the question makes sense");
        search.run(u64::MAX);
        assert_eq!(search.judged().1, Some(WhyUnknown::TooManyStates));
        assert!(search.states() < states_max, "{}", search.states());
        search.coverage().locket_states
    };
    let (low, high) = (cut_at(16_000), cut_at(32_000));
    assert_eq!(high - low, 16_000 / 8);
}

/// So many equal clients with a retry interval of 6 s, of whose calls each is given up after it.
fn queueing(clients: usize, transaction_ms: u64) -> Question {
    let bounds =
        Bounds { transaction_time: Duration::from_ms(transaction_ms), ..Bounds::default() };
    let mut question = two(RunnerKind::Upstream, 18, 6, bounds);
    question.clients = vec![question.clients[0].clone(); clients];
    question.property = Property::FalseLoss;
    question
}

/// A client whose first Lock is refused asks at once who holds the lock, which locks the row as well
/// (B51). So the renewal of a holder waits for two transactions of each other client, and takes one of
/// its own. As soon as these take as long as its call may, it gives up a lock that is its own.
#[test]
fn a_holder_loses_its_lock_as_soon_as_the_transactions_of_all_take_as_long_as_its_call_may() {
    for (clients, transaction_ms, expected) in [
        (1, 5_000, Verdict::Safe),
        (1, 6_000, Verdict::Unsafe),
        (2, 1_000, Verdict::Safe),
        (2, 2_000, Verdict::Unsafe),
        (3, 1_000, Verdict::Safe),
        (3, 2_000, Verdict::Unsafe),
    ] {
        let found = verdict(queueing(clients, transaction_ms));
        assert_eq!(found, expected, "{clients} clients, {transaction_ms} ms");
    }
}

#[test]
fn a_counterexample_says_how_long_each_transaction_takes() {
    let search = search_with(queueing(2, 3_000), Reductions::default());
    let answer = search.answer().expect("the world repeats it");
    let (found, _) = answer.counterexample.expect("a violation");

    let time = r#""transactionTime":{"max":"3s","step":"1s"}"#;
    assert!(found.scenario.contains(time), "{}", found.scenario);
    assert!(found.scenario.contains(r#""d0."#), "{}", found.scenario);
}

#[test]
fn a_search_with_row_queues_is_about_as_many_clients_as_it_has() {
    let mut question = queueing(2, 1_000);
    question.property = Property::OneOwner { allow: s(0) };
    let search = search_with(question.clone(), Reductions::default());

    assert_eq!(search.verdict(), Verdict::Safe);
    assert_eq!(search.why_not_any(), Some(WhyNotAny::RowQueues));
    question.any_clients = true;
    question.clients.truncate(1);
    let refused = question.check().expect_err("any number of clients");
    assert_eq!(
        refused.to_string(),
        "clients: any number of clients is only proved for transactions that take no time, since any \
         number could wait for a row; give a number"
    );
}

#[test]
fn a_stall_of_the_database_adds_to_what_transactions_take() {
    let stalled = |transaction_ms| {
        let mut question = queueing(1, transaction_ms);
        question.bounds = question.bounds.with_length(Fault::Stall, 1, s(2));
        verdict(question)
    };

    assert_eq!(stalled(3_000), Verdict::Safe);
    assert_eq!(stalled(4_000), Verdict::Unsafe);
}
