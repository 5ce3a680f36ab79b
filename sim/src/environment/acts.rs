//! Which acts are possible: what is done from outside has an effect, now and in this state.
//!
//! The world and the searches keep nodes each in a way of its own, and show them to these rules. The
//! list of what may happen next is the same in both for that reason.

use super::happening::{Act, Node, Ways};

/// The facts that decide which acts are possible.
pub(crate) trait Situation {
    /// Whether a node is up: neither crashed nor stopped. A client that was not started is up, too,
    /// as its machine is there.
    fn is_up(&self, node: Node) -> bool;

    /// Whether a node is paused or suspended.
    fn is_paused(&self, node: Node) -> bool;

    /// Whether the runner of a client, or its joint lock, has started and not ended.
    fn is_alive(&self, client: u8) -> bool;

    /// Whether a client believes that it is connected.
    fn is_connected(&self, client: u8) -> bool;

    /// Whether a process accepts connections.
    fn accepts(&self, process: u8) -> bool;

    /// Whether the links between a client and a process pass what is sent now, in all these
    /// directions.
    fn passes(&self, client: u8, process: u8, ways: Ways) -> bool;

    /// Whether the table has a row of a key, by number.
    fn has_row(&self, key: u8) -> bool;
}

/// How many there are of what acts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) clients: u8,
    pub(crate) processes: u8,
    pub(crate) keys: u8,
}

impl Act {
    /// Whether it has an effect.
    pub(crate) fn is_possible(self, now: &impl Situation) -> bool {
        let runs = |node| now.is_up(node) && !now.is_paused(node);
        match self {
            Self::Crash(node) => now.is_up(node),
            Self::Cut {
                client,
                process,
                ways,
            } => match ways {
                Ways::Both => Ways::ONE.iter().any(|it| now.passes(client, process, *it)),
                Ways::FromLocket | Ways::ToLocket => now.passes(client, process, ways),
            },
            Self::DeleteRow(key) => now.is_up(Node::Database) && now.has_row(key),
            Self::Disconnect(client) => now.is_connected(client),
            Self::Drain(process) => runs(Node::Locket(process)) && now.accepts(process),
            Self::FailOver => true,
            Self::Heal { client, process } => !now.passes(client, process, Ways::Both),
            Self::Pause(node) => runs(node),
            Self::Stall => now.is_up(Node::Database),
            Self::Start(Node::Client(client)) => !now.is_alive(client),
            Self::Start(Node::Database) => !now.is_up(Node::Database),
            // It ends at once without a database (S27).
            Self::Start(Node::Locket(process)) => {
                !now.is_up(Node::Locket(process)) && now.is_up(Node::Database)
            }
            Self::Stop(client) => now.is_alive(client),
            Self::Suspend(client) => runs(Node::Client(client)),
        }
    }

    /// All acts: those on each client, on each process and on the database.
    pub(crate) fn all(counts: Counts) -> Vec<Self> {
        let mut acts = Vec::new();
        for client in 0..counts.clients {
            let node = Node::Client(client);
            acts.extend([Self::Start(node), Self::Disconnect(client)]);
            acts.extend([Self::Crash(node), Self::Stop(client)]);
            acts.extend([Self::Pause(node), Self::Suspend(client)]);
            for process in 0..counts.processes {
                acts.push(Self::Heal { client, process });
                acts.extend(Ways::ALL.map(|ways| Self::Cut {
                    client,
                    process,
                    ways,
                }));
            }
        }
        for process in 0..counts.processes {
            let node = Node::Locket(process);
            acts.extend([Self::Start(node), Self::Crash(node)]);
            acts.extend([Self::Drain(process), Self::Pause(node)]);
        }
        let node = Node::Database;
        acts.extend([Self::Start(node), Self::FailOver, Self::Stall]);
        acts.extend([Self::Crash(node), Self::Pause(node)]);
        acts.extend((0..counts.keys).map(Self::DeleteRow));
        acts
    }
}
