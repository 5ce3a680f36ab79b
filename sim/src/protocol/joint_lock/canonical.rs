//! The canonical state of a joint lock: its possible futures, with times relative to a moment.
//!
//! The order in which members have ended is left out, since only its last error repeats it.

use super::timeout_runner::CanonicalMember;
use super::{JointLock, Phase, Stop};
use crate::protocol::runner::Runner;
use crate::time::Time;

/// The canonical state of a joint lock; equal states of the same settings have the same future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CanonicalJointLock {
    members: Vec<CanonicalMember>,
    started: usize,
    stage: Stage,
    ready: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Created,
    Exited,
    Running,
    Stopping(Stop),
}

impl JointLock<Runner> {
    /// The canonical state of the joint lock at `now`.
    pub fn canonical(&self, now: Time) -> CanonicalJointLock {
        CanonicalJointLock {
            members: self.members.iter().map(|it| it.canonical(now)).collect(),
            started: self.started,
            stage: match self.phase {
                Phase::Created => Stage::Created,
                Phase::Exited(_) => Stage::Exited,
                Phase::Running => Stage::Running,
                Phase::Stopping(stop) => Stage::Stopping(stop),
            },
            ready: self.ready,
        }
    }
}
