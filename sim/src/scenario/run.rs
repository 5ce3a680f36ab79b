//! Runs a scenario in the simulated world, from its start to its end.

use std::sync::Arc;

use super::cast::Cast;
use super::nodes::Node;
use super::running::Running;
use super::{Deed, Scenario};
use crate::trace::{Recorder, Run};
use crate::world::network::{LinkRule, Network};
use crate::world::{DATABASE, World, WorldSettings};

impl Scenario {
    /// Runs the scenario from its start to its end.
    ///
    /// Actions at the same instant happen in the order in which they stand in the text, after
    /// what happens by itself at that instant.
    pub fn run(&self) -> Run {
        let mut running = Running::new(Arc::new(Cast::new(self.clone())));
        let mut recorder = Recorder::default();
        running.run_to(self.end(), &mut recorder);
        running.finish(recorder)
    }

    /// As [`run`](Self::run), but keeps no trace: the run has its table, digest and what did not hold, and no events.
    /// Memory does not grow with the time that is simulated.
    pub fn run_without_trace(&self) -> Run {
        let running = Running::new(Arc::new(Cast::new(self.clone())));
        running.finish_without_trace(self.end())
    }

    /// The world that the scenario starts with.
    pub(super) fn world(&self) -> World {
        let fail_overs = self
            .actions
            .iter()
            .filter(|action| action.deed == Deed::FailOver);
        let commits = fail_overs
            .filter_map(|action| action.count)
            .max()
            .unwrap_or_default();
        World::new(WorldSettings {
            profile: self.profile,
            seed: self.seed,
            processes: self.processes,
            clients: self.clients.iter().map(super::Client::settings).collect(),
            network: self.links(),
            failover_commits: commits as usize,
            answer_loss_per_mille: self.database.answer_loss_per_mille,
        })
    }
    /// The links as the scenario starts with them.
    pub(super) fn links(&self) -> Network {
        let mut network = Network::new(self.network.link_rule());
        let to_database: LinkRule = self.database.latency.link_rule();
        for process in 0..self.processes {
            let process = Node::Process(process).id(self.processes);
            network.set_rule(process, DATABASE, to_database);
            network.set_rule(DATABASE, process, to_database);
        }
        network
    }
}
