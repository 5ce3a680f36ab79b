//! The nodes of a scenario by name.

use std::collections::BTreeSet;

use super::Client;
use super::by_text::ByText;
use crate::world::DATABASE;
use crate::world::network::NodeId;

/// Who a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Client(usize),
    Database,
    Process(usize),
}

impl Node {
    /// The node with a number in a world of `processes` Locket processes.
    pub(crate) fn of_id(id: NodeId, processes: usize) -> Self {
        match id.index() {
            0 => Self::Database,
            number if number <= processes => Self::Process(number - 1),
            number => Self::Client(number - 1 - processes),
        }
    }

    /// Its number in a world of `processes` Locket processes.
    pub(crate) fn id(self, processes: usize) -> NodeId {
        let id = |number: usize| NodeId(u32::try_from(number).unwrap_or(u32::MAX));
        match self {
            Self::Client(client) => id(1 + processes + client),
            Self::Database => DATABASE,
            Self::Process(process) => id(1 + process),
        }
    }
}

/// The names of a scenario's nodes.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// The clients of each name: one, or all of an entry with a `count`.
    clients: ByText,
    /// Whether each client is a runner.
    are_runners: Vec<bool>,
    processes: usize,
}

/// The client that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientByName {
    pub(crate) index: usize,
    pub(crate) is_runner: bool,
}

impl Nodes {
    pub(crate) fn new(clients: &[Client], processes: usize) -> Self {
        let mut named = Vec::with_capacity(clients.len());
        for (index, client) in clients.iter().enumerate() {
            let (name, entry_name) = (client.name.as_str(), client.entry_name());
            named.push((name, index));
            // The two names are often one.
            if entry_name != name {
                named.push((entry_name, index));
            }
        }
        Self {
            clients: ByText::new(&named),
            are_runners: clients.iter().map(Client::is_runner).collect(),
            processes,
        }
    }

    /// The clients whose name is that of a client before them.
    pub(super) fn doubles(&self, clients: &[Client]) -> BTreeSet<usize> {
        let several = self.clients.iter().filter(|(_, named)| named.len() > 1);
        let doubles = several.flat_map(|(name, named)| {
            let own = named.filter(move |&index| clients[index].name == name);
            own.skip(1)
        });
        doubles.collect()
    }

    /// The nodes that a name means: one, all processes, or none.
    pub(crate) fn resolve(&self, name: &str) -> Vec<Node> {
        let clients = self.clients_named(name);
        if !clients.is_empty() {
            return clients.iter().map(|it| Node::Client(it.index)).collect();
        }
        match name {
            DATABASE_NAME => vec![Node::Database],
            ALL_PROCESSES => (0..self.processes).map(Node::Process).collect(),
            _ => {
                let number = name
                    .strip_prefix("locket-")
                    .and_then(|number| number.parse().ok());
                number
                    .filter(|&number| number < self.processes)
                    .map(Node::Process)
                    .into_iter()
                    .collect()
            }
        }
    }

    /// The client of a name that means a single one.
    pub(crate) fn client(&self, name: &str) -> Option<ClientByName> {
        match self.clients_named(name)[..] {
            [client] => Some(client),
            _ => None,
        }
    }

    /// The clients that a name means: one, or all of an entry.
    pub(super) fn clients_named(&self, name: &str) -> Vec<ClientByName> {
        let named = self.clients.get(name).map(|index| ClientByName {
            index,
            is_runner: self.are_runners[index],
        });
        named.collect()
    }

    /// Whether a client is a runner.
    pub(super) fn is_runner(&self, client: usize) -> bool {
        self.are_runners[client]
    }

    /// All names, for a message.
    pub(crate) fn names(&self) -> String {
        const SHOWN_MAX: usize = 20;
        let mut names: Vec<&str> = self.clients.texts().take(SHOWN_MAX).collect();
        if self.clients.len() > SHOWN_MAX {
            names.push("…");
        }
        names.extend([DATABASE_NAME, ALL_PROCESSES, "locket-0"]);
        names.join(", ")
    }
}

/// The name of the database.
pub(crate) const DATABASE_NAME: &str = "database";
/// All Locket processes in a scenario.
pub(crate) const ALL_PROCESSES: &str = "locket";

/// The name of a process.
pub(crate) fn process_name(process: usize) -> String {
    format!("locket-{process}")
}

/// Whether a name means a node that every scenario has, so that no client may have it.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == DATABASE_NAME || name == ALL_PROCESSES || name.starts_with("locket-")
}
