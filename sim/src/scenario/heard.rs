//! Which of the texts that a scenario looks for its events have said.

use super::Expectation;
use crate::time::Time;
use crate::trace::{Event, Names};

/// What was heard of each expectation's texts.
#[derive(Clone, Debug)]
pub(super) struct Heard(Vec<HeardTexts>);

/// What was heard of one expectation's texts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeardTexts {
    pub(super) event: bool,
    pub(super) no_event: bool,
}

impl Heard {
    /// Nothing, yet.
    pub(super) fn new(expect: &[Expectation]) -> Self {
        Self(vec![HeardTexts::default(); expect.len()])
    }

    /// Whether there is anything to listen for.
    pub(super) fn needs_events(expect: &[Expectation]) -> bool {
        let mut expect = expect.iter();
        expect.any(|it| it.event.is_some() || it.no_event.is_some())
    }

    /// Listens to events for texts that were not heard before.
    pub(super) fn listen(&mut self, expect: &[Expectation], events: &[Event], names: &Names) {
        for (expectation, heard) in expect.iter().zip(&mut self.0) {
            let at = expectation.at.map(|at| Time::ZERO + at);
            let says = |text: &str| {
                let in_time = |event: &&Event| at.is_none_or(|at| event.time() == at);
                let mut events = events.iter().filter(in_time);
                events.any(|event| event.words(names).contains(text))
            };
            let hears = |text: &Option<String>| text.as_deref().is_some_and(says);
            heard.event = heard.event || hears(&expectation.event);
            heard.no_event = heard.no_event || hears(&expectation.no_event);
        }
    }

    /// What was heard of each expectation's texts, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = HeardTexts> {
        self.0.iter().copied()
    }
}
