//! What happened in a run: events, each with words for people and its cause, and a digest
//! that is equal wherever the same scenario ran.

mod digest;
mod encode;
mod event;
pub mod export;
mod kind;

pub use digest::Digest;
pub use event::{Event, answers, asks};

use crate::protocol::row::Row;
use crate::time::Time;
use crate::world::event::{Flight, Observer, WorldEvent};
use crate::world::network::NodeId;
use encode::RollingDigest;

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The scenario's name.
    pub name: String,
    /// What it teaches.
    pub description: String,
    /// What the nodes are called.
    pub names: Names,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The `locks` table at the end, by key.
    pub table: Vec<Row>,
    /// What was expected, in the order of the scenario.
    pub checks: Vec<Check>,
    /// What was expected and did not hold, each a sentence; empty if all held.
    pub failures: Vec<String>,
    /// Equal for the same scenario and seed on every platform.
    pub digest: Digest,
}

/// Something that was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was expected, a sentence.
    pub words: String,
    /// What did not hold of it, each a sentence; empty if it held.
    pub failures: Vec<String>,
}

/// What the nodes of a run are called, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub(crate) Vec<String>);

impl Names {
    /// The name of a node.
    pub fn of(&self, node: NodeId) -> &str {
        self.0.get(usize::from(node.0)).map_or("?", String::as_str)
    }

    /// All nodes with their names.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &str)> {
        (0..=u16::MAX)
            .map(NodeId)
            .zip(self.0.iter().map(String::as_str))
    }

    /// How many nodes there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no node.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Collects the events of a run and rolls their digest.
#[derive(Clone, Default)]
pub(crate) struct Recorder {
    events: Vec<Event>,
    /// Whether it keeps no events but only their digest.
    forgets: bool,
    /// Where something has happened that nobody has looked at yet.
    touched: Vec<NodeId>,
    digest: RollingDigest,
    /// Messages too, if somebody wants them.
    flights: Option<Vec<Flight>>,
}

impl Recorder {
    /// One that keeps messages too, which do not count in the digest.
    pub(crate) fn with_flights() -> Self {
        Self {
            flights: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// One that keeps the digest and nothing else.
    pub(crate) fn forgetting() -> Self {
        Self {
            forgets: true,
            ..Self::default()
        }
    }

    /// The messages so far.
    pub(crate) fn flights(&self) -> &[Flight] {
        self.flights.as_deref().unwrap_or_default()
    }

    /// Something that the scenario's author has to say; no part of what happened, so not of the digest.
    pub(crate) fn note(&mut self, time: Time, text: String) {
        if !self.forgets {
            self.events.push(Event::Noted { time, text });
        }
    }

    /// The nodes to which something has happened since this was asked last, some of them twice.
    pub(crate) fn take_touched(&mut self) -> impl Iterator<Item = NodeId> {
        self.touched.drain(..)
    }

    /// The events so far.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The digest so far.
    pub(crate) const fn digest(&self) -> Digest {
        self.digest.digest()
    }

    /// Keeps no more of what has happened than its digest.
    pub(crate) fn forget_events(&mut self) {
        self.events.clear();
    }

    /// Goes back to when there were `events`, and this was their digest.
    pub(crate) fn go_back(&mut self, events: usize, digest: Digest) {
        self.events.truncate(events);
        self.digest.go_back(digest);
    }

    /// All events, and their digest.
    pub(crate) fn finish(self) -> (Vec<Event>, Digest) {
        let digest = self.digest.digest();
        (self.events, digest)
    }
}

impl Observer for Recorder {
    fn observe(&mut self, event: WorldEvent) {
        self.digest.add(&event);
        if self.touched.last() != Some(&event.node) {
            self.touched.push(event.node);
        }
        if !self.forgets {
            self.events.push(Event::World(event));
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
