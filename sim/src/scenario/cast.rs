//! The constant part of a run: the parsed scenario, its nodes by name, and the harm to watch for.

use std::borrow::Cow;

use serde::Serialize;

use super::by_text::ByText;
use super::client::ClientKind;
use super::nodes::{DATABASE_NAME, Nodes, process_name};
use super::{Client, Scenario};
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
        let nodes = scenario.nodes();
        Self::with_nodes(scenario, nodes)
    }

    /// The same, with the nodes of the scenario.
    pub(super) fn with_nodes(scenario: Scenario, nodes: Nodes) -> Self {
        let by_key = ByText::new(|add| {
            for (index, client) in scenario.clients.iter().enumerate() {
                add(&client.key, index);
            }
        });
        let names = Names::new(|add| {
            add(DATABASE_NAME, false);
            (0..scenario.processes).for_each(|it| add(&process_name(it), false));
            for (entry, number) in scenario.clients.by_entry() {
                add(&entry.name_of(number), entry.kind == ClientKind::Presence);
            }
        });
        Self { nodes, names, by_key, scenario }
    }

    /// The harm that can be done to this run: presences count where no two runners want the same
    /// key. `None`: there is nothing that a fault could harm.
    pub(crate) fn harm(&self) -> Option<Harm> {
        let mut by_key = self.by_key.iter();
        let is_runner = |&client: &usize| self.nodes.is_runner(client);
        if by_key.any(|(_, of)| of.filter(is_runner).count() > 1) {
            return Some(Harm::TwoOwners);
        }
        let has_presences = self.presences().next().is_some();
        has_presences.then_some(Harm::PresenceGap)
    }

    /// True if two clients or more believe now to hold the same key.
    pub(crate) fn has_two_owners(&self, world: &World) -> bool {
        let mut by_key = self.by_key.iter();
        by_key.any(|(_, clients)| {
            let acting = clients.filter(|&it| world.believes_held(it));
            acting.count() > 1
        })
    }

    /// The clients whose runners keep presences, with their keys.
    pub(crate) fn presences(&self) -> impl Iterator<Item = (usize, Cow<'_, Client>)> {
        let clients = self.scenario.clients.iter().enumerate();
        clients.filter(|(_, it)| it.kind == ClientKind::Presence && it.is_runner())
    }

    /// True if a client's runner goes on and its key has no row.
    pub(crate) fn misses_row(&self, client: usize, world: &World) -> bool {
        let runner = world.runner(client);
        let client = self.scenario.clients.at(client);
        runner.is_some_and(Runner::wants) && world.row(&client.key).is_none()
    }
}
