//! The machines that a driver can drive, behind one face.

use std::fmt;

use locket_sim::protocol::error::LockError;
use locket_sim::protocol::joint_lock::{JointLock, JointLockError, Member as _, Signal};
use locket_sim::protocol::message::Response;
use locket_sim::protocol::runner::{CallId, Output, RequestIds, Runner, RunnerError};
use locket_sim::time::Time;

/// What is driven.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    /// Several locks that are wanted together.
    Joint(JointLock<Runner>),
    /// One lock or presence.
    Runner(Runner),
}

/// Why a machine ended by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MachineError {
    /// A member of the group ended.
    Joint(JointLockError<RunnerError>),
    /// The lock was lost.
    Runner(RunnerError),
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joint(error) => error.fmt(f),
            Self::Runner(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MachineError {}

impl Machine {
    pub(super) fn start(&mut self, now: Time, ids: &mut dyn RequestIds) {
        match self {
            Self::Joint(group) => group.start(now, ids, &mut ()),
            Self::Runner(runner) => runner.start(now, ids, &mut ()),
        }
    }

    pub(super) fn handle_reply(
        &mut self,
        member: usize,
        call: CallId,
        result: Result<Response, LockError>,
        now: Time,
        ids: &mut dyn RequestIds,
    ) {
        match self {
            Self::Joint(group) => group.handle_reply(member, call, result, now, ids, &mut ()),
            Self::Runner(runner) => runner.handle_reply(call, result, now, &mut ()),
        }
    }

    pub(super) fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds) {
        match self {
            Self::Joint(group) => group.handle_timeout(now, ids, &mut ()),
            Self::Runner(runner) => runner.handle_timeout(now, ids, &mut ()),
        }
    }

    pub(super) fn handle_signal(&mut self, now: Time, ids: &mut dyn RequestIds) {
        match self {
            Self::Joint(group) => group.handle_signal(Signal::Interrupt, now, ids, &mut ()),
            Self::Runner(runner) => runner.handle_signal(now, &mut ()),
        }
    }

    /// The next output, with the number of the member that it comes from.
    pub(super) fn poll_output(&mut self) -> Option<(usize, Output)> {
        match self {
            Self::Joint(group) => group.poll_output(),
            Self::Runner(runner) => Some((0, runner.poll_output()?)),
        }
    }

    pub(super) fn deadline(&self) -> Option<Time> {
        match self {
            Self::Joint(group) => group.deadline(),
            Self::Runner(runner) => runner.deadline(),
        }
    }

    pub(super) fn believes_held(&self, now: Time) -> bool {
        match self {
            Self::Joint(group) => group.believes_held(now),
            Self::Runner(runner) => runner.believes_held(now),
        }
    }

    /// When the first lease ends that is counted.
    pub(super) fn lease_ends(&self) -> Option<Time> {
        match self {
            Self::Joint(group) => {
                let members = group.members().iter();
                members.filter_map(|it| it.member().lease_ends()).min()
            }
            Self::Runner(runner) => runner.lease_ends(),
        }
    }

    /// Whether everything has been held at least once.
    pub(super) fn is_ready(&self) -> bool {
        match self {
            Self::Joint(group) => group.is_ready(),
            Self::Runner(runner) => runner.is_ready(),
        }
    }

    pub(super) fn exited(&self) -> Option<Result<(), MachineError>> {
        match self {
            Self::Joint(group) => Some(group.exited()?.map_err(MachineError::Joint)),
            Self::Runner(runner) => Some(runner.exited()?.clone().map_err(MachineError::Runner)),
        }
    }
}
