//! Claims about the safe runner: when its lease ends, what it survives, and that it never believes
//! longer than its row lives.

use super::rig::*;
use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::{Method, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::runner::{
    Call, CallId, Event, LeaseAccounting, LossCause, RunnerError, RunnerSettings,
};
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
    let patience = |(sent, call): &(Time, Call)| {
        let deadline = call.deadline.expect("every call has a deadline");
        (call.request.method(), deadline.since(*sent))
    };
    let calls: Vec<_> = rig.calls.iter().map(patience).collect();
    assert_eq!(calls, expected);
    let released = Event::Released(Err(LockError::DeadlineExceeded));
    assert_eq!(rig.events[rig.events.len() - 2].1, released);
    assert_eq!(rig.last_event(), &Event::Exited(Ok(())));
}

// S14
#[test]
fn a_first_reply_that_is_too_late_grants_the_safe_runner_nothing() {
    let mut rig = Rig::start(safe());
    let first = rig.last_call().id();

    rig.at(14_000).input(|runner, now, _, said| {
        runner.handle_reply(first, Ok(Response::Lock), now, said);
    });

    assert!(!rig.believes());
}

#[test]
fn the_lease_counts_from_the_moment_the_attempt_was_sent() {
    let mut rig = Rig::start(safe());
    rig.at(4_000).ok();
    assert_eq!(rig.runner.lease_ends(), Some(ms(14_000)));

    rig.at(5_000).at(9_000).ok();

    assert_eq!(rig.runner.lease_ends(), Some(ms(19_000)));
    assert_eq!(rig.last_event(), &Event::Renewed);
    assert_eq!(rig.attempts(), [0, 5_000]);
}

#[test]
fn an_attempt_to_acquire_is_good_as_long_as_the_lease_that_it_grants() {
    let mut first = Rig::start(safe());
    first.at(13_999).ok();
    assert_eq!(first.runner.lease_ends(), Some(ms(14_000)));
    assert_eq!(first.attempts(), [0]);

    let mut second = Rig::start(safe());
    second.fail(LockError::LockCollision);
    second.reply(held_by("joe")).at(18_000).ok();
    assert_eq!(second.runner.lease_ends(), Some(ms(19_000)));
    assert_eq!(second.attempts(), [0, 5_000]);
}

#[test]
fn a_presence_whose_lease_has_ended_waits_for_an_answer_that_takes_longer_than_a_retry_interval() {
    let mut rig = Rig::holding(presence_of(safe()));

    rig.at(15_000);
    assert_eq!(rig.lost_at(), Some(14_000));
    rig.at(25_000).ok();

    assert_eq!(rig.attempts(), [0, 5_000, 10_000, 15_000]);
    assert_eq!(rig.runner.lease_ends(), Some(ms(29_000)));
}

#[test]
fn a_lease_shorter_than_the_retry_interval_does_not_cut_an_attempt_off() {
    let mut rig = Rig::start(RunnerSettings::safe(jim(), 0, R));

    rig.at(4_000).fail(LockError::InvalidTtl);

    assert_eq!(rig.methods(), [Method::Lock, Method::Fetch]);
}

#[test]
fn the_margin_can_be_chosen() {
    let lease = LeaseAccounting::FromSend { margin: Duration::from_seconds(2) };

    let rig = Rig::holding(RunnerSettings { lease, ..safe() });

    assert_eq!(rig.runner.lease_ends(), Some(s(13)));
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

#[test]
fn the_safe_runner_survives_an_attempt_that_is_never_answered() {
    let mut rig = Rig::holding(safe());

    rig.at(13_900).ok();

    assert_eq!(rig.attempts(), [0, 5_000, 10_000]);
    assert_eq!(rig.runner.lease_ends(), Some(ms(24_000)));
}

#[test]
fn a_collision_ends_the_safe_runners_belief_at_once() {
    let mut rig = Rig::holding(safe());

    rig.at(5_000).fail(LockError::LockCollision);

    assert!(!rig.believes());
    assert_eq!(rig.lost_at(), Some(5_000));
    assert!(rig.error().contains("lock-collision"));
}

#[test]
fn a_safe_presence_runner_goes_on_after_its_lease_has_ended() {
    let mut rig = Rig::holding(presence_of(safe()));

    rig.at(14_000);
    assert_eq!(rig.lost_at(), Some(14_000));
    assert_eq!(rig.runner.exited(), None);
    rig.at(17_000).ok();

    assert_eq!(rig.attempts(), [0, 5_000, 10_000, 15_000]);
    assert_eq!(rig.runner.lease_ends(), Some(ms(29_000)));
}

// S10
#[test]
fn a_paused_safe_runner_does_not_believe_even_before_it_notices() {
    let rig = Rig::holding(safe());

    assert!(rig.runner.believes_held(ms(13_999)));
    assert!(!rig.runner.believes_held(ms(14_000)));
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

#[test]
fn a_reply_after_the_end_of_the_lease_it_would_grant_grants_nothing() {
    let mut rig = Rig::holding(presence_of(safe()));
    rig.at(5_000);

    rig.now = ms(19_000);
    rig.ok();

    assert!(!rig.believes());
    let retrying = Event::Retrying { cause: LockError::DeadlineExceeded, owner: None };
    assert_eq!(rig.last_event(), &retrying);
}

/// The fate of an attempt: an answer after some seconds, good or not, or none.
type Fate = Option<(u64, bool)>;

/// Good answers around the retry interval of 5 s and the lease of 14 s, and errors.
const FATES: [Fate; 13] = [
    Some((0, true)),
    Some((1, true)),
    Some((2, true)),
    Some((3, true)),
    Some((4, true)),
    Some((5, true)),
    Some((6, true)),
    Some((9, true)),
    Some((14, true)),
    Some((15, true)),
    Some((0, false)),
    Some((3, false)),
    None,
];

/// Fewer, where there is a pause too.
const COARSE_FATES: [Fate; 6] =
    [Some((0, true)), Some((3, true)), Some((6, true)), Some((12, true)), Some((3, false)), None];

/// Whether the machine of a client is paused, and in which order it gets its inputs when it
/// resumes.
#[derive(Clone, Copy, Debug)]
struct Pause {
    from: u64,
    to: u64,
    replies_first: bool,
}

/// On its way to the runner.
struct Reply {
    at: u64,
    call: CallId,
    sent: Time,
    good: bool,
}

/// Runs 45 s on a grid of 1 s in which only the first attempts have a fate. Fails if the runner
/// believes it holds the lock when the row of its last good attempt may have expired. Returns how
/// long it believed.
fn check_belief(settings: RunnerSettings, fates: &[Fate], pause: Pause) -> u64 {
    let mut rig = Rig::start(settings);
    let mut replies: Vec<Reply> = Vec::new();
    let mut seen = 0;
    let mut row_ends = Time::ZERO;
    let mut believed = 0;
    for second in 0..45 {
        rig.now = s(second);
        let paused = (pause.from..pause.to).contains(&second);
        for round in 0..2 {
            if !paused && (round == 0) != pause.replies_first {
                while rig.runner.deadline().is_some_and(|due| due <= rig.now) {
                    rig.timeout();
                }
            } else if !paused {
                let due: Vec<_> = replies.extract_if(.., |reply| reply.at <= second).collect();
                for Reply { call, sent, good, .. } in due {
                    let before = rig.events.len();
                    rig.input(|runner, now, _, said| {
                        let result = good.then_some(Response::Lock);
                        let result = result.ok_or(LockError::Unavailable);
                        runner.handle_reply(call, result, now, said);
                    });
                    let granted = |(_, event): &(Time, Event)| {
                        matches!(event, Event::Acquired | Event::Renewed)
                    };
                    if rig.events[before..].iter().any(granted) {
                        row_ends = sent + Duration::from_seconds(15);
                    }
                }
            }
            while let Some((sent, call)) = rig.calls.get(seen) {
                let fate = fates.get(rig.attempts().len() - 1).copied().flatten();
                if let Some((delay, good)) = fate.filter(|_| call.id().method == Method::Lock) {
                    replies.push(Reply { at: second + delay, call: call.id(), sent: *sent, good });
                }
                seen += 1;
            }
        }
        if rig.believes() {
            believed += 1;
            assert!(rig.now < row_ends, "at {} in {fates:?} {pause:?}", rig.now);
        }
    }
    believed
}

fn every_fate_of_three_attempts(fates: &[Fate], mut check: impl FnMut(&[Fate])) {
    for &first in fates {
        for &second in fates {
            for &third in fates {
                check(&[first, second, third]);
            }
        }
    }
}

const NO_PAUSE: Pause = Pause { from: 0, to: 0, replies_first: false };

#[test]
fn the_safe_runner_never_believes_longer_than_its_row_lives_whatever_the_replies() {
    let mut longest = 0;
    for settings in [safe(), presence_of(safe())] {
        every_fate_of_three_attempts(&FATES, |fates| {
            longest = longest.max(check_belief(settings.clone(), fates, NO_PAUSE));
        });
    }
    // Three attempts in a row, at 0, 5 and 10 s, are good for 24 s.
    assert_eq!(longest, 24);
}

#[test]
fn the_safe_runner_never_believes_longer_than_its_row_lives_whatever_the_pause() {
    for from in 0..24 {
        for length in [2, 7, 16] {
            for replies_first in [false, true] {
                let pause = Pause { from, to: from + length, replies_first };
                every_fate_of_three_attempts(&COARSE_FATES, |fates| {
                    check_belief(presence_of(safe()), fates, pause);
                });
            }
        }
    }
}

#[test]
#[should_panic(expected = "at 15.000")]
fn the_same_check_finds_upstreams_slow_first_reply() {
    check_belief(upstream(), &[Some((6, true)), None, None], NO_PAUSE);
}
