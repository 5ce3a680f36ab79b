//! The pending events of one instant, by names that do not depend on their order. The replay of a
//! schedule finds its next event among them.

use super::message::{Body, Message};
use super::network::NodeId;
use super::node::Place;
use super::{DATABASE, Due, World};
use crate::node::locket_process::Reason;
use crate::time::Time;

/// Something that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// An answer of the database arrives: which of those on their way to the process, in the order
    /// in which they were asked for.
    Answer { process: usize, rank: usize },
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
    /// A process gives up on a question to the database, by its place among those it waits for.
    GivesUp { process: usize, place: usize },
    /// A client's connection tells it that there is no process.
    Local(NodeId),
    /// A client finds out whether its ping is answered.
    Ping(usize),
    /// A process polls.
    Poll(usize),
    /// A process's timers.
    ProcessTimer(usize),
    /// A query of a process arrives at the database.
    Query { process: usize },
    /// The database does not stall any more.
    StallEnds,
    /// The table removes what has expired.
    TableExpiry,
    /// A pause ends.
    Wake(NodeId),
    /// An event that no schedule names.
    Other,
}

impl World {
    /// The events due at `time`, in their usual order.
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

    /// The time of the next event that a client causes or receives, unless a decision moves it
    /// forward.
    pub(crate) fn next_of_clients(&self) -> Option<Time> {
        let mut entries = self.queue.entries();
        let found = entries.find(|(time, due)| {
            if let Due::ClientTimer(client) = due {
                let state = &self.clients[*client as usize].state;
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

    /// The place of a question to the database among those that a process waits for.
    fn place_of(&self, process: usize, token: u64) -> Option<usize> {
        let mut questions = self.lockets[process].machine.questions();
        questions.position(|(asked, ..)| asked == token)
    }

    /// The place among them of the one for the call that a client waits for.
    pub(crate) fn place_for(&self, process: usize, client: usize) -> Option<usize> {
        let mut questions = self.lockets[process].machine.questions();
        questions.position(|(_, reason, _)| match reason {
            Reason::Call(call) if call.client as usize == client => {
                let mut waiting = self.clients[client].machine.calls();
                waiting.any(|(it, _)| it == call.call)
            }
            Reason::Call(_) | Reason::Expiry(_) | Reason::Poll => false,
        })
    }

    /// Names a message between a process and the database.
    fn name_internal(&self, message: &Message) -> Option<Pending> {
        if let Body::Query(query) = &message.body {
            let process = query.process.into();
            return Some(Pending::Query { process });
        }
        let (process, token) = self.answer_to(message)?;
        let before = |other: &&Message| {
            let other = self.answer_to(other);
            other.is_some_and(|(to, asked)| to == process && asked < token)
        };
        let rank = self.messages.values().filter(before).count();
        Some(Pending::Answer { process, rank })
    }

    /// The process that an answer of the database goes to, and the token of its question, if the
    /// process waits for it still.
    fn answer_to(&self, message: &Message) -> Option<(usize, u64)> {
        let Body::Answer { token, .. } = &message.body else {
            return None;
        };
        let Place::Process(process) = self.place(message.to) else {
            return None;
        };
        let waits = self.lockets[process].machine.waits_for(*token);
        waits.then_some((process, *token))
    }

    /// The name of a client's message to itself that a process may be up.
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
                    self.name_internal(message).unwrap_or(Pending::Other)
                } else {
                    Pending::Arrival { from, to, number }
                }
            }
            Due::ClientTimer(client) => Pending::ClientTimer(*client as usize),
            Due::LinkChangesEnd => Pending::Other,
            Due::OperationTimeout { process, token } => {
                let process = *process as usize;
                let place = self.place_of(process, *token);
                place.map_or(Pending::Other, |place| Pending::GivesUp { process, place })
            }
            Due::ProcessPoll(process) => Pending::Poll(*process as usize),
            Due::ProcessTimer(process) => Pending::ProcessTimer(*process as usize),
            Due::TableExpiry => Pending::TableExpiry,
            Due::Wake { node, pause } => {
                if self.node(*node).is_in_pause(*pause) {
                    Pending::Wake(*node)
                } else {
                    Pending::Other
                }
            }
            Due::Keepalive(client) => Pending::Ping(*client as usize),
            Due::StallEnds => Pending::StallEnds,
        }
    }
}
