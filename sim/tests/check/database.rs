//! The effects of a paused Locket process and of a stalled database.

use locket_sim::check::{
    Bounds, Count, Fault, Property, Question, Reductions, Search, Verdict, VisibleStates,
};
use locket_sim::scenario::RunnerKind;

use super::rig::{STATES_MAX, delays, s, two, verdict, with_first_deadline};

/// A TTL of 6 s and a retry interval of 2 s, with a deadline for the first attempt.
fn asked(runner: RunnerKind, property: Property, bounds: Bounds) -> Question {
    Question { property, ..with_first_deadline(two(runner, 6, 2, bounds)) }
}

fn one_stall(seconds: u64) -> Bounds {
    delays(0).with_length(Fault::Stall, 1, s(seconds))
}

fn one_locket_pause(seconds: u64) -> Bounds {
    delays(0).with_length(Fault::LocketPause, 1, s(seconds))
}

const ONE_OWNER: Property = Property::OneOwner { allow: s(0) };

#[test]
fn a_database_that_stalls_for_a_retry_interval_takes_upstreams_lock_away_and_not_the_safe_runners()
{
    let loses = |runner, seconds| verdict(asked(runner, Property::FalseLoss, one_stall(seconds)));
    assert_eq!(loses(RunnerKind::Upstream, 1), Verdict::Safe);
    assert_eq!(loses(RunnerKind::Upstream, 2), Verdict::Unsafe);
    assert_eq!(loses(RunnerKind::Safe, 2), Verdict::Safe);
}

#[test]
fn a_database_that_stalls_makes_no_two_owners() {
    for runner in [RunnerKind::Upstream, RunnerKind::UpstreamBefore202510] {
        let question = asked(runner, ONE_OWNER, one_stall(3));
        assert_eq!(verdict(question), Verdict::Safe, "{runner:?}");
    }
}

#[test]
fn a_reply_that_a_paused_locket_process_holds_back_makes_two_owners_before_october_2025() {
    let question = |runner| asked(runner, ONE_OWNER, one_locket_pause(6));
    let before = question(RunnerKind::UpstreamBefore202510);
    let search = Search::new(before, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    assert!(search.run_to_longest(u64::MAX));
    assert_eq!(search.longest(), Some(s(2)));
    let answer = search.answer().expect("the world repeats what was found");
    let (counterexample, _) = answer.counterexample.expect("it is broken");
    assert!(counterexample.scenario.contains(r#""node":"locket-0""#));
    assert_eq!(verdict(question(RunnerKind::Upstream)), Verdict::Safe);
}

#[test]
fn a_lost_answer_takes_a_retry_interval_off_the_stall_that_the_safe_runner_survives() {
    let loses = |lost_replies, seconds| {
        let bounds = one_stall(seconds).with(Fault::LostReply, lost_replies);
        let mut question = asked(RunnerKind::Safe, Property::FalseLoss, bounds);
        question.clients.truncate(1);
        verdict(question)
    };
    // A stall from 2 s on delays the attempts at 2 s and at 4 s; the lease ends at 5.5 s.
    assert_eq!(loses(Count::UpTo(0), 3), Verdict::Safe);
    assert_eq!(loses(Count::UpTo(0), 4), Verdict::Unsafe);
    // The stall delays the attempt at 2 s, and the answer to that at 4 s is lost, or vice versa.
    assert_eq!(loses(Count::UpTo(1), 1), Verdict::Safe);
    assert_eq!(loses(Count::UpTo(1), 2), Verdict::Unsafe);
}

/// A client crashes as its Lock is committed. Its row expires after 2 s, the database fails over and
/// has it again, a poll finds it within 5 s, and it expires after 2 s more. But if the process has no
/// answer to its deletion, it believes that the row is about to go (B23), and the row stays for
/// 600 s.
#[test]
fn a_row_stays_if_the_answer_to_its_deletion_is_lost_and_the_database_fails_over() {
    let stays = |lost_replies, seconds| {
        let bounds = delays(0)
            .with(Fault::Crash, 1)
            .with(Fault::LostReply, lost_replies)
            .with(Fault::Failover, 1);
        let never = VisibleStates::of(|it| it.running == 0 && it.owner.is_some());
        let allow = s(seconds);
        let property = Property::Own { never, allow };
        let mut question = with_first_deadline(two(RunnerKind::Upstream, 2, 1, bounds));
        question.clients.truncate(1);
        verdict(Question { property, ..question })
    };
    assert_eq!(stays(Count::UpTo(0), 8), Verdict::Unsafe);
    assert_eq!(stays(Count::UpTo(0), 9), Verdict::Safe);
    assert_eq!(stays(Count::UpTo(1), 20), Verdict::Unsafe);
}
