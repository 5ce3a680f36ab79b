//! Clocks that drift: each rate stays within a share of that of real time, and may vary.
//!
//! In a search of one client that follows only rows, take the clock of the client as the axis of time.
//! All that its runner measures is exact then, whatever its rate. With a share of `e`, a TTL that a
//! process measures takes at least `(1 − e) / (1 + e)` of it on that axis, and any other bound takes at
//! most `(1 + e) / (1 − e)` of it. A row may go at any time from the end of its TTL on, so a search with
//! an earlier end and with longer bounds is a proof for all such clocks. All are rounded to whole steps
//! of the search, away from what is safe.

use super::Question;
use super::bounds::Bounds;
use super::faults::{ByRows, Does, Fault};
use super::grid::gcd;
use super::storage::WriteLatency;
use crate::protocol::profile::ExpiryRule;
use crate::scenario::Share;
use crate::time::Duration;

/// The largest drift that is asked about, in thousandths.
pub(super) const DRIFT_MAX: u32 = 500;

impl Share {
    /// The least that so much time by one clock is by another, in whole steps.
    pub(in crate::check) fn shortest(self, time: Duration, step_ms: u64) -> Duration {
        let [slow, fast] = self.rates();
        Duration::from_ms(time.as_ms() * slow / fast / step_ms * step_ms)
    }

    /// The most that so much time by one clock is by another, in whole steps.
    fn longest(self, time: Duration, step_ms: u64) -> Duration {
        let [slow, fast] = self.rates();
        Duration::from_ms((time.as_ms() * fast).div_ceil(slow * step_ms) * step_ms)
    }

    /// The drift as a part of a sentence.
    pub(in crate::check) fn words(self) -> String {
        self.to_string().replace('%', " %")
    }

    fn rates(self) -> [u64; 2] {
        let drift = u64::from(self.per_mille());
        [1_000 - drift, 1_000 + drift]
    }
}

impl Question {
    /// By how much its clocks may drift. Given rates are a drift that does not vary.
    pub(in crate::check) fn drift(&self) -> Share {
        let rates = self.clients.iter().map(|it| it.rate_ppm.unsigned_abs().div_ceil(1_000));
        let drift = rates.max().unwrap_or_default().max(self.bounds.drift.per_mille());
        Share::of_per_mille(drift.min(1_000))
    }

    /// The question of one client with the bounds that it may see by a clock that drifts. A row may go
    /// earlier, too, of which the [explorer](crate::check::explorer) knows.
    pub(super) fn seen_with(mut self, drift: Share) -> Self {
        let step_ms = self.step_of_drift();
        let seen = |time| drift.longest(time, step_ms);
        let Bounds { latency, database_latency, faults, .. } = &mut self.bounds;
        (*latency, *database_latency) = (seen(*latency), seen(*database_latency));
        for fault in Fault::ALL {
            faults[fault].length = seen(faults[fault].length);
        }
        let write_latency = self.storage.as_mut().map(|it| &mut it.write_latency);
        if let Some(WriteLatency::UpTo(longest)) = write_latency {
            *longest = seen(*longest);
        }
        self.bounds.drift = Share::default();
        self.grid = Some(Duration::from_ms(step_ms));
        self.profile.expiry = ExpiryRule::UpstreamTimers;
        self
    }

    /// By longer steps than a second, a TTL would lose too much.
    fn step_of_drift(&self) -> u64 {
        gcd(self.unit_ms(), 1_000)
    }

    /// The largest drift with which no time that plays a part is off by more than a step of the search.
    pub(super) fn drift_within_a_step(&self) -> Share {
        let (step, bounds) = (self.step_of_drift(), &self.bounds);
        let plays_a_part =
            |it: &Fault| it.by_rows() == ByRows::Tried || it.does(Does::HoldsUpAnswers);
        let lengths = Fault::ALL.into_iter().filter(plays_a_part);
        let times = lengths.map(|it| bounds.faults[it].length);
        let times = times.chain([bounds.latency, bounds.database_latency]);
        let times = times.chain(self.write_latency()).map(Duration::as_ms);
        let times = times.chain(self.clients.iter().map(|it| it.ttl.as_ms() - step));
        let per_mille = times.map(|time| 1_000 * step / (2 * time + step)).min();
        Share::of_per_mille(per_mille.unwrap_or_default().min(DRIFT_MAX.into()) as u32)
    }
}
