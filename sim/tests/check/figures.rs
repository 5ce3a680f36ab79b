//! The known facts about Locket's settings, found again on the shipped runners: two clients, one
//! Locket process, a grid of one second.

use locket_sim::check::{Bounds, Fault, Property, Verdict};
use locket_sim::scenario::RunnerKind;

use super::rig::{Changed, assert_verdicts, delays, one_pause, s, two, upstream, verdict};
use Verdict::{NeverExercised, Safe, Unsafe};

#[test]
fn delays_pauses_and_one_lost_message_make_two_owners_as_known() {
    let production = |bounds| upstream(15, 5, bounds);
    let deadline = |bounds| production(bounds).with_first_deadline();
    let lost = Bounds::default().with(Fault::LostMessage, 1);
    let lost_for = |seconds| {
        let question = two(RunnerKind::UpstreamBefore202510, 15, 5, lost);
        question.about(Property::OneOwner { allow: s(seconds) })
    };
    let no_margin = two(RunnerKind::Safe, 15, 5, one_pause(3, 16));
    assert_verdicts([
        (production(delays(2)), Safe),
        // The first attempt has no deadline.
        (production(delays(6)), Unsafe),
        (deadline(delays(7)), Safe),
        (deadline(one_pause(5, 1)), Unsafe),
        // Three retry intervals are the exact edge.
        (deadline(delays(5)), Safe),
        (upstream(14, 5, delays(5)).with_first_deadline(), Unsafe),
        (production(one_pause(0, 10)), Safe),
        (production(one_pause(0, 11)), Unsafe),
        (production(one_pause(1, 7)), Safe),
        (production(one_pause(1, 8)), Unsafe),
        (production(one_pause(2, 5)), Safe),
        (production(one_pause(2, 6)), Unsafe),
        (lost_for(4), Unsafe),
        (lost_for(5), Safe),
        // A lease counts from the send.
        (no_margin.with_each(|it| it.margin = Some(s(0))), Safe),
        // A runner alone never puts the property to the test.
        (production(delays(1)).with_clients(1), NeverExercised),
    ]);
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
                if has_deadline { question.with_first_deadline() } else { question }
            };
            let longest_reply = if has_deadline { delay.min(retry_interval) } else { delay };
            let breaks = |pause: &u64| {
                can_have_two_owners(ttl, retry_interval, delay, longest_reply + pause)
            };
            // A pause of a whole TTL always breaks it.
            let smallest = (0..ttl).find(breaks).unwrap_or(ttl);
            assert_verdicts([(question(smallest), Unsafe)]);
            assert_verdicts(smallest.checked_sub(1).map(|less| (question(less), Safe)));
        }
    }
}

#[test]
fn after_a_crash_or_a_pause_the_lock_is_handed_over_within_a_ttl_and_one_retry_interval() {
    let of = |runner: RunnerKind, fault, length| {
        move |allow| {
            let bounds = Bounds::default().with_length(fault, 1, s(length));
            let question = two(runner.clone(), 6, 2, bounds).with_each(|it| it.margin = Some(s(1)));
            question.about(Property::NoClientActs { allow: s(allow) })
        }
    };
    let crashed = of(RunnerKind::Upstream, Fault::Crash, 0);
    // The pause begins as the renewal is sent, and the lease of 5 s ends in it. The row expires 6 s
    // after the renewal, and the other client asks up to 2 s later.
    let paused = of(RunnerKind::Safe, Fault::Pause, 4);
    assert_verdicts([(crashed(8), Safe), (crashed(7), Unsafe)]);
    assert_verdicts([(paused(8), Safe), (paused(7), Unsafe)]);
}

#[test]
fn no_client_acts_while_the_only_client_is_paused_or_suspended() {
    for fault in [Fault::Pause, Fault::Suspend] {
        let question = |allow| {
            let bounds = Bounds::default().with_length(fault, 1, s(3));
            let question = upstream(15, 5, bounds).with_clients(1);
            question.about(Property::NoClientActs { allow: s(allow) })
        };
        assert_ne!(verdict(question(3)), Unsafe, "{fault:?}");
        assert_eq!(verdict(question(2)), Unsafe, "{fault:?}");
    }
}

/// Answers come after up to 4 s, twice the retry interval.
#[test]
fn with_answers_slower_than_a_retry_interval_the_safe_runner_has_the_lock_all_the_same() {
    let acquired = |allow| {
        let question = two(RunnerKind::Safe, 6, 2, delays(2));
        question.about(Property::Acquired { allow: s(allow) })
    };
    assert_verdicts([(acquired(4), Safe), (acquired(3), Unsafe)]);
}
