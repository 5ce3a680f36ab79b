//! The load of a run: the calls of clients by method and outcome, the queries, and the messages.

use serde::Serialize;

use super::{Fate, Message};
use crate::protocol::message::Method;
use crate::protocol::runner;
use crate::trace::Event;
use crate::world::event::{EventId, What, WorldEvent};

/// The calls of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct CallCount {
    /// Its name on the wire.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("enum" = ["Lock", "Release", "Fetch", "FetchAll"]))
    )]
    pub method: &'static str,
    /// How many there were.
    pub sent: u32,
    /// How many Locket answered with an error.
    pub refused: u32,
    /// How many had no answer: the client gave up, or the connection broke.
    pub failed: u32,
}

/// The load of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Load {
    /// The calls, by method, of the methods that were called.
    pub calls: Vec<CallCount>,
    /// The queries of Locket processes to the database.
    pub queries: u32,
    /// All messages, also those of the database.
    pub messages: u32,
    /// The messages that the network lost.
    pub lost: u32,
}

impl Load {
    /// The load of events and messages, the messages to and from a database of this name.
    pub(super) fn new(events: &[Event], messages: &[Message], database: &str) -> Self {
        let mut calls = Calls::default();
        events.iter().for_each(|event| calls.note(event));
        let count = |is_so: &dyn Fn(&Message) -> bool| {
            messages.iter().filter(|it| is_so(it)).count() as u32
        };
        Self {
            calls: calls.counts(),
            queries: count(&|it| it.to == database && !it.is_answer),
            messages: count(&|_| true),
            lost: count(&|it| it.fate == Fate::Lost),
        }
    }
}

/// The order of the counts.
const METHODS: [Method; 4] = [
    Method::Lock,
    Method::Release,
    Method::Fetch,
    Method::FetchAll,
];

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
    fn note(&mut self, event: &Event) {
        let Event::World(event) = event else {
            return;
        };
        let follows = self.follow(event);
        let EventId(number) = event.id;
        self.follows.resize(number as usize, None);
        self.follows.push(follows);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other events leave a call as it is"
    )]
    fn follow(&mut self, event: &WorldEvent) -> Option<(usize, bool)> {
        if let What::Called { request, .. } = &event.what {
            self.calls.push(Call {
                method: request.method(),
                outcome: None,
            });
            return Some((self.calls.len() - 1, false));
        }
        let EventId(cause) = event.cause?;
        let (number, was_answered) = (*self.follows.get(cause as usize)?)?;
        let outcome = &mut self.calls[number].outcome;
        match &event.what {
            What::Answered { result: Ok(_), .. } => *outcome = Some(Outcome::Done),
            What::Answered { .. } if was_answered => *outcome = Some(Outcome::Refused),
            What::Answered { .. } => *outcome = Some(Outcome::Failed),
            What::Runner(event) | What::Member { event, .. } if ends_attempt(event) => {
                outcome.get_or_insert(Outcome::Failed);
            }
            _ => {}
        }
        Some((number, matches!(event.what, What::Handled { .. })))
    }

    fn counts(&self) -> Vec<CallCount> {
        let of = |method: Method| {
            let sent = || self.calls.iter().filter(move |it| it.method == method);
            let count = |outcome| sent().filter(|it| it.outcome == Some(outcome)).count() as u32;
            CallCount {
                method: method.name(),
                sent: sent().count() as u32,
                refused: count(Outcome::Refused),
                failed: count(Outcome::Failed),
            }
        };
        let counts = METHODS.map(of).into_iter();
        counts.filter(|it| it.sent > 0).collect()
    }
}

/// Whether an attempt has ended without an answer, unless it had one.
const fn ends_attempt(event: &runner::Event) -> bool {
    matches!(
        event,
        runner::Event::Exited(_)
            | runner::Event::Lost(_)
            | runner::Event::Released(_)
            | runner::Event::Retrying { .. }
    )
}
