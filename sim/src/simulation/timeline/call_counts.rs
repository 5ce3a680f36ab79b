//! The calls of a run's clients, counted by method and outcome.

use serde::Serialize;

use crate::protocol::message::Method;
use crate::protocol::runner;
use crate::trace::Event;
use crate::world::event::{EventId, What, WorldEvent};

/// The calls of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct CallCount {
    /// Its name on the wire.
    pub method: Method,
    /// How many there were.
    pub sent: u32,
    /// How many Locket answered with an error.
    pub refused: u32,
    /// How many had no answer: the client gave up, or the connection broke.
    pub failed: u32,
}

/// The order of the counts.
const METHODS: [Method; 4] = [Method::Lock, Method::Release, Method::Fetch, Method::FetchAll];

/// The counts of the methods that were called.
pub(super) fn call_counts(events: &[Event]) -> Vec<CallCount> {
    let mut calls = Calls::default();
    for event in events {
        if let Event::World(event) = event {
            calls.note(event);
        }
    }
    let counts = METHODS.map(|method| calls.count(method)).into_iter();
    counts.filter(|it| it.sent > 0).collect()
}

/// A call of a client.
struct Call {
    method: Method,
    /// `None` while it is under way, and for good if its client has crashed.
    outcome: Option<Outcome>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    Failed,
    Refused,
}

#[derive(Default)]
struct Calls {
    calls: Vec<Call>,
    /// By the number of an event: the call that it follows from, and whether Locket answered that
    /// with it.
    follows: Vec<Option<(usize, bool)>>,
}

impl Calls {
    fn note(&mut self, event: &WorldEvent) {
        let EventId(number) = event.id;
        debug_assert_eq!(
            self.follows.len() as u64,
            number,
            "all events are numbered in their order"
        );
        let follows = self.follow(event);
        self.follows.push(follows);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all other events leave a call as it is")]
    fn follow(&mut self, event: &WorldEvent) -> Option<(usize, bool)> {
        if let What::Called { request, .. } = &event.what {
            self.calls.push(Call { method: request.method(), outcome: None });
            return Some((self.calls.len() - 1, false));
        }
        let EventId(cause) = event.cause?;
        let (number, was_answered) = (*self.follows.get(cause as usize)?)?;
        let outcome = &mut self.calls[number].outcome;
        match &event.what {
            What::Answered { result: Ok(_), .. } => *outcome = Some(Outcome::Done),
            What::Answered { .. } if was_answered => *outcome = Some(Outcome::Refused),
            What::Answered { .. } => *outcome = Some(Outcome::Failed),
            What::Runner(event) if ends_attempt(event) => {
                outcome.get_or_insert(Outcome::Failed);
            }
            _ => {}
        }
        Some((number, matches!(event.what, What::Handled { .. })))
    }

    fn count(&self, method: Method) -> CallCount {
        let sent = || self.calls.iter().filter(|it| it.method == method);
        let count = |outcome| sent().filter(|it| it.outcome == Some(outcome)).count() as u32;
        CallCount {
            method,
            sent: sent().count() as u32,
            refused: count(Outcome::Refused),
            failed: count(Outcome::Failed),
        }
    }
}

/// True if an attempt ends with it: without an answer, if it has had none.
const fn ends_attempt(event: &runner::Event) -> bool {
    matches!(
        event,
        runner::Event::Exited(_)
            | runner::Event::Lost(_)
            | runner::Event::Released(_)
            | runner::Event::Retrying { .. }
    )
}
