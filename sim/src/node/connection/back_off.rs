//! The wait after a round of attempts to connect that no process took, as grpc-go has it.
//!
//! The numbers are those of `backoff.DefaultConfig` and `Exponential.Backoff` in grpc-go 4793ad04
//! (1.85.0-dev), with which Cloud Foundry's jobs connect: the first wait has no jitter. Knows no
//! connection and no chance: a world draws when in a window the next round begins, and a search tries
//! each instant.

use crate::time::{Duration, Time};

/// The first wait.
pub(crate) const FIRST: Duration = Duration::from_seconds(1);
/// Each next one is longer by this factor, as a fraction.
pub(crate) const FACTOR: (u64, u64) = (8, 5);
/// The longest wait, before its jitter.
pub(crate) const LONGEST: Duration = Duration::from_seconds(120);
/// By how much each wait but the first varies, as a fraction.
pub(crate) const JITTER: (u64, u64) = (1, 5);
/// From so many failed rounds on, all waits are alike.
const ROUNDS: u8 = 12;

/// The rounds that have failed in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BackOff {
    /// The step of time; every random wait is a multiple of it.
    grain_ms: u32,
    failures: u8,
    failed_at: Time,
}

impl BackOff {
    /// Nothing has failed.
    pub(crate) fn new(grain: Duration) -> Self {
        let grain_ms = u32::try_from(grain.as_ms()).unwrap_or(u32::MAX).max(1);
        Self { grain_ms, failures: 0, failed_at: Time::ZERO }
    }

    /// The same after one more round that has failed `now`.
    pub(crate) fn failed(self, now: Time) -> Self {
        Self { failures: (self.failures + 1).min(ROUNDS), failed_at: now, ..self }
    }

    /// The same after a connection.
    pub(crate) const fn succeeded(self) -> Self {
        Self { failures: 0, failed_at: Time::ZERO, ..self }
    }

    /// The shortest and the longest wait after the last round; `None` if that has not failed.
    ///
    /// Rounds are looked at in steps, as of the first at or after each. Whatever happens to processes
    /// does so at a step, so that decides nothing, but a wait from such a step is shorter than its own
    /// by up to one. The first two rounds follow a step exactly.
    pub(crate) fn waits(self) -> Option<(Duration, Duration)> {
        let before = u32::from(self.failures.checked_sub(1)?);
        let grown = FIRST.as_ms() * FACTOR.0.pow(before) / FACTOR.1.pow(before);
        let wait = grown.min(LONGEST.as_ms());
        let jitter = if before == 0 { 0 } else { wait * JITTER.0 / JITTER.1 };
        let grain = u64::from(self.grain_ms);
        let up = |ms: u64| ms.next_multiple_of(grain);
        let shortest = match before {
            0 | 1 => up(wait - jitter),
            _ => ((wait - jitter) / grain * grain).max(grain),
        };
        Some((Duration::from_ms(shortest), Duration::from_ms(up(wait + jitter))))
    }

    /// When the next round may begin, and by when it has.
    pub(crate) fn window(self) -> Option<(Time, Time)> {
        self.waits()
            .map(|(shortest, longest)| (self.failed_at + shortest, self.failed_at + longest))
    }

    /// How many rounds have failed, and how long ago the last one has, as far as that matters.
    pub(crate) fn canonical(self, now: Time) -> Option<(u8, Duration)> {
        self.waits().map(|(_, longest)| (self.failures, now.since(self.failed_at).min(longest)))
    }

    /// How long after an outage of this length the next round may begin at the latest.
    pub(crate) fn longest_after(outage: Duration) -> Duration {
        let mut rounds = Self::new(Duration::ZERO);
        let mut begins = Duration::ZERO;
        let mut wait = Duration::ZERO;
        while begins <= outage {
            rounds = rounds.failed(Time::ZERO);
            let Some((shortest, longest)) = rounds.waits() else { break };
            (begins, wait) = (begins + shortest, longest);
        }
        wait
    }
}
