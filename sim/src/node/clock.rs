//! A node's own clock: offset from the world's, and its rate.
//!
//! Machines use their node's local time. Locket and its runners use monotonic clocks, so
//! only the rate matters to them; the offset shows that it does not.

use crate::time::{Duration, Time};

/// A clock that started `offset` ahead and runs `rate_ppm` parts per million fast or slow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeClock {
    /// How far ahead it was at the world's zero.
    pub offset: Duration,
    /// How many microseconds a second it gains, from −900,000 to 9,000,000.
    pub rate_ppm: i32,
    /// How long it was frozen: a suspended machine's monotonic clock does not run.
    stood_still: Duration,
}

/// Ticks of a clock that runs true, in the time of one tick of the world.
const TRUE_RATE: u64 = 1_000_000;
/// The slowest clock, in parts per million of the world's.
pub const RATE_PPM_MIN: i32 = -900_000;
/// The fastest clock.
pub const RATE_PPM_MAX: i32 = 9_000_000;

impl NodeClock {
    /// A clock; its rate is brought into range.
    pub fn new(offset: Duration, rate_ppm: i32) -> Self {
        let rate_ppm = rate_ppm.clamp(RATE_PPM_MIN, RATE_PPM_MAX);
        Self { offset, rate_ppm, stood_still: Duration::ZERO }
    }

    /// The clock's time at a point of the world's time.
    #[inline]
    pub fn local(&self, world: Time) -> Time {
        let running = world.since(Time::ZERO + self.stood_still);
        if self.rate_ppm == 0 {
            return Time::ZERO + running + self.offset;
        }
        Time::ZERO + self.shown_in(running) + self.offset
    }

    /// How far a clock that does not run true goes in a length of the world's time.
    #[cold]
    fn shown_in(&self, running: Duration) -> Duration {
        let running = u128::from(running.as_ms());
        let shown = running * u128::from(self.rate()) / u128::from(TRUE_RATE);
        Duration::from_ms(u64::try_from(shown).unwrap_or(u64::MAX))
    }

    /// The first point of the world's time at which the clock shows `local` or later.
    #[inline]
    pub fn world(&self, local: Time) -> Time {
        let shown = local.since(Time::ZERO + self.offset);
        if self.rate_ppm == 0 {
            return Time::ZERO + shown + self.stood_still;
        }
        Time::ZERO + self.running_until(shown) + self.stood_still
    }

    /// The length of the world's time in which such a clock goes so far, rounded up.
    #[cold]
    fn running_until(&self, shown: Duration) -> Duration {
        let shown = u128::from(shown.as_ms());
        let running = (shown * u128::from(TRUE_RATE)).div_ceil(u128::from(self.rate()));
        Duration::from_ms(u64::try_from(running).unwrap_or(u64::MAX))
    }

    /// Freezes the clock for a length of the world's time.
    pub fn freeze(&mut self, duration: Duration) {
        self.stood_still =
            Duration::from_ms(self.stood_still.as_ms().saturating_add(duration.as_ms()));
    }

    fn rate(&self) -> u64 {
        TRUE_RATE.saturating_add_signed(self.rate_ppm.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_found_where_the_clock_first_shows_it() {
        for rate_ppm in [-500_000, -1, 0, 1, 250_000, 1_000_000] {
            let clock = NodeClock::new(Duration::from_ms(77), rate_ppm);
            for local in (77..3000).map(Time::from_ms) {
                let world = clock.world(local);
                assert!(clock.local(world) >= local, "{rate_ppm} {local}");
                let before = Time::from_ms(world.as_ms().saturating_sub(1));
                assert!(world == before || clock.local(before) < local, "{rate_ppm} {local}");
            }
        }
    }
}
