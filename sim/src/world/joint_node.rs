//! What becomes of a client's joint lock as a whole, told beside what becomes of its runners.

use super::event::{EventId, JointEvent, What};
use super::step::Step;
use crate::protocol::machine::{Machine, MachineError};
use crate::protocol::runner::{Event, Output};
use crate::time::Time;

/// Outputs with the numbers of the members that they come from.
type Outputs = Vec<(usize, Output)>;

impl Step<'_> {
    /// Takes what a joint lock gives out, and tells what becomes of it as a whole.
    pub(super) fn take_joint_outputs(
        &mut self,
        client: usize,
        had_ended: bool,
        now: Time,
        cause: Option<EventId>,
    ) {
        let outputs = std::iter::from_fn(|| self.poll_output(client)).collect();
        let (reasons, consequences) = reasons_first(outputs);
        self.take_outputs(client, reasons, cause);
        self.note_joint_lost(client, now, cause);
        self.take_outputs(client, consequences, cause);
        self.note_joint_gained(client, now, cause);
        if !had_ended {
            self.note_joint_end(client, cause);
        }
    }

    fn take_outputs(&mut self, client: usize, outputs: Outputs, cause: Option<EventId>) {
        for (member, output) in outputs {
            self.take_output(client, member, output, cause);
        }
    }

    /// Tells that a client acts no more, if it has acted.
    fn note_joint_lost(&mut self, client: usize, now: Time, cause: Option<EventId>) {
        let node = &mut self.world.clients[client];
        let Some(Machine::Joint(group)) = &node.machine else {
            return;
        };
        if node.leads && !group.believes_held(now) {
            node.leads = false;
            let id = node.state.id;
            self.record(id, cause, What::Joint(JointEvent::Lost));
        }
    }

    /// Tells that a client acts from here on, if it has not before.
    fn note_joint_gained(&mut self, client: usize, now: Time, cause: Option<EventId>) {
        let node = &mut self.world.clients[client];
        let Some(Machine::Joint(group)) = &node.machine else {
            return;
        };
        if !node.leads && group.believes_held(now) {
            node.leads = true;
            let id = node.state.id;
            self.record(id, cause, What::Joint(JointEvent::Acquired));
        }
    }

    /// Tells that a client's joint lock has ended, if it has.
    fn note_joint_end(&mut self, client: usize, cause: Option<EventId>) {
        let node = &self.world.clients[client];
        let exited = node.machine.as_ref().and_then(Machine::exited);
        let result = match (&node.machine, exited) {
            (Some(Machine::Joint(_)), Some(Ok(()))) => Ok(()),
            (_, Some(Err(MachineError::Joint(error)))) => Err(error),
            _ => return,
        };
        let id = node.state.id;
        self.record(id, cause, What::Joint(JointEvent::Exited(result)));
    }
}

/// What led to a stop, and then what those do who are told to stop for it.
fn reasons_first(outputs: Outputs) -> (Outputs, Outputs) {
    let signalled = outputs.iter().filter_map(|(member, output)| {
        let is_signalled = matches!(output, Output::Event(Event::Signalled));
        is_signalled.then_some(*member)
    });
    let stopped: Vec<usize> = signalled.collect();
    let by_itself = |(member, _): &(usize, Output)| !stopped.contains(member);
    outputs.into_iter().partition(by_itself)
}
