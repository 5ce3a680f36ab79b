//! Claims about the gauge that tells which instance holds the lock.
//!
//! Beside the numbers that `common` explains, `C…` names a behaviour of cloudfoundry/locket's
//! own client.

use crate::common::*;
use locket_sim::protocol::id_source::IdSource;
use locket_sim::protocol::joint_lock::{JointLock, LatePolicy, Member, Signal};
use locket_sim::protocol::lock_held::{LOCK_HELD, LockHeld};
use locket_sim::protocol::log::Level;
use locket_sim::time::Duration;

const TICK: Duration = Duration::from_ms(100);

fn gauge() -> LockHeld {
    LockHeld::new(TICK, s(0))
}

/// The metric to send when the clock shows `now`.
fn value(gauge: &mut LockHeld, now: u64) -> Option<u8> {
    gauge.handle_timeout(ms(now), &mut IdSource::new(1), &mut ());
    gauge.poll_value()
}

fn start(gauge: &mut LockHeld) {
    gauge.start(s(0), &mut IdSource::new(1), &mut ());
}

// C25
#[test]
fn a_tick_sends_what_is_set() {
    let mut gauge = gauge();

    gauge.set();
    assert_eq!(value(&mut gauge, 100), Some(1));
    gauge.unset();
    assert_eq!(value(&mut gauge, 200), Some(0));

    assert_eq!(LOCK_HELD, "LockHeld");
}

// C25, C26
#[test]
fn the_gauge_is_0_until_its_runner_starts() {
    let mut gauge = gauge();

    assert_eq!(value(&mut gauge, 100), Some(0));
    assert!(!gauge.is_ready());
    start(&mut gauge);
    assert!(gauge.is_ready());
    assert_eq!(value(&mut gauge, 200), Some(1));
}

// C26
#[test]
fn the_gauge_stays_1_when_its_runner_has_ended() {
    let mut gauge = gauge();
    start(&mut gauge);
    assert_eq!(gauge.exited(), None);

    gauge.handle_signal(Signal::Interrupt, s(0), &mut IdSource::new(1), &mut ());

    assert_eq!(gauge.exited(), Some(Ok(())));
    assert_eq!(value(&mut gauge, 100), Some(1));
}

#[test]
fn only_a_tick_sends_and_sends_once() {
    let mut gauge = gauge();
    gauge.set();

    assert_eq!(value(&mut gauge, 99), None);
    assert_eq!(gauge.deadline(), Some(ms(100)));
    assert_eq!(value(&mut gauge, 100), Some(1));
    assert_eq!(value(&mut gauge, 100), None);
    assert_eq!(gauge.deadline(), Some(ms(200)));
}

#[test]
fn missed_ticks_are_one_and_the_rhythm_stays() {
    let mut gauge = gauge();

    assert_eq!(value(&mut gauge, 350), Some(0));

    assert_eq!(gauge.poll_value(), None);
    assert_eq!(gauge.deadline(), Some(ms(400)));
}

#[test]
fn an_interval_of_nothing_is_a_millisecond() {
    let gauge = LockHeld::new(Duration::ZERO, s(1));

    assert_eq!(gauge.deadline(), Some(ms(1_001)));
}

// C25
#[test]
fn a_value_that_cannot_be_sent_is_worth_a_debug_line() {
    let mut logs = Logs::default();

    gauge().handle_send_failure("no agent", &mut logs);

    let line = logs.of("failed-to-emit-lock-heldmetric")[0];
    assert_eq!(line.level, Level::Debug);
    assert_eq!(line.error.as_deref(), Some("no agent"));
}

// C26
#[test]
fn behind_another_member_the_gauge_ticks_0_until_that_is_ready() {
    let mut ids = IdSource::new(1);
    let members = ["first", "gauge"].map(|name| (name.to_owned(), gauge()));
    let mut group = JointLock::new(members, Duration::from_seconds(5), LatePolicy::Abandon);
    let mut next_value = |group: &mut JointLock<LockHeld>, now| {
        group.handle_timeout(ms(now), &mut ids, &mut ());
        let poll = group.update(1, ms(now), &mut ids, &mut (), |gauge, _, _| gauge.poll_value());
        poll.flatten()
    };

    assert_eq!(next_value(&mut group, 100), Some(0));
    group.start(ms(150), &mut IdSource::new(1), &mut ());
    assert_eq!(next_value(&mut group, 200), Some(1));
    assert_eq!(group.deadline(), Some(ms(300)));
}
