//! The texts that a scenario expects in its events, and which of them were found.

use super::Expectation;
use crate::time::Time;
use crate::trace::{Event, Names};

/// The found texts of each expectation.
#[derive(Clone, Debug)]
pub(super) struct EventTexts(Vec<FoundTexts>);

/// Which of one expectation's texts were found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundTexts {
    pub(super) event: bool,
    pub(super) no_event: bool,
}

impl EventTexts {
    /// No text is found yet.
    pub(super) fn new(expect: &[Expectation]) -> Self {
        Self(vec![FoundTexts::default(); expect.len()])
    }

    /// Whether any expectation has a text.
    pub(super) fn needs_events(expect: &[Expectation]) -> bool {
        let mut expect = expect.iter();
        expect.any(|it| it.event.is_some() || it.no_event.is_some())
    }

    /// Searches events for texts that were not found before.
    pub(super) fn search(&mut self, expect: &[Expectation], events: &[Event], names: &Names) {
        for (expectation, found) in expect.iter().zip(&mut self.0) {
            let at = expectation.at.map(|at| Time::ZERO + at);
            let says = |text: &str| {
                let in_time = |event: &&Event| at.is_none_or(|at| event.time() == at);
                let mut events = events.iter().filter(in_time);
                events.any(|event| event.words(names).contains(text))
            };
            let finds = |text: &Option<String>| text.as_deref().is_some_and(says);
            found.event = found.event || finds(&expectation.event);
            found.no_event = found.no_event || finds(&expectation.no_event);
        }
    }

    /// The found texts of each expectation, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = FoundTexts> {
        self.0.iter().copied()
    }
}
