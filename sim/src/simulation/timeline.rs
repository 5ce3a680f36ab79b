//! A branch over its whole time, for a space-time diagram: the messages from their sending to their
//! arrival, the owners of each key, the beliefs of clients, and the pauses of nodes.
//!
//! It covers the run from start to end, by the same ticks as any run. The position of the
//! simulation does not matter and does not change.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::SimulationError;
use super::player::Simulation;
use crate::json::Json;
use crate::scenario::Running;
use crate::sorted::{map_of, sorted};
use crate::time::Time;
use crate::trace::{Digest, Event, Names, Recorder};
use crate::world::event::{Flight, LossReason, What, WorldEvent};
use crate::world::network::NodeId;
use crate::world::view::NodeStatus;
use crate::world::{DATABASE, World};

/// A branch over its whole time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// When it ends: with the scenario, or at the furthest position after that.
    pub end: Time,
    /// The events, in order.
    pub events: Vec<Event>,
    /// Calls, queries and their answers, by the time of sending.
    pub messages: Vec<Message>,
    /// Truth: by key, who the row says holds it, and when.
    pub holders: BTreeMap<String, Vec<Span<String>>>,
    /// Belief: by client, when it believes it holds its key.
    pub beliefs: BTreeMap<NodeId, Vec<Span<()>>>,
    /// By key, when two clients or more believe they hold it, and which.
    pub two_owners: BTreeMap<String, Vec<Span<Vec<NodeId>>>>,
    /// By node, when it was paused (`false`) or down (`true`).
    pub outages: BTreeMap<NodeId, Vec<Span<bool>>>,
    /// The failed expectations of the scenario, each as a sentence.
    pub failures: Vec<String>,
    /// The digest of all of it.
    pub digest: Digest,
}

/// A stretch of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<T> {
    /// From when on.
    pub from: Time,
    /// Until when.
    pub to: Time,
    /// The value during it.
    pub what: T,
}

/// A message, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// As it was sent.
    pub flight: Flight,
    /// Its fate.
    pub fate: Fate,
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It arrived, or will.
    Arrives,
    /// The network lost it.
    Lost,
    /// Its receiver was down.
    Refused,
}

impl Fate {
    const fn name(self) -> &'static str {
        match self {
            Self::Arrives => "arrives",
            Self::Lost => "lost",
            Self::Refused => "refused",
        }
    }
}

impl Simulation {
    /// This branch over its whole time, also what is still to come.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn timeline(&self) -> Result<Timeline, SimulationError> {
        let branch = self.branch();
        let end = self.end().max(branch.reached.time);
        let mut running = Running::new(Arc::clone(&self.cast));
        let mut recorder = Recorder::with_flights();
        let mut lines = Lines::default();
        loop {
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
        let messages = messages(&recorder);
        let failures = running.failures(&recorder);
        let beliefs = lines.beliefs.finish(end);
        let two_owners = self.two_owners(&beliefs);
        let (events, digest) = recorder.finish();
        Ok(Timeline {
            end,
            events,
            messages,
            holders: lines.holders.finish(end),
            two_owners,
            beliefs,
            outages: lines.outages.finish(end),
            failures: failures.into_iter().map(|(_, failure)| failure).collect(),
            digest,
        })
    }

    fn two_owners(
        &self,
        beliefs: &BTreeMap<NodeId, Vec<Span<()>>>,
    ) -> BTreeMap<String, Vec<Span<Vec<NodeId>>>> {
        let world = &self.running.world;
        let overlaps = self.cast.by_key.iter().map(|(key, clients)| {
            let clients: Vec<NodeId> = clients.iter().map(|index| world.client(*index)).collect();
            (key.clone(), overlaps(&clients, beliefs))
        });
        map_of(overlaps.filter(|(_, spans)| !spans.is_empty()))
    }
}

/// When two or more of some clients believe at once, and which.
fn overlaps(
    clients: &[NodeId],
    beliefs: &BTreeMap<NodeId, Vec<Span<()>>>,
) -> Vec<Span<Vec<NodeId>>> {
    let spans = clients
        .iter()
        .filter_map(|client| Some((*client, beliefs.get(client)?)));
    // An end goes before a beginning at the same time: nothing overlaps there.
    let changes: Vec<(Time, bool, NodeId)> = spans
        .flat_map(|(client, spans)| {
            let ends = spans
                .iter()
                .flat_map(|span| [(span.from, true), (span.to, false)]);
            ends.map(move |(time, begins)| (time, begins, client))
        })
        .collect();
    let (mut overlaps, mut believers) = (Vec::new(), Vec::<NodeId>::new());
    let mut since = Time::ZERO;
    for (time, begins, client) in sorted(changes) {
        if believers.len() > 1 && since < time {
            overlaps.push(Span {
                from: since,
                to: time,
                what: believers.clone(),
            });
        }
        since = time;
        if begins {
            believers.push(client);
        } else {
            believers.retain(|it| *it != client);
        }
    }
    overlaps
}

/// The spans so far.
#[derive(Default)]
struct Lines {
    holders: Line<String, String>,
    beliefs: Line<NodeId, ()>,
    outages: Line<NodeId, bool>,
}

impl Lines {
    fn note(&mut self, event: &WorldEvent, world: &World) {
        let (now, node) = (event.time, event.node);
        let outage = match world.status(node) {
            NodeStatus::Down => Some(true),
            NodeStatus::Paused { .. } => Some(false),
            NodeStatus::Running => None,
        };
        self.outages.set(node, outage, now, Time::MAX);
        if let Some(client) = node.index().checked_sub(1 + world.processes()) {
            let believes = world.believes_held(client).then_some(());
            self.beliefs
                .set(node, believes, now, world.belief_ends(client));
        }
        if node == DATABASE {
            self.note_rows(&event.what, now, world);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other events leave the rows as they are"
    )]
    fn note_rows(&mut self, what: &What, now: Time, world: &World) {
        let changed: Vec<String> = match what {
            What::Expired { key: path, .. } | What::RowDeleted { path } => vec![path.clone()],
            What::RowWritten(row) => vec![row.path().to_owned()],
            What::FailedOver { .. } | What::TableDropped => {
                let rows = world.rows().into_iter().map(|row| row.path);
                rows.chain(self.holders.0.keys().cloned()).collect()
            }
            _ => return,
        };
        for path in changed {
            let owner = world.row(&path).map(|row| row.owner.unwrap_or_default());
            self.holders.set(path, owner, now, Time::MAX);
        }
    }
}

/// Spans by what they are about. The last of a key may end after now.
struct Line<K, T>(BTreeMap<K, Vec<Span<T>>>);

impl<K, T> Default for Line<K, T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord, T: PartialEq> Line<K, T> {
    /// The value from `now` on, and its end without another event. A value that ends and comes back
    /// at one instant has one span.
    fn set(&mut self, key: K, what: Option<T>, now: Time, ends: Time) {
        if what.is_none() && !self.0.contains_key(&key) {
            return;
        }
        let spans = self.0.entry(key).or_default();
        match spans.last_mut() {
            Some(last) if last.to >= now && what.as_ref() == Some(&last.what) => {
                last.to = ends;
                return;
            }
            _ => close(spans, now),
        }
        spans.extend(what.map(|what| Span {
            from: now,
            to: ends,
            what,
        }));
    }

    fn finish(mut self, end: Time) -> BTreeMap<K, Vec<Span<T>>> {
        self.0.retain(|_, spans| {
            close(spans, end);
            !spans.is_empty()
        });
        self.0
    }
}

/// Ends the last span at `now`, if it would go on.
fn close<T>(spans: &mut Vec<Span<T>>, now: Time) {
    if let Some(last) = spans.last_mut() {
        last.to = last.to.min(now);
        if last.from >= last.to {
            spans.pop();
        }
    }
}

/// The messages, with what became of each.
fn messages(recorder: &Recorder) -> Vec<Message> {
    let mut lost = BTreeMap::new();
    for event in recorder.events() {
        if let Event::World(WorldEvent {
            node,
            time,
            what: What::MessageLost { to, why },
            ..
        }) = event
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
            flight: *flight,
            fate: fate(flight),
        })
        .collect()
}

impl Timeline {
    /// Everything but events and digest, as JSON, with the names that nodes have.
    pub fn to_json(&self, names: &Names) -> String {
        let mut json = Json::default();
        json.open('{').key("endMs").plain(self.end.as_ms());
        json.key("messages").open('[');
        for message in &self.messages {
            message.write(names, &mut json);
        }
        json.close(']').key("holders").open('[');
        for (key, span) in each(&self.holders) {
            write_span(span, &mut json, &[("key", key), ("owner", &span.what)]);
        }
        json.close(']').key("beliefs").open('[');
        for (client, span) in each(&self.beliefs) {
            write_span(span, &mut json, &[("client", names.of(*client))]);
        }
        json.close(']').key("twoOwners").open('[');
        for (key, span) in each(&self.two_owners) {
            json.open('{').key("clients").open('[');
            for client in &span.what {
                json.string(names.of(*client));
            }
            json.close(']');
            write_times(span, &mut json, &[("key", key)]);
        }
        json.close(']').key("outages").open('[');
        for (node, span) in each(&self.outages) {
            let status = if span.what { "down" } else { "paused" };
            write_span(
                span,
                &mut json,
                &[("node", names.of(*node)), ("status", status)],
            );
        }
        json.close(']').key("failures").open('[');
        for failure in &self.failures {
            json.string(failure);
        }
        json.close(']').close('}').take()
    }
}

impl Message {
    fn write(&self, names: &Names, json: &mut Json) {
        let Flight {
            from,
            to,
            sent,
            arrives,
            cause,
            is_answer,
        } = self.flight;
        json.open('{');
        json.strings(&[
            ("from", names.of(from)),
            ("to", names.of(to)),
            ("fate", self.fate.name()),
        ]);
        json.key("sentMs").plain(sent.as_ms());
        json.key("arrivesMs")
            .optional_plain(arrives.map(Time::as_ms));
        json.key("cause").optional_plain(cause.map(|cause| cause.0));
        json.key("isAnswer").plain(is_answer).close('}');
    }
}

fn each<K, T>(lines: &BTreeMap<K, Vec<Span<T>>>) -> impl Iterator<Item = (&K, &Span<T>)> {
    let each = lines.iter();
    each.flat_map(|(key, spans)| spans.iter().map(move |span| (key, span)))
}

fn write_span<T>(span: &Span<T>, json: &mut Json, members: &[(&str, &str)]) {
    json.open('{');
    write_times(span, json, members);
}

/// The rest of an object that is open.
fn write_times<T>(span: &Span<T>, json: &mut Json, members: &[(&str, &str)]) {
    json.strings(members);
    json.key("fromMs").plain(span.from.as_ms());
    json.key("toMs").plain(span.to.as_ms()).close('}');
}
