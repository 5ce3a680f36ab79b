//! Claims about the gauge that tells which instance holds the lock, a behaviour of
//! cloudfoundry/locket's own client.

use crate::common::*;
use locket_sim::protocol::lock_held::{LOCK_HELD, LockHeld};
use locket_sim::time::Duration;

fn gauge() -> LockHeld {
    LockHeld::new(Duration::from_ms(100), s(0))
}

// C25
#[test]
fn a_tick_sends_once_what_is_set_first_0_and_missed_ticks_are_one() {
    assert_eq!(LOCK_HELD, "LockHeld");
    let mut gauge = gauge();
    for (now, set, value, next) in [
        (99, None, None, 100),
        (100, None, Some(0), 200),
        (100, Some(true), None, 200),
        (200, None, Some(1), 300),
        (300, Some(false), Some(0), 400),
        (650, Some(true), Some(1), 700),
        (650, None, None, 700),
    ] {
        match set {
            Some(true) => gauge.set(),
            Some(false) => gauge.unset(),
            None => {}
        }
        gauge.handle_timeout(ms(now));
        assert_eq!((gauge.poll_value(), gauge.deadline()), (value, ms(next)), "{now}");
    }
}

#[test]
fn an_interval_of_nothing_is_a_millisecond() {
    assert_eq!(LockHeld::new(Duration::ZERO, s(1)).deadline(), ms(1_001));
}
