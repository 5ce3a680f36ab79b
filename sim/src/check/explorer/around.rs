//! The machines of a state, with pauses, cuts and messages around them, for the rules between nodes.

use super::Explorer;
use super::message::{Body, Message};
use super::state::State;
use crate::environment::acts::Act;
use crate::environment::happening::Node;
use crate::environment::rules::Environment;
use crate::node::back_end::BackEnd;
use crate::node::client::ClientNode;
use crate::protocol::runner::CallId;

/// A state of a search.
#[derive(Clone, Copy)]
pub(in crate::check) struct Now<'a> {
    explorer: &'a Explorer,
    state: &'a State,
}

impl Explorer {
    /// A state, as the rules between nodes see it.
    pub(super) const fn now<'a>(&'a self, state: &'a State) -> Now<'a> {
        Now { explorer: self, state }
    }
}

impl Now<'_> {
    /// True if the conditions that last say of machines what these know.
    pub(super) fn agrees(&self) -> bool {
        let (state, back_end) = (self.state, self.back_end());
        let is_right = |node: Node| state.has(Act::Crash(node)) != self.is_up(node.place());
        let mut processes = (0..back_end.processes.len() as u8).map(Node::Locket);
        processes.all(is_right)
            && is_right(Node::Database)
            && state.has(Act::Stall) == back_end.database.is_stalled()
    }
}

impl Environment for Now<'_> {
    fn clients(&self) -> usize {
        self.explorer.clients()
    }

    fn client_node(&self, number: usize) -> &ClientNode {
        let kind = self.explorer.kinds[number];
        self.explorer.clients_of_kind[kind].node(self.state.clients[number])
    }

    fn back_end(&self) -> &BackEnd {
        self.explorer.back_ends.machines(self.state.back_end)
    }

    fn is_paused(&self, node: Node<usize>) -> bool {
        node.numbered().is_some_and(|node| self.state.is_paused(node))
    }

    fn is_cut(&self, client: usize, process: usize, is_reply: bool) -> bool {
        self.state.is_cut(client as u8, process as u8, is_reply)
    }

    fn is_answered(&self, client: usize, _: CallId) -> bool {
        self.state.messages.iter().any(|it| {
            let is_answer = matches!(it.body, Body::FailedLocally | Body::Reply(_));
            usize::from(it.client) == client && it.is_current && is_answer
        })
    }

    /// A request of an earlier life is no request any more.
    fn is_called(&self, process: usize, _: u32) -> bool {
        let is_request = |it: &Message| matches!(it.body, Body::Request(_));
        let mut messages = self.state.messages.iter();
        messages.any(|it| usize::from(it.process) == process && is_request(it))
    }
}
