//! The rules between nodes: which of them run, what passes a link, which pings are answered, when a
//! drain is over, and which calls fail as a process ends.
//!
//! A world and a search run the same machines, and these know how they stand: up, connected, draining,
//! stalled. Pauses, cuts and messages around machines have a shape of their own in each. A world has up
//! to a million nodes. A pause there has an inbox, a link has rules and changes that end, and a message
//! has a time and a cause. For a search all that is a list of ages, which is its canonical form as it
//! stands. So each answers four questions about it, and all else follows from the machines.

use super::happening::{Directions, Node};
use crate::node::back_end::BackEnd;
use crate::node::client::ClientNode;
use crate::node::connection::Route;
use crate::protocol::runner::CallId;

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Crash,
    /// In order, once a drain is over.
    Stop,
}

/// Machines at a moment, with pauses, cuts and messages around them.
pub(crate) trait Environment {
    fn clients(&self) -> usize;

    fn client_node(&self, number: usize) -> &ClientNode;

    fn back_end(&self) -> &BackEnd;

    /// True if a node is paused or suspended.
    fn is_paused(&self, node: Node<usize>) -> bool;

    /// True if what is sent now between a client and a process is lost, a reply or a call.
    fn is_cut(&self, client: usize, process: usize, is_reply: bool) -> bool;

    /// True if a reply to a call is on its way to its client.
    fn is_answered(&self, client: usize, call: CallId) -> bool;

    /// True if a call is on its way to a process in this life.
    fn is_called(&self, process: usize, life: u32) -> bool;

    /// True if a node is up: neither crashed nor stopped. A client that was not started is up, too,
    /// as its machine is there.
    fn is_up(&self, node: Node<usize>) -> bool {
        match node {
            Node::Client(client) => !self.client_node(client).is_down(),
            Node::Database => !self.back_end().database.is_down(),
            Node::Locket(process) => self.back_end().processes[process].life().is_some(),
        }
    }

    /// True if a node is up and not paused.
    fn runs(&self, node: Node<usize>) -> bool {
        self.is_up(node) && !self.is_paused(node)
    }

    /// True if the links between a client and a process pass what is sent now, in all these
    /// directions.
    fn passes(&self, client: usize, process: usize, ways: Directions) -> bool {
        (ways == Directions::FromLocket || !self.is_cut(client, process, false))
            && (ways == Directions::ToLocket || !self.is_cut(client, process, true))
    }
}

/// True if a ping of a client is answered: a process that runs and is reached answers pings, whatever
/// becomes of single calls.
pub(crate) fn answers_ping(now: &dyn Environment, client: usize) -> bool {
    let route = now.client_node(client).route();
    route.is_some_and(|Route { process, .. }| {
        now.runs(Node::Locket(process)) && now.passes(client, process, Directions::Both)
    })
}

/// True if a process drains and has no call left (B90).
pub(crate) fn has_drained(now: &dyn Environment, process: usize) -> bool {
    let machine = &now.back_end().processes[process];
    let draining = machine.draining();
    draining.is_some_and(|life| !machine.has_calls() && !now.is_called(process, life))
}

/// The calls that fail as a process ends, and with it its connections: all that their clients wait for.
/// When it stops in order, replies on their way arrive before that.
pub(crate) fn calls_failing(
    now: &dyn Environment,
    process: usize,
    how: End,
) -> Vec<(usize, CallId)> {
    let life = now.back_end().processes[process].last_life();
    let closed = Route { process, life };
    let of_clients = (0..now.clients()).flat_map(|client| {
        let node = now.client_node(client);
        let call = node.call_sent().filter(|_| node.route() == Some(closed));
        call.map(|call| (client, call))
    });
    let fails = |&(client, call): &_| how == End::Crash || !now.is_answered(client, call);
    of_clients.filter(fails).collect()
}
