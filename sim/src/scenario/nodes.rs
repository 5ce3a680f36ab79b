//! The nodes of a scenario by name.

use std::collections::BTreeSet;

use super::Clients;
use super::by_text::ByText;
use crate::sorted::{set_of, sorted};
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
    /// The client of each name.
    clients: ByText,
    /// The clients of each entry with a `count`, by its name as written.
    entries: ByText,
    /// True if each client is a runner.
    are_runners: Vec<bool>,
    processes: usize,
}

impl Nodes {
    pub(crate) fn new(clients: &Clients, processes: usize) -> Self {
        let mut are_runners = Vec::with_capacity(clients.len());
        let named = ByText::new(|add| {
            for (index, (entry, number)) in clients.by_entry().enumerate() {
                add(&entry.name_of(number), index);
                are_runners.push(entry.is_runner());
            }
        });
        let entries = ByText::new(|add| {
            for (entry, indexes) in clients.counted() {
                indexes.for_each(|index| add(&entry.name, index));
            }
        });
        Self { clients: named, entries, are_runners, processes }
    }

    /// The clients whose name is that of a client before them.
    pub(super) fn doubles(&self) -> BTreeSet<usize> {
        let of_names = self.clients.iter();
        let doubles = of_names.flat_map(|(_, clients)| clients.skip(1));
        set_of(doubles)
    }

    /// The nodes that a name means: one, all processes, or none.
    pub(crate) fn resolve(&self, name: &str) -> Vec<Node> {
        let clients = self.clients_named(name);
        if !clients.is_empty() {
            return clients.into_iter().map(Node::Client).collect();
        }
        match name {
            DATABASE_NAME => vec![Node::Database],
            ALL_PROCESSES => (0..self.processes).map(Node::Process).collect(),
            _ => {
                let number = name.strip_prefix("locket-").and_then(|number| number.parse().ok());
                number
                    .filter(|&number| number < self.processes)
                    .map(Node::Process)
                    .into_iter()
                    .collect()
            }
        }
    }

    /// True if a name means a single client.
    pub(super) fn is_client(&self, name: &str) -> bool {
        self.clients_named(name).len() == 1
    }

    /// The clients that a name means: one, or all of an entry.
    pub(super) fn clients_named(&self, name: &str) -> Vec<usize> {
        let of_entry = self.entries.get(name);
        let mut named: Vec<usize> = self.clients.get(name).collect();
        if of_entry.len() > 0 {
            named = sorted(named.into_iter().chain(of_entry).collect());
            named.dedup();
        }
        named
    }

    /// True if a client is a runner.
    pub(super) fn is_runner(&self, client: usize) -> bool {
        self.are_runners[client]
    }

    /// All names, for a message.
    pub(crate) fn names(&self) -> String {
        const SHOWN_MAX: usize = 20;
        let own = self.clients.texts().take(SHOWN_MAX + 1);
        let of_entries = self.entries.texts().take(SHOWN_MAX + 1);
        let mut names = sorted(own.chain(of_entries).collect::<Vec<&str>>());
        names.dedup();
        if names.len() > SHOWN_MAX {
            names.truncate(SHOWN_MAX);
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

/// True if a name means a node that every scenario has, so that no client may have it.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == DATABASE_NAME || name == ALL_PROCESSES || name.starts_with("locket-")
}
