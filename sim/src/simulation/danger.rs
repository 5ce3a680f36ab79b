//! How near a run is to two owners, moment by moment, and when they cannot be avoided any more.
//!
//! At each moment the run is gone on from a copy: **all that is wrong ends then, and of the faults
//! that the scenario plans none follows**; clients start, stop and call as planned. Then one node
//! stands still for a while from that moment on, and the shortest such while is looked for with
//! which two clients act at once under one key. None at all is needed if they do so anyway.
//!
//! A moment is *right before* what happens at it, so a pause holds that up. From the **point of no
//! return** on, to the millisecond, two owners come about although nothing more goes wrong and
//! whatever is wrong ends at once.
//!
//! What is tried: every client and every Locket process as the node that stands still, and every
//! multiple of the grain as the length. A continuation is followed until the run's end, and until
//! two leases and two retry intervals after the trouble, ten minutes at most.
//!
//! What is not: that anything else goes wrong, then or later; that messages which are sent from
//! then on take longer than the least that their link takes (one that is on its way arrives when it
//! does in the run); and that things which are due at one instant happen in another order than the
//! world's own, which moves what is found by a millisecond or a grain. So what is safe here is
//! safe in this run; for every schedule there is [`check`](crate::check).

mod search;
mod text;

pub use crate::scenario::Trouble;

pub use search::DangerSearch;

use super::error::SimulationError;
use crate::time::{Duration, Time};

/// What is asked of each moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DangerQuestion {
    /// What befalls a node.
    pub trouble: Trouble,
    /// For how long at most, from the grain to an hour; what is safe is safe up to that.
    pub longest: Duration,
    /// By how much its length is raised until two act.
    pub grain: Duration,
    /// How far moments are apart; the first is the start of the run.
    pub step: Duration,
}

impl Default for DangerQuestion {
    fn default() -> Self {
        Self {
            trouble: Trouble::Pause,
            longest: Duration::from_seconds(30),
            grain: Duration::from_seconds(1),
            step: Duration::from_seconds(1),
        }
    }
}

/// How near a moment is to two owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DangerMoment {
    /// The moment, right before what happens at it.
    pub at: Time,
    /// The shortest trouble from this moment on with which two act at once. 0 says that it needs
    /// none: they do so now, or will although nothing more goes wrong. `None` says that not even the
    /// longest suffices.
    pub smallest: Option<Duration>,
    /// The node whose trouble it is; `None` where none is needed or none suffices.
    pub node: Option<String>,
}

/// How near a run is to two owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DangerProfile {
    /// What was asked.
    pub question: DangerQuestion,
    /// The moments, in order.
    pub moments: Vec<DangerMoment>,
    /// The first moment, to the millisecond, at which nothing more needed to go wrong.
    pub point_of_no_return: Option<Time>,
    /// When two clients first acted at once in the run itself.
    pub two_owners_at: Option<Time>,
}

/// The most moments, and the most lengths that are tried at each.
const COUNT_MAX: u64 = 10_000;
/// The longest trouble.
const LONGEST_MAX: Duration = Duration::from_seconds(3600);

impl DangerQuestion {
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
                format!("expected at most {COUNT_MAX} lengths to try"),
            );
        }
        if end.as_ms() / self.step.as_ms() >= COUNT_MAX {
            return wrong(
                "step",
                format!("expected at most {COUNT_MAX} moments until {end} s"),
            );
        }
        Ok(())
    }
}
