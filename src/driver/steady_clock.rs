//! One time out of two clocks, for machines that may be suspended.
//!
//! A monotonic clock never goes back, but on most systems it is frozen while a laptop sleeps. The
//! wall clock goes on, but may be set. TTLs at Locket go on too. So the time that the wall clock
//! has gained on the monotonic clock counts as passed. Reads no clock.

use locket_sim::time::{Duration, Time};

/// The times of both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Since any moment, as long as it is always the same.
    pub monotonic: Time,
    /// Since 1970; `None` where there is no second clock, as with a virtual one.
    pub wall: Option<Time>,
}

/// A gap between the clocks that is less than this is how they are read, not a suspension.
/// Browsers that guard against fingerprinting round each clock to as much as 17 ms.
pub const SUSPENSION_MIN: Duration = Duration::from_ms(100);

/// Time that passes also while the machine is suspended. It does not go back, not even with a
/// monotonic clock that is set back, as fake timers do in a test: that jump counts for nothing,
/// and what passes afterwards counts.
///
/// It errs to the safe side: a wall clock that is set forward looks like a suspension, and a
/// runner that counts its lease gives it up. A wall clock that is set back while the machine is
/// suspended hides as much of the suspension.
#[derive(Clone, Debug, Default)]
pub struct SteadyClock {
    now: Time,
    /// The last time of the monotonic clock.
    monotonic: Time,
    /// By how much the wall clock was ahead of the monotonic one, in ms, when they agreed last.
    ahead: Option<i128>,
}

impl SteadyClock {
    /// The time, and how long the machine had been suspended if it just woke up.
    pub fn read(&mut self, reading: Reading) -> (Time, Option<Duration>) {
        let suspended = reading.wall.and_then(|wall| self.compare(reading.monotonic, wall));
        let passed = reading.monotonic.since(self.monotonic);
        self.monotonic = reading.monotonic;
        self.now = self.now + passed + suspended.unwrap_or(Duration::ZERO);
        (self.now, suspended)
    }

    fn compare(&mut self, monotonic: Time, wall: Time) -> Option<Duration> {
        let ahead = i128::from(wall.as_ms()) - i128::from(monotonic.as_ms());
        let before = *self.ahead.get_or_insert(ahead);
        let gained = Duration::from_ms(u64::try_from(ahead - before).unwrap_or(0));
        let is_suspension = gained >= SUSPENSION_MIN;
        // Smaller gains add up, so that slow gains count too.
        if is_suspension || ahead < before {
            self.ahead = Some(ahead);
        }
        is_suspension.then_some(gained)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(monotonic: u64, wall: u64) -> Reading {
        Reading {
            monotonic: Time::from_ms(monotonic),
            wall: Some(Time::from_ms(1_700_000_000_000 + wall)),
        }
    }

    /// The result after each of these readings: the time, and the time found missing.
    fn read(readings: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut clock = SteadyClock::default();
        let mut one = |&(monotonic, wall): &(u64, u64)| {
            let (now, suspended) = clock.read(reading(monotonic, wall));
            (now.as_ms(), suspended.map_or(0, Duration::as_ms))
        };
        readings.iter().map(&mut one).collect()
    }

    #[test]
    fn time_that_only_the_wall_clock_has_seen_has_passed() {
        let read = read(&[(50, 0), (1_050, 1_000), (1_051, 61_000), (2_051, 62_000)]);
        assert_eq!(read, [(50, 0), (1_050, 0), (61_050, 59_999), (62_050, 0)]);
    }

    #[test]
    fn how_clocks_are_rounded_is_no_suspension() {
        let read = read(&[(0, 0), (16, 33), (33, 33), (50, 83), (83, 83)]);
        assert!(read.iter().all(|&(_, suspended)| suspended == 0), "{read:?}");
        assert_eq!(read.last(), Some(&(83, 0)));
    }

    #[test]
    fn short_suspensions_add_up() {
        let read = read(&[(0, 0), (10, 70), (20, 140)]);
        assert_eq!(read, [(0, 0), (10, 0), (140, 120)]);
    }

    #[test]
    fn a_wall_clock_that_is_set_back_changes_nothing() {
        let read = read(&[(0, 100_000), (1_000, 1_000), (2_000, 2_000), (2_001, 9_000)]);
        assert_eq!(read, [(0, 0), (1_000, 0), (2_000, 0), (9_000, 6_999)]);
    }

    #[test]
    fn a_monotonic_clock_that_is_set_back_stops_nothing() {
        let mut clock = SteadyClock::default();
        for (monotonic, expected) in [(5, 5), (3, 5), (3, 5), (6, 8), (0, 8), (9, 17)] {
            let monotonic = Time::from_ms(monotonic);
            let reading = Reading { monotonic, wall: None };
            assert_eq!(clock.read(reading), (Time::from_ms(expected), None));
        }
    }
}
