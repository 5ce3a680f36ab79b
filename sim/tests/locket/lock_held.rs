//! Claims about the gauge that tells which instance holds the lock.
//!
//! Beside the numbers that `common` explains, `C…` names a behaviour of cloudfoundry/locket's
//! own client.

use crate::common::*;
use locket_sim::protocol::lock_held::{LOCK_HELD, LockHeld};
use locket_sim::protocol::log::Level;
use locket_sim::time::Duration;

const TICK: Duration = Duration::from_ms(100);

fn gauge() -> LockHeld {
    LockHeld::new(TICK, s(0))
}

/// The metric to send when the clock shows `now`.
fn value(gauge: &mut LockHeld, now: u64) -> Option<u8> {
    gauge.handle_timeout(ms(now));
    gauge.poll_value()
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

// C25
#[test]
fn the_gauge_is_0_until_it_is_set() {
    assert_eq!(value(&mut gauge(), 100), Some(0));
}

#[test]
fn only_a_tick_sends_and_sends_once() {
    let mut gauge = gauge();
    gauge.set();

    assert_eq!(value(&mut gauge, 99), None);
    assert_eq!(gauge.deadline(), ms(100));
    assert_eq!(value(&mut gauge, 100), Some(1));
    assert_eq!(value(&mut gauge, 100), None);
    assert_eq!(gauge.deadline(), ms(200));
}

#[test]
fn missed_ticks_are_one_and_the_rhythm_stays() {
    let mut gauge = gauge();

    assert_eq!(value(&mut gauge, 350), Some(0));

    assert_eq!(gauge.poll_value(), None);
    assert_eq!(gauge.deadline(), ms(400));
}

#[test]
fn an_interval_of_nothing_is_a_millisecond() {
    let gauge = LockHeld::new(Duration::ZERO, s(1));

    assert_eq!(gauge.deadline(), ms(1_001));
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
