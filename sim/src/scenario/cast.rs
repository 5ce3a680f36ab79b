//! The constant part of a run: the parsed scenario, its nodes by name, and the harm to watch for.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Scenario;
use super::client::ClientKind;
use super::nodes::{DATABASE_NAME, Nodes, process_name};
use crate::protocol::runner::Runner;
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

/// The harm that faults can do to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Harm {
    /// A presence has no row, after it had one and while its client runs.
    PresenceGap,
    /// Two clients or more believe at the same time that they hold a key.
    TwoOwners,
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

    /// The harm that can be done to this run: presences count where no two runners want the same
    /// key. `None`: there is nothing that a fault could harm.
    pub(crate) fn harm(&self) -> Option<Harm> {
        let clients = &self.scenario.clients;
        let runners = |of: &Vec<usize>| of.iter().filter(|&&it| clients[it].is_runner()).count();
        if self.by_key.values().any(|of| runners(of) > 1) {
            return Some(Harm::TwoOwners);
        }
        let has_presences = self.presences().next().is_some();
        has_presences.then_some(Harm::PresenceGap)
    }

    /// Whether two clients or more believe now to hold the same key.
    pub(crate) fn has_two_owners(&self, world: &World) -> bool {
        let acting = |clients: &Vec<usize>| {
            let acting = clients.iter().filter(|&&it| world.believes_held(it));
            acting.count()
        };
        self.by_key.values().any(|clients| acting(clients) > 1)
    }

    /// The clients whose runners keep presences, with their keys.
    pub(crate) fn presences(&self) -> impl Iterator<Item = (usize, &str)> {
        let clients = self.scenario.clients.iter().enumerate();
        let presences = clients.filter(|(_, it)| it.kind == ClientKind::Presence && it.is_runner());
        presences.map(|(index, client)| (index, client.key()))
    }

    /// Whether a client's runner goes on and its key has no row.
    pub(crate) fn misses_row(&self, client: usize, world: &World) -> bool {
        let runner = world.runner(client);
        let key = self.scenario.clients[client].key();
        runner.is_some_and(Runner::wants) && world.row(key).is_none()
    }
}
