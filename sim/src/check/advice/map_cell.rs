//! A cell of the map of settings: where the property begins to break, and what is not known of it.

use serde::Serialize;

use crate::check::answer::ClientCount;
use crate::check::search::why_unknown::WhyUnknown;
use crate::check::search::{Search, Verdict};
use crate::time::Duration;

/// The result of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// How long the row lives.
    pub ttl: Duration,
    /// How long runners wait between attempts.
    pub retry_interval: Duration,
    /// The fewest steps that are known to break the property; `None` if none of those tried does.
    pub breaks_at: Option<u32>,
    /// The most steps with which nothing that was tried breaks it; `None` if not even 0 steps are.
    pub safe_up_to: Option<u32>,
    /// For how many clients they do; `None` if none are.
    pub clients: Option<ClientCount>,
    /// How many states were found for the cell.
    pub states: usize,
    /// Why the last search gave no verdict, if it did not.
    because: Option<WhyUnknown>,
}

/// The result for one pair of settings. Amounts are in the unit of the map's axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MapCell"))]
pub struct CellView {
    /// The TTL.
    #[serde(rename = "ttlMs")]
    pub ttl: Duration,
    /// The retry interval.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Duration,
    /// The smallest amount that is known to break the property; `null` if none tried does.
    pub breaks_at: Option<u64>,
    /// The largest amount with which the property holds within the bounds; `null` if not even 0 is.
    pub safe_up_to: Option<u64>,
    /// For how many clients that holds: `any`, or the number of the question's clients; `null` if
    /// nothing is known to be safe.
    pub clients: Option<ClientCount>,
    /// The reason, if the amounts between the two are unknown.
    pub because: Option<WhyUnknown>,
    /// The number of states found.
    pub states: usize,
}

impl Cell {
    /// A cell without any results yet.
    pub(super) const fn unknown(ttl: Duration, retry_interval: Duration) -> Self {
        Self {
            ttl,
            retry_interval,
            breaks_at: None,
            safe_up_to: None,
            clients: None,
            states: 0,
            because: None,
        }
    }

    /// Why it is unknown whether the steps between the two edges break the property, if it is.
    pub const fn because(&self) -> Option<WhyUnknown> {
        self.because
    }

    /// Records the verdict of a search with this many steps of the axis.
    pub(super) fn note(&mut self, steps: u32, search: &Search, max_steps: u32) {
        let (verdict, because) = search.judged();
        let safe_before = self.safe_up_to;
        match verdict {
            Verdict::Unsafe => self.breaks_at = Some(steps),
            Verdict::Safe => self.safe_up_to = Some(steps),
            // More steps may put the property to the test.
            Verdict::NeverExercised if steps < max_steps => self.safe_up_to = Some(steps),
            Verdict::NeverExercised
            | Verdict::NotFinished
            | Verdict::Preview
            | Verdict::Running => self.because = because,
        }
        if self.safe_up_to != safe_before {
            self.clients = Some(search.clients());
        }
    }

    /// The next number of steps to try: further off by the stride until the edge is passed, then
    /// halfway in between.
    pub(super) fn next_steps(&self, stride: u32, max_steps: u32) -> Option<u32> {
        if self.because.is_some() {
            return None;
        }
        match (self.safe_up_to, self.breaks_at) {
            (Some(safe), Some(edge)) if safe + 1 < edge => Some(safe + (edge - safe) / 2),
            (None, Some(edge)) if edge > 0 => Some(edge.saturating_sub(stride).max(edge / 2)),
            (Some(safe), None) if safe < max_steps => {
                Some(safe.saturating_add(stride).min(max_steps))
            }
            _ => None,
        }
    }

    /// The cell as it is written.
    pub(super) fn view(&self, amount: impl Fn(u32) -> u64) -> CellView {
        CellView {
            ttl: self.ttl,
            retry_interval: self.retry_interval,
            breaks_at: self.breaks_at.map(&amount),
            safe_up_to: self.safe_up_to.map(&amount),
            clients: self.clients,
            because: self.because(),
            states: self.states,
        }
    }
}
