//! What is about to happen at one instant, by names that do not depend on the order in which it is
//! looked at. Who repeats a schedule finds in it the thing that comes next.

use super::message::Body;
use super::network::NodeId;
use super::node::Place;
use super::{DATABASE, Due, World};
use crate::node::message::IncomingCall;
use crate::time::Time;

/// Something that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// A message arrives: which of its link.
    Arrival {
        from: NodeId,
        to: NodeId,
        number: u32,
    },
    /// A client's call that has waited for a connection leaves.
    CallLeaves(usize),
    /// A client's timer.
    ClientTimer(usize),
    /// A process gives up on a transaction for a call that its client still waits for.
    GivesUp { process: usize, client: usize },
    /// A message between a process and the database.
    Internal,
    /// A client's connection tells it that there is no process.
    Local(NodeId),
    /// A client finds out whether anybody answers its ping.
    Ping(usize),
    /// A process polls.
    Poll(usize),
    /// A process's timers.
    ProcessTimer(usize),
    /// The table removes what has expired.
    TableExpiry,
    /// A pause ends.
    Wake(NodeId),
    /// What a schedule does not name.
    Other,
}

impl World {
    /// What is due at `time`, in the order in which it happens by default.
    pub(crate) fn due_at(&self, time: Time) -> Vec<Pending> {
        let entries = self.queue.entries();
        let due = entries.filter(|(at, _)| *at == time);
        due.map(|(_, due)| self.name(due)).collect()
    }

    /// When something is due.
    pub(crate) fn time_of(&self, wanted: &Pending) -> Option<Time> {
        let mut entries = self.queue.entries();
        let found = entries.find(|(_, due)| self.name(due) == *wanted);
        found.map(|(time, _)| time)
    }

    /// When the next thing happens that a client does or hears of, unless somebody lets it happen
    /// before.
    pub(crate) fn next_of_clients(&self) -> Option<Time> {
        let mut entries = self.queue.entries();
        let found = entries.find(|(time, due)| {
            if let Due::ClientTimer(client) = due {
                let state = &self.clients[usize::from(*client)].state;
                return state.is_running() && state.timer == Some(*time);
            }
            matches!(self.name(due), Pending::Arrival { .. })
        });
        found.map(|(time, _)| time)
    }

    /// Lets a message that is on its way arrive now.
    pub(crate) fn hasten(&mut self, wanted: &Pending) {
        let now = self.now;
        let mut entries = self.queue.entries();
        let found = entries.find(|(_, due)| self.name(due) == *wanted);
        if let Some((time, Due::Arrival(message))) = found
            && time > now
            && let Some(message) = self.messages.remove(*message)
        {
            drop(entries);
            self.schedule_arrival(now, message);
        }
    }

    /// How often more than one thing was due at `time` when one of them happened.
    pub(crate) fn ties_at(&self, time: Time) -> u32 {
        if self.ties.0 == time { self.ties.1 } else { 0 }
    }

    /// How many answers of the database could have been lost so far.
    pub(crate) const fn commits(&self) -> u32 {
        self.database.commits
    }

    /// The client that still waits for the call for which a process has asked under this token.
    fn waits_for(&self, process: usize, token: u64) -> Option<usize> {
        let IncomingCall { client, call, .. } = self.lockets[process].machine.call(token)?;
        let client = usize::from(*client);
        let mut waiting = self.clients[client].machine.calls();
        waiting.any(|(it, _)| it == *call).then_some(client)
    }

    /// What a node's word to itself that a process may be there comes to.
    fn name_ready(&self, node: NodeId) -> Pending {
        let processes = 0..self.lockets.len();
        let is_any_there = || {
            processes
                .into_iter()
                .any(|it| self.running.life(it).is_some())
        };
        match self.place(node) {
            Place::Client(client)
                if self.clients[client].machine.has_waiting_call() && is_any_there() =>
            {
                Pending::CallLeaves(client)
            }
            Place::Client(_) | Place::Database | Place::Process(_) => Pending::Other,
        }
    }

    fn name(&self, due: &Due) -> Pending {
        match due {
            Due::Arrival(message) => {
                let Some(message) = self.messages.get(*message) else {
                    return Pending::Other;
                };
                let (from, to, number) = (message.from, message.to, message.number);
                if message.body == Body::Ready {
                    self.name_ready(to)
                } else if from == to {
                    Pending::Local(to)
                } else if from == DATABASE || to == DATABASE {
                    Pending::Internal
                } else {
                    Pending::Arrival { from, to, number }
                }
            }
            Due::ClientTimer(client) => Pending::ClientTimer(usize::from(*client)),
            Due::OperationTimeout { process, token } => {
                let process = usize::from(*process);
                let client = self.waits_for(process, *token);
                client.map_or(Pending::Other, |client| Pending::GivesUp {
                    process,
                    client,
                })
            }
            Due::ProcessPoll(process) => Pending::Poll(usize::from(*process)),
            Due::ProcessTimer(process) => Pending::ProcessTimer(usize::from(*process)),
            Due::TableExpiry => Pending::TableExpiry,
            Due::Wake { node, pause } => {
                let is_client = matches!(self.place(*node), Place::Client(_));
                if is_client && self.node(*node).is_in_pause(*pause) {
                    Pending::Wake(*node)
                } else {
                    Pending::Other
                }
            }
            Due::Keepalive(client) => Pending::Ping(usize::from(*client)),
            Due::StallEnds => Pending::Other,
        }
    }
}
