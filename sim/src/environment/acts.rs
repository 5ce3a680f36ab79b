//! Acts from outside, and whether each is possible: it has an effect, now and in this state. The list of
//! what may happen next is the same in a world and in a search for that reason.

use super::happening::{Directions, Due, Node};
use super::rules::Environment;

/// One thing that happens. `M` names a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening<M> {
    /// From outside: a fault, or its end.
    Act(Act),
    /// By itself.
    Due(Due<M>),
    /// Time passes: this many units of a question.
    Pass(u16),
}

impl<M> Happening<M> {
    /// The same thing, with another name of its message, if that has one.
    pub(crate) fn renamed<N>(self, name: impl FnOnce(M) -> Option<N>) -> Option<Happening<N>> {
        Some(match self {
            Self::Act(act) => Happening::Act(act),
            Self::Due(due) => Happening::Due(due.renamed(name)?),
            Self::Pass(units) => Happening::Pass(units),
        })
    }
}

/// Something that is done from outside, so that a scenario has an action for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    Crash(Node),
    /// A link between a client and a process is cut, or those to all processes at once.
    Cut {
        client: u8,
        process: Option<u8>,
        ways: Directions,
    },
    /// An operator deletes the row.
    DeleteRow,
    /// The connection of a client breaks while its process is up.
    Disconnect(u8),
    /// A process stops in order.
    Drain(u8),
    /// The database fails over.
    FailOver,
    /// A cut link passes messages again.
    Heal {
        client: u8,
        process: Option<u8>,
    },
    Pause(Node),
    /// The connection of a client is slow for a while.
    Slow(u8),
    /// The database stalls.
    Stall,
    /// A node starts again.
    Start(Node),
    /// A client and the storage that holders write to.
    Store {
        client: u8,
        what: Store,
    },
    /// A client receives the stop signal.
    Stop(u8),
    /// The machine of a client is suspended: its clock is frozen.
    Suspend(u8),
}

/// Something between a client and the storage that holders write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Store {
    /// A write of the client, or its request for a token, arrives.
    Arrive,
    TakeToken,
    Write,
}

/// How many there are of what acts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) clients: u8,
    pub(crate) processes: u8,
}

/// The places of the processes of a link, of so many: one of them, or all.
pub(crate) fn processes_of(process: Option<u8>, all: usize) -> std::ops::Range<usize> {
    process.map_or(0..all, |it| usize::from(it)..usize::from(it) + 1)
}

impl Act {
    /// The acts that last, of the first client and the first process. The place of each is its number.
    pub(crate) const LASTING: [Self; 12] = [
        Self::Cut { client: 0, process: None, ways: Directions::Both },
        Self::Cut { client: 0, process: Some(0), ways: Directions::Both },
        Self::Cut { client: 0, process: Some(0), ways: Directions::FromLocket },
        Self::Cut { client: 0, process: Some(0), ways: Directions::ToLocket },
        Self::Pause(Node::Client(0)),
        Self::Suspend(0),
        Self::Slow(0),
        Self::Crash(Node::Database),
        Self::Crash(Node::Locket(0)),
        Self::Pause(Node::Locket(0)),
        Self::Stall,
        Self::Drain(0),
    ];

    /// True if it has an effect. Rows are those of a key.
    pub(crate) fn is_possible(self, now: &dyn Environment, key: &str) -> bool {
        let is_up = |node: Node| now.is_up(node.place());
        let runs = |node: Node| now.runs(node.place());
        let links = |process| processes_of(process, now.back_end().processes.len());
        match self {
            Self::Crash(node) => is_up(node),
            Self::Cut { client, process, ways } => {
                let passes = |ways| links(process).any(|it| now.passes(client.into(), it, ways));
                match ways {
                    Directions::Both => {
                        passes(Directions::FromLocket) || passes(Directions::ToLocket)
                    }
                    Directions::FromLocket | Directions::ToLocket => passes(ways),
                }
            }
            Self::DeleteRow => {
                is_up(Node::Database) && now.back_end().database.table().row(key).is_some()
            }
            Self::Disconnect(client) => now.client_node(client.into()).route().is_some(),
            Self::Drain(process) => {
                let machine = &now.back_end().processes[usize::from(process)];
                runs(Node::Locket(process)) && machine.accepting().is_some()
            }
            Self::FailOver | Self::Store { .. } => true,
            Self::Heal { client, process } => {
                links(process).any(|it| !now.passes(client.into(), it, Directions::Both))
            }
            Self::Pause(node) => runs(node),
            Self::Stall => is_up(Node::Database),
            Self::Start(Node::Client(client)) => !now.client_node(client.into()).is_alive(),
            Self::Start(Node::Database) => !is_up(Node::Database),
            // It ends at once without a database (S27).
            Self::Start(node @ Node::Locket(_)) => !is_up(node) && is_up(Node::Database),
            Self::Slow(client) | Self::Stop(client) => now.client_node(client.into()).is_alive(),
            Self::Suspend(client) => runs(Node::Client(client)),
        }
    }

    /// The node that it is on; of a link the client.
    pub(crate) const fn node(self) -> Node {
        match self {
            Self::Crash(node) | Self::Pause(node) | Self::Start(node) => node,
            Self::Cut { client, .. }
            | Self::Disconnect(client)
            | Self::Heal { client, .. }
            | Self::Slow(client)
            | Self::Store { client, .. }
            | Self::Stop(client)
            | Self::Suspend(client) => Node::Client(client),
            Self::DeleteRow | Self::FailOver | Self::Stall => Node::Database,
            Self::Drain(process) => Node::Locket(process),
        }
    }

    /// All acts on clients, on processes and on the database.
    pub(crate) fn all(counts: Counts) -> Vec<Self> {
        let mut acts = Vec::new();
        for client in 0..counts.clients {
            let node = Node::Client(client);
            acts.extend([Self::Start(node), Self::Disconnect(client)]);
            acts.extend([Self::Crash(node), Self::Stop(client)]);
            acts.extend([Self::Pause(node), Self::Suspend(client), Self::Slow(client)]);
            for process in (0..counts.processes).map(Some) {
                acts.push(Self::Heal { client, process });
                acts.extend(Directions::ALL.map(|ways| Self::Cut { client, process, ways }));
            }
            let (process, ways) = (None, Directions::Both);
            acts.push(Self::Heal { client, process });
            acts.push(Self::Cut { client, process, ways });
        }
        for process in 0..counts.processes {
            let node = Node::Locket(process);
            acts.extend([Self::Start(node), Self::Crash(node)]);
            acts.extend([Self::Drain(process), Self::Pause(node)]);
        }
        let node = Node::Database;
        acts.extend([Self::Start(node), Self::FailOver, Self::Stall]);
        acts.extend([Self::Crash(node), Self::Pause(node), Self::DeleteRow]);
        acts
    }
}
