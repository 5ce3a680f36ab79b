//! Claims about what rules may say beyond the runners of this package.

use std::collections::BTreeSet;

use super::*;
use locket_sim::protocol::runner::{
    CollisionPolicy, Lease, LeaseEnd, LossPolicy, Moment, Rule, Timeout, Wait,
};

/// A runner that counts no lease, tolerates every failure and tries again each second.
fn with(change: impl FnOnce(&mut Rule)) -> RunnerSettings {
    let mut rule = Rule { retry: every(1, Moment::Reply), ..Rule::default() };
    change(&mut rule);
    RunnerSettings::new(jim(), TTL, R, rule)
}

const fn every(seconds: u64, from: Moment) -> Wait {
    Wait { every: Some(Duration::from_seconds(seconds)), from, jitter: None }
}

fn lease(from: Moment, ends: LeaseEnd) -> Option<Lease> {
    Some(Lease { from, length: Some(Duration::from_seconds(4)), margin: None, ends })
}

// C34, C35
#[test]
fn the_cloud_controller_waits_for_ever_sleeps_a_second_takes_any_error_for_a_loss_and_releases_nothing()
 {
    let mut rig = Rig::holding(cloud_controller());
    rig.at(1_000).at(31_000).ok().at(32_000).fail(LockError::Unavailable).at(33_000).signal();
    assert_eq!(rig.attempts(), [0, 1_000, 32_000, 33_000]);
    assert_eq!(rig.lost_at(), Some(32_000));
    assert_eq!(rig.last_event(), &Event::Exited(Ok(())));
    for (_, call) in &rig.calls {
        assert_eq!((call.deadline, call.wait_for_ready), (None, false));
        assert_eq!(*call.request, lock_of_jim());
    }
}

#[test]
fn failures_count_in_a_row_and_one_too_many_ends_the_lock() {
    let mut rig = Rig::holding(with(|rule| rule.tolerated_failures = Some(2)));
    for second in [1, 2] {
        rig.at(1_000 * second).fail(LockError::Unavailable);
    }
    rig.at(3_000).ok();
    for second in [4, 5] {
        rig.at(1_000 * second).fail(LockError::Unavailable);
        assert!(rig.believes());
    }
    rig.at(6_000).fail(LockError::Unavailable);
    assert_eq!(rig.lost_at(), Some(6_000));
}

#[test]
fn a_loss_forgets_the_failures() {
    let mut rig = Rig::holding(with(|rule| {
        (rule.tolerated_failures, rule.on_loss) = (Some(1), LossPolicy::Retry);
    }));
    for second in [1, 2] {
        rig.at(1_000 * second).fail(LockError::Unavailable);
    }
    assert_eq!(rig.lost_at(), Some(2_000));
    rig.at(3_000).ok().at(4_000).fail(LockError::Unavailable);
    assert!(rig.believes());
}

#[test]
fn a_collision_is_a_failure_like_others_if_the_rule_counts_it() {
    for (policy, is_lost) in [(CollisionPolicy::Count, false), (CollisionPolicy::Lose, true)] {
        let mut rig = Rig::holding(with(|rule| rule.on_collision = policy));
        rig.at(1_000).fail(LockError::LockCollision);
        assert_eq!(rig.lost_at().is_some(), is_lost);
    }
}

#[test]
fn a_lease_ends_by_the_clock_or_at_the_first_attempt_that_fails_after_it() {
    for (ends, lost) in [(LeaseEnd::ByTimer, 4_000), (LeaseEnd::AtAnAttempt, 9_000)] {
        let mut rig = Rig::holding(with(|rule| rule.lease = lease(Moment::Request, ends)));
        rig.at(3_000).at(9_000).fail(LockError::Unavailable);
        assert_eq!(rig.lost_at(), Some(lost));
    }
}

#[test]
fn a_lease_counts_from_the_request_or_from_the_reply() {
    for (from, ends) in [(Moment::Request, None), (Moment::Reply, Some(s(9)))] {
        let mut rig = Rig::start(with(|rule| rule.lease = lease(from, LeaseEnd::ByTimer)));
        rig.at(5_000).ok();
        assert_eq!(rig.runner.lease_ends(), ends);
        assert_eq!(rig.believes(), ends.is_some(), "an answer that late grants nothing");
    }
}

#[test]
fn a_renewal_has_a_wait_of_its_own_that_counts_from_its_own_moment() {
    for (from, second) in [(Moment::Request, 3_000), (Moment::Reply, 4_000)] {
        let mut rig = Rig::start(with(|rule| rule.renew = Some(every(3, from))));
        rig.at(1_000).ok().at(5_000).fail(LockError::Unavailable).at(6_000);
        assert_eq!(rig.attempts(), [0, second, 6_000]);
    }
}

// No attempt is answered. Where the wait counts from the request, the next one is due when it is given up.
#[test]
fn each_wait_with_jitter_is_longer_by_a_part_of_it() {
    let waits = |jitter, from| {
        let mut rig = Rig::start(with(|rule| {
            rule.timeout = Timeout::Of(Duration::from_seconds(1));
            rule.retry = Wait { jitter: Some(Duration::from_ms(jitter)), ..every(1, from) };
        }));
        rig.at(600_000);
        rig.attempts().windows(2).map(|sent| sent[1] - sent[0]).collect::<BTreeSet<_>>()
    };
    for (from, shortest) in [(Moment::Reply, 2_000), (Moment::Request, 1_000)] {
        assert_eq!(waits(0, from), BTreeSet::from([shortest]));
        assert_eq!(waits(9, from), (shortest..=shortest + 9).collect());
    }
}

#[test]
fn each_kind_of_call_has_its_timeout() {
    let of = |seconds| Some(Timeout::Of(Duration::from_seconds(seconds)));
    let settings = with(|rule| {
        rule.timeout = Timeout::Of(Duration::from_seconds(2));
        (rule.first_timeout, rule.acquire_timeout) = (of(3), of(4));
        (rule.fetch_owner, rule.release_timeout) = (of(5), of(6));
    });
    let mut rig = Rig::start(settings);
    rig.fail(LockError::LockCollision).reply(held_by("joe"));
    rig.at(1_000).ok().at(2_000).ok().signal();
    let timeouts: Vec<_> = rig
        .calls
        .iter()
        .map(|(sent, call)| call.deadline.expect("it has one").since(*sent))
        .collect();
    assert_eq!(timeouts, [3, 5, 4, 2, 6].map(Duration::from_seconds));
}
