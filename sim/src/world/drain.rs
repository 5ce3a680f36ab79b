//! The stop of a Locket process in order: it finishes its calls and accepts no connection (B90).

use super::World;
use super::event::{EventId, Seen};
use super::message::{Body, Message};
use super::step::Step;
use crate::node::locket_process::{ProcessInput, Reason};
use crate::node::message::ClientCall;

/// A process that finishes its calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draining {
    /// The life that ends with it.
    pub(super) life: u32,
    /// Whether it was started again before its end.
    pub(super) starts_again: bool,
}

impl Step<'_> {
    /// Sends a Locket process the stop signal; a paused one sees it when it goes on.
    pub fn drain_process(&mut self, process: usize) {
        let locket = &mut self.world.lockets[process];
        let Some(life) = locket.machine.life() else {
            return;
        };
        if !locket.state.keep_signal(life) {
            self.begin_to_drain(process, life, None);
        }
    }

    /// Clients learn at once that they have to connect elsewhere for their next call. A call
    /// that has left is served: the real server closes a connection only after its streams, and
    /// a round trip after it has said so.
    pub(super) fn begin_to_drain(&mut self, process: usize, life: u32, cause: Option<EventId>) {
        if self.world.running.life(process) != Some(life) {
            return;
        }
        self.world.running.set(process, None);
        let locket = &mut self.world.lockets[process];
        locket.draining = Some(Draining {
            life,
            starts_again: false,
        });
        let node = locket.state.id;
        self.record(node, cause, Seen::Draining);
        self.stop_if_drained(process);
    }

    /// Ends a process that drains and has nothing left to do.
    pub(super) fn stop_if_drained(&mut self, process: usize) {
        let Some(draining) = self.world.lockets[process].draining else {
            return;
        };
        let locket = &self.world.lockets[process];
        let is_alive = locket.machine.life() == Some(draining.life);
        if !is_alive || self.world.has_calls(process, draining.life) {
            return;
        }
        let cause = self.world.lockets[process].state.last_event;
        self.tell_process(process, ProcessInput::Crash, cause);
        self.process_is_gone(process, cause, Seen::Stopped);
        if draining.starts_again {
            self.start_process(process);
        }
    }
}

impl World {
    /// Whether a process in this life serves a call, or one is on its way to it.
    fn has_calls(&self, process: usize, life: u32) -> bool {
        let locket = &self.lockets[process];
        let mut questions = locket.machine.questions();
        let node = locket.state.id;
        let is_call = |message: &Message| {
            let its_life = match message.body {
                Body::Request { life, .. } => Some(life).filter(|_| !self.is_void(message)),
                Body::Answer { .. }
                | Body::Query(_)
                | Body::Ready
                | Body::Reply(_)
                | Body::Signal { .. } => None,
            };
            message.to == node && its_life == Some(life)
        };
        questions.any(|(_, reason, _)| matches!(reason, Reason::Call(_)))
            || self.messages.values().any(is_call)
    }

    /// Whether a reply to a call of a client is on its way.
    pub(super) fn is_answered(&self, client: usize, call: ClientCall) -> bool {
        let node = &self.clients[client];
        let is_its = |message: &Message| match &message.body {
            Body::Reply(reply) => reply.call == call && reply.session == node.machine.session(),
            Body::Answer { .. }
            | Body::Query(_)
            | Body::Ready
            | Body::Request { .. }
            | Body::Signal { .. } => false,
        };
        let id = node.state.id;
        self.messages.values().any(|it| it.to == id && is_its(it))
    }
}
