//! A branch over its whole time, for a space-time diagram: the messages from their sending to their
//! arrival, the owners of each key, the beliefs of clients, and the pauses of nodes.
//!
//! It covers the run from start to end, or to where the simulation is, by the same ticks as any run.
//! The simulation stays where it is.

mod call_counts;
mod lines;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

pub use call_counts::CallCount;
use call_counts::call_counts;
use lines::{Lines, Spans, each, overlaps};

use super::error::SimulationError;
use super::player::Simulation;
use crate::scenario::{Position, Running};
use crate::sorted::sorted;
use crate::time::Time;
use crate::trace::{Digest, Event, Names, Recorder, Stored};
use crate::world::event::{Flight, LossReason, What, WorldEvent};
use crate::world::network::NodeId;

/// A branch over its whole time, including the future, or as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SimulationTimeline"))]
pub struct Timeline {
    /// Its end: the scenario's, or the latest time reached after it. Up to now, it is now.
    #[serde(rename = "endMs")]
    pub end: Time,
    /// The events, in order.
    #[serde(skip)]
    pub events: Vec<Event>,
    /// Calls, queries and their answers, by the time of sending.
    pub messages: Vec<Message>,
    /// How many calls there were of each method that was called.
    pub calls: Vec<CallCount>,
    /// Truth: the owner of each key's row.
    pub holders: Vec<Holder>,
    /// Belief: when a client believes it holds its key.
    pub beliefs: Vec<Belief>,
    /// When two or more clients believe they hold a key, and which.
    pub two_owners: Vec<TwoOwners>,
    /// When no client acted on a key, after the first client did: no client believed that it held the
    /// key and ran.
    pub no_client_acts: Vec<NoClientActs>,
    /// When a node was paused or down.
    pub outages: Vec<Outage>,
    /// The writes that came to the storage, in order; `null` without a storage.
    pub writes: Option<Vec<StorageWrite>>,
    /// How many writes the storage took after one of a later holder.
    pub wrong_writes: u32,
    /// How many it refused although no later holder had written.
    pub refused_writes: u32,
    /// The failed expectations, each a sentence.
    pub failures: Vec<String>,
    /// The digest of the events.
    pub digest: Digest,
}

/// A period of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SimulationSpan"))]
pub struct Span {
    /// From when on.
    #[serde(rename = "fromMs")]
    pub from: Time,
    /// Until when.
    #[serde(rename = "toMs")]
    pub to: Time,
}

/// The owner of a key's row, for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Holder {
    /// The key.
    pub key: String,
    /// The owner.
    pub owner: String,
    /// When.
    #[serde(flatten)]
    pub span: Span,
}

/// The belief of a client that it holds its key, for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Belief {
    /// The client.
    pub client: String,
    /// When.
    #[serde(flatten)]
    pub span: Span,
}

/// A write that came to the storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct StorageWrite {
    /// The client that wrote.
    pub client: String,
    /// When it came.
    #[serde(rename = "timeMs")]
    pub time: Time,
    /// True if the storage took it, or refused it.
    pub is_taken: bool,
    /// The client that had written as a later holder before, so that this write is late; `null` if
    /// none had.
    pub after: Option<String>,
}

/// Two or more owners of a key, for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct TwoOwners {
    /// The key.
    pub key: String,
    /// The clients.
    pub clients: Vec<String>,
    /// When.
    #[serde(flatten)]
    pub span: Span,
}

/// No client acts on a key, for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct NoClientActs {
    /// The key.
    pub key: String,
    /// When.
    #[serde(flatten)]
    pub span: Span,
}

/// A node that does not run, for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Outage {
    /// The node.
    pub node: String,
    /// Whether it is paused or down.
    pub status: OutageStatus,
    /// When.
    #[serde(flatten)]
    pub span: Span,
}

/// Why a node does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum OutageStatus {
    /// It is not there.
    Down,
    /// It is paused.
    Paused,
}

/// A call, a query, or an answer to one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SimulationMessage"))]
pub struct Message {
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// When it was sent.
    #[serde(rename = "sentMs")]
    pub sent: Time,
    /// When it arrives, even at a node that is paused or down; `null` if the network lost it.
    #[serde(rename = "arrivesMs")]
    pub arrives: Option<Time>,
    /// Its fate.
    pub fate: Fate,
    /// The number of the event that sent it.
    pub cause: Option<u64>,
    /// True if it answers another.
    pub is_answer: bool,
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Fate {
    /// It arrived, or is on its way.
    Arrives,
    /// The network lost it.
    Lost,
    /// Its receiver was down.
    Refused,
}

impl Simulation {
    /// This branch over its whole time, also what is still to come.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn timeline(&self) -> Result<Timeline, SimulationError> {
        let time = self.end().max(self.branch().reached.time);
        self.timeline_until(Position { time, count: u32::MAX })
    }

    /// This branch up to this moment.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn timeline_so_far(&self) -> Result<Timeline, SimulationError> {
        self.timeline_until(self.position())
    }

    fn timeline_until(&self, place: Position) -> Result<Timeline, SimulationError> {
        let (branch, end) = (self.branch(), place.time);
        let mut running = Running::new(Arc::clone(&self.cast));
        let mut recorder = Recorder::with_flights();
        let mut lines = Lines::default();
        while running.position() < place {
            running.check_steps(end, self.max_steps)?;
            let before = recorder.events().len();
            if !branch.tick(&mut running, &mut recorder, end) {
                break;
            }
            for event in &recorder.events()[before..] {
                if let Event::World(event) = event {
                    lines.note(event, &running.world);
                }
            }
        }
        running.pass_to(end);
        let failures = running.failures(&recorder);
        let writes = running.write_counts();
        let name = |node: NodeId| self.names().of(node).to_owned();
        let beliefs = lines.beliefs.finish(end);
        let acting = lines.acting.finish(end);
        let holders = each(lines.holders.finish(end));
        let outages = each(lines.outages.finish(end));
        Ok(Timeline {
            end,
            messages: messages(&recorder, self.names()),
            calls: call_counts(recorder.events()),
            holders: holders.map(|(key, owner, span)| Holder { key, owner, span }).collect(),
            two_owners: self.two_owners(&beliefs),
            no_client_acts: self.no_client_acts(&acting, end),
            beliefs: each(beliefs)
                .map(|(client, (), span)| Belief { client: name(client), span })
                .collect(),
            outages: outages
                .map(|(node, status, span)| Outage { node: name(node), status, span })
                .collect(),
            writes: self
                .cast
                .scenario
                .storage
                .map(|_| storage_writes(recorder.events(), self.names())),
            wrong_writes: writes.wrong,
            refused_writes: writes.refused,
            failures: failures.into_iter().map(|(_, failure)| failure).collect(),
            digest: recorder.digest(),
            events: recorder.finish().0,
        })
    }

    fn two_owners(&self, beliefs: &Spans<NodeId, ()>) -> Vec<TwoOwners> {
        let world = &self.running.world;
        let mut all = Vec::new();
        for (key, clients) in self.cast.by_key.iter() {
            let clients: Vec<NodeId> = clients.map(|index| world.client(index)).collect();
            for (clients, span) in overlaps(&clients, beliefs) {
                let names = clients.iter().map(|it| self.names().of(*it).to_owned());
                all.push(TwoOwners { key: key.to_owned(), clients: names.collect(), span });
            }
        }
        all
    }
}

impl Simulation {
    fn no_client_acts(&self, acting: &Spans<NodeId, ()>, end: Time) -> Vec<NoClientActs> {
        let world = &self.running.world;
        let mut all = Vec::new();
        for (key, clients) in self.cast.by_key.iter() {
            let spans = clients.filter_map(|it| acting.get(&world.client(it)));
            let spans = spans.flatten().map(|(_, span)| (span.from, span.to));
            let spans = sorted(spans.collect());
            let Some(mut until) = spans.first().map(|(from, _)| *from) else {
                continue;
            };
            for (from, to) in spans.into_iter().chain([(end, end)]) {
                if until < from {
                    let span = Span { from: until, to: from };
                    let key = key.to_owned();
                    all.push(NoClientActs { key, span });
                }
                until = until.max(to);
            }
        }
        all
    }
}

fn storage_writes(events: &[Event], names: &Names) -> Vec<StorageWrite> {
    let all = events.iter().filter_map(|event| match event {
        Event::Stored { time, client, what: Stored::Arrives { is_taken, after } } => {
            Some(StorageWrite {
                client: names.of(*client).to_owned(),
                time: *time,
                is_taken: *is_taken,
                after: after.map(|it| names.of(it).to_owned()),
            })
        }
        Event::Noted { .. } | Event::Stored { .. } | Event::World(_) => None,
    });
    all.collect()
}

/// The messages, with what became of each.
fn messages(recorder: &Recorder, names: &Names) -> Vec<Message> {
    let mut lost = BTreeMap::new();
    for event in recorder.events() {
        if let Event::World(WorldEvent { node, time, what: What::MessageLost { to, why }, .. }) =
            event
            && *why != LossReason::Link
        {
            lost.insert((*node, *to, *time), *why);
        }
    }
    let why = |flight: &Flight, at| lost.get(&(flight.from, flight.to, at));
    let fate = |flight: &Flight| match flight.arrives {
        None => Fate::Lost,
        Some(at) if why(flight, at) == Some(&LossReason::NodeDown) => Fate::Refused,
        Some(at) if why(flight, at) == Some(&LossReason::Disconnected) => Fate::Lost,
        Some(_) => Fate::Arrives,
    };
    let flights = recorder.flights().iter();
    flights
        .map(|flight| Message {
            from: names.of(flight.from).to_owned(),
            to: names.of(flight.to).to_owned(),
            sent: flight.sent,
            arrives: flight.arrives,
            fate: fate(flight),
            cause: flight.cause.map(|cause| cause.0),
            is_answer: flight.is_answer,
        })
        .collect()
}
