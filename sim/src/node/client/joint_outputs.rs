//! The outputs of a client's joint lock as a whole, beside those of its runners.

use super::{ClientNode, ClientOutput, Surroundings};
use crate::protocol::joint_lock::JointLockError;
use crate::protocol::machine::{Machine, MachineError};
use crate::protocol::runner::{Event, Output, RunnerError};

/// An event of a joint lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JointEvent {
    /// It believes it holds all its keys.
    Acquired,
    /// It ended; with an error if one of its runners did.
    Exited(Result<(), JointLockError<RunnerError>>),
    /// It no longer believes it holds all its keys, or received the stop signal.
    Lost,
}

/// Outputs with the numbers of the members that they come from.
type Outputs = Vec<(usize, Output)>;

impl ClientNode {
    /// Takes what a joint lock gives out, and tells what becomes of it as a whole.
    pub(super) fn take_joint_outputs(
        &mut self,
        had_ended: bool,
        around: &Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let machine = &mut self.machine;
        let outputs = std::iter::from_fn(|| machine.as_mut()?.poll_output()).collect();
        let (reasons, consequences) = reasons_first(outputs);
        self.take_outputs(reasons, around, out);
        if self.leads && !self.believes_held(around.now) {
            self.leads = false;
            out.push(ClientOutput::Joint(JointEvent::Lost));
        }
        self.take_outputs(consequences, around, out);
        if !self.leads && self.believes_held(around.now) {
            self.leads = true;
            out.push(ClientOutput::Joint(JointEvent::Acquired));
        }
        let exited = self.machine.as_ref().and_then(Machine::exited);
        let ended = exited.filter(|_| !had_ended).and_then(joint_end);
        out.extend(ended.map(|result| ClientOutput::Joint(JointEvent::Exited(result))));
    }

    fn take_outputs(
        &mut self,
        outputs: Outputs,
        around: &Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        for (member, output) in outputs {
            self.take_output(member, output, around, out);
        }
    }
}

/// How a joint lock ended.
fn joint_end(exited: Result<(), MachineError>) -> Option<Result<(), JointLockError<RunnerError>>> {
    match exited {
        Ok(()) => Some(Ok(())),
        Err(MachineError::Joint(error)) => Some(Err(error)),
        Err(MachineError::Runner(_)) => None,
    }
}

/// The output that led to a stop, then the outputs of the runners that stop because of it.
fn reasons_first(outputs: Outputs) -> (Outputs, Outputs) {
    let signalled = outputs.iter().filter_map(|(member, output)| {
        let is_signalled = matches!(output, Output::Event(Event::Signalled));
        is_signalled.then_some(*member)
    });
    let stopped: Vec<usize> = signalled.collect();
    let by_itself = |(member, _): &(usize, Output)| !stopped.contains(member);
    outputs.into_iter().partition(by_itself)
}
