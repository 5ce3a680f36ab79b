//! The events of a run, each with a sentence and its cause, and a digest that is equal on every
//! platform that runs the same scenario.

mod assertions;
mod digest;
mod encode;
mod event;
pub mod export;
mod kind;
mod names;
mod view;

pub use assertions::excerpt;
pub use digest::Digest;
pub use event::{Event, Stored, answers, asks, runner_words};
pub use kind::{Kind, RunnerKind};
pub use names::Names;
pub use view::{EventView, RunView};

use std::sync::Arc;

use crate::protocol::row::Row;
use crate::protocol::runner::Event as RunnerEvent;
use crate::time::Time;
use crate::world::event::{Flight, Observer, Seen, WholeRenewal, WorldEvent};
use crate::world::network::NodeId;
pub(crate) use encode::RollingDigest;

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The scenario's name.
    pub name: String,
    /// The description of the scenario.
    pub description: String,
    /// The names of the nodes.
    pub names: Names,
    /// The events, in order.
    pub events: Vec<Event>,
    /// The `locks` table at the end, by key.
    pub table: Vec<Row>,
    /// The expectations, in the order of the scenario.
    pub checks: Vec<Check>,
    /// The expectations that failed, each as a sentence; empty if all held.
    pub failures: Vec<String>,
    /// Equal for the same scenario and seed on every platform.
    pub digest: Digest,
}

/// An expectation and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The expectation as a sentence.
    pub words: String,
    /// Why it failed, each reason a sentence; empty if it held.
    pub failures: Vec<String>,
    /// True if the run put it to the test. One that it did not is no success.
    pub is_exercised: bool,
}

/// Collects the events of a run and rolls their digest.
#[derive(Clone, Default)]
pub(crate) struct Recorder {
    events: Vec<Event>,
    /// True if it keeps the digest and no events.
    forgets: bool,
    /// The nodes with events since the last [`Self::take_touched`].
    touched: Vec<NodeId>,
    /// The clients that have renewed since the last [`Self::forget_changes`].
    renewed: Vec<NodeId>,
    /// The changes of rows since the last [`Self::forget_changes`].
    rows: RowChanges,
    digest: RollingDigest,
    /// The messages; `None` if none are recorded.
    flights: Option<Vec<Flight>>,
}

/// The rows that have changed.
#[derive(Clone, Default)]
pub(crate) struct RowChanges {
    /// The keys of those that were written or deleted.
    pub(crate) keys: Vec<Arc<str>>,
    /// True if any others may have changed.
    pub(crate) are_all: bool,
}

impl RowChanges {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other events leave the rows as they are"
    )]
    fn note(&mut self, what: &Seen<'_>) {
        match what {
            Seen::RowWritten(row) => self.keys.push(Arc::clone(&row.path)),
            Seen::Expired { key: path, .. } | Seen::RowDeleted { path } => {
                self.keys.push(path.as_str().into());
            }
            Seen::FailedOver { .. } | Seen::TableDropped => self.are_all = true,
            _ => {}
        }
    }
}

impl Recorder {
    /// A recorder of events and messages. Messages are no part of the digest.
    pub(crate) fn with_flights() -> Self {
        Self { flights: Some(Vec::new()), ..Self::default() }
    }

    /// A recorder of the digest alone.
    pub(crate) fn forgetting() -> Self {
        Self { forgets: true, ..Self::default() }
    }

    /// The messages so far.
    pub(crate) fn flights(&self) -> &[Flight] {
        self.flights.as_deref().unwrap_or_default()
    }

    /// Adds a note of the scenario's author, which is no part of the digest.
    pub(crate) fn note(&mut self, time: Time, text: String) {
        if !self.forgets {
            self.events.push(Event::Noted { time, text });
        }
    }

    /// Adds an event between a client and the storage that it writes to.
    pub(crate) fn store(&mut self, time: Time, client: NodeId, what: Stored) {
        self.digest.add_stored(time, client, what);
        if !self.forgets {
            self.events.push(Event::Stored { time, client, what });
        }
    }

    /// True if a client has renewed its lock since the last [`Self::forget_changes`].
    pub(crate) fn has_renewed(&self, client: NodeId) -> bool {
        self.renewed.contains(&client)
    }

    /// The nodes with events since the last call; a node may appear twice.
    pub(crate) fn take_touched(&mut self) -> impl Iterator<Item = NodeId> {
        self.touched.drain(..)
    }

    /// True if there is anything to [take](Self::take_touched) or [forget](Self::forget_changes).
    pub(crate) const fn has_changes(&self) -> bool {
        !self.touched.is_empty() || !self.rows.keys.is_empty() || self.rows.are_all
    }

    /// The changes of rows since the last [`Self::forget_changes`].
    pub(crate) const fn row_changes(&self) -> &RowChanges {
        &self.rows
    }

    pub(crate) fn forget_changes(&mut self) {
        self.renewed.clear();
        self.rows.keys.clear();
        self.rows.are_all = false;
    }

    /// The events so far.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The digest so far.
    pub(crate) fn digest(&self) -> Digest {
        self.digest.digest()
    }

    /// Drops the events and keeps their digest.
    pub(crate) fn forget_events(&mut self) {
        self.events.clear();
    }

    /// The digest so far, as it goes on.
    pub(crate) fn rolling_digest(&self) -> RollingDigest {
        self.digest.clone()
    }

    /// Goes back to the first `events` events, whose digest was `digest`.
    pub(crate) fn go_back(&mut self, events: usize, digest: &RollingDigest) {
        self.events.truncate(events);
        self.digest.clone_from(digest);
    }

    /// All events, and their digest.
    pub(crate) fn finish(self) -> (Vec<Event>, Digest) {
        let digest = self.digest.digest();
        (self.events, digest)
    }
}

impl Observer for Recorder {
    fn observe_whole_renewal(&mut self, round: &WholeRenewal<'_>) {
        self.digest.add_renewal(round);
        if !self.forgets {
            round.events(&mut |event| self.events.push(Event::World(event.keep())));
        }
    }

    /// A renewal changes no owner, so its nodes and rows are not looked at.
    fn observe_renewal(&mut self, event: WorldEvent<Seen<'_>>) {
        self.digest.add(&event);
        if !self.forgets {
            self.events.push(Event::World(event.keep()));
        }
    }

    fn observe(&mut self, event: WorldEvent<Seen<'_>>) {
        debug_assert!(
            self.events.last().is_none_or(|last| last.time() <= event.time),
            "events come in the order of time"
        );
        self.digest.add(&event);
        self.rows.note(&event.what);
        if matches!(event.what, Seen::Runner(RunnerEvent::Renewed)) {
            self.renewed.push(event.node);
        }
        if self.touched.last() != Some(&event.node) {
            self.touched.push(event.node);
        }
        if !self.forgets {
            self.events.push(Event::World(event.keep()));
        }
    }

    fn watches_messages(&self) -> bool {
        self.flights.is_some()
    }

    fn sent(&mut self, flight: Flight) {
        if let Some(flights) = &mut self.flights {
            flights.push(flight);
        }
    }
}
