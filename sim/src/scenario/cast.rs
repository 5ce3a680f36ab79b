//! The constant part of a run: the parsed scenario, its nodes by name, and the harm to watch for.

use serde::Serialize;

use super::Scenario;
use super::by_text::ByText;
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
    pub(crate) by_key: ByText,
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
        let clients = scenario.clients.iter().enumerate();
        let keys = clients.flat_map(|(index, client)| {
            let keys = client.wanted_keys().iter();
            keys.map(move |key| (key.as_str(), index))
        });
        let by_key = ByText::new(&keys.collect::<Vec<_>>());
        let servers = std::iter::once(DATABASE_NAME.to_owned())
            .chain((0..scenario.processes).map(process_name))
            .map(|name| (name.into(), false));
        let clients = scenario.clients.iter();
        let clients = clients.map(|it| {
            let keeps_presence = it.kind == ClientKind::Presence;
            (it.name.as_str().into(), keeps_presence)
        });
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
        let mut by_key = self.by_key.iter();
        if by_key.any(|(_, of)| of.filter(|&it| clients[it].is_runner()).count() > 1) {
            return Some(Harm::TwoOwners);
        }
        let has_presences = self.presences().next().is_some();
        has_presences.then_some(Harm::PresenceGap)
    }

    /// Whether two clients or more believe now to hold the same key.
    pub(crate) fn has_two_owners(&self, world: &World) -> bool {
        let mut by_key = self.by_key.iter();
        by_key.any(|(_, clients)| {
            let acting = clients.filter(|&it| world.believes_held(it));
            acting.count() > 1
        })
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
