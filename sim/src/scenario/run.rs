//! Runs a scenario in the simulated world, from its start to its end.

use super::nodes::Node;
use super::{ActionKind, Cast, Execution, Scenario};
use crate::trace::Run;
use crate::world::network::{LinkRule, Network};
use crate::world::{ClientSettings, DATABASE, World, WorldSettings};

impl Scenario {
    /// Runs the scenario from its start to its end.
    ///
    /// Actions at the same instant happen in the order in which they stand in the text, after
    /// what happens by itself at that instant.
    pub fn run(&self) -> Run {
        run_to_end(Execution::new(self.clone(), u64::MAX))
    }

    /// As [`run`](Self::run), but keeps no trace: the run has its table, digest and what did not hold, and no events.
    /// Memory does not grow with the time that is simulated.
    pub fn run_without_trace(&self) -> Run {
        without_trace(Cast::new(self.clone()))
    }

    /// The world that the scenario starts with.
    pub(super) fn world(&self) -> World {
        let fail_overs = self.actions.iter().filter(|action| action.kind == ActionKind::FailOver);
        let commits = fail_overs.filter_map(|action| action.lost_commits).max().unwrap_or_default();
        World::new(WorldSettings {
            profile: self.profile,
            seed: self.seed,
            processes: self.processes,
            clients: self.client_settings(),
            network: self.links(),
            lost_commits: commits as usize,
            reply_loss_per_mille: self.database.reply_loss.per_mille(),
            transaction_time: self.database.transaction_time.link_rule(),
        })
    }

    /// How clients start. Many have all but their key in common.
    fn client_settings(&self) -> Vec<ClientSettings> {
        let mut all: Vec<ClientSettings> = Vec::with_capacity(self.clients.len());
        for client in self.clients.iter() {
            let mut settings = client.settings(&self.profile);
            let before = all.last().and_then(|before| before.runner.as_ref());
            if let (Some(runner), Some(before)) = (&mut settings.runner, before) {
                runner.share_with(before);
            }
            all.push(settings);
        }
        all
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

/// The run of a scenario without its trace.
pub(super) fn without_trace(cast: Cast) -> Run {
    run_to_end(Execution::of(cast, u64::MAX).without_trace())
}

fn run_to_end(mut execution: Execution) -> Run {
    let is_done = execution.run(u64::MAX);
    assert_eq!(is_done, Ok(true), "no run takes so many steps");
    execution.finish()
}
