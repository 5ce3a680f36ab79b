//! The known facts about Locket's settings, found again on the shipped runners: two clients, one
//! Locket process, a grid of one second.

use locket_sim::check::{Bounds, Count, Fault, Property, Question, Verdict};
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

use super::rig::{delays, one_pause, s, tolerating, two, upstream, verdict, with_first_deadline};

#[test]
fn delays_up_to_2_s_are_safe() {
    assert_eq!(verdict(upstream(15, 5, delays(2))), Verdict::Safe);
}

#[test]
fn delays_up_to_5_s_are_safe_if_the_first_attempt_has_a_deadline() {
    let question = with_first_deadline(upstream(15, 5, delays(5)));
    assert_eq!(verdict(question), Verdict::Safe);
}

#[test]
fn delays_up_to_7_s_are_safe_if_the_first_attempt_has_a_deadline() {
    let question = with_first_deadline(upstream(15, 5, delays(7)));
    assert_eq!(verdict(question), Verdict::Safe);
}

#[test]
fn delays_up_to_6_s_make_two_owners_since_the_first_attempt_has_no_deadline() {
    assert_eq!(verdict(upstream(15, 5, delays(6))), Verdict::Unsafe);
}

#[test]
fn a_ttl_of_three_retry_intervals_is_the_exact_edge() {
    let question = |ttl| with_first_deadline(upstream(ttl, 5, delays(5)));
    assert_eq!(verdict(question(15)), Verdict::Safe);
    assert_eq!(verdict(question(14)), Verdict::Unsafe);
}

#[test]
fn with_delays_up_to_5_s_a_pause_of_1_s_makes_two_owners() {
    let question = with_first_deadline(upstream(15, 5, one_pause(5, 1)));
    assert_eq!(verdict(question), Verdict::Unsafe);
}

#[test]
fn the_smallest_pause_that_makes_two_owners_is_11_s_or_8_s_or_6_s() {
    for (delay, smallest) in [(0, 11), (1, 8), (2, 6)] {
        let question = |pause| upstream(15, 5, one_pause(delay, pause));
        assert_eq!(verdict(question(smallest - 1)), Verdict::Safe, "{delay}");
        assert_eq!(verdict(question(smallest)), Verdict::Unsafe, "{delay}");
    }
}

#[test]
fn before_october_2025_one_lost_renewal_made_two_owners_for_up_to_5_s() {
    let bounds = Bounds::default().with(Fault::LostMessage, 1);
    let question = two(RunnerKind::UpstreamBefore202510, 15, 5, bounds);
    assert_eq!(verdict(tolerating(question.clone(), 4)), Verdict::Unsafe);
    assert_eq!(verdict(tolerating(question, 5)), Verdict::Safe);
}

#[test]
fn a_lease_counted_from_the_send_is_safe_with_delays_up_to_3_s_and_a_pause_up_to_16_s() {
    let mut question = two(RunnerKind::Safe, 15, 5, one_pause(3, 16));
    for client in &mut question.clients {
        client.margin = Some(Duration::ZERO);
    }
    assert_eq!(verdict(question), Verdict::Safe);
}

/// Whether `pause` seconds make two owners and a second less does not.
fn is_smallest(pause: u64, question: impl Fn(u64) -> Question) -> bool {
    let is_enough = verdict(question(pause)) == Verdict::Unsafe;
    is_enough && (pause == 0 || verdict(question(pause - 1)) == Verdict::Safe)
}

#[test]
fn the_map_of_smallest_pauses_is_as_known() {
    let known = [
        [1, 0, 0, 0, 0],
        [2, 0, 0, 0, 0],
        [3, 1, 0, 0, 0],
        [4, 2, 1, 0, 0],
        [5, 3, 2, 1, 0],
        [6, 4, 3, 2, 1],
        [7, 5, 4, 3, 2],
        [8, 6, 5, 4, 3],
        [9, 7, 6, 5, 4],
        [10, 8, 7, 6, 5],
    ];
    for (ttl, row) in (3..).zip(known) {
        for (retry_interval, smallest) in (1..).zip(row) {
            let question = |pause| upstream(ttl, retry_interval, one_pause(1, pause));
            assert!(is_smallest(smallest, question), "T {ttl} s, r {retry_interval} s");
        }
    }
}

/// The closed formula for two upstream runners with one Locket process and one pause, in seconds: a
/// runner learns of its commit `known_after` it, pause included. For some q and s up to `delay`, the
/// row has expired when the next attempt is answered, and the runner believes beyond that.
fn can_have_two_owners(ttl: u64, retry_interval: u64, delay: u64, known_after: u64) -> bool {
    let mut pairs = (0..=delay).flat_map(|q| (0..=delay).map(move |s| (q, s)));
    pairs.any(|(q, s)| {
        let answered = known_after + retry_interval + q;
        answered >= ttl && (known_after + 2 * retry_interval).min(answered + s) > ttl
    })
}

#[test]
fn the_formula_says_what_the_search_says_over_the_whole_grid() {
    for (delay, has_deadline) in [(0, false), (1, true), (1, false), (2, true), (2, false)] {
        for (ttl, retry_interval) in
            (3..=12).flat_map(|ttl| (1..=5).map(move |retry_interval| (ttl, retry_interval)))
        {
            let question = |pause| {
                let question = upstream(ttl, retry_interval, one_pause(delay, pause));
                if has_deadline { with_first_deadline(question) } else { question }
            };
            let longest_reply = if has_deadline { delay.min(retry_interval) } else { delay };
            let breaks = |pause: &u64| {
                can_have_two_owners(ttl, retry_interval, delay, longest_reply + pause)
            };
            // A pause of a whole TTL always breaks it.
            let smallest = (0..ttl).find(breaks).unwrap_or(ttl);
            assert!(
                is_smallest(smallest, question),
                "T {ttl} s, r {retry_interval} s, d {delay} s"
            );
        }
    }
}

#[test]
fn a_runner_alone_never_puts_the_property_to_the_test() {
    let mut question = upstream(15, 5, delays(1));
    question.clients.pop();
    assert_eq!(verdict(question), Verdict::NeverExercised);
}

#[test]
fn a_poll_of_one_process_changes_nothing() {
    for pause in [7, 8] {
        let without = upstream(15, 5, one_pause(1, pause));
        let mut with = without.clone();
        with.polls = true;
        assert_eq!(verdict(with), verdict(without));
    }
}

#[test]
fn both_profiles_expire_rows_alike_while_one_process_runs() {
    for (delay, pause) in [(1, 7), (1, 8), (2, 6)] {
        let upstreams = upstream(15, 5, one_pause(delay, pause));
        let mut documented = upstreams.clone();
        documented.profile = locket_sim::protocol::profile::Profile::DOCUMENTED;
        assert_eq!(verdict(documented), verdict(upstreams));
    }
}

#[test]
fn after_a_crash_the_lock_is_handed_over_within_the_ttl_and_one_retry_interval() {
    let question = |allow| {
        let mut question = upstream(6, 2, Bounds::default());
        question.bounds.faults[Fault::Crash].count = Count::UpTo(1);
        question.property = Property::NoClientActs { allow: s(allow) };
        question
    };
    assert_eq!(verdict(question(8)), Verdict::Safe);
    assert_eq!(verdict(question(7)), Verdict::Unsafe);
}

#[test]
fn no_client_acts_while_the_only_client_is_paused_or_suspended() {
    for fault in [Fault::Pause, Fault::Suspend] {
        let question = |allow| {
            let bounds = Bounds::default().with_length(fault, 1, s(3));
            let mut question = upstream(15, 5, bounds);
            question.clients.truncate(1);
            question.property = Property::NoClientActs { allow: s(allow) };
            question
        };
        assert_ne!(verdict(question(3)), Verdict::Unsafe, "{fault:?}");
        assert_eq!(verdict(question(2)), Verdict::Unsafe, "{fault:?}");
    }
}

/// The pause begins as the renewal is sent, and the lease of 5 s ends in it. The row expires 6 s after
/// the renewal, and the other client asks up to 2 s later.
#[test]
fn a_pause_after_a_renewal_was_sent_leaves_a_ttl_and_a_retry_interval_in_which_no_client_acts() {
    let question = |allow| {
        let bounds = Bounds::default().with_length(Fault::Pause, 1, s(4));
        let mut question = two(RunnerKind::Safe, 6, 2, bounds);
        for client in &mut question.clients {
            client.margin = Some(s(1));
        }
        question.property = Property::NoClientActs { allow: s(allow) };
        question
    };
    assert_eq!(verdict(question(8)), Verdict::Safe);
    assert_eq!(verdict(question(7)), Verdict::Unsafe);
}

/// Answers come after up to 4 s, twice the retry interval.
fn slow_answers(property: Property) -> Question {
    let mut question = two(RunnerKind::Safe, 6, 2, delays(2));
    question.property = property;
    question
}

#[test]
fn with_answers_slower_than_a_retry_interval_the_safe_runner_has_the_lock_all_the_same() {
    let owned = |allow| verdict(slow_answers(Property::Acquired { allow: s(allow) }));
    assert_eq!(owned(4), Verdict::Safe);
    assert_eq!(owned(3), Verdict::Unsafe);
}
