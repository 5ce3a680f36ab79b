//! Assertions about a run, for tests. They panic with the failures and the events.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Event, Run};
use crate::time::Time;
use crate::world::event::What;

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
        let events = self.events.iter().filter(|event| !is_row(event));
        let events = events.map(|event| (event.time(), event.words(&self.names)));
        report + &excerpt("events", events)
    }
}

/// True if it is a write of a row, which the answer to a call shows as well.
const fn is_row(event: &Event) -> bool {
    matches!(event, Event::World(event) if matches!(event.what, What::RowWritten(_)))
}

/// The last events of a list, each on a line. Of those that say the same, such as renewals, it has
/// the first and the last.
pub fn excerpt(title: &str, events: impl Iterator<Item = (Time, String)>) -> String {
    let events: Vec<_> = events.collect();
    let mut lines = BTreeMap::new();
    for (index, (_, words)) in events.iter().enumerate() {
        let (_, last) = lines.entry(words).or_insert((index, index));
        *last = index;
    }
    let is_shown = |index: usize, words: &String| {
        let (first, last) = lines[words];
        index == first || index == last
    };
    let shown = events.iter().enumerate();
    let shown: Vec<_> = shown.filter(|(index, (_, words))| is_shown(*index, words)).collect();
    let left_out = shown.len().saturating_sub(EVENTS_SHOWN);
    let mut excerpt = format!("{title}, without repetitions:\n");
    if left_out > 0 {
        excerpt.push_str("  …\n");
    }
    for (_, (time, words)) in &shown[left_out..] {
        let _ = writeln!(excerpt, "  {time} s  {words}");
    }
    excerpt
}
