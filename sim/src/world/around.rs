//! The machines of a world, with pauses, cuts and messages around them, for the rules between nodes.

use super::World;
use super::message::{Body, Message};
use crate::environment::happening::Node;
use crate::environment::rules::Environment;
use crate::node::back_end::BackEnd;
use crate::node::client::ClientNode;
use crate::protocol::runner::CallId;

impl Environment for World {
    fn clients(&self) -> usize {
        self.clients.len()
    }

    fn client_node(&self, number: usize) -> &ClientNode {
        &self.clients[number].machine
    }

    fn back_end(&self) -> &BackEnd {
        &self.back_end
    }

    fn is_paused(&self, node: Node<usize>) -> bool {
        self.at(node).pause.is_some()
    }

    fn is_cut(&self, client: usize, process: usize, is_reply: bool) -> bool {
        let (client, process) = (self.clients[client].state.id, self.process(process));
        match is_reply {
            true => self.network.is_cut(process, client),
            false => self.network.is_cut(client, process),
        }
    }

    fn is_answered(&self, client: usize, call: CallId) -> bool {
        let node = &self.clients[client];
        let is_its = |message: &Message| match &message.body {
            Body::Reply(reply) => reply.call == call && reply.session == node.machine.session(),
            Body::Answer { .. }
            | Body::Query(_)
            | Body::Ready { .. }
            | Body::Request { .. }
            | Body::Signal { .. } => false,
        };
        let mut messages = self.messages.values();
        messages.any(|it| it.to == node.state.id && is_its(it))
    }

    fn is_called(&self, process: usize, in_life: u32) -> bool {
        let node = self.process(process);
        let is_call = |message: &Message| match message.body {
            Body::Request { life, .. } => life == in_life && !self.is_void(message),
            Body::Answer { .. }
            | Body::Query(_)
            | Body::Ready { .. }
            | Body::Reply(_)
            | Body::Signal { .. } => false,
        };
        let mut messages = self.messages.values();
        messages.any(|it| it.to == node && is_call(it))
    }
}
