//! The nodes of the world: clients, Locket processes and the database.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Number;
use super::event::EventId;
use super::message::{Message, Transaction};
use super::network::NodeId;
use crate::node::clock::NodeClock;
use crate::protocol::expiry::Fired;
use crate::protocol::lock_table::LockTable;
use crate::protocol::machine::{Machine, MachineSettings};
use crate::protocol::message::Request;
use crate::protocol::operation::Operation;
use crate::protocol::runner::CallId;
use crate::protocol::server::{Call as ServerCall, Server};
use crate::time::Time;

/// Whether a node does anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Status {
    /// It is not there.
    Down,
    /// It does nothing, and what arrives waits for it.
    Paused {
        since: Time,
        /// Whether its clock stands still too, as a suspended machine's does.
        suspended: bool,
        inbox: Vec<Message>,
    },
    /// It runs.
    #[default]
    Running,
}

/// What all nodes have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeState {
    pub(super) id: NodeId,
    pub(super) status: Status,
    pub(super) clock: NodeClock,
    /// How often it was started; what was meant for an earlier life is not for this one.
    pub(super) life: u32,
    /// The time for which its next timer is in the queue.
    pub(super) timer: Option<Time>,
    /// The last event at this node: the cause of what its timers do.
    pub(super) last_event: Option<EventId>,
}

impl NodeState {
    pub(super) fn new(id: NodeId, clock: NodeClock) -> Self {
        Self {
            id,
            status: Status::Running,
            clock,
            life: 0,
            timer: None,
            last_event: None,
        }
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.status, Status::Running)
    }

    /// Whether it is in the pause that began at `began`.
    pub(super) fn pauses_since(&self, began: Time) -> bool {
        matches!(self.status, Status::Paused { since, .. } if since == began)
    }

    /// Whether its clock stands still.
    pub(super) const fn is_suspended(&self) -> bool {
        matches!(
            self.status,
            Status::Paused {
                suspended: true,
                ..
            }
        )
    }

    /// What its clock shows; that of a suspended machine stands still.
    pub(super) fn local(&self, now: Time) -> Time {
        match self.status {
            Status::Paused {
                since,
                suspended: true,
                ..
            } => self.clock.local(since),
            Status::Down | Status::Paused { .. } | Status::Running => self.clock.local(now),
        }
    }
}

/// A client: a runner or a group of them, or somebody outside who calls by hand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClientNode {
    pub(super) state: NodeState,
    /// What its machine is made from at each start; `None` for one that is driven by hand.
    pub(super) settings: Option<MachineSettings>,
    pub(super) machine: Option<Machine>,
    /// Whether a joint lock was last seen to hold all its keys.
    pub(super) leads: bool,
    /// The Locket process that it prefers.
    pub(super) prefers: usize,
    pub(super) connection: Option<Connection>,
    /// Whether a look at the connection is in the queue.
    pub(super) keepalive: bool,
    /// The Locket process whose connection died last: not the first to be tried again.
    pub(super) avoids: Option<usize>,
    /// The calls under way whose request is on its way or being handled: at most one of each
    /// member.
    pub(super) in_flight: Vec<InFlight>,
}

/// Names a call of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClientCall {
    /// The member of its joint lock that calls; 0 for everybody else.
    pub(super) member: Number,
    pub(super) id: CallId,
}

/// A connection to a Locket process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Connection {
    pub(super) process: usize,
    /// The process's life that it was made in.
    pub(super) life: u32,
    /// Since when a call has waited for any answer; pings go out only then (C31).
    pub(super) unanswered_since: Option<Time>,
}

/// A call that a client waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct InFlight {
    pub(super) call: ClientCall,
    pub(super) request: Arc<Request>,
    /// Waits for a connection; not sent yet.
    pub(super) waits_for_connection: bool,
}

/// A Locket process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LocketNode {
    pub(super) state: NodeState,
    pub(super) server: Option<Server>,
    /// What it has asked the database and not been answered.
    /// In the order of its tokens.
    pub(super) asked: VecDeque<(u64, Asked)>,
    /// What it would have given up on while it was paused.
    pub(super) overdue: Vec<u64>,
    pub(super) tokens: u64,
}

impl LocketNode {
    /// What was asked under a token, and not answered.
    pub(super) fn asked(&self, token: u64) -> Option<&Asked> {
        let index = self.asked_index(token)?;
        self.asked.get(index).map(|(_, asked)| asked)
    }

    /// What was asked under a token, which is answered now.
    pub(super) fn take_asked(&mut self, token: u64) -> Option<Asked> {
        let index = self.asked_index(token)?;
        self.asked.remove(index).map(|(_, asked)| asked)
    }

    fn asked_index(&self, token: u64) -> Option<usize> {
        self.asked.binary_search_by_key(&token, |it| it.0).ok()
    }
}

/// Why a process asked the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// For a client's call.
    Call {
        server_call: ServerCall,
        call: ClientCall,
        client: Number,
        client_life: u32,
        request: Arc<Request>,
    },
    /// For a timer that fired.
    Expiry(Fired),
    /// For the poll.
    Poll,
}

/// The database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DatabaseNode {
    pub(super) state: NodeState,
    pub(super) table: LockTable,
    /// It answers no query before this time.
    pub(super) stalled_until: Time,
    /// Queries that wait for the end of a stall.
    pub(super) waiting: VecDeque<Message>,
    /// How many of the next answers to commits are lost.
    pub(super) answers_to_lose: u32,
    /// How many of a thousand answers to commits are lost.
    pub(super) answer_loss_per_mille: u32,
    /// The table before each of the last commits, for a failover that loses them.
    pub(super) history: VecDeque<LockTable>,
    /// How many commits a failover can lose.
    pub(super) history_length: usize,
    pub(super) commits: u32,
}

impl DatabaseNode {
    /// The table as it is before a transaction, if a failover may lose that.
    pub(super) fn table_to_remember(&self, operation: &Operation<'_>) -> Option<LockTable> {
        let is_write = !matches!(
            operation,
            Operation::Fetch { .. } | Operation::FetchAll { .. }
        );
        self.copy_of_table().filter(|_| is_write)
    }

    /// The table, if a failover may lose what comes next.
    pub(super) fn copy_of_table(&self) -> Option<LockTable> {
        (self.history_length > 0).then(|| self.table.clone())
    }

    /// Keeps the table as it was before a commit that has changed it.
    pub(super) fn remember(&mut self, before: Option<LockTable>) {
        let Some(before) = before else {
            return;
        };
        if self.history.len() == self.history_length {
            self.history.pop_front();
        }
        self.history.push_back(before);
    }
}

/// A query that reached the database, or its answer, belongs to one life of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Query {
    pub(super) process: Number,
    pub(super) life: u32,
    pub(super) token: u64,
    pub(super) transaction: Transaction,
}
