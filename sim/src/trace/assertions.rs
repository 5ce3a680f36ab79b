//! Assertions about a run, for tests. They panic with the failures and the events.

use std::fmt::Write as _;

use super::Run;

/// How many events a panic shows.
const EVENTS_SHOWN: usize = 40;

impl Run {
    /// All expectations of the scenario held.
    ///
    /// # Panics
    ///
    /// If one failed, or if there are none, since then the run has tested nothing.
    #[track_caller]
    pub fn assert_passed(&self) {
        assert!(
            !self.checks.is_empty(),
            "the scenario '{}' expects nothing; add an expectation",
            self.name
        );
        assert!(self.failures.is_empty(), "{}", self.report());
    }

    /// The failures, then the last events.
    fn report(&self) -> String {
        let mut report = format!("the scenario '{}' failed:\n", self.name);
        for failure in &self.failures {
            let _ = writeln!(report, "  {failure}");
        }
        let first = self.events.len().saturating_sub(EVENTS_SHOWN);
        let left_out = match first {
            0 => String::new(),
            count => format!(", without the first {count}"),
        };
        let _ = writeln!(report, "events{left_out}:");
        for event in &self.events[first..] {
            let _ = writeln!(report, "  {} s  {}", event.time(), event.words(&self.names));
        }
        report
    }
}
