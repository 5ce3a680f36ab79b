//! The world's nodes, as the rules between nodes see them.

use std::convert::Infallible;

use super::event::{EventId, Seen};
use super::message::{Body, Message};
use super::node::Status;
use super::process_number;
use super::step::Step;
use crate::environment::happening::Ways;
use crate::environment::nodes::{End, Nodes};
use crate::node::client::{ClientInput, Surroundings};
use crate::node::connection::Route;
use crate::node::locket_process::Reason;
use crate::node::message::{ClientCall, Reply};
use crate::protocol::error::LockError;

impl Nodes for Step<'_> {
    type Call = ClientCall;
    type Calls = Vec<ClientCall>;
    type Cause = Option<EventId>;
    type Problem = Infallible;

    fn clients(&self) -> usize {
        self.world.clients()
    }

    fn route(&self, client: usize) -> Option<Route> {
        self.world.clients[client].machine.route()
    }

    fn calls_sent(&self, client: usize) -> Vec<ClientCall> {
        let calls = self.world.clients[client].machine.calls_sent();
        calls.map(|(call, _)| call).collect()
    }

    fn is_answered(&self, client: usize, call: ClientCall) -> bool {
        let node = &self.world.clients[client];
        let is_its = |message: &Message| match &message.body {
            Body::Reply(reply) => reply.call == call && reply.session == node.machine.session(),
            Body::Answer { .. }
            | Body::Query(_)
            | Body::Ready
            | Body::Request { .. }
            | Body::Signal { .. } => false,
        };
        let id = node.state.id;
        let mut messages = self.world.messages.values();
        messages.any(|it| it.to == id && is_its(it))
    }

    fn accepting(&self, process: usize) -> Option<u32> {
        self.world.running.life(process)
    }

    fn draining(&self, process: usize) -> Option<u32> {
        self.world.lockets[process].draining.map(|it| it.life)
    }

    fn has_calls(&self, process: usize, life: u32) -> bool {
        let locket = &self.world.lockets[process];
        let mut questions = self.world.back_end.processes[process].questions();
        let node = locket.state.id;
        let is_call = |message: &Message| {
            let its_life = match message.body {
                Body::Request { life, .. } => Some(life).filter(|_| !self.world.is_void(message)),
                Body::Answer { .. }
                | Body::Query(_)
                | Body::Ready
                | Body::Reply(_)
                | Body::Signal { .. } => None,
            };
            message.to == node && its_life == Some(life)
        };
        questions.any(|(_, reason, _)| matches!(reason, Reason::Call(_)))
            || self.world.messages.values().any(is_call)
    }

    fn runs(&self, process: usize) -> bool {
        self.world.lockets[process].state.is_running()
    }

    fn passes(&self, client: usize, process: usize, ways: Ways) -> bool {
        self.world.passes(client, process, ways)
    }

    fn cause_at(&self, process: usize) -> Option<EventId> {
        self.world.lockets[process].state.last_event
    }

    fn end(
        &mut self,
        process: usize,
        how: End,
        cause: Option<EventId>,
    ) -> Result<Option<EventId>, Infallible> {
        self.world.running.set(process, None);
        // A process that noticed by itself that it cannot go on has ended already.
        self.world.back_end.processes[process].end();
        let locket = &mut self.world.lockets[process];
        locket.draining = None;
        locket.overdue.clear();
        locket.state.status = Status::Down;
        locket.state.timer = None;
        let node = locket.state.id;
        let what = match how {
            End::Crash => Seen::Crashed,
            End::Stop => Seen::Stopped,
        };
        Ok(Some(self.record(node, cause, what)))
    }

    fn refuse(&mut self, client: usize, call: ClientCall, process: usize, cause: Option<EventId>) {
        let (from, to) = (self.world.process(process), self.world.client(client));
        let reply = Reply {
            session: self.world.clients[client].machine.session(),
            call,
            result: Err(LockError::Unavailable),
            from: Some(process_number(process)),
        };
        self.send(from, to, cause, Body::Reply(reply));
    }

    fn break_connection(&mut self, client: usize, route: Route) -> Result<(), Infallible> {
        let world = &mut *self.world;
        let node = &mut world.clients[client];
        let id = node.state.id;
        let mut outputs = Vec::new();
        let mut around = Surroundings {
            now: node.state.local(world.now),
            processes: &world.running,
            ids: &mut world.request_ids,
        };
        let broken = ClientInput::Disconnected;
        node.machine.handle(broken, &mut around, &mut outputs);
        let from = world.process(route.process);
        let mut cause = Some(self.record(id, None, Seen::Disconnected { from }));
        for output in outputs {
            self.take_client_output(client, output, &mut cause);
        }
        self.stop_if_drained(route.process);
        Ok(())
    }

    fn tell_of_ping(&mut self, client: usize, is_answered: bool) -> Result<(), Infallible> {
        let cause = self.world.clients[client].state.last_event;
        self.tell_client(client, ClientInput::Ping { is_answered }, cause);
        Ok(())
    }
}
