//! The safety margin of a run at each moment, and its point of no return.
//!
//! At each moment a copy of the run continues. **All faults end then, and no planned fault of the
//! scenario follows**; clients start, stop and call as planned. Then one node is paused from that
//! moment on. The search finds the shortest pause that gives a key two owners at the same time. It
//! is zero if there are two owners in any case.
//!
//! A moment is *right before* what happens at it, so a pause holds that up. From the **point of no
//! return** on, to the millisecond, there will be two owners although all faults end at once and no
//! other fault follows.
//!
//! The search tries every client and every Locket process as the paused node, and every multiple of
//! the grain as the length. It follows a continuation until the run's end, and until two leases and
//! two retry intervals after the fault, ten minutes at most.
//!
//! The search does not try:
//!
//! * any other fault, then or later;
//! * slow messages: those sent from then on take the shortest time of their link, and those on
//!   their way arrive as in the run;
//! * other orders of simultaneous events, which move the result by a millisecond or a grain.
//!
//! So a result is about this run. [`check`](crate::check) answers for every schedule.

mod search;
mod text;

pub use crate::scenario::NodeFault;

pub use search::SafetyMarginSearch;

use serde::Serialize;

use super::error::SimulationError;
use crate::time::{Duration, Time};

/// The question for each moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginQuestion {
    /// The fault of a node.
    pub fault: NodeFault,
    /// The longest fault that is tried, from the grain to an hour.
    pub longest: Duration,
    /// The step in which lengths are tried.
    pub grain: Duration,
    /// How far moments are apart; the first is the start of the run.
    pub step: Duration,
}

impl Default for MarginQuestion {
    fn default() -> Self {
        Self {
            fault: NodeFault::Pause,
            longest: Duration::from_seconds(30),
            grain: Duration::from_seconds(1),
            step: Duration::from_seconds(1),
        }
    }
}

/// The safety margin at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SafetyMarginMoment")
)]
pub struct MarginMoment {
    /// The moment, right before its events.
    #[serde(rename = "atMs")]
    pub at: Time,
    /// The shortest pause from this moment on that leads to two owners. 0: no pause is needed; there
    /// are two owners now, or will be without a further fault. `null`: not even the longest pause
    /// leads to two owners.
    #[serde(rename = "smallestMs")]
    pub smallest: Option<Duration>,
    /// The client or Locket process to pause; `null` if no pause is needed or none suffices.
    pub node: Option<String>,
}

/// The safety margin of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SafetyMargin {
    /// The question.
    #[serde(skip)]
    pub question: MarginQuestion,
    /// The moments, in order.
    pub moments: Vec<MarginMoment>,
    /// The point of no return, to the millisecond: from here on, two owners occur even if every
    /// fault ends at once. `null` if there is none.
    #[serde(rename = "pointOfNoReturnMs")]
    pub point_of_no_return: Option<Time>,
    /// When the run itself first has two owners; `null` if it never does.
    #[serde(rename = "twoOwnersMs")]
    pub two_owners_at: Option<Time>,
}

/// The most moments, and the most lengths that are tried at each.
const COUNT_MAX: u64 = 10_000;
/// The longest fault.
const LONGEST_MAX: Duration = Duration::from_seconds(3600);

impl MarginQuestion {
    /// The first thing that is wrong with it for a run until `end`.
    fn check(&self, end: Time) -> Result<(), SimulationError> {
        let wrong = |field: &str, message: String| Err(SimulationError::argument(field, message));
        for (field, time) in [("step", self.step), ("grain", self.grain)] {
            if time == Duration::ZERO {
                return wrong(field, "expected more than 0".to_owned());
            }
        }
        if !(self.grain..=LONGEST_MAX).contains(&self.longest) {
            return wrong(
                "longest",
                format!("expected {} to {LONGEST_MAX}", self.grain),
            );
        }
        if self.longest.as_ms() / self.grain.as_ms() > COUNT_MAX {
            return wrong(
                "grain",
                format!(
                    "expected at most {COUNT_MAX} lengths up to {}; choose a coarser grain",
                    self.longest
                ),
            );
        }
        if end.as_ms() / self.step.as_ms() >= COUNT_MAX {
            return wrong(
                "step",
                format!("expected at most {COUNT_MAX} moments until {end} s; choose a longer step"),
            );
        }
        Ok(())
    }
}
