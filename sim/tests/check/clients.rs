//! Clients of one key that are not alike: with old and new settings, or with one owner string.

use locket_sim::check::{
    Bounds, ClientCount, ClientQuestion, Count, Fault, Property, Question, Verdict,
};
use locket_sim::scenario::RunnerKind;

use super::rig::{Changed, answer, assert_verdicts, delays, one_pause, s, two, upstream};
use RunnerKind::{Upstream, UpstreamBefore202510};
use Verdict::{Safe, Unsafe};

/// The first client of the question beside a new one.
fn beside(old: Question, new: ClientQuestion) -> Question {
    Question { clients: vec![old.clients[0].clone(), new], ..old }
}

const fn client(runner: RunnerKind, ttl: u64, retry_interval: u64) -> ClientQuestion {
    ClientQuestion::new(runner, s(ttl), s(retry_interval))
}

#[test]
fn from_15_s_to_45_s_is_safe_for_any_number_of_old_and_new_clients_in_any_order() {
    let lost = delays(1).with(Fault::LostMessage, Count::Any);
    let answer = answer(beside(upstream(15, 5, lost), client(Upstream, 45, 5)));
    assert_eq!((answer.verdict, answer.clients), (Safe, ClientCount::Any));
}

#[test]
fn old_clients_keep_their_danger_beside_new_ones() {
    let lost = Bounds::default().with(Fault::LostMessage, 1);
    let with = |runner, ttl| beside(two(runner, ttl, 5, lost), client(Upstream, 45, 5));
    // Before October 2025 an attempt waited for a TTL, so one lost renewal makes two owners.
    assert_verdicts([(with(UpstreamBefore202510, 15), Unsafe), (with(Upstream, 45), Safe)]);
}

#[test]
fn after_the_crash_of_a_client_the_longer_ttl_decides_how_long_no_client_acts() {
    let question = |crashed, allow| {
        let crash = Bounds::default().with(Fault::Crash, 1);
        let mut question = beside(upstream(4, 2, crash), client(Upstream, 10, 2));
        // The other one is there only once, so the holder that crashes is the first of them.
        question.clients.rotate_left(crashed);
        question.about(Property::NoClientActs { allow: s(allow) })
    };
    for first in [0, 1] {
        assert_verdicts([(question(first, 12), Safe), (question(first, 11), Unsafe)]);
    }
}

/// Two clients with one owner string, as two processes with the same configuration have.
fn sharing(runner: RunnerKind, property: Property, bounds: Bounds) -> Question {
    let question = two(runner, 15, 5, bounds).about(property);
    question.with_each(|it| it.owner = Some("cell-1".to_owned()))
}

#[test]
fn the_row_of_one_owner_string_is_the_row_of_its_clients_and_of_no_other() {
    let matches =
        |runner, bounds| sharing(runner, Property::BeliefMatchesRow { allow: s(0) }, bounds);
    let with_third = |runner| {
        let mut question = matches(runner, one_pause(0, 16)).with_clients(3);
        question.clients[0].owner = None;
        question
    };
    assert_verdicts([
        (matches(RunnerKind::Safe, delays(1)), Safe),
        // The safe runner believes nothing beyond its lease; upstream's may.
        (with_third(RunnerKind::Safe), Safe),
        (with_third(Upstream), Unsafe),
    ]);
}
