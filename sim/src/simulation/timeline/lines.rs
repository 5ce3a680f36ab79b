//! The lines of a run: what was so, from when on and until when.

use std::collections::BTreeMap;

use super::{OutageStatus, Span};
use crate::sorted::sorted;
use crate::time::Time;
use crate::world::event::{What, WorldEvent};
use crate::world::network::NodeId;
use crate::world::view::NodeStatus;
use crate::world::{DATABASE, World};

/// Spans with their values, by what they are about.
pub(super) type Spans<K, T> = BTreeMap<K, Vec<(T, Span)>>;

pub(super) fn each<K: Clone, T>(spans: Spans<K, T>) -> impl Iterator<Item = (K, T, Span)> {
    spans.into_iter().flat_map(|(key, spans)| {
        let spans = spans.into_iter();
        spans.map(move |(what, span)| (key.clone(), what, span))
    })
}

/// When two or more of some clients believe at once, and which.
pub(super) fn overlaps(
    clients: &[NodeId],
    beliefs: &Spans<NodeId, ()>,
) -> Vec<(Vec<NodeId>, Span)> {
    let spans = clients.iter().filter_map(|client| Some((*client, beliefs.get(client)?)));
    // An end goes before a beginning at the same time: nothing overlaps there.
    let changes: Vec<(Time, bool, NodeId)> = spans
        .flat_map(|(client, spans)| {
            let ends = spans.iter().flat_map(|(_, span)| [(span.from, true), (span.to, false)]);
            ends.map(move |(time, begins)| (time, begins, client))
        })
        .collect();
    let (mut overlaps, mut believers) = (Vec::new(), Vec::<NodeId>::new());
    let mut since = Time::ZERO;
    for (time, begins, client) in sorted(changes) {
        if believers.len() > 1 && since < time {
            let (from, to) = (since, time);
            overlaps.push((believers.clone(), Span { from, to }));
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
pub(super) struct Lines {
    pub(super) holders: Line<String, String>,
    pub(super) beliefs: Line<NodeId, ()>,
    /// The beliefs of clients that run.
    pub(super) acting: Line<NodeId, ()>,
    pub(super) outages: Line<NodeId, OutageStatus>,
}

impl Lines {
    pub(super) fn note(&mut self, event: &WorldEvent, world: &World) {
        let (now, node) = (event.time, event.node);
        let outage = match world.status(node) {
            NodeStatus::Down => Some(OutageStatus::Down),
            NodeStatus::Paused { .. } => Some(OutageStatus::Paused),
            NodeStatus::Running => None,
        };
        self.outages.set(node, outage, now, Time::MAX);
        if let Some(client) = node.index().checked_sub(1 + world.processes()) {
            let ends = world.belief_ends(client);
            let of = |is_so: bool| is_so.then_some(());
            self.beliefs.set(node, of(world.believes_held(client)), now, ends);
            self.acting.set(node, of(world.acts(client)), now, ends);
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
pub(super) struct Line<K, T>(Spans<K, T>);

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
            Some((last, span)) if span.to >= now && what.as_ref() == Some(last) => {
                span.to = ends;
                return;
            }
            _ => close(spans, now),
        }
        let (from, to) = (now, ends);
        spans.extend(what.map(|what| (what, Span { from, to })));
    }

    pub(super) fn finish(mut self, end: Time) -> Spans<K, T> {
        self.0.retain(|_, spans| {
            close(spans, end);
            !spans.is_empty()
        });
        self.0
    }
}

/// Ends the last span at `now`, if it would go on.
fn close<T>(spans: &mut Vec<(T, Span)>, now: Time) {
    if let Some((_, last)) = spans.last_mut() {
        last.to = last.to.min(now);
        if last.from >= last.to {
            spans.pop();
        }
    }
}
