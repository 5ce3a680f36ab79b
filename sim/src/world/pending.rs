//! What is about to happen at one instant, by names that do not depend on the order in which it is
//! looked at. Who repeats a schedule finds in it the thing that comes next.

use super::network::NodeId;
use super::node::{Asked, ClientCall};
use super::{DATABASE, Due, World};
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
    /// A client's timer.
    ClientTimer(usize),
    /// A process gives up on a transaction for a call that its client still waits for.
    GivesUp { process: usize, client: usize },
    /// A message between a process and the database.
    Internal,
    /// A client's connection tells it that there is no process.
    Local(NodeId),
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
        let found = entries.find(|(time, due)| match due {
            Due::ClientTimer(client) => {
                let state = &self.clients[usize::from(*client)].state;
                state.is_running() && state.timer == Some(*time)
            }
            _ => matches!(self.name(due), Pending::Arrival { .. }),
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

    fn waits_for(&self, client: usize, call: ClientCall) -> bool {
        let mut in_flight = self.clients[client].in_flight.iter();
        in_flight.any(|waiting| waiting.call == call)
    }

    fn name(&self, due: &Due) -> Pending {
        match due {
            Due::Arrival(message) => {
                let Some(message) = self.messages.get(*message) else {
                    return Pending::Other;
                };
                let (from, to, number) = (message.from, message.to, message.number);
                if from == to {
                    Pending::Local(to)
                } else if from == DATABASE || to == DATABASE {
                    Pending::Internal
                } else {
                    Pending::Arrival { from, to, number }
                }
            }
            Due::ClientTimer(client) => Pending::ClientTimer(usize::from(*client)),
            Due::OperationTimeout {
                process,
                life,
                token,
            } => {
                let locket = &self.lockets[usize::from(*process)];
                match locket.asked(*token).filter(|_| locket.state.life == *life) {
                    Some(Asked::Call { client, call, .. })
                        if self.waits_for(usize::from(*client), *call) =>
                    {
                        Pending::GivesUp {
                            process: usize::from(*process),
                            client: usize::from(*client),
                        }
                    }
                    Some(Asked::Call { .. } | Asked::Expiry(_) | Asked::Poll) | None => {
                        Pending::Other
                    }
                }
            }
            Due::ProcessPoll(process) => Pending::Poll(usize::from(*process)),
            Due::ProcessTimer(process) => Pending::ProcessTimer(usize::from(*process)),
            Due::TableExpiry => Pending::TableExpiry,
            Due::Wake { node, life, since } => {
                let client = usize::from(node.0).checked_sub(1 + self.lockets.len());
                let state = client.map(|client| &self.clients[client].state);
                let ends = state.is_some_and(|it| it.life == *life && it.pauses_since(*since));
                if ends {
                    Pending::Wake(*node)
                } else {
                    Pending::Other
                }
            }
            Due::Keepalive { .. } | Due::StallEnds => Pending::Other,
        }
    }
}
