//! One interface of everything that keeps locks: a runner, or a joint lock.
//!
//! Logs nothing; a caller that wants log records drives the machines directly.

use std::fmt;

use super::error::LockError;
use super::joint_lock::{
    CanonicalJointLock, JointLock, JointLockError, LatePolicy, Member as _, Signal,
};
use super::message::Response;
use super::runner::{
    CallId, CanonicalRunner, Output, RequestIds, Runner, RunnerError, RunnerSettings,
    SharedSettings,
};
use crate::time::{Duration, Time};

/// The runner or joint lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    /// Several locks that are wanted together.
    Joint(JointLock<Runner>),
    /// One lock or presence.
    Runner(Runner),
}

/// The settings of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MachineSettings {
    /// Several locks that are wanted together, each named by its key.
    Joint(Box<JointSettings>),
    /// One lock or presence.
    Runner(SharedSettings),
}

/// The settings of a joint lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JointSettings {
    /// In the order in which they are taken.
    pub members: Vec<SharedSettings>,
    /// How long all but the first have to become ready.
    pub timeout: Duration,
    /// The treatment of a key that is late.
    pub late_policy: LatePolicy,
}

impl MachineSettings {
    /// Keeps what it has in common with others once.
    pub(crate) fn share_with(&mut self, others: &Self) {
        if let (Self::Runner(settings), Self::Runner(others)) = (self, others) {
            settings.share_with(others);
        }
    }
}

impl From<RunnerSettings> for MachineSettings {
    fn from(settings: RunnerSettings) -> Self {
        Self::Runner(settings.into())
    }
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

/// The canonical state of a machine, with times relative to a moment; equal states of the same
/// settings have the same future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CanonicalMachine {
    /// Of a joint lock.
    Joint(CanonicalJointLock),
    /// Of a runner.
    Runner(CanonicalRunner),
}

impl Machine {
    /// A machine that has not been started.
    pub fn new(settings: &MachineSettings) -> Self {
        match settings {
            MachineSettings::Joint(joint) => {
                let named = joint.members.iter().map(|settings| {
                    let name = settings.resource().key.clone();
                    (name, Runner::new(settings.clone()))
                });
                Self::Joint(JointLock::new(named, joint.timeout, joint.late_policy))
            }
            MachineSettings::Runner(settings) => Self::Runner(Runner::new(settings.clone())),
        }
    }

    /// Starts it.
    pub fn start(&mut self, now: Time, ids: &mut dyn RequestIds) {
        match self {
            Self::Joint(group) => group.start(now, ids, &mut ()),
            Self::Runner(runner) => runner.start(now, ids, &mut ()),
        }
    }

    /// Takes the reply to a call of a member.
    pub fn handle_reply(
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

    /// Does what is due by `now`.
    pub fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds) {
        match self {
            Self::Joint(group) => group.handle_timeout(now, ids, &mut ()),
            Self::Runner(runner) => runner.handle_timeout(now, ids, &mut ()),
        }
    }

    /// Asks it to end.
    pub fn handle_signal(&mut self, now: Time, ids: &mut dyn RequestIds) {
        match self {
            Self::Joint(group) => group.handle_signal(Signal::Interrupt, now, ids, &mut ()),
            Self::Runner(runner) => runner.handle_signal(now, &mut ()),
        }
    }

    /// The next output, with the number of the member that it comes from.
    pub fn poll_output(&mut self) -> Option<(usize, Output)> {
        match self {
            Self::Joint(group) => group.poll_output(),
            Self::Runner(runner) => Some((0, runner.poll_output()?)),
        }
    }

    /// When something is due by itself.
    pub fn deadline(&self) -> Option<Time> {
        match self {
            Self::Joint(group) => group.deadline(),
            Self::Runner(runner) => runner.deadline(),
        }
    }

    /// Whether at `now` all that it keeps is believed to be held.
    pub fn believes_held(&self, now: Time) -> bool {
        match self {
            Self::Joint(group) => group.believes_held(now),
            Self::Runner(runner) => runner.believes_held(now),
        }
    }

    /// When the first lease ends that is counted.
    pub fn lease_ends(&self) -> Option<Time> {
        match self {
            Self::Joint(group) => {
                let members = group.members().iter();
                members.filter_map(|it| it.member().lease_ends()).min()
            }
            Self::Runner(runner) => runner.lease_ends(),
        }
    }

    /// Whether everything has been held at least once.
    pub fn is_ready(&self) -> bool {
        match self {
            Self::Joint(group) => group.is_ready(),
            Self::Runner(runner) => runner.is_ready(),
        }
    }

    /// How it ended, once it has.
    pub fn exited(&self) -> Option<Result<(), MachineError>> {
        match self {
            Self::Joint(group) => Some(group.exited()?.map_err(MachineError::Joint)),
            Self::Runner(runner) => Some(runner.exited()?.clone().map_err(MachineError::Runner)),
        }
    }

    /// The canonical state of the machine at `now`.
    pub fn canonical(&self, now: Time) -> CanonicalMachine {
        match self {
            Self::Joint(group) => CanonicalMachine::Joint(group.canonical(now)),
            Self::Runner(runner) => CanonicalMachine::Runner(runner.canonical(now)),
        }
    }

    /// The runner of a member; a machine that is no group has one, of number 0.
    pub fn member(&self, member: usize) -> Option<&Runner> {
        match self {
            Self::Joint(group) => Some(group.members().get(member)?.member()),
            Self::Runner(runner) => (member == 0).then_some(runner),
        }
    }
}
