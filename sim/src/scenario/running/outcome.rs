//! How a run ends: its trace, and which expectations failed.

use super::Running;
use crate::scenario::beliefs::Beliefs;
use crate::scenario::event_texts::EventTexts;
use crate::trace::{Check, Recorder, Run};

impl Running {
    /// The run as it is if it ends here.
    pub(crate) fn finish(&self, recorder: Recorder) -> Run {
        let mut found = EventTexts::new(&self.cast.scenario.expect);
        self.search(&mut found, &recorder);
        Run { table: self.world.rows(), ..self.run_without_table(&found, recorder) }
    }

    /// The run if it ends here, with these texts found. Its rows are listed when nothing else is left
    /// of a world, which may fill a hundred megabytes.
    pub(in crate::scenario) fn into_run(self, found: &EventTexts, recorder: Recorder) -> Run {
        let run = self.run_without_table(found, recorder);
        let Self { world, .. } = self;
        Run { table: world.into_table().rows(), ..run }
    }

    /// Searches the recorded events for the texts that the scenario expects.
    pub(in crate::scenario) fn search(&self, found: &mut EventTexts, recorder: &Recorder) {
        let cast = &self.cast;
        found.search(&cast.scenario.expect, recorder.events(), &cast.names);
    }

    fn run_without_table(&self, found: &EventTexts, recorder: Recorder) -> Run {
        let scenario = &self.cast.scenario;
        let failures = self.failures_with(found);
        let untried = self.never_exercised(found);
        let checks = scenario.expect.iter().enumerate().map(|(index, check)| {
            let its_own = failures.iter().filter(|(of, _)| *of == index);
            Check {
                words: check.words(),
                failures: its_own.map(|(_, failure)| failure.clone()).collect(),
                is_exercised: untried.iter().all(|(of, _)| *of != index),
            }
        });
        let checks = checks.collect();
        let (events, digest) = recorder.finish();
        Run {
            name: scenario.name.clone(),
            description: scenario.description.clone(),
            names: self.cast.names.clone(),
            events,
            table: Vec::new(),
            checks,
            failures: failures.into_iter().map(|(_, failure)| failure).collect(),
            digest,
        }
    }

    /// The failures if the run ends here, by the number of the expectation.
    pub(crate) fn failures(&self, recorder: &Recorder) -> Vec<(usize, String)> {
        let mut found = EventTexts::new(&self.cast.scenario.expect);
        self.search(&mut found, recorder);
        self.failures_with(&found)
    }

    pub(in crate::scenario) fn failures_with(&self, found: &EventTexts) -> Vec<(usize, String)> {
        let beliefs = self.beliefs_until_now();
        let mut failures = self.failures.clone();
        let scenario = &self.cast.scenario;
        let without_row = |key: &str| self.vacancies.longest(key, self.world.now());
        let expect = scenario.expect.iter().zip(found.iter());
        for (index, (expectation, found)) in expect.enumerate() {
            let counts = self.write_counts();
            let found = expectation.check_end(found, &beliefs, scenario, &without_row, counts);
            failures.extend(found.into_iter().map(|failure| (index, failure)));
        }
        failures.extend(self.never_exercised(found));
        failures
    }

    /// The expectations that hold only because the whole run did not put them to the test, with the
    /// reason. None before its end.
    fn never_exercised(&self, found: &EventTexts) -> Vec<(usize, String)> {
        let scenario = &self.cast.scenario;
        if self.world.now() < scenario.end() {
            return Vec::new();
        }
        let (beliefs, counts) = (self.beliefs_until_now(), self.write_counts());
        let expect = scenario.expect.iter().zip(found.iter()).enumerate();
        let why = expect.filter_map(|(index, (expectation, found))| {
            let why = expectation.never_exercised(found, counts);
            let why = why
                .or_else(|| expectation.never_exercised_key(&beliefs, &self.vacancies, &self.cast));
            Some((index, format!("never exercised: {}", why?)))
        });
        why.collect()
    }

    fn beliefs_until_now(&self) -> Beliefs {
        let mut beliefs = self.beliefs.clone();
        beliefs.finish(self.world.now());
        beliefs
    }
}
