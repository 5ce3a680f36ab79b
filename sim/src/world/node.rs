//! The state of nodes besides the machines that run on them.

use super::World;
use super::event::EventId;
use super::message::{Body, Message};
use super::network::{LinkRule, NodeId};
use crate::environment::happening::Node;
use crate::node::client::ClientNode;
use crate::node::clock::NodeClock;
use crate::node::connection::Route;
use crate::protocol::expiry::KnownTimer;
use crate::protocol::lock_table::KnownRow;
use crate::time::Time;

/// A pause: the node does nothing, and what arrives waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pause {
    pub(super) since: Time,
    /// True if its clock is frozen too, as a suspended machine's is.
    pub(super) suspended: bool,
    pub(super) inbox: Vec<Message>,
}

impl World {
    /// Which of its kind a node is: the database is the first, then come processes, then clients.
    pub(super) fn place(&self, node: NodeId) -> Node<usize> {
        let number = node.index();
        let processes = self.lockets.len();
        match number.checked_sub(1) {
            None => Node::Database,
            Some(process) if process < processes => Node::Locket(process),
            Some(after_database) => Node::Client(after_database - processes),
        }
    }

    pub(super) fn node(&self, node: NodeId) -> &NodeState {
        self.at(self.place(node))
    }

    pub(super) fn at(&self, place: Node<usize>) -> &NodeState {
        match place {
            Node::Client(client) => &self.clients[client].state,
            Node::Database => &self.database.state,
            Node::Locket(process) => &self.lockets[process].state,
        }
    }

    pub(super) fn node_mut(&mut self, node: NodeId) -> &mut NodeState {
        match self.place(node) {
            Node::Client(client) => &mut self.clients[client].state,
            Node::Database => &mut self.database.state,
            Node::Locket(process) => &mut self.lockets[process].state,
        }
    }
}

/// The state that all nodes have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeState {
    pub(super) id: NodeId,
    /// Set while it is paused.
    pub(super) pause: Option<Box<Pause>>,
    pub(super) clock: NodeClock,
    /// How often it was paused: the number of its last pause.
    pub(super) pauses: u32,
    /// The time for which its next timer is in the queue.
    pub(super) timer: Option<Time>,
    /// The last event at this node: the cause of what its timers do.
    pub(super) last_event: Option<EventId>,
}

impl NodeState {
    pub(super) fn new(id: NodeId, clock: NodeClock) -> Self {
        Self { id, pause: None, clock, pauses: 0, timer: None, last_event: None }
    }

    /// Keeps a stop signal for a paused node, which sees it when it resumes. Says whether it is
    /// paused.
    pub(super) fn keep_signal(&mut self, life: u32) -> bool {
        let id = self.id;
        let Some(pause) = &mut self.pause else {
            return false;
        };
        pause.inbox.push(Message {
            from: id,
            to: id,
            number: 0,
            cause: None,
            body: Body::Signal { life },
        });
        true
    }

    /// True if it is in the pause of this number.
    pub(super) const fn is_in_pause(&self, pause: u32) -> bool {
        self.pauses == pause && self.pause.is_some()
    }

    /// Since when its clock is frozen, if it is.
    pub(super) fn suspended_since(&self) -> Option<Time> {
        let pause = self.pause.as_ref().filter(|it| it.suspended);
        pause.map(|it| it.since)
    }

    /// The time of its clock, which is frozen on a suspended machine.
    pub(super) fn local(&self, now: Time) -> Time {
        self.clock.local(self.suspended_since().unwrap_or(now))
    }
}

/// A client.
#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) state: NodeState,
    pub(super) machine: ClientNode,
    /// The time for which a look at its connection is in the queue.
    pub(super) keepalive: Option<Time>,
    /// For its next renewal, if nothing comes between.
    pub(super) known: Option<Known>,
}

/// A renewal's handles for the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) to: Route,
    pub(super) row: KnownRow,
    pub(super) timer: Option<KnownTimer>,
}

/// A Locket process, besides its machine.
#[derive(Clone, Debug)]
pub(super) struct Locket {
    pub(super) state: NodeState,
    /// The questions that it would have given up on while it was paused.
    pub(super) overdue: Vec<u64>,
    /// True if it is to start as soon as it has drained and the database is up.
    pub(super) starts_later: bool,
}

/// A query that waits at the database.
#[derive(Clone, Debug)]
pub(super) struct WaitingQuery {
    pub(super) process: u16,
    pub(super) token: u64,
    pub(super) cause: Option<EventId>,
    /// Which of the transactions that have held a row it is, once it does.
    pub(super) held: Option<u32>,
}

/// The database, besides its machine.
#[derive(Clone, Debug)]
pub(super) struct DatabaseServer {
    pub(super) state: NodeState,
    /// When its stall ends, if it stalls.
    pub(super) stalled_until: Time,
    /// The queries that wait there, for that or for a row.
    pub(super) waiting: Vec<WaitingQuery>,
    /// How long a transaction holds its row.
    pub(super) transaction_time: LinkRule,
    /// How long it does for now, and until when.
    pub(super) transaction_time_for_now: Option<(LinkRule, Time)>,
    /// How many transactions have held a row.
    pub(super) held: u32,
    /// How many of a thousand answers to commits are lost.
    pub(super) reply_loss_per_mille: u32,
    /// How many answers could have been lost.
    pub(super) commits: u32,
}
