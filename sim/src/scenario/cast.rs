//! The constant part of a run: the parsed scenario, and its nodes by name.

use std::collections::BTreeMap;

use super::Scenario;
use super::client::ClientKind;
use super::nodes::{DATABASE_NAME, Nodes, process_name};
use crate::trace::Names;
use crate::world::World;

/// A scenario with its nodes by name and by key.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    pub(crate) scenario: Scenario,
    pub(crate) nodes: Nodes,
    pub(crate) names: Names,
    /// The clients of each key.
    pub(crate) by_key: BTreeMap<String, Vec<usize>>,
}

impl Cast {
    pub(crate) fn new(scenario: Scenario) -> Self {
        let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, client) in scenario.clients.iter().enumerate() {
            for key in client.wanted_keys() {
                by_key.entry(key.clone()).or_default().push(index);
            }
        }
        let servers = std::iter::once(DATABASE_NAME.to_owned())
            .chain((0..scenario.processes).map(process_name))
            .map(|name| (name, false));
        let clients = scenario.clients.iter();
        let clients = clients.map(|it| (it.name.clone(), it.kind == ClientKind::Presence));
        let names = Names::new(servers.chain(clients));
        Self {
            nodes: Nodes::new(&scenario.clients, scenario.processes),
            names,
            by_key,
            scenario,
        }
    }

    /// Whether two clients or more believe now to hold the same key.
    pub(crate) fn has_two_owners(&self, world: &World) -> bool {
        let acting = |clients: &Vec<usize>| {
            let acting = clients.iter().filter(|&&it| world.believes_held(it));
            acting.count()
        };
        self.by_key.values().any(|clients| acting(clients) > 1)
    }
}
