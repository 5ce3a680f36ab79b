//! Minimizes a failing run: the fewest and smallest random decisions with which it still fails.
//!
//! A random run decides hundreds of times otherwise than usual, and an expectation does not hold.
//! A [`Minimizer`] writes these decisions down as overrides of the plain run. Then it leaves out as
//! many as it can and shortens delays as far as it can, so that **the same expectation still
//! fails**. At the end no single decision can be left out and no single delay can be a step
//! shorter. Another choice of decisions may be smaller.
//!
//! Deterministic: the same scenario and seed give the same result everywhere, however it is sliced.
//!
//! ```
//! use locket_sim::scenario::STEPS_DEFAULT;
//! use locket_sim::simulation::Minimizer;
//!
//! let scenario = r#"{
//!     "name": "lossy", "profile": "upstream", "until": "60s", "random": true, "seed": 6,
//!     "network": { "latency": { "min": "10ms", "max": "500ms", "step": "10ms" }, "loss": "30%" },
//!     "clients": [{ "name": "a", "key": "k", "ttl": "15s", "retryInterval": "5s", "runner": "upstream" }],
//!     "expect": [{ "noEvent": "no longer believes" }]
//! }"#;
//! let mut minimizer = Minimizer::new(scenario, None, 10_000, STEPS_DEFAULT)?;
//! minimizer.run(u64::MAX);
//! let minimized = minimizer.minimized();
//! assert!(minimized.overrides.len() == 1 && minimized.decisions > 3);
//! # Ok::<(), locket_sim::simulation::SimulationError>(())
//! ```

mod removal;
mod sentence;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use removal::{Attempts, Decision};

use super::error::SimulationError;
use crate::json;
use crate::scenario::{Cast, Execution, Running, Scenario, StepsExceeded};
use crate::sorted::map_of;
use crate::trace::{Check, Recorder, Run};
use crate::world::choice::Site;

/// The minimizing of a failing run, under way: let it [`run`](Self::run) in slices until it is
/// done.
#[derive(Clone, Debug)]
pub struct Minimizer {
    source: String,
    /// The scenario without chance.
    plain: Scenario,
    expectation: usize,
    decisions: usize,
    attempts: Attempts,
    runs: u64,
    max_runs: u64,
    max_steps: u64,
}

/// A minimized failing run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MinimizedRun"))]
pub struct Minimized {
    /// The scenario's JSON without randomness, with the needed choices as overrides. It fails as
    /// the run did.
    pub scenario: String,
    /// The needed choices, by place.
    pub overrides: BTreeMap<Site, u32>,
    /// Each choice as a sentence with its time.
    pub story: Vec<String>,
    /// The index of the expectation that fails.
    pub expectation: usize,
    /// The failure, in words.
    pub failure: String,
    /// The number of choices at first.
    pub decisions: usize,
    /// The number of runs tried.
    pub runs: u64,
    /// True if every choice left is needed; if not, the limit of runs was reached.
    pub is_complete: bool,
}

impl Minimizer {
    /// Begins with a scenario in JSON, of any seed if one is given, else with the chance and the
    /// overrides that it has itself. At most `max_runs` runs are tried, each of at most `max_steps`
    /// steps.
    ///
    /// # Errors
    ///
    /// The scenario is not valid, all its expectations hold, or it takes more steps.
    pub fn new(
        text: &str,
        seed: Option<u64>,
        max_runs: u64,
        max_steps: u64,
    ) -> Result<Self, SimulationError> {
        let mut scenario = Scenario::from_json(text)?;
        if let Some(seed) = seed {
            (scenario.seed, scenario.random) = (seed, true);
        }
        let (run, picked) = recorded(scenario.clone(), max_steps)?;
        let Some(expectation) = run.checks.iter().position(is_broken) else {
            let message = "every expectation holds or was never exercised; only a failing run can be minimized";
            return Err(SimulationError::argument("scenario", message));
        };
        scenario.random = false;
        Ok(Self {
            source: json::without_spaces(text),
            plain: scenario,
            expectation,
            decisions: picked.len(),
            attempts: Attempts::new(picked.into_iter().collect()),
            runs: 0,
            max_runs,
            max_steps,
        })
    }

    /// Tries up to `budget` runs more. Whether it is done.
    pub fn run(&mut self, budget: u64) -> bool {
        for _ in 0..budget {
            if self.runs >= self.max_runs {
                return true;
            }
            let Some(candidate) = self.attempts.next() else {
                return true;
            };
            self.runs += 1;
            let fails = self.fails_with(candidate);
            self.attempts.judge(fails);
        }
        self.runs >= self.max_runs || self.attempts.is_over()
    }

    /// How many runs were tried.
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// How many decisions are left, of how many.
    pub fn left(&self) -> (usize, usize) {
        (self.attempts.kept().len(), self.decisions)
    }

    /// The smallest failing run so far.
    pub fn minimized(&self) -> Minimized {
        let overrides = map_of(self.attempts.kept().iter().copied());
        let scenario = self.plain_with(overrides.clone());
        let run = scenario.run_without_trace();
        let failure = run.checks[self.expectation].failures.first();
        Minimized {
            scenario: self.text(&overrides),
            story: sentence::story(&Arc::new(Cast::new(scenario))),
            overrides,
            expectation: self.expectation,
            failure: failure.cloned().unwrap_or_default(),
            decisions: self.decisions,
            runs: self.runs,
            is_complete: self.attempts.is_over(),
        }
    }

    fn fails_with(&self, decisions: Vec<Decision>) -> bool {
        let scenario = self.plain_with(map_of(decisions));
        let mut execution = Execution::new(scenario, self.max_steps).without_trace();
        // A run that takes too long is no useful result.
        execution.run(u64::MAX) == Ok(true)
            && is_broken(&execution.finish().checks[self.expectation])
    }

    fn plain_with(&self, overrides: BTreeMap<Site, u32>) -> Scenario {
        let mut scenario = self.plain.clone();
        scenario.overrides = Some(overrides);
        scenario
    }

    /// The scenario's text, with what is decided instead of chance.
    fn text(&self, overrides: &BTreeMap<Site, u32>) -> String {
        // The name of a site has nothing in it that JSON would write in another way.
        let overrides = overrides.iter();
        let overrides: Vec<String> =
            overrides.map(|(site, picked)| format!(r#""{site}":{picked}"#)).collect();
        let (seed, overrides) = (self.plain.seed, overrides.join(","));
        let members = format!(r#"{{"seed":{seed},"overrides":{{{overrides}}}}}"#);
        json::with_members(&self.source, &["overrides", "random", "seed"], &members)
    }
}

/// True if something that happens breaks it: that nothing tries it has no smallest run.
const fn is_broken(check: &Check) -> bool {
    check.is_exercised && !check.failures.is_empty()
}

/// Runs a scenario, and takes down what it decided otherwise than usual.
fn recorded(
    scenario: Scenario,
    max_steps: u64,
) -> Result<(Run, BTreeMap<Site, u32>), StepsExceeded> {
    let end = scenario.end();
    let mut running = Running::recording(Arc::new(Cast::new(scenario)));
    let mut recorder = Recorder::default();
    running.run_within(end, &mut recorder, max_steps)?;
    let run = running.finish(recorder);
    Ok((run, running.into_picked()))
}
