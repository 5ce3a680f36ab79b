//! The safety margin of a run at each moment, and its point of no return.
//!
//! At each moment a copy of the run continues. **Faults in force go on and end as in the run, and no
//! planned fault of the scenario follows**; clients start, stop and call as planned. Then one node
//! is paused from that moment on. The search finds the shortest pause that does [`Harm`]: it gives
//! a key two owners at the same time, or in a run without rivals it makes the row of a presence
//! expire. It is zero if that happens in any case. If the node is paused already, that pause lasts
//! so long from the moment on.
//!
//! There is a moment for each step, *right before* what happens at it, so a pause holds that up.
//! There are further ones *right after* events by which a node stops or goes on, or the harm
//! begins or ends.
//!
//! The harm is **unavoidable** while it occurs although all faults end at once and no other fault
//! follows. That begins at a **point of no return**. It is not told where the run itself refutes
//! it, because a later act prevents the harm.
//!
//! The search tries every client and every Locket process as the paused node, and every multiple of
//! the grain as the length. It follows a continuation until the run's end, and until two TTLs and
//! two retry intervals after the fault, ten minutes at most.
//!
//! The search does not try:
//!
//! * any other fault, then or later;
//! * slow messages: those sent from then on take the shortest time of their link, and those on
//!   their way arrive as in the run;
//! * messages lost or duplicated by chance: links that lose all do so;
//! * other orders of simultaneous events, which move the result by a millisecond or a grain.
//!
//! So a result is about this run. [`check`](crate::check) answers for every schedule.

mod no_return;
mod run_under_way;
mod search;
mod text;

pub use crate::scenario::{Harm, NodeFault};

pub use no_return::Unavoidable;
pub use search::SafetyMarginSearch;

use serde::Serialize;

use super::error::SimulationError;
use crate::time::{Duration, Time};

/// The question for each moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginQuestion {
    /// The fault of a node.
    pub fault: NodeFault,
    /// The longest fault that is tried, from the step of its length to an hour.
    pub longest: Duration,
    /// The step in which lengths are tried.
    pub grain: Duration,
    /// The time between two moments; the first is the start of the run.
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
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SafetyMarginMoment"))]
pub struct MarginMoment {
    /// The moment.
    #[serde(rename = "atMs")]
    pub at: Time,
    /// True if it is right after the events of its time; else it is right before them.
    #[serde(rename = "after")]
    pub is_after: bool,
    /// The shortest pause from this moment on that leads to the harm. 0: no pause is needed; the
    /// harm is there now, or will be without a further fault. `null`: not even the longest pause
    /// leads to it.
    #[serde(rename = "smallestMs")]
    pub smallest: Option<Duration>,
    /// The client or Locket process to pause; `null` if no pause is needed or none suffices.
    pub node: Option<String>,
    /// True if the node is paused already. Then the pause has to last so long from this moment on.
    pub lasts_already: bool,
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
    /// When the harm is unavoidable: it occurs even if every fault ends at once.
    pub unavoidable: Vec<Unavoidable>,
    /// The point of no return: the start of the first such time. `null` if there is none.
    #[serde(rename = "pointOfNoReturnMs")]
    pub point_of_no_return: Option<Time>,
    /// The harm: two owners of a key, or in a run without rivals a presence that is missing.
    pub harm: Harm,
    /// When the run itself first has the harm; `null` if it never does.
    #[serde(rename = "harmMs")]
    pub harm_at: Option<Time>,
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
            return wrong("longest", format!("expected {} to {LONGEST_MAX}", self.grain));
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
