//! A rolling change of settings: old and new clients of one key beside each other.

use locket_sim::check::{
    Bounds, ClientCount, ClientQuestion, Count, Fault, Property, Question, Reductions, Verdict,
};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::RunnerKind;

use super::rig::{delays, s, search_with, verdict};

fn beside(old: ClientQuestion, new: ClientQuestion, bounds: Bounds) -> Question {
    Question {
        clients: vec![old.clone(), new],
        bounds,
        profile: Profile::UPSTREAM,
        ..Question::one_owner(old)
    }
}

fn upstream(ttl: u64, retry_interval: u64) -> ClientQuestion {
    ClientQuestion::new(RunnerKind::Upstream, s(ttl), s(retry_interval))
}

fn before_2025_10(ttl: u64, retry_interval: u64) -> ClientQuestion {
    ClientQuestion::new(RunnerKind::UpstreamBefore202510, s(ttl), s(retry_interval))
}

#[test]
fn from_15_s_to_45_s_is_safe_for_any_number_of_old_and_new_clients_in_any_order() {
    let lost = delays(1).with(Fault::LostMessage, Count::Any);
    let question = beside(upstream(15, 5), upstream(45, 5), lost);
    let search = search_with(question, Reductions::default());
    let answer = search.answer().expect("it is done");
    assert_eq!(answer.verdict, Verdict::Safe);
    assert_eq!(answer.clients, ClientCount::Any);
}

#[test]
fn old_clients_keep_their_danger_beside_new_ones() {
    // Before October 2025 an attempt waited for a TTL, so one lost renewal makes two owners.
    let lost = Bounds::default().with(Fault::LostMessage, 1);
    let mixed = beside(before_2025_10(15, 5), upstream(45, 5), lost);
    assert_eq!(verdict(mixed), Verdict::Unsafe);
    let new = beside(upstream(45, 5), upstream(45, 5), lost);
    assert_eq!(verdict(new), Verdict::Safe);
}

#[test]
fn after_the_crash_of_a_client_its_own_ttl_decides_how_long_no_client_acts() {
    let question = |crashed: usize, allow| {
        let crash = Bounds::default().with(Fault::Crash, 1);
        let mut question = beside(upstream(4, 2), upstream(10, 2), crash);
        // The other one is there only once, so the holder that crashes is the first of them.
        question.clients.rotate_left(crashed);
        question.property = Property::NoClientActs { allow: s(allow) };
        question
    };
    // Either may be the holder that crashes: the longer TTL and a retry interval.
    for first in [0, 1] {
        assert_eq!(verdict(question(first, 12)), Verdict::Safe);
        assert_eq!(verdict(question(first, 11)), Verdict::Unsafe);
    }
}
