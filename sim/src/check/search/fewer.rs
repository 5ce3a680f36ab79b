//! A question with too many states for a search of all its schedules: few schedules of two of its
//! clients may be enough to break the property.
//!
//! Each client alone gives a bound: no schedule of any number of clients breaks the property with
//! fewer faults than that, or with as many and earlier. So a schedule of two clients that is as small
//! is the smallest of all. It is looked for in the order of time, whatever the number of faults up to
//! that of the bound.

use super::store::Cost;
use super::{Ended, Search, Verdict};
use crate::check::explorer::Explorer;

/// How many clients are asked: enough for two owners.
const ENOUGH: usize = 2;

impl Search {
    /// Continues after a search that was cut, for up to this many visits.
    pub(super) fn ask_fewer_until(&mut self, until: u64) {
        if !self.has_asked_fewer && self.ended == Some(Ended::Cut) && self.first.is_none() {
            self.has_asked_fewer = true;
            self.fewer = self.of_fewer().map(Box::new);
        }
        let budget = until.saturating_sub(self.visits());
        let Some(mut fewer) = self.fewer.take() else {
            return;
        };
        let verdict = fewer.run(budget);
        if verdict == Verdict::Running {
            self.fewer = Some(fewer);
        } else if verdict == Verdict::Unsafe && Some(fewer.reached()) == self.lower_bound() {
            fewer.visits += self.visits;
            fewer.visits_before = self.visits_before;
            fewer.has_asked_fewer = true;
            fewer.each_client = std::mem::take(&mut self.each_client);
            *self = *fewer;
        } else {
            self.visits += fewer.visits();
        }
    }

    /// The search of fewer clients, if there is a bound and the question has limits.
    fn of_fewer(&self) -> Option<Self> {
        let (faults, ms) = self.lower_bound().filter(|_| self.counts.is_none())?;
        let mut question = self.asked.clone();
        question.clients.truncate(ENOUGH);
        let explorer = Explorer::new(question, self.explorer.reductions).with_faults(faults);
        let time = u32::try_from(ms / explorer.unit_ms).ok()?;
        let mut search = Self::of(explorer, self.asked.clone(), self.found.states_max);
        search.last = Some((faults, time));
        Some(search)
    }

    /// True if no violation that is looked for takes as much.
    pub(super) fn is_beyond(&self, cost: Cost) -> bool {
        self.last.is_some_and(|last| cost > last)
    }
}
