//! Claims about lock and presence runners: what they send when, what they make of replies, and
//! how long they believe that they hold what they asked for.
//!
//! Beside the numbers that `common` explains, `C…` names a behaviour of cloudfoundry/locket's
//! own client. T = 15 s, r = 5 s unless a test says otherwise. The safe runner and random inputs
//! have files of their own.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod common;

#[path = "runner/random.rs"]
mod random;
#[path = "runner/rig.rs"]
mod rig;
#[path = "runner/safe.rs"]
mod safe;

use common::*;
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

// T113
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

// T114
#[test]
fn the_first_attempt_carries_a_request_id() {
    assert!(Rig::start(upstream()).last_call().request_id.is_some());
}

// C3
#[test]
fn the_first_attempt_has_no_deadline_and_fails_fast() {
    let mut rig = Rig::start(upstream());
    let call = rig.last_call();
    assert_eq!((call.deadline, call.wait_for_ready), (None, false));
    assert_eq!(rig.runner.deadline(), None);

    // However long it hangs, it counts when it comes back (S14).
    rig.at(20_000).ok();

    assert!(rig.believes());
    assert_eq!(rig.attempts(), [0]);
}

// T115, T116, T121
#[test]
fn a_failed_first_attempt_is_logged_with_its_id_and_its_error() {
    for (error, text) in [
        (no_lock_for_you(), "no-lock-for-you"),
        (LockError::LockCollision, "lock-collision"),
    ] {
        let mut rig = Rig::start(upstream());
        let id = rig.last_call().request_id.unwrap().to_string();

        rig.fail(error).reply(held_by("joe"));

        let [line] = rig.said("failed-to-acquire-lock")[..] else {
            panic!("not once: {:?}", rig.said);
        };
        assert!(line.error.contains(text));
        assert_eq!(line.request_id, Some(id));
        assert_eq!(line.level, Level::Error);
    }
}

// T122
#[test]
fn a_failed_first_attempt_names_the_owner() {
    let mut rig = Rig::start(upstream());

    rig.fail(LockError::LockCollision).reply(held_by("joe"));

    let line = rig.said("failed-to-acquire-lock")[0];
    assert_eq!(line.lock_owner.as_deref(), Some("joe"));
    let retrying = Event::Retrying {
        cause: LockError::LockCollision,
        owner: Some("joe".into()),
    };
    assert_eq!(rig.events, [(s(0), retrying)]);
}

// C4
#[test]
fn the_owner_is_fetched_whatever_the_first_attempt_failed_of() {
    for error in [
        LockError::LockCollision,
        LockError::Unavailable,
        LockError::DeadlineExceeded,
        LockError::InvalidTtl,
    ] {
        let mut rig = Rig::start(upstream());
        let id = rig.last_call().request_id;

        rig.fail(error);

        let expected = Call {
            request: Request::Fetch { key: "test".into() }.into(),
            request_id: id,
            deadline: None,
            wait_for_ready: false,
        };
        assert_eq!(rig.last_call(), &expected);
    }
}

// T123
#[test]
fn a_failed_fetch_of_the_owner_is_logged_too() {
    let mut rig = Rig::start(upstream());

    rig.fail(no_lock_for_you())
        .fail(database("no-fetch-for-you"));

    let expected = [
        "started",
        "failed-fetching-lock-owner",
        "failed-to-acquire-lock",
    ];
    assert_eq!(rig.messages(), expected);
    assert!(rig.said[1].error.contains("no-fetch-for-you"));
    assert_eq!(rig.said[2].lock_owner, None);
}

// Later attempts

// T117, T118, T119, T120
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

// T124
#[test]
fn a_waiter_collides_silently_after_the_first_time() {
    let mut rig = Rig::start(upstream());
    rig.fail(LockError::LockCollision).reply(held_by("joe"));

    rig.at(5_000).fail(LockError::LockCollision);

    assert_eq!(rig.attempts(), [0, 5_000]);
    assert_eq!(rig.said("failed-to-acquire-lock").len(), 1);
    assert!(matches!(rig.last_event(), Event::Retrying { .. }));
}

// T125
#[test]
fn a_waiter_is_ready_as_soon_as_it_succeeds_and_goes_on() {
    let mut rig = Rig::start(upstream());
    rig.fail(no_lock_for_you()).reply(held_by("joe"));

    rig.at(5_000).ok();
    assert!(rig.runner.is_ready() && rig.believes());
    assert_eq!(rig.attempts(), [0, 5_000]);

    rig.at(10_000);
    assert_eq!(rig.attempts(), [0, 5_000, 10_000]);
}

// T126, T132, C12
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
fn the_period_is_the_interval_and_the_latency() {
    let mut rig = Rig::start(upstream());

    rig.at(2_000).ok().at(7_500).ok().at(16_000);

    assert_eq!(rig.attempts(), [0, 7_000, 12_500]);
}

// C6
#[test]
fn the_interval_starts_after_the_fetch_of_the_owner() {
    let mut rig = Rig::start(upstream());

    rig.at(1_000).fail(no_lock_for_you());
    rig.at(4_000).reply(held_by("joe")).at(9_000);

    assert_eq!(rig.attempts(), [0, 9_000]);
}

// C7
#[test]
fn an_attempt_may_take_an_interval_whatever_the_ttl() {
    let mut rig = Rig::holding(RunnerSettings::upstream(jim(), 3600, R));

    rig.at(5_000);

    assert_eq!(rig.last_call().deadline, Some(s(10)));
}

// C7
#[test]
fn before_october_2025_an_attempt_might_take_a_ttl() {
    let mut rig = Rig::holding(before_2025_10());

    rig.at(5_000);

    assert_eq!(rig.last_call().deadline, Some(s(20)));
    assert_eq!(rig.calls[0].1.deadline, None);
}

#[test]
fn an_interval_of_nothing_does_not_stop_time() {
    for settings in [upstream(), safe(), cloud_controller()] {
        let mut rig = Rig::start(RunnerSettings {
            retry_interval: Duration::ZERO,
            ttl_in_seconds: 0,
            ..settings
        });

        rig.reply(Err(LockError::InvalidTtl)).at(1_000);

        assert_eq!(rig.now, s(1));
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

// Loss

// T127, T128, T129, C8
#[test]
fn a_lock_runner_exits_on_any_failed_renewal() {
    for error in [
        no_lock_for_you(),
        LockError::LockCollision,
        LockError::Unavailable,
        LockError::InvalidType(Code::NotFound),
        database("sql-unknown, error code: 1205, flavor: mysql"),
    ] {
        let mut rig = Rig::holding(upstream());
        rig.at(5_000);
        let request_id = rig.last_call().request_id.unwrap();

        rig.at(5_040).fail(error.clone());

        let line = rig.said("lost-lock")[0];
        assert_eq!(line.error, error.to_string());
        assert_eq!(line.request_id, Some(request_id.to_string()));
        assert_eq!(line.duration, Some(Duration::from_ms(40)));
        let expected = format!("lost lock (request failed), request-uuid {request_id}: {error}");
        assert_eq!(rig.error(), expected);
        let cause = LossCause::AttemptFailed { error, request_id };
        let exited = Event::Exited(Err(RunnerError::LostLock(cause.clone())));
        let [.., lost, exit] = &rig.events[..] else {
            panic!("too few events");
        };
        assert_eq!(lost, &(ms(5_040), Event::Lost(cause)));
        assert_eq!(exit, &(ms(5_040), exited));
        assert!(!rig.believes());
    }
}

// T130, C9
#[test]
fn a_loss_is_a_timeout_if_and_only_if_the_code_says_so() {
    let mut told = Rig::holding(upstream());
    told.at(5_000).fail(LockError::DeadlineExceeded);
    let mut noticed = Rig::holding(upstream());
    noticed.at(10_000);
    let mut worded = Rig::holding(upstream());
    worded.at(5_000).fail(database("context deadline exceeded"));

    for rig in [told, noticed] {
        let error = rig.error();
        assert!(error.starts_with("lost lock (request timed out), request-uuid "));
        assert!(error.ends_with("code = DeadlineExceeded desc = context deadline exceeded"));
    }
    assert!(worded.error().starts_with("lost lock (request failed), "));
}

// C9, S13, S17
#[test]
fn a_lost_lock_is_not_released() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(upstream());
    rig.served_by(&mut locket).at(5_000);

    // The renewal commits and its reply is lost.
    locket.at(5_000).handle(&lock_of_jim()).unwrap();
    rig.at(10_000);

    assert!(rig.runner.exited().is_some());
    assert_eq!(rig.methods(), [Method::Lock, Method::Lock]);
    assert_eq!(locket.end_of("test"), Some(20_000));
}

// S39
#[test]
fn one_transient_error_costs_upstream_a_lock_that_it_still_has() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(upstream());
    rig.served_by(&mut locket);

    rig.at(5_000).fail(LockError::Unavailable);

    assert!(!rig.believes());
    assert_eq!(locket.at(14_999).holder("test").as_deref(), Some("jim"));
}

// T133, C10
#[test]
fn a_presence_runner_loses_and_regains_and_never_exits() {
    let mut rig = Rig::holding(presence_of(upstream()));

    rig.at(5_000).fail(no_lock_for_you());
    assert!(!rig.believes());
    assert_eq!(rig.lost_at(), Some(5_000));
    assert!(rig.runner.is_ready(), "readiness was withdrawn");
    rig.at(10_000).ok();

    assert_eq!(*rig.last_call().request, lock_of_jim());
    assert!(rig.believes());
    let ready = rig
        .events
        .iter()
        .filter(|(_, event)| *event == Event::Ready);
    assert_eq!(ready.count(), 1);
    assert_eq!(rig.runner.exited(), None);
    let expected = ["started", "acquired-lock", "lost-lock", "acquired-lock"];
    assert_eq!(rig.messages(), expected);
}

// C10
#[test]
fn a_presence_runner_tries_for_ever() {
    let mut rig = Rig::start(presence_of(upstream()));
    rig.fail(LockError::Unavailable)
        .fail(LockError::Unavailable);

    for attempt in 1..=1_000 {
        rig.at(attempt * 5_000).fail(LockError::Unavailable);
    }

    assert_eq!(rig.attempts().len(), 1_001);
    assert_eq!(rig.runner.exited(), None);
}

// C11, S43
#[test]
fn a_misconfigured_runner_is_refused_for_ever_and_says_so_each_time() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(RunnerSettings::upstream(jim(), 0, R));
    rig.served_by(&mut locket);

    for attempt in 1..=10 {
        rig.at(attempt * 5_000).served_by(&mut locket);
    }

    let lines = rig.said("failed-to-acquire-lock");
    assert_eq!(lines.len(), 11);
    assert!(lines.iter().all(|line| line.error.contains("invalid-ttl")));
    assert!(!rig.runner.is_ready());
}

// C16
#[test]
fn a_runner_without_an_id_for_its_request_exits() {
    let exhausted = || Err::<RequestId, _>(RequestIdError("no entropy".into()));
    let mut first = Runner::new(upstream());
    first.start(s(0), &mut { exhausted }, &mut ());
    let mut later = Rig::holding(presence_of(upstream())).runner;
    let mut messages = Vec::new();
    later.handle_timeout(s(5), &mut { exhausted }, &mut |record: &LogRecord<'_>| {
        messages.push(record.message);
    });

    for mut runner in [first, later] {
        let error = RunnerError::RequestId(RequestIdError("no entropy".into()));
        assert_eq!(error.to_string(), "no entropy");
        assert_eq!(runner.exited(), Some(&Err(error.clone())));
        assert_eq!(
            runner.poll_output(),
            Some(Output::Event(Event::Exited(Err(error))))
        );
        assert!(!runner.believes_held(s(5)));
    }
    assert_eq!(messages, ["failed-to-create-context", "completed"]);
}

// Signals

// T131, C13
#[test]
fn a_signalled_runner_releases_and_exits_without_error() {
    let mut rig = Rig::holding(upstream());

    rig.at(1_000).signal();

    assert!(!rig.believes(), "the lock may be another's from here on");
    let expected = Call {
        request: Request::Release {
            resource: Some(jim()),
        }
        .into(),
        request_id: None,
        deadline: None,
        wait_for_ready: false,
    };
    assert_eq!(rig.last_call(), &expected);
    rig.reply(Ok(Response::Release));
    assert_eq!(rig.methods(), [Method::Lock, Method::Release]);
    let expected = [
        (s(1), Event::Signalled),
        (s(1), Event::Released(Ok(()))),
        (s(1), Event::Exited(Ok(()))),
    ];
    assert_eq!(rig.events[2..], expected);
    let expected = ["signalled", "released-lock", "completed"];
    assert_eq!(rig.messages()[2..], expected);
}

// C13
#[test]
fn a_runner_releases_what_it_never_had() {
    let mut rig = Rig::start(upstream());
    rig.fail(LockError::LockCollision).reply(held_by("joe"));

    rig.signal().fail(LockError::LockCollision);

    assert_eq!(rig.runner.exited(), Some(&Ok(())));
    let line = rig.said("failed-to-release-lock")[0];
    assert!(line.error.contains("lock-collision"));
}

// C13, S41
#[test]
fn a_release_that_hangs_hangs_upstreams_exit() {
    let mut rig = Rig::holding(upstream());

    rig.signal().at(3_600_000);

    assert_eq!(rig.runner.exited(), None);
    assert_eq!(rig.runner.deadline(), None);
}

// C14
#[test]
fn a_signal_waits_for_the_attempt_under_way() {
    let mut rig = Rig::holding(upstream());
    rig.at(5_000);

    rig.at(6_000).signal();
    assert_eq!(rig.attempts(), [0, 5_000]);
    assert!(rig.believes());
    rig.at(8_000).ok();

    assert_eq!(rig.last_call().request.method(), Method::Release);
    let served = rig.when(|event| *event == Event::Signalled);
    assert_eq!(served, Some(8_000));
}

// C14
#[test]
fn a_signal_during_a_hung_first_attempt_waits_without_limit() {
    let mut rig = Rig::start(upstream());

    rig.at(1_000).signal().at(60_000);
    assert_eq!(rig.calls.len(), 1);
    rig.ok();

    let events: Vec<_> = rig.events.iter().map(|(_, event)| event.clone()).collect();
    let expected = [Event::Acquired, Event::Ready, Event::Signalled];
    assert_eq!(events, expected);
    assert_eq!(rig.methods(), [Method::Lock, Method::Release]);
}

// C14
#[test]
fn a_signal_during_a_failing_first_attempt_waits_for_the_fetch_and_ends_the_tries() {
    let mut rig = Rig::start(upstream());

    rig.signal().fail(no_lock_for_you()).reply(held_by("joe"));

    assert_eq!(
        rig.methods(),
        [Method::Lock, Method::Fetch, Method::Release]
    );
    assert_eq!(rig.events, [(s(0), Event::Signalled)]);
}

#[test]
fn a_loss_during_the_last_attempt_is_still_an_error_and_no_release() {
    let mut rig = Rig::holding(upstream());

    rig.at(5_000).signal().fail(no_lock_for_you());

    assert!(rig.error().starts_with("lost lock (request failed)"));
    assert_eq!(rig.methods(), [Method::Lock, Method::Lock]);
}

#[test]
fn a_second_signal_does_nothing() {
    let mut rig = Rig::holding(upstream());

    rig.signal().signal().reply(Ok(Response::Release)).signal();

    assert_eq!(rig.methods(), [Method::Lock, Method::Release]);
    assert_eq!(rig.last_event(), &Event::Exited(Ok(())));
}

#[test]
fn a_runner_that_was_not_started_does_nothing() {
    let mut runner = Runner::new(upstream());

    runner.handle_signal(s(1), &mut ());
    runner.handle_timeout(s(1), &mut IdSource::new(1), &mut ());

    assert_eq!(runner, Runner::new(upstream()));
}

// C2
#[test]
fn every_record_names_the_resource() {
    let mut rig = Rig::start(presence_of(upstream()));
    rig.fail(no_lock_for_you()).fail(no_lock_for_you());
    rig.at(5_000).fail(no_lock_for_you()).at(10_000).ok();
    rig.at(15_000).fail(no_lock_for_you());
    rig.signal().fail(no_lock_for_you());

    let expected = [
        "started",
        "failed-fetching-lock-owner",
        "failed-to-acquire-lock",
        "failed-to-acquire-lock",
        "acquired-lock",
        "lost-lock",
        "signalled",
        "failed-to-release-lock",
        "completed",
    ];
    assert_eq!(rig.messages(), expected);
    assert!(rig.said.iter().all(|said| said.key == "test"));
}

// How long a loss goes unnoticed

/// From the commit of the last good renewal to the loss, in milliseconds, if its reply takes
/// `latency` and nothing is answered after it.
fn detection(settings: RunnerSettings, latency: u64) -> u64 {
    let mut rig = Rig::holding(settings);
    rig.at(5_000);
    let committed = 5_000;
    rig.at(committed + latency).ok().at(1_000_000);
    rig.lost_at().unwrap() - committed
}

// C17, S7
#[test]
fn a_clean_partition_is_noticed_after_two_intervals() {
    assert_eq!(detection(upstream(), 0), 10_000);
}

// C17, S9
#[test]
fn a_loss_is_noticed_before_three_intervals_and_no_sooner_in_the_worst_case() {
    for latency in 0..5_000 {
        assert_eq!(detection(upstream(), latency), 10_000 + latency);
    }
}

// C17, S8
#[test]
fn before_october_2025_a_partition_was_noticed_after_the_lease_had_ended() {
    assert_eq!(detection(before_2025_10(), 0), 20_000);
    assert_eq!(detection(before_2025_10(), 14_999), 34_999);
}

// C3, C17: 6.0 s the first reply comes; 11.0 s the next attempt leaves and hangs; 15.0 s the row
// expires.
#[test]
fn a_slow_first_reply_makes_upstream_believe_longer_than_its_row_lives() {
    let mut rig = Rig::start(upstream());

    rig.at(6_000).ok().at(15_999);
    assert!(rig.believes());
    rig.at(16_000);

    assert_eq!(rig.lost_at(), Some(16_000));
}

// C15
#[test]
fn time_alone_never_ends_upstreams_belief() {
    for settings in [upstream(), before_2025_10(), cloud_controller()] {
        let rig = Rig::holding(settings);
        assert_eq!(rig.runner.lease_ends(), None);
        assert!(rig.runner.believes_held(s(1_000_000)));
    }
}

// With Locket

// C18, S2
#[test]
fn a_waiter_takes_over_within_an_interval_of_the_expiry() {
    for phase in (0..5_000).step_by(50) {
        let mut locket = Locket::new(Profile::UPSTREAM);
        let settings = RunnerSettings::upstream(resource("test", "waiter"), TTL, R);
        let mut waiter = Rig::start(settings);
        // Of one that crashes before it renews at 5 s: 10 to 20 s pass from its crash.
        locket.at(0).handle(&lock_of_jim()).unwrap();
        waiter.at(phase).served_by(&mut locket);

        while !waiter.believes() {
            let next = waiter.runner.deadline().unwrap();
            waiter.at(next.as_ms()).served_by(&mut locket);
        }

        let taken = waiter.now.as_ms();
        assert!((15_000..20_000).contains(&taken), "taken at {taken}");
    }
}

// C18, S1
#[test]
fn a_waiter_takes_over_within_an_interval_of_a_release() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut holder = Rig::start(upstream());
    let mut waiter = Rig::start(RunnerSettings::upstream(resource("test", "joe"), TTL, R));
    holder.served_by(&mut locket);
    waiter.served_by(&mut locket);

    holder.at(700).signal().served_by(&mut locket);
    waiter.at(5_000).served_by(&mut locket);

    assert_eq!(locket.holder("test").as_deref(), Some("joe"));
    assert!(waiter.believes() && !holder.believes());
    assert_eq!(holder.runner.exited(), Some(&Ok(())));
}

// S12
#[test]
fn upstream_never_learns_of_a_lock_that_it_lost_and_regained_in_a_pause() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(upstream());
    rig.served_by(&mut locket);
    let id = locket.row("test").unwrap().modified_id;

    // In the meantime somebody else has it, and gives it up.
    locket.at(16_000).lock("test", "joe", 15).unwrap();
    locket.at(19_000).release("test", "joe").unwrap();
    rig.paused_until(20_000).served_by(&mut locket);

    assert_ne!(locket.row("test").unwrap().modified_id, id);
    let expected = [Event::Acquired, Event::Ready, Event::Renewed];
    let events: Vec<_> = rig.events.into_iter().map(|(_, event)| event).collect();
    assert_eq!(events, expected);
}

// S45
#[test]
fn a_presence_that_lapsed_comes_back_as_a_new_row() {
    let mut locket = Locket::new(Profile::UPSTREAM);
    let mut rig = Rig::start(presence_of(upstream()));
    rig.served_by(&mut locket);

    rig.at(5_000).fail(LockError::Unavailable);
    rig.at(10_000).fail(LockError::Unavailable);
    rig.at(15_000).fail(LockError::Unavailable);
    assert_eq!(locket.at(15_000).holder("test"), None);
    rig.at(20_000).served_by(&mut locket);

    assert_eq!(locket.row("test").unwrap().modified_index, Some(1));
    assert!(rig.believes());
}

// S42
#[test]
fn an_evicted_holder_believes_until_its_next_renewal() {
    for settings in [upstream(), safe()] {
        let mut locket = Locket::new(Profile::UPSTREAM);
        let mut rig = Rig::start(settings);
        rig.served_by(&mut locket).at(5_000).served_by(&mut locket);

        locket.at(5_100).release("test", "jim").unwrap();
        locket.at(5_200).lock("test", "joe", 3600).unwrap();

        assert!(rig.at(9_999).believes());
        rig.at(10_000).served_by(&mut locket);
        assert!(!rig.believes());
        assert!(rig.error().contains("AlreadyExists"));
    }
}

// The Cloud Controller's loop

// C34
#[test]
fn the_cloud_controller_sets_no_deadline_and_sleeps_a_second_between_attempts() {
    let mut rig = Rig::holding(cloud_controller());

    rig.at(1_000).at(31_000).ok().at(32_000);

    assert_eq!(rig.attempts(), [0, 1_000, 32_000]);
    for (_, call) in &rig.calls {
        assert_eq!((call.deadline, call.wait_for_ready), (None, false));
        assert_eq!(*call.request, lock_of_jim());
    }
}

// C34, S44
#[test]
fn the_cloud_controller_believes_during_a_call_that_hangs() {
    let mut rig = Rig::holding(cloud_controller());

    rig.at(1_000).at(60_000);
    assert!(rig.believes());
    rig.fail(LockError::LockCollision);

    assert!(!rig.believes());
    assert_eq!(rig.runner.exited(), None);
}

// C34
#[test]
fn the_cloud_controller_takes_any_error_for_a_loss_and_asks_for_no_owner() {
    let mut rig = Rig::start(cloud_controller());

    rig.fail(LockError::LockCollision).at(1_000).ok();
    assert!(rig.believes());
    rig.at(2_000).fail(LockError::Unavailable);

    assert!(!rig.believes());
    assert_eq!(rig.methods(), [Method::Lock; 3]);
}

// C35
#[test]
fn the_cloud_controller_stops_at_once_and_releases_nothing() {
    for at in [500, 1_500] {
        let mut rig = Rig::holding(cloud_controller());

        rig.at(at).signal();

        assert_eq!(rig.last_event(), &Event::Exited(Ok(())));
        assert!(rig.methods().iter().all(|&method| method == Method::Lock));
        assert!(!rig.believes());
    }
}

// State

/// An id that is the same every time, as an exploration wants it.
fn no_id() -> Result<RequestId, RequestIdError> {
    Ok(RequestId::from_bytes([0; 16]))
}

/// Just after a good attempt at 5 s, with all attempts before it answered like this.
fn after(settings: RunnerSettings, answer: &Result<Response, LockError>) -> Runner {
    let mut rig = Rig::start(settings);
    while rig.now < s(5) {
        while rig.runner.call_under_way().is_some() {
            rig.reply(answer.clone());
        }
        let next = rig.runner.deadline().unwrap();
        rig.at(next.as_ms());
    }
    rig.ok();
    rig.runner
}

#[test]
fn runners_in_the_same_situation_are_equal_whatever_led_there() {
    for settings in [upstream(), safe(), cloud_controller()] {
        let always = after(settings.clone(), &Ok(Response::Lock));
        let at_last = after(settings, &Err(LockError::LockCollision));

        assert!(at_last.believes_held(s(5)));
        assert_eq!(always, at_last);
        assert_eq!(hash(&always), hash(&at_last));
    }
}

#[test]
fn a_constant_id_makes_attempts_of_the_same_moment_equal() {
    let one = |lost_before: bool| {
        let mut runner = Runner::new(presence_of(upstream()));
        runner.start(s(0), &mut no_id, &mut ());
        let call = runner.call_under_way().unwrap();
        runner.handle_reply(call, Ok(Response::Lock), s(0), &mut ());
        runner.handle_timeout(s(5), &mut no_id, &mut ());
        let result = if lost_before {
            Err(LockError::Unavailable)
        } else {
            Ok(Response::Lock)
        };
        runner.handle_reply(call, result, s(5), &mut ());
        runner.handle_timeout(s(10), &mut no_id, &mut ());
        runner.handle_reply(call, Ok(Response::Lock), s(10), &mut ());
        runner.handle_timeout(s(15), &mut no_id, &mut ());
        while runner.poll_output().is_some() {}
        runner
    };

    assert_eq!(one(true), one(false));
    assert_eq!(hash(&one(true)), hash(&one(false)));
}

#[test]
fn runners_that_lost_the_same_lock_are_equal_whether_a_signal_waited_or_not() {
    let mut one = Rig::holding(upstream());
    let mut other = Rig::holding(upstream());

    one.at(5_000).signal().fail(LockError::Unavailable);
    other.at(5_000).fail(LockError::Unavailable);

    assert_eq!(one.runner, other.runner);
}

#[test]
fn a_runner_that_holds_differs_from_one_that_does_not() {
    let holding = Rig::holding(upstream()).runner;
    let mut waiting = Rig::start(upstream());
    waiting.fail(no_lock_for_you()).reply(held_by("joe"));

    assert_ne!(holding, waiting.runner);
    assert_ne!(hash(&holding), hash(&waiting.runner));
}
