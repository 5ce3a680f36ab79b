//! A view of a world: the state of its nodes, and the pending events.

use std::sync::Arc;

use super::event::EventId;
use super::event_queue::Ranked;
use super::message::{Body, Message};
use super::network::{Network, NodeId};
use super::{DATABASE, Due, World, number, process_number};
use crate::environment::happening::{Directions, Node};
use crate::environment::rules::Environment as _;
use crate::node::message::Transaction;
use crate::protocol::message::Request;
use crate::sorted::sorted_by;
use crate::time::Time;

/// How a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeStatus {
    /// It is not there.
    Down,
    /// It is paused, and messages to it wait.
    Paused {
        /// From when on.
        since: Time,
        /// How many messages wait.
        waiting: usize,
    },
    /// It runs.
    Running,
}

/// Something that will happen unless something else happens before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// When.
    pub time: Time,
    /// Where.
    pub node: NodeId,
    /// The event.
    pub what: PendingWhat,
}

/// The event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingWhat {
    /// A message arrives: a call, a query, or an answer to one.
    Arrival {
        /// Who sent it.
        from: NodeId,
        /// The event that sent it.
        cause: Option<EventId>,
        /// The request of a call on its way.
        request: Option<Arc<Request>>,
        /// True if it is an answer.
        is_answer: bool,
    },
    /// The database goes on after a stall.
    StallEnds,
    /// A timer fires: a runner's, a process's for a TTL, or the table's.
    Timer,
    /// A paused node goes on.
    Wakes,
}

impl World {
    /// How a node is.
    pub fn status(&self, node: NodeId) -> NodeStatus {
        match &self.node(node).pause {
            _ if !self.is_up(self.place(node)) => NodeStatus::Down,
            Some(pause) => NodeStatus::Paused { since: pause.since, waiting: pause.inbox.len() },
            None => NodeStatus::Running,
        }
    }

    /// True if each node runs.
    pub(crate) fn nodes_running(&self) -> Vec<bool> {
        let lockets = (0..self.lockets.len()).map(Node::Locket);
        let clients = (0..self.clients.len()).map(Node::Client);
        let nodes = std::iter::once(Node::Database).chain(lockets);
        nodes.chain(clients).map(|it| self.runs(it)).collect()
    }

    /// The links.
    pub(crate) const fn links(&self) -> &Network {
        &self.network
    }

    /// True if messages pass between two nodes: Locket processes have links to all others.
    pub(crate) fn are_linked(&self, a: NodeId, b: NodeId) -> bool {
        let is_process = |node| matches!(self.place(node), Node::Locket(_));
        is_process(a) != is_process(b)
    }

    /// When a pause of a node ends by itself.
    pub(super) fn wakes_at(&self, node: NodeId, pause: u32) -> Option<Time> {
        let is_it = |due: &Due| matches!(*due, Due::Wake { node: of, pause: it } if (of, it) == (node, pause));
        let mut entries = self.queue.entries();
        entries.find(|(_, due)| is_it(due)).map(|(time, _)| time)
    }

    /// The time of a node's own clock.
    pub fn local_time(&self, node: NodeId) -> Time {
        self.node(node).local(self.now)
    }

    /// The call that a client waits for.
    pub fn call_under_way(&self, client: usize) -> Option<&Arc<Request>> {
        self.clients[client].machine.call().map(|(_, request)| request)
    }

    /// The Locket process that a client is connected to.
    pub fn connected_to(&self, client: usize) -> Option<usize> {
        self.clients[client].machine.route().map(|to| to.process)
    }

    /// True if the link between a client and a process is cut, in one direction at least.
    pub fn is_cut_between(&self, client: usize, process: usize) -> bool {
        !self.passes(client, process, Directions::Both)
    }

    /// Until when the database answers nothing, if it is stalled.
    pub fn stalled_until(&self) -> Option<Time> {
        Some(self.database.stalled_until).filter(|until| *until > self.now)
    }

    /// When each row expires without a renewal, by key: by the table, or by the first of the
    /// running processes. `None` if no process has a timer for it.
    pub fn expiries(&self) -> Vec<(Arc<str>, Option<Time>)> {
        let table = self.back_end.database.table();
        let clock = &self.database.state.clock;
        let rows = table.expiries_by_path().into_iter();
        rows.map(|(row, ends)| {
            let processes = self.lockets.iter().zip(&self.back_end.processes);
            let timers = processes.filter_map(|(locket, machine)| {
                let local = machine.server()?.expires_at(&row)?;
                Some(locket.state.clock.world(local))
            });
            let ends = ends.map(|local| clock.world(local));
            let ends = ends.into_iter().chain(timers).min();
            (row.key, ends)
        })
        .collect()
    }

    /// The pending events, in their order. Polls are left out.
    pub fn pending(&self) -> Vec<Pending> {
        let entries = self.queue.entries();
        let entries = entries.filter_map(|(time, due)| {
            let (node, what) = self.about(time, due)?;
            Some((due.rank(), Pending { time, node, what }))
        });
        let pending: Vec<_> = self.next_expiries().chain(entries).collect();
        let pending =
            sorted_by(pending, |(rank, a), (other, b)| (a.time, rank).cmp(&(b.time, other)));
        pending.into_iter().map(|(_, pending)| pending).collect()
    }

    /// When the next row expires, by the table or by a process. A queued event may be earlier.
    fn next_expiries(&self) -> impl Iterator<Item = (u8, Pending)> {
        let of = |due: Due, node: NodeId, ends: Option<Time>| {
            let timer = self.node(node).timer?;
            let what = PendingWhat::Timer;
            let time = ends?.max(self.now).max(timer);
            Some((due.rank(), Pending { time, node, what }))
        };
        let table = self.back_end.database.table().deadlines().min();
        let table = table.map(|local| self.database.state.clock.world(local));
        let processes = self.lockets.iter().enumerate().map(move |(index, locket)| {
            let machine = &self.back_end.processes[index];
            let ends = machine.server()?.expiry().deadlines().min();
            let ends = ends.map(|local| locket.state.clock.world(local));
            of(Due::ProcessTimer(number(index)), locket.state.id, ends)
        });
        let table = of(Due::TableExpiry, DATABASE, table);
        std::iter::once(table).chain(processes).flatten()
    }

    /// `None` for a timer that has moved, for expiries, and for events that no view shows.
    fn about(&self, time: Time, due: &Due) -> Option<(NodeId, PendingWhat)> {
        let timer = |node| {
            let is_set = self.node(node).timer == Some(time);
            is_set.then_some((node, PendingWhat::Timer))
        };
        match due {
            Due::Arrival(message) => {
                let message = self.messages.get(*message)?;
                Some((message.to, arrival(message)))
            }
            Due::ClientTimer(client) => timer(self.client(*client as usize)),
            Due::Commit { process, token } => {
                let process = process_number(*process as usize);
                let ends = self.back_end.database.ends(process, *token)?;
                let is_its = self.database.state.clock.world(ends) == time;
                is_its.then_some((DATABASE, PendingWhat::Timer))
            }
            Due::Grant { .. }
            | Due::Keepalive(_)
            | Due::LinkChangesEnd
            | Due::OperationTimeout { .. }
            | Due::ProcessPoll(_)
            | Due::ProcessTimer(_)
            | Due::TableExpiry => None,
            Due::StallEnds => {
                (self.database.stalled_until == time).then_some((DATABASE, PendingWhat::StallEnds))
            }
            Due::Wake { node, pause } => {
                let is_its_pause = self.node(*node).is_in_pause(*pause);
                is_its_pause.then_some((*node, PendingWhat::Wakes))
            }
        }
    }
}

fn arrival(message: &Message) -> PendingWhat {
    let (request, is_answer) = match &message.body {
        Body::Answer { .. } | Body::Reply(_) => (None, true),
        Body::Query(query) => match &query.transaction {
            Transaction::Call { request, .. } => (Some(request), false),
            Transaction::CompareAndDelete(_) | Transaction::Poll => (None, false),
        },
        Body::Request { call, .. } => (Some(&call.request), false),
        Body::Ready { .. } | Body::Signal { .. } => (None, false),
    };
    PendingWhat::Arrival {
        from: message.from,
        cause: message.cause,
        request: request.cloned(),
        is_answer,
    }
}
