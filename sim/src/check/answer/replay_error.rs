//! Why a schedule was not repeated in the full world, which is a bug in the checker unless a clock
//! has a rate of its own.

use std::fmt;

use crate::scenario::ScenarioError;
use crate::time::Time;

/// Why a schedule was not repeated in the full world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The search cannot tell how it came to what it found.
    NoSchedule,
    /// The schedule cannot be written as a scenario.
    Scenario(String),
    /// The world cannot do what the schedule says, at this decision.
    Diverges {
        /// The number of the decision.
        decision: usize,
        /// When.
        time: Time,
        /// The kind of error.
        what: String,
    },
    /// The world does it all, and the property holds.
    Holds,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const REPORT: &str = "this is a bug in the checker, please report the question";
        match self {
            Self::NoSchedule => write!(f, "the search cannot reconstruct its schedule; {REPORT}"),
            Self::Scenario(error) => {
                write!(f, "the schedule is no valid scenario: {error}; {REPORT}")
            }
            Self::Diverges { decision, time, what } => write!(
                f,
                "the simulation and the search disagree at decision {decision}, {time} s: {what}; {REPORT}"
            ),
            Self::Holds => write!(
                f,
                "the simulation follows the schedule without breaking the property; {REPORT}"
            ),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<ScenarioError> for ReplayError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error.to_string())
    }
}

pub(in crate::check) const fn diverges(decision: usize, time: Time, what: String) -> ReplayError {
    ReplayError::Diverges { decision, time, what }
}
