//! The effects of a slow database: each query of a Locket process takes a while, and so does the
//! answer.
//!
//! In the thresholds `T` is the TTL, `r` the retry interval, `d` the longest latency of a message
//! between client and process, and `q` that between process and database. A Lock is committed up to
//! `d + q` after its sending, and its reply arrives up to `d + q` after the commit.

use locket_sim::check::{Bounds, Fault, Property, Question, Reductions, Search, Verdict};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::RunnerKind;
use locket_sim::time::Duration;

use super::rig::{STATES_MAX, s, two, verdict, with_first_deadline};

const ONE_OWNER: Property = Property::OneOwner { allow: s(0) };
const HALF: Duration = Duration::from_ms(500);

fn slow(latency: Duration, database_latency: Duration) -> Bounds {
    Bounds { latency, database_latency, ..Bounds::default() }
}

/// Two clients with a retry interval of 2 s and deadlines, whose rows the table itself expires.
fn asked(runner: RunnerKind, ttl: u64, bounds: Bounds) -> Question {
    Question { profile: Profile::DOCUMENTED, ..with_first_deadline(two(runner, ttl, 2, bounds)) }
}

fn alone(mut question: Question, property: Property) -> Question {
    question.clients.truncate(1);
    question.property = property;
    question
}

/// The row of a Lock that is committed at 0 expires at `T`. Its reply arrives at `d + q` at the
/// latest, the client renews `r` later and goes on believing for the `T` of its timeout, so beyond
/// `T`. Another client gets the lock unless the renewal is committed first, which takes it until
/// `2 (d + q) + r`. So there are two owners from `2 (d + q) = T - r` on.
#[test]
fn a_slow_database_makes_two_owners_from_the_same_latency_on_as_slow_messages() {
    let is = |latency, database_latency| {
        let bounds = slow(latency, database_latency);
        verdict(asked(RunnerKind::UpstreamBefore202510, 6, bounds))
    };
    let one_and_a_half = Duration::from_ms(1_500);
    assert_eq!(is(one_and_a_half, s(0)), Verdict::Safe);
    assert_eq!(is(s(0), one_and_a_half), Verdict::Safe);
    assert_eq!(is(s(1), HALF), Verdict::Safe);
    assert_eq!(is(s(2), s(0)), Verdict::Unsafe);
    assert_eq!(is(s(0), s(2)), Verdict::Unsafe);
    assert_eq!(is(s(1), s(1)), Verdict::Unsafe);
}

/// As above, with an attempt that fails after `r`: the client believes until `d + q + 2 r`, beyond
/// `T` if `d + q > T - 2 r`. Here that is more than 1 s, and `2 (d + q) = T - r` is 3 s.
#[test]
fn a_slow_database_makes_two_owners_of_runners_with_short_deadlines_too() {
    let is = |database_latency| {
        let bounds = slow(s(0), database_latency);
        verdict(asked(RunnerKind::Upstream, 5, bounds))
    };
    assert_eq!(is(s(1)), Verdict::Safe);
    assert_eq!(is(Duration::from_ms(1_500)), Verdict::Unsafe);
}

/// A process that deletes rows by timers counts the TTL from the answer of the database, and so not
/// before the client learns it. But a poll between commit and answer shows it the row earlier.
#[test]
fn a_slow_database_makes_two_owners_where_timers_delete_rows_too() {
    let is = |database_latency| {
        let mut question = asked(RunnerKind::UpstreamBefore202510, 6, slow(s(0), database_latency));
        question.profile = Profile::UPSTREAM;
        verdict(question)
    };
    assert_eq!(is(s(1)), Verdict::Safe);
    assert_eq!(is(s(2)), Verdict::Unsafe);
}

#[test]
fn the_safe_runner_is_safe_with_a_slow_database() {
    for bounds in [slow(s(0), s(2)), slow(s(1), s(1))] {
        let question = asked(RunnerKind::Safe, 6, bounds);
        assert_eq!(verdict(question), Verdict::Safe, "{bounds:?}");
    }
    let mut timers = asked(RunnerKind::Safe, 6, slow(s(0), s(1)));
    timers.profile = Profile::UPSTREAM;
    assert_eq!(verdict(timers), Verdict::Safe);
}

/// A renewal is answered after `2 q`, and fails after `r`.
#[test]
fn upstream_loses_its_lock_to_a_database_that_takes_half_a_retry_interval() {
    let is = |database_latency| {
        let question = asked(RunnerKind::Upstream, 6, slow(s(0), database_latency));
        verdict(alone(question, Property::FalseLoss))
    };
    assert_eq!(is(HALF), Verdict::Safe);
    assert_eq!(is(s(1)), Verdict::Unsafe);
}

/// The client would wait for its TTL of 14 s. Its process gives up after 10 s, which the answer
/// takes from `q` = 5 s on, and the row is there still.
#[test]
fn a_process_gives_up_on_a_database_that_takes_its_timeout() {
    let is = |database_latency| {
        let bounds = slow(s(0), database_latency);
        let question = asked(RunnerKind::UpstreamBefore202510, 14, bounds);
        verdict(alone(question, Property::FalseLoss))
    };
    assert_eq!(is(s(4)), Verdict::Safe);
    assert_eq!(is(s(5)), Verdict::Unsafe);
}

#[test]
fn a_counterexample_says_how_long_the_database_takes() {
    let question = asked(RunnerKind::UpstreamBefore202510, 6, slow(s(0), s(2)));
    assert_eq!(question.clients.len(), 2);
    assert_eq!(question.property, ONE_OWNER);
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    let answer = search.answer().expect("the world repeats what was found");
    let text = answer.to_string();
    assert!(text.contains("queries of the database and replies ≤ 2 s each"), "{text}");
    assert!(text.contains("from locket-0 to database takes 2 s"), "{text}");
    let (counterexample, _) = answer.counterexample.expect("it is broken");
    assert!(counterexample.scenario.contains(r#""database":{"latency":{"max":"2s""#));
}

/// A query waits for the end of the stall, so a renewal is answered after `2 q` and the stall.
#[test]
fn a_stall_adds_to_the_time_of_a_slow_database() {
    let is = |stall| {
        let bounds = slow(s(0), HALF).with_length(Fault::Stall, 1, stall);
        let question = asked(RunnerKind::Upstream, 6, bounds);
        verdict(alone(question, Property::FalseLoss))
    };
    assert_eq!(is(HALF), Verdict::Safe);
    assert_eq!(is(s(1)), Verdict::Unsafe);
}
