//! The texts that a scenario expects in its events, and which of them were found.

use super::Expectation;
use crate::time::Time;
use crate::trace::{Event, Names};

/// The found texts of each expectation.
#[derive(Clone, Debug, Default)]
pub(super) struct EventTexts(Vec<FoundTexts>);

/// Which of one expectation's texts were found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundTexts {
    /// True if there was any event.
    pub(super) any: bool,
    /// How many events contain `event`; 1 also stands for more if no `count` is expected.
    pub(super) events: usize,
    pub(super) no_event: bool,
}

impl EventTexts {
    /// No text is found yet.
    pub(super) fn new(expect: &[Expectation]) -> Self {
        Self(vec![FoundTexts::default(); expect.len()])
    }

    /// True if any expectation has a text.
    pub(super) fn needs_events(expect: &[Expectation]) -> bool {
        let mut expect = expect.iter();
        expect.any(|it| it.event.is_some() || it.no_event.is_some())
    }

    /// Searches events for the texts.
    pub(super) fn search(&mut self, expect: &[Expectation], events: &[Event], names: &Names) {
        for (expectation, found) in expect.iter().zip(&mut self.0) {
            found.any |= !events.is_empty();
            let at = expectation.at.map(|at| Time::ZERO + at);
            let in_time = |event: &&Event| at.is_none_or(|at| event.time() == at);
            let matches = |text: &str, most: usize| {
                let events = events.iter().filter(in_time);
                let says = |event: &&Event| event.words(names).contains(text);
                events.filter(says).take(most).count()
            };
            if let Some(text) = &expectation.event {
                let most = match expectation.count {
                    Some(_) => usize::MAX,
                    None => 1 - found.events.min(1),
                };
                found.events += matches(text, most);
            }
            if let Some(text) = expectation.no_event.as_ref().filter(|_| !found.no_event) {
                found.no_event = matches(text, 1) > 0;
            }
        }
    }

    /// The found texts of each expectation, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = FoundTexts> {
        self.0.iter().copied()
    }
}
