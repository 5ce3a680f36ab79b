//! The gauge that tells operators which instance is the active one: `LockHeld`, 1 or 0.
//!
//! Ticks from the start of its process. Knows no lock and sends nothing itself.

use crate::time::{Duration, Time};

/// The metric's name.
pub const LOCK_HELD: &str = "LockHeld";

/// The gauge (C25, C26).
///
/// Call [`handle_timeout`](Self::handle_timeout) at every [`deadline`](Self::deadline), then
/// send what [`poll_value`](Self::poll_value) gives. Upstream's processes never set it back to 0
/// when they lose the lock: they exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockHeld {
    interval: Duration,
    next_tick: Time,
    is_set: bool,
    /// To be sent.
    value: Option<u8>,
}

impl LockHeld {
    /// A gauge at 0 that ticks from `now` on. An interval of 0 counts as 1 ms.
    pub fn new(interval: Duration, now: Time) -> Self {
        let interval = interval.max(Duration::from_ms(1));
        Self { interval, next_tick: now + interval, is_set: false, value: None }
    }

    /// Makes it 1.
    pub const fn set(&mut self) {
        self.is_set = true;
    }

    /// Makes it 0.
    pub const fn unset(&mut self) {
        self.is_set = false;
    }

    /// The value to send as [`LOCK_HELD`], once for each tick.
    pub const fn poll_value(&mut self) -> Option<u8> {
        self.value.take()
    }

    /// Ticks that were missed are one tick, and the rhythm stays.
    pub fn handle_timeout(&mut self, now: Time) {
        if self.next_tick <= now {
            self.value = Some(self.is_set.into());
            let interval = self.interval.as_ms();
            let passed = now.since(self.next_tick).as_ms() / interval + 1;
            self.next_tick = self.next_tick + Duration::from_ms(passed.saturating_mul(interval));
        }
    }

    /// The next tick.
    pub const fn deadline(&self) -> Time {
        self.next_tick
    }
}
