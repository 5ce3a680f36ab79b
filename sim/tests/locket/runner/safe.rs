//! Claims about the safe runner: when its lease ends, and what it survives.
//!
//! That it never believes longer than its row lives is a claim of `random`, and of searches.

use super::rig::*;
use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Method;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::runner::{Call, Event, LossCause, RunnerError, RunnerSettings};
use locket_sim::time::{Duration, Time};

#[test]
fn every_call_of_the_safe_runner_has_a_deadline() {
    let mut rig = Rig::start(safe());
    rig.at(22_000).ok().at(25_000).signal().at(60_000);

    let ttl = Duration::from_seconds(15);
    let expected = [
        (Method::Lock, ttl),
        (Method::Fetch, R),
        (Method::Lock, ttl),
        (Method::Lock, R),
        (Method::Release, R),
    ];
    let timeout = |(sent, call): &(Time, Call)| {
        let deadline = call.deadline.expect("every call has a deadline");
        (call.request.method(), deadline.since(*sent))
    };
    let calls: Vec<_> = rig.calls.iter().map(timeout).collect();
    assert_eq!(calls, expected);
    let released = Event::Released(Err(LockError::DeadlineExceeded));
    assert_eq!(rig.events[rig.events.len() - 2].1, released);
    assert_eq!(rig.last_event(), &Event::Exited(Ok(())));
}

/// A runner whose attempt is answered well at some moment; when it has sent attempts by then, when it
/// lost the lock, and when its lease ends.
#[test]
fn the_lease_counts_from_the_sending_of_the_attempt_that_is_answered_however_late_that_is() {
    let mut refused = Rig::start(safe());
    refused.fail(LockError::LockCollision).reply(held_by("joe"));
    let presence = Rig::holding(presence_of(safe()));
    for (mut rig, answered, attempts, lost, ends) in [
        (Rig::start(safe()), 4_000, &[0][..], None, 14_000),
        (Rig::start(safe()), 13_999, &[0], None, 14_000),
        (refused, 18_000, &[0, 5_000], None, 19_000),
        (Rig::holding(safe()), 9_000, &[0, 5_000], None, 19_000),
        // Attempts of a holder last as long as the retry interval.
        (Rig::holding(safe()), 13_900, &[0, 5_000, 10_000], None, 24_000),
        (presence.clone(), 17_000, &[0, 5_000, 10_000, 15_000], Some(14_000), 29_000),
        (presence, 25_000, &[0, 5_000, 10_000, 15_000], Some(14_000), 29_000),
    ] {
        rig.at(answered).ok();

        assert_eq!((&*rig.attempts(), rig.lost_at()), (attempts, lost), "{answered}");
        assert_eq!(rig.runner.lease_ends(), Some(ms(ends)), "{answered}");
        assert_eq!(rig.runner.exited(), None);
    }
}

#[test]
fn a_lease_shorter_than_the_retry_interval_does_not_cut_an_attempt_off() {
    let mut rig = Rig::start(RunnerSettings::safe(jim(), 0, R));

    rig.at(4_000).fail(LockError::InvalidTtl);

    assert_eq!(rig.methods(), [Method::Lock, Method::Fetch]);
}

// S48
#[test]
fn the_safe_runner_does_not_count_on_a_ttl_that_overflows() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(RunnerSettings::safe(jim(), i64::MAX, R));

    rig.served_by(&mut locket);

    assert_eq!(locket.at(1).holder("test"), None);
    assert!(!rig.believes());
}

#[test]
fn the_safe_runner_stops_before_its_lease_can_end() {
    let mut rig = Rig::holding(safe());

    rig.at(13_999);
    assert!(rig.believes());
    rig.at(14_000);

    assert!(!rig.believes());
    let expected = [
        (ms(14_000), Event::Lost(LossCause::LeaseEnded)),
        (ms(14_000), Event::Exited(Err(RunnerError::LostLock(LossCause::LeaseEnded)))),
    ];
    assert_eq!(rig.events[rig.events.len() - 2..], expected);
    assert_eq!(rig.error(), "lost lock (lease ended before a renewal succeeded)");
    assert_eq!(rig.said("lost-lock").len(), 1);
}

// S24, S39
#[test]
fn the_safe_runner_survives_a_transient_error() {
    for error in [
        LockError::Unavailable,
        LockError::DeadlineExceeded,
        database("sql-unknown, error code: 1205, flavor: mysql"),
    ] {
        let mut rig = Rig::holding(safe());

        rig.at(5_000).fail(error.clone());
        assert!(rig.believes());
        let retrying = Event::Retrying { cause: error, owner: None };
        assert_eq!(rig.last_event(), &retrying);
        assert_eq!(rig.said("failed-to-renew-lock").len(), 1);
        rig.at(10_000).ok();

        assert_eq!(rig.runner.lease_ends(), Some(ms(24_000)));
        assert_eq!(rig.lost_at(), None);
    }
}

// S12
#[test]
fn the_safe_runner_learns_of_a_lease_that_ended_in_a_pause_whatever_wakes_it() {
    let asleep = |settings| {
        let mut rig = Rig::holding(settings);
        rig.at(5_000);
        rig.now = s(16);
        rig
    };
    let lost = |rig: &Rig| rig.lost_at() == Some(16_000);

    // The reply of an attempt that was sent before the pause: lost, and held again.
    let mut replied = asleep(presence_of(safe()));
    replied.ok();
    assert!(lost(&replied) && replied.last_event() == &Event::Acquired);
    assert_eq!(replied.runner.lease_ends(), Some(ms(19_000)));

    assert!(lost(asleep(safe()).timeout()));
    assert!(lost(asleep(safe()).signal()));
    assert!(lost(asleep(safe()).ok()));
}
