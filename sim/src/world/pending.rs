//! Events that are due in the world, by name. The replay of a schedule finds its next one here.

use super::message::{Body, Message};
use super::network::NodeId;
use super::{DATABASE, Due as Queued, World, process_number};
use crate::environment::happening::{Due, Node, Wait};
use crate::node::locket_process::Reason;
use crate::time::{Duration, Time};

/// A message of the world: which of its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkMessage {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) number: u32,
}

/// Something that is due in the world, by its name.
pub(crate) type DueInWorld = Due<LinkMessage>;

impl World {
    /// The events due at `time`, in their usual order; `None` for those that no schedule names.
    pub(crate) fn due_at(&self, time: Time) -> Vec<Option<DueInWorld>> {
        let entries = self.queue.entries();
        let due = entries.filter(|(at, _)| *at == time);
        due.map(|(_, due)| self.name(due)).collect()
    }

    /// When something is due.
    pub(crate) fn time_of(&self, wanted: DueInWorld) -> Option<Time> {
        let mut entries = self.queue.entries();
        let found = entries.find(|(_, due)| self.name(due) == Some(wanted));
        found.map(|(time, _)| time)
    }

    /// The time of the next event that a client causes, or the next arrival of a message, unless a
    /// decision moves it forward.
    pub(crate) fn next_of_clients(&self) -> Option<Time> {
        let mut entries = self.queue.entries();
        let found = entries.find(|(time, due)| {
            if let Queued::ClientTimer(client) = due {
                let state = &self.clients[*client as usize].state;
                return state.pause.is_none() && state.timer == Some(*time);
            }
            let arrives =
                |due| matches!(due, Due::Answer { .. } | Due::Arrive(_) | Due::Query { .. });
            self.name(due).is_some_and(arrives)
        });
        found.map(|(time, _)| time)
    }

    /// Lets a message that is on its way arrive now; says which it is, and when it was to arrive.
    pub(crate) fn hasten(&mut self, wanted: DueInWorld) -> Option<(LinkMessage, Time)> {
        let now = self.now;
        let mut entries = self.queue.entries();
        let found = entries.find(|(_, due)| self.name(due) == Some(wanted));
        let (time, Queued::Arrival(message)) = found.filter(|(time, _)| *time > now)? else {
            return None;
        };
        let message = self.messages.remove(*message)?;
        drop(entries);
        let (from, to, number) = (message.from, message.to, message.number);
        self.schedule_arrival(now, message);
        Some((LinkMessage { from, to, number }, time))
    }

    /// Lets a transaction that holds its row commit now; says which of those it is that have held one,
    /// and how much earlier that is.
    pub(crate) fn hasten_commit(&mut self, wanted: DueInWorld) -> Option<(u32, Duration)> {
        let now = self.now;
        let mut entries = self.queue.entries();
        let found = entries.find(|(_, due)| self.name(due) == Some(wanted));
        let (_, Queued::Commit { process, token }) = found.filter(|(time, _)| *time > now)? else {
            return None;
        };
        let (process, token) = (process_number(*process as usize), *token);
        drop(entries);
        self.end_now(process, token)
    }

    /// How often more than one thing was due at `time` when one of them happened.
    pub(crate) fn ties_at(&self, time: Time) -> u32 {
        if self.ties.0 == time { self.ties.1 } else { 0 }
    }

    /// How many answers of the database could have been lost so far.
    pub(crate) const fn commits(&self) -> u32 {
        self.database.commits
    }

    fn name_give_up(&self, process: usize, token: u64) -> Option<DueInWorld> {
        let questions = || self.back_end.processes[process].questions();
        let (_, reason, _) = questions().find(|(asked, ..)| *asked == token)?;
        let wait = self.wait(process, token, reason);
        let before = questions().take_while(|(asked, ..)| *asked != token);
        let alike = before.filter(|(asked, reason, _)| self.wait(process, *asked, *reason) == wait);
        Some(Due::GiveUp { place: small(alike.count())?, process: small(process)?, wait })
    }

    fn name_commit(&self, process: usize, token: u64) -> Option<DueInWorld> {
        let database = &self.back_end.database;
        let number = process_number(process);
        database.ends(number, token)?;
        let rank = small(database.transactions_before(number, token))?;
        let process = small(process)?;
        Some(Due::Commit { process, rank })
    }

    fn name_grant(&self, process: usize, token: u64) -> Option<DueInWorld> {
        let database = &self.back_end.database;
        let number = process_number(process);
        let mut waiting = database.waiting_for_rows();
        waiting.find(|it| (it.query.process, it.query.token) == (number, token))?;
        let rank = small(database.transactions_before(number, token))?;
        let process = small(process)?;
        Some(Due::Grant { process, rank })
    }

    fn wait(&self, process: usize, token: u64, reason: Reason<'_>) -> Wait {
        let is_about = |message: &Message| match &message.body {
            Body::Answer { token: to, .. } => *to == token && message.to == self.process(process),
            Body::Query(query) => query.token == token && usize::from(query.process) == process,
            Body::Ready { .. } | Body::Reply(_) | Body::Request { .. } | Body::Signal { .. } => {
                false
            }
        };
        let waits = self.back_end.waits_at_database(process, token);
        if waits || self.messages.values().any(is_about) {
            return Wait::Meant;
        }
        match reason {
            Reason::Call(call) if self.waits(call) => Wait::Meant,
            Reason::Call(_) => Wait::Unheard,
            Reason::Expiry(_) => Wait::LostDeletion,
            Reason::Poll => Wait::Meant,
        }
    }

    /// Names a message between a process and the database.
    fn name_internal(&self, message: &Message) -> Option<DueInWorld> {
        if let Body::Query(query) = &message.body {
            let before = |other: &&Message| {
                matches!(&other.body, Body::Query(other)
                    if other.process == query.process && other.token < query.token)
            };
            let rank = small(self.messages.values().filter(before).count())?;
            let process = small(query.process.into())?;
            return Some(Due::Query { process, rank });
        }
        let (process, token) = self.answer_to(message)?;
        let before = |other: &&Message| {
            let other = self.answer_to(other);
            other.is_some_and(|(to, asked)| to == process && asked < token)
        };
        let rank = small(self.messages.values().filter(before).count())?;
        let process = small(process)?;
        Some(Due::Answer { process, rank })
    }

    /// The process that an answer of the database goes to, and the token of its question, if the
    /// process waits for it still.
    fn answer_to(&self, message: &Message) -> Option<(usize, u64)> {
        let Body::Answer { token, .. } = &message.body else {
            return None;
        };
        let Node::Locket(process) = self.place(message.to) else {
            return None;
        };
        let waits = self.back_end.processes[process].waits_for(*token);
        waits.then_some((process, *token))
    }

    /// The name of a client's message to itself that a process may be up.
    fn name_ready(&self, node: NodeId, life: u32) -> Option<DueInWorld> {
        let Node::Client(client) = self.place(node) else {
            return None;
        };
        let mut processes = self.back_end.processes.iter();
        let is_any_there = processes.any(|it| it.accepting().is_some());
        let machine = &self.clients[client].machine;
        let leaves = machine.calling() == Some(true) && is_any_there;
        let tries = leaves || machine.reconnects().is_some();
        (tries && machine.life() == life).then_some(Due::CallLeaves(small(client)?))
    }

    fn name_arrival(&self, message: &Message) -> Option<DueInWorld> {
        let (from, to, number) = (message.from, message.to, message.number);
        // Nothing comes of it: its connection has broken.
        if self.is_void(message) {
            return None;
        }
        if let Body::Ready { life } = message.body {
            self.name_ready(to, life)
        } else if from == to {
            self.name_failure(message)
        } else if from == DATABASE || to == DATABASE {
            self.name_internal(message)
        } else {
            Some(Due::Arrive(LinkMessage { from, to, number }))
        }
    }

    /// The name of a client's message to itself that a call has failed.
    fn name_failure(&self, message: &Message) -> Option<DueInWorld> {
        match (&message.body, self.named(message.to)?) {
            (Body::Reply(_), Node::Client(client)) => Some(Due::FailLocally(client)),
            _ => None,
        }
    }

    fn named(&self, node: NodeId) -> Option<Node> {
        self.place(node).numbered()
    }

    fn name(&self, due: &Queued) -> Option<DueInWorld> {
        Some(match due {
            Queued::Arrival(message) => self.name_arrival(self.messages.get(*message)?)?,
            Queued::ClientTimer(client) => Due::Timer(small(*client as usize)?),
            Queued::Commit { process, token } => self.name_commit(*process as usize, *token)?,
            Queued::Grant { process, token } => self.name_grant(*process as usize, *token)?,
            Queued::Keepalive(client) => Due::Ping(small(*client as usize)?),
            Queued::LinkChangesEnd => return None,
            Queued::OperationTimeout { process, token } => {
                self.name_give_up(*process as usize, *token)?
            }
            Queued::ProcessPoll(process) => Due::Poll(small(*process as usize)?),
            Queued::ProcessTimer(process) => Due::ProcessTimer(small(*process as usize)?),
            Queued::StallEnds => Due::StallEnds,
            Queued::TableExpiry => Due::Expire,
            Queued::Wake { node, pause } => {
                let is_its_pause = self.node(*node).is_in_pause(*pause);
                Due::Wake(is_its_pause.then(|| self.named(*node))??)
            }
        })
    }
}

/// A number as names have it.
fn small(number: usize) -> Option<u8> {
    number.try_into().ok()
}
