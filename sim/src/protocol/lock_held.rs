//! The gauge that tells operators which instance is the active one: `LockHeld`, 1 or 0.
//!
//! Ticks from the start of its process. The part that sets it is a [`Member`] of its own kind:
//! placed behind the lock in an ordered group, it is started when the lock is held. Knows no
//! lock and sends nothing itself.

use std::convert::Infallible;

use super::joint_lock::{Member, Signal};
use super::log::{Level, Log, LogRecord};
use super::runner::RequestIds;
use crate::time::{Duration, Time};

/// The metric's name.
pub const LOCK_HELD: &str = "LockHeld";

/// The gauge, with the runner that sets it (C25, C26).
///
/// Call [`handle_timeout`](Member::handle_timeout) at every [`deadline`](Member::deadline), then
/// send what [`poll_value`](Self::poll_value) gives. Upstream's processes never set it back to 0
/// when they lose the lock: they exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockHeld {
    interval: Duration,
    next_tick: Time,
    is_set: bool,
    /// To be sent.
    value: Option<u8>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Created,
    Exited,
    Started,
}

impl LockHeld {
    /// A gauge at 0 that ticks from `now` on. An interval of 0 counts as 1 ms.
    pub fn new(interval: Duration, now: Time) -> Self {
        let interval = interval.max(Duration::from_ms(1));
        Self {
            interval,
            next_tick: now + interval,
            is_set: false,
            value: None,
            phase: Phase::Created,
        }
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

    /// Takes why a value could not be sent. Nothing follows from it; the next one may arrive.
    pub fn handle_send_failure(&mut self, error: &str, log: &mut dyn Log) {
        let record = LogRecord::new(Level::Debug, "failed-to-emit-lock-heldmetric");
        log.record(&record.because(error));
    }
}

/// The runner that sets the gauge and waits for a signal.
impl Member for LockHeld {
    type Error = Infallible;

    fn start(&mut self, _: Time, _: &mut dyn RequestIds, _: &mut dyn Log) {
        if self.phase == Phase::Created {
            self.phase = Phase::Started;
            self.set();
        }
    }

    fn handle_signal(&mut self, _: Signal, _: Time, _: &mut dyn RequestIds, _: &mut dyn Log) {
        if self.phase == Phase::Started {
            self.phase = Phase::Exited;
        }
    }

    /// Ticks that were missed are one tick, and the rhythm stays.
    fn handle_timeout(&mut self, now: Time, _: &mut dyn RequestIds, _: &mut dyn Log) {
        if self.next_tick <= now {
            self.value = Some(self.is_set.into());
            let interval = self.interval.as_ms();
            let passed = now.since(self.next_tick).as_ms() / interval + 1;
            self.next_tick = self.next_tick + Duration::from_ms(passed.saturating_mul(interval));
        }
    }

    /// The gauge ticks whether its runner runs or not.
    fn deadline(&self) -> Option<Time> {
        Some(self.next_tick)
    }

    fn is_ready(&self) -> bool {
        self.phase != Phase::Created
    }

    fn exited(&self) -> Option<Result<(), Self::Error>> {
        (self.phase == Phase::Exited).then_some(Ok(()))
    }
}
