//! Claims about lock and presence runners: what they send when, what they make of replies, and
//! how long they believe that they hold what they asked for.
//!
//! Beside the numbers that `common` explains, `C…` names a behaviour of cloudfoundry/locket's
//! own client. T = 15 s, r = 5 s unless a test says otherwise. The safe runner and random inputs
//! have files of their own.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod loss;
mod random;
mod rig;
mod rule;
mod safe;
mod signals;

use crate::common::*;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::id_source::IdSource;
use locket_sim::protocol::log::{Level, LogRecord};
use locket_sim::protocol::message::{Method, Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::runner::{
    Call, Event, LossCause, Output, RequestId, RequestIdError, Runner, RunnerError, RunnerSettings,
};
use locket_sim::time::Duration;
use rig::*;

// The first attempt

#[test]
fn a_runner_locks_at_once_and_is_ready_when_locket_agrees() {
    let mut rig = Rig::start(upstream());
    assert!(!rig.runner.is_ready());

    rig.ok();

    assert!(rig.runner.is_ready() && rig.believes());
    assert_eq!(rig.calls.len(), 1);
    assert_eq!(*rig.last_call().request, lock_of_jim());
    assert_eq!(rig.events, [(s(0), Event::Acquired), (s(0), Event::Ready)]);
    assert_eq!(rig.messages(), ["started", "acquired-lock"]);
}

// C3
#[test]
fn the_first_attempt_has_no_deadline_and_fails_fast() {
    let mut rig = Rig::start(upstream());
    let call = rig.last_call();
    assert_eq!((call.deadline, call.wait_for_ready), (None, false));
    assert!(call.request_id.is_some());
    assert_eq!(rig.runner.deadline(), None);

    // However long it hangs, it counts when it comes back (S14).
    rig.at(20_000).ok();

    assert!(rig.believes());
    assert_eq!(rig.attempts(), [0]);
}

// C4
#[test]
fn after_a_failed_first_attempt_the_owner_is_fetched_named_and_logged_with_the_error() {
    for error in [
        no_lock_for_you(),
        LockError::LockCollision,
        LockError::Unavailable,
        LockError::DeadlineExceeded,
        LockError::InvalidTtl,
    ] {
        let mut rig = Rig::start(upstream());
        let request_id = rig.last_call().request_id;

        rig.fail(error.clone());
        let expected = Call {
            request: Request::Fetch { key: "test".into() }.into(),
            request_id,
            deadline: None,
            wait_for_ready: false,
        };
        assert_eq!(rig.last_call(), &expected);
        rig.reply(held_by("joe"));

        let [line] = rig.said("failed-to-acquire-lock")[..] else {
            panic!("not once: {:?}", rig.said);
        };
        assert_eq!((line.level, &line.error), (Level::Error, &error.to_string()));
        assert_eq!(line.request_id, request_id.map(|id| id.to_string()));
        assert_eq!(line.lock_owner.as_deref(), Some("joe"));
        let retrying = Event::Retrying { cause: error, owner: Some("joe".into()) };
        assert_eq!(rig.events, [(s(0), retrying)]);
    }
}

#[test]
fn a_failed_fetch_of_the_owner_is_logged_too() {
    let mut rig = Rig::start(upstream());

    rig.fail(no_lock_for_you()).fail(database("no-fetch-for-you"));

    let expected = ["started", "failed-fetching-lock-owner", "failed-to-acquire-lock"];
    assert_eq!(rig.messages(), expected);
    assert!(rig.said[1].error.contains("no-fetch-for-you"));
    assert_eq!(rig.said[2].lock_owner, None);
}

// Later attempts

#[test]
fn a_waiter_tries_again_after_the_interval_with_a_new_id_and_a_deadline() {
    let mut rig = Rig::start(upstream());
    rig.fail(no_lock_for_you()).reply(held_by("joe"));
    let first_id = rig.calls[0].1.request_id;

    rig.at(5_000);
    let second = rig.last_call().clone();
    rig.fail(no_lock_for_you());

    let expected = Call {
        request: lock_of_jim().into(),
        request_id: second.request_id,
        deadline: Some(s(10)),
        wait_for_ready: true,
    };
    assert_eq!(second, expected);
    assert_ne!(second.request_id, first_id);
    assert!(!rig.runner.is_ready());
    let line = rig.said("failed-to-acquire-lock")[1];
    assert!(line.error.contains("no-lock-for-you"));
    assert_eq!(line.request_id, second.request_id.map(|id| id.to_string()));
    assert_eq!(line.duration, Some(Duration::ZERO));
    // No second Fetch (C11).
    assert_eq!(rig.methods(), [Method::Lock, Method::Fetch, Method::Lock]);
}

#[test]
fn a_waiter_collides_silently_after_the_first_time() {
    let mut rig = Rig::start(upstream());
    rig.fail(LockError::LockCollision).reply(held_by("joe"));

    rig.at(5_000).fail(LockError::LockCollision);

    assert_eq!(rig.attempts(), [0, 5_000]);
    assert_eq!(rig.said("failed-to-acquire-lock").len(), 1);
    assert!(matches!(rig.last_event(), Event::Retrying { .. }));
}

// C12
#[test]
fn a_holder_renews_at_every_interval_without_a_word() {
    for settings in [upstream(), presence_of(upstream())] {
        let mut rig = Rig::holding(settings);

        rig.at(5_000).ok().at(10_000).ok();

        assert_eq!(rig.attempts(), [0, 5_000, 10_000]);
        for (_, call) in &rig.calls {
            assert_eq!(*call.request, lock_of_jim());
        }
        assert_eq!(rig.messages(), ["started", "acquired-lock"]);
        assert_eq!(rig.last_event(), &Event::Renewed);
    }
}

// C6
#[test]
fn the_interval_starts_when_the_attempt_and_the_fetch_of_the_owner_are_over() {
    let mut rig = Rig::start(upstream());
    rig.at(2_000).ok().at(7_500).ok().at(16_000);
    assert_eq!(rig.attempts(), [0, 7_000, 12_500]);

    let mut rig = Rig::start(upstream());
    rig.at(1_000).fail(no_lock_for_you());
    rig.at(4_000).reply(held_by("joe")).at(9_000);
    assert_eq!(rig.attempts(), [0, 9_000]);
}

// C7
#[test]
fn an_attempt_may_take_an_interval_whatever_the_ttl_and_before_october_2025_a_ttl() {
    for (settings, deadline) in
        [(RunnerSettings::upstream(jim(), 3600, R), 10), (before_2025_10(), 20)]
    {
        let mut rig = Rig::holding(settings);
        rig.at(5_000);
        assert_eq!(rig.last_call().deadline, Some(s(deadline)));
        assert_eq!(rig.calls[0].1.deadline, None);
    }
}

#[test]
fn a_reply_to_a_call_that_is_over_changes_nothing() {
    let mut rig = Rig::holding(presence_of(upstream()));
    rig.at(5_000);
    let late = rig.last_call().id();
    rig.at(10_000);
    assert_eq!(rig.lost_at(), Some(10_000));

    for now in [12_000, 15_000] {
        rig.at(now);
        let before = rig.clone();
        rig.input(|runner, now, _, said| {
            runner.handle_reply(late, Ok(Response::Lock), now, said);
        });
        assert_eq!(rig.runner, before.runner);
        assert_eq!(rig.events, before.events);
    }
    rig.ok();
    assert!(rig.believes());
}

#[test]
fn a_paused_runner_makes_one_attempt_when_it_wakes() {
    let mut rig = Rig::holding(upstream());

    rig.paused_until(23_000);

    assert_eq!(rig.attempts(), [0, 23_000]);
    assert_eq!(rig.last_call().deadline, Some(s(28)));
}
