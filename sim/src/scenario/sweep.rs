//! Runs of one scenario with many seeds.

use super::{Execution, Scenario, StepsExceeded};
use crate::trace::Digest;

/// A scenario that is run with one seed after the other. Whatever does not depend on the seed is made
/// once: each run starts with a copy of the same world.
pub struct Sweep {
    start: Execution,
}

/// The outcome of the run with one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRun {
    /// The expectations that failed, each as a sentence; empty if all held.
    pub failures: Vec<String>,
    /// Equal for the same scenario and seed on every platform.
    pub digest: Digest,
}

impl Sweep {
    /// A sweep of a scenario, whose own seed does not matter. Each run may take `max_steps`.
    pub fn new(scenario: Scenario, max_steps: u64) -> Self {
        Self { start: Execution::new(scenario, max_steps).without_trace() }
    }

    /// Runs the scenario with a seed, from its start to its end.
    ///
    /// # Errors
    ///
    /// The run would take more steps than it may.
    pub fn run(&self, seed: u64) -> Result<SeedRun, StepsExceeded> {
        let mut execution = self.start.with_seed(seed);
        execution.run(u64::MAX)?;
        Ok(execution.finish_seed())
    }
}
