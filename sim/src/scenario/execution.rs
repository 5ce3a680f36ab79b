//! A scenario that is run in slices, from its start to its end.

use std::sync::Arc;

use super::cast::Cast;
use super::event_texts::EventTexts;
use super::running::{FAST_STEPS_MAX, Running};
use super::{Scenario, SeedRun, StepsExceeded};
use crate::time::Time;
use crate::trace::{Recorder, Run};

/// About how many steps are done at once at most: the events of them wait to be searched.
const SEARCHED_MAX: u64 = 10_000;

/// A run under way: let it [`run`](Self::run) in slices until it is done.
///
/// ```
/// use locket_sim::scenario::{Execution, STEPS_DEFAULT, Scenario};
///
/// let text = r#"{ "name": "a year", "until": "8760h", "clients": [{ "name": "a", "key": "k", "retryInterval": "5s", "runner": "upstream" }] }"#;
/// let mut execution = Execution::new(Scenario::from_json_of_any_length(text)?, STEPS_DEFAULT).without_trace();
/// let exceeded = execution.run(u64::MAX).unwrap_err();
/// assert!(exceeded.reached < exceeded.until);
/// # Ok::<(), locket_sim::scenario::ScenarioError>(())
/// ```
#[derive(Clone)]
pub struct Execution {
    running: Running,
    recorder: Recorder,
    /// The texts found in events that are not kept.
    found: Option<EventTexts>,
    max_steps: u64,
    end: Time,
}

impl Execution {
    /// At the start of a scenario. The run may take that many steps.
    pub fn new(scenario: Scenario, max_steps: u64) -> Self {
        Self::of(Cast::new(scenario), max_steps)
    }

    pub(super) fn of(cast: Cast, max_steps: u64) -> Self {
        Self {
            end: cast.scenario.end(),
            running: Running::new(Arc::new(cast)),
            recorder: Recorder::default(),
            found: None,
            max_steps,
        }
    }

    /// The same, but of what happens it keeps only the digest: memory does not grow with the time
    /// that is simulated, and the run has no events.
    #[must_use]
    pub fn without_trace(mut self) -> Self {
        let expect = &self.running.cast.scenario.expect;
        if !EventTexts::needs_events(expect) {
            self.recorder = Recorder::forgetting();
        }
        self.found = Some(EventTexts::new(expect));
        self
    }

    /// The same with another seed, before anything has happened.
    pub(super) fn with_seed(&self, seed: u64) -> Self {
        let mut execution = self.clone();
        execution.running.reseed(seed);
        execution
    }

    /// Takes about `budget` steps more. Whether it is done.
    ///
    /// # Errors
    ///
    /// The run would take more steps than it may.
    pub fn run(&mut self, budget: u64) -> Result<bool, StepsExceeded> {
        let pause = self.running.steps().saturating_add(budget);
        while self.running.steps() < pause {
            self.running.check_steps(self.end, self.max_steps)?;
            // Past the limit, it must stop at the very step.
            let is_far = self.running.steps() + FAST_STEPS_MAX <= self.max_steps;
            let has_more = match is_far {
                true => {
                    let steps = self.running.steps();
                    let left = (self.max_steps - FAST_STEPS_MAX - steps).min(pause - steps);
                    let left = left.min(SEARCHED_MAX);
                    self.running.run_fast(self.end, &mut self.recorder, left)
                }
                false => self.running.tick(self.end, &mut self.recorder),
            };
            if !has_more {
                self.running.pass_to(self.end);
                return Ok(true);
            }
            if let Some(found) = &mut self.found
                && !self.recorder.events().is_empty()
            {
                self.running.search(found, &self.recorder);
                self.recorder.forget_events();
            }
        }
        Ok(false)
    }

    /// How far it is.
    pub const fn now(&self) -> Time {
        self.running.world.now()
    }

    /// The little that a sweep tells of a run that keeps no trace.
    pub(super) fn finish_seed(self) -> SeedRun {
        let failures = self.running.failures_with(&self.found.unwrap_or_default());
        SeedRun {
            failures: failures.into_iter().map(|(_, failure)| failure).collect(),
            digest: self.recorder.digest(),
        }
    }

    /// The run as it is if it ends here.
    pub fn finish(self) -> Run {
        match self.found {
            None => self.running.finish(self.recorder),
            Some(found) => self.running.into_run(&found, self.recorder),
        }
    }
}
