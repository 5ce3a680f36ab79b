//! The effects of transactions that hold their row for a while: others on the same key wait behind
//! them, in order.

use locket_sim::check::{Bounds, Fault, Property, Question, Verdict, WhyNotAny, WhyUnknown};
use locket_sim::scenario::RunnerKind;

use super::rig::{Changed, ONE_OWNER, assert_verdicts, s, search, search_with, two};
use Verdict::{Safe, Unsafe};

#[test]
fn a_search_with_a_higher_limit_has_room_for_more_states_of_locket() {
    let storm = include_str!("../../scenarios/retry-storm.json");
    let question = Question::of_scenario(storm).expect("it is a question");
    let cut_at = |states_max| {
        let search = search(question.clone(), Default::default(), states_max);
        assert_eq!(search.judged().1, Some(WhyUnknown::TooManyStates));
        assert!(search.states() < states_max, "{}", search.states());
        search.coverage().locket_states
    };
    let (low, high) = (cut_at(16_000), cut_at(32_000));
    assert_eq!(high - low, 16_000 / 8);
}

/// So many equal clients with a retry interval of 6 s, of whose calls each is given up after it.
fn queueing(clients: usize, transaction_time: u64) -> Question {
    let bounds = Bounds { transaction_time: s(transaction_time), ..Bounds::default() };
    two(RunnerKind::Upstream, 18, 6, bounds).with_clients(clients).about(Property::FalseLoss)
}

/// A client whose first Lock is refused asks at once who holds the lock, which locks the row as well
/// (B51). So the renewal of a holder waits for two transactions of each other client, and takes one of
/// its own. As soon as these take as long as its call may, it gives up a lock that is its own.
#[test]
fn a_holder_loses_its_lock_as_soon_as_the_transactions_of_all_take_as_long_as_its_call_may() {
    let stalled = |transaction_time| {
        let mut question = queueing(1, transaction_time);
        question.bounds = question.bounds.with_length(Fault::Stall, 1, s(2));
        question
    };
    assert_verdicts([
        (queueing(1, 5), Safe),
        (queueing(1, 6), Unsafe),
        (queueing(2, 1), Safe),
        (queueing(2, 2), Unsafe),
        (queueing(3, 1), Safe),
        (queueing(3, 2), Unsafe),
        (stalled(3), Safe),
        (stalled(4), Unsafe),
    ]);
}

#[test]
fn a_search_with_row_queues_is_about_as_many_clients_as_it_has() {
    let mut question = queueing(2, 1).about(ONE_OWNER);
    let search = search_with(question.clone(), Default::default());

    assert_eq!(search.verdict(), Safe);
    assert_eq!(search.why_not_any(), Some(WhyNotAny::RowQueues));
    question.any_clients = true;
    let refused = question.with_clients(1).check().expect_err("any number of clients");
    assert_eq!(
        refused.to_string(),
        "clients: any number of clients is only proved for transactions that take no time, since any \
         number could wait for a row; give a number"
    );
}
