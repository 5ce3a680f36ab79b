//! The nodes of a scenario by name.

use std::collections::BTreeMap;

use super::Client;
use crate::sorted::map_of;
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
    /// Its number in a world of `processes` Locket processes.
    pub(crate) fn id(self, processes: usize) -> NodeId {
        let id = |number: usize| NodeId(u16::try_from(number).unwrap_or(u16::MAX));
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
    clients: BTreeMap<String, ClientByName>,
    /// The clients of an entry with a `count`, by its name as written.
    groups: Vec<(String, Vec<ClientByName>)>,
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
        let named = clients.iter().enumerate().map(|(index, client)| {
            let is_runner = client.is_runner();
            (client.name.clone(), ClientByName { index, is_runner })
        });
        Self {
            clients: map_of(named),
            groups: groups(clients),
            processes,
        }
    }

    /// The nodes that a name means: one, all processes, or none.
    pub(crate) fn resolve(&self, name: &str) -> Vec<Node> {
        let clients = self.clients_named(name);
        if !clients.is_empty() {
            return clients.iter().map(|it| Node::Client(it.index)).collect();
        }
        match name {
            "database" => vec![Node::Database],
            "locket" => (0..self.processes).map(Node::Process).collect(),
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

    /// The client of a name.
    pub(crate) fn client(&self, name: &str) -> Option<ClientByName> {
        self.clients.get(name).copied()
    }

    /// The clients that a name means: one, or all of an entry.
    pub(super) fn clients_named(&self, name: &str) -> Vec<ClientByName> {
        if let Some(client) = self.client(name) {
            return vec![client];
        }
        let group = self.groups.iter().find(|(written, _)| written == name);
        group.map_or_else(Vec::new, |(_, clients)| clients.clone())
    }

    /// All names, for a message.
    pub(crate) fn names(&self) -> String {
        const SHOWN_MAX: usize = 20;
        let mut names: Vec<&str> = self
            .clients
            .keys()
            .take(SHOWN_MAX)
            .map(String::as_str)
            .collect();
        if self.clients.len() > SHOWN_MAX {
            names.push("…");
        }
        names.extend(["database", "locket", "locket-0"]);
        names.join(", ")
    }
}

fn groups(clients: &[Client]) -> Vec<(String, Vec<ClientByName>)> {
    let mut groups: Vec<(String, Vec<ClientByName>)> = Vec::new();
    for (index, client) in clients.iter().enumerate() {
        let Some(name) = client.written_name() else {
            continue;
        };
        let is_runner = client.is_runner();
        let member = ClientByName { index, is_runner };
        match groups.last_mut().filter(|(last, _)| last == name) {
            Some((_, members)) => members.push(member),
            None => groups.push((name.to_owned(), vec![member])),
        }
    }
    groups
}

/// The name of a process.
pub(crate) fn process_name(process: usize) -> String {
    format!("locket-{process}")
}

/// Whether a name means a node that every scenario has, so that no client may have it.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "database" || name == "locket" || name.starts_with("locket-")
}
