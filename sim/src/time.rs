//! Points in time and lengths of time, in whole milliseconds.
//!
//! Own types instead of `std::time`: `Instant` traps on wasm32, and a run must not depend on
//! a machine's clock. Arithmetic saturates at the end of time (`u64::MAX - 1` milliseconds,
//! half a billion years), because no input may make it wrap or panic.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::Add;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};

use crate::unit_text;

/// A point in time: whole milliseconds since the clock's own zero.
///
/// Written as that number, by a member whose name ends in `Ms`.
// One more than the milliseconds, so that a time that may be missing takes no more room: a client
// has many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(NonZeroU64);

impl Time {
    /// The start of every clock.
    pub const ZERO: Self = Self(NonZeroU64::MIN);

    /// The end of every clock: later than anything that happens.
    pub const MAX: Self = Self(NonZeroU64::MAX);

    /// The point `ms` milliseconds after the clock's zero.
    pub const fn from_ms(ms: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(ms))
    }

    /// Milliseconds since the clock's zero.
    pub const fn as_ms(self) -> u64 {
        self.0.get() - 1
    }

    /// How long before `self` the `earlier` point was; zero when it was not earlier.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration(self.0.get().saturating_sub(earlier.0.get()))
    }
}

impl Default for Time {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ms().serialize(serializer)
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.0))
    }
}

impl fmt::Display for Time {
    /// Seconds with three decimals: `15.000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.as_ms();
        write!(f, "{}.{:03}", ms / 1000, ms % 1000)
    }
}

/// A length of time in whole milliseconds.
///
/// In text it is a number with its unit: `"15s"`, `"250ms"`, `"1.5m"`, `"2h"`. A bare number is
/// refused: 5 may mean seconds or milliseconds, and a verdict about the wrong one would mislead.
/// Answers have the number of milliseconds, in a member whose name ends in `Ms`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Duration(u64);

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// The grain of time.
    pub const INSTANT: Self = Self(1);

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// `seconds` seconds, saturating.
    pub const fn from_seconds(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// The length in milliseconds.
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// So many times as long.
    pub(crate) fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(count.into()))
    }
}

impl From<std::time::Duration> for Duration {
    /// Whole milliseconds; a fraction of one is left out.
    fn from(duration: std::time::Duration) -> Self {
        Self(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    }
}

/// Durations as a person writes them: `15.seconds()`.
///
/// ```
/// use locket_sim::time::{Duration, DurationExt as _};
///
/// assert_eq!(15.seconds(), Duration::from_ms(15_000));
/// assert_eq!(500.millis() + 1.minutes(), Duration::from_ms(60_500));
/// ```
pub trait DurationExt {
    /// So many milliseconds.
    fn millis(self) -> Duration;
    /// So many seconds.
    fn seconds(self) -> Duration;
    /// So many minutes.
    fn minutes(self) -> Duration;
}

impl DurationExt for u64 {
    fn millis(self) -> Duration {
        Duration::from_ms(self)
    }

    fn seconds(self) -> Duration {
        Duration::from_seconds(self)
    }

    fn minutes(self) -> Duration {
        Duration::from_seconds(self.saturating_mul(60))
    }
}

impl Add for Duration {
    type Output = Self;

    /// The sum, saturating.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Duration {
    /// The largest unit that leaves no remainder: `15s`, `250ms`, `2m`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, unit) = UNITS
            .iter()
            .rev()
            .find(|(_, ms)| self.0 != 0 && self.0.is_multiple_of(*ms))
            .map_or((self.0 / 1000, "s"), |(unit, ms)| (self.0 / ms, unit));
        write!(f, "{count}{unit}")
    }
}

/// Why a text is not a [`Duration`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDurationError {
    text: String,
}

impl fmt::Display for ParseDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.trim();
        let shown: String = text.chars().take(SHOWN_MAX).collect();
        let is_bare = text.ends_with(|last: char| last.is_ascii_digit());
        // A text that is cut short here cannot show how to write it.
        if shown == text
            && is_bare
            && let Some(ms) = parse_ms(&format!("{text}s"))
        {
            return write!(f, "{text} has no unit; write {text}s or {ms}ms");
        }
        write!(f, "{shown:?} is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h")
    }
}

impl std::error::Error for ParseDurationError {}

impl FromStr for Duration {
    type Err = ParseDurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_ms(text).map(Self).ok_or_else(|| ParseDurationError { text: text.to_owned() })
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a duration with its unit, such as \"15s\" or \"250ms\"";
        unit_text::deserialize(deserializer, expected, without_unit)
    }
}

/// The error of a bare number of JSON. A large one is in milliseconds, as JavaScript counts.
pub(crate) fn without_unit(number: u64) -> String {
    if number < 1_000 {
        let text = number.to_string();
        return ParseDurationError { text }.to_string();
    }
    let thousandths = format!("{:03}", number % 1_000);
    let digits = thousandths.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{number} has no unit; write {}{point}{digits}s or {number}ms", number / 1_000)
}

/// How many characters of a text an error shows.
const SHOWN_MAX: usize = 40;

/// Units from small to large, with their length in milliseconds.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];

/// `"1.5s"` → 1500. Integers only: a float could round differently on another platform.
fn parse_ms(text: &str) -> Option<u64> {
    let text = text.trim();
    // Bytes, since a scenario may have thousands of durations.
    let unit_at = text.bytes().position(|it| it != b'.' && !it.is_ascii_digit());
    let (number, unit) = text.split_at(unit_at?);
    let (_, unit_ms) = UNITS.iter().find(|(name, _)| *name == unit.trim_start())?;
    let point = number.bytes().position(|it| it == b'.');
    let whole = &number[..point.unwrap_or(number.len())];
    let whole_ms = whole.parse::<u64>().ok()?.checked_mul(*unit_ms)?;
    let Some(point) = point else {
        return Some(whole_ms);
    };
    let fraction = &number[point + 1..];
    let scale = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction_ms = fraction.parse::<u64>().ok()?.checked_mul(*unit_ms)?;
    if !fraction_ms.is_multiple_of(scale) {
        return None;
    }
    whole_ms.checked_add(fraction_ms / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_prints_in_the_largest_whole_unit() {
        let shown =
            [0, 250, 1_500, 15_000, 120_000, 3_600_000].map(|ms| Duration::from_ms(ms).to_string());
        assert_eq!(shown, ["0s", "250ms", "1500ms", "15s", "2m", "1h"]);
    }

    #[test]
    fn the_end_of_time_does_not_wrap() {
        let end = Time::from_ms(u64::MAX);
        assert_eq!(end + Duration::from_seconds(1), end);
    }
}
