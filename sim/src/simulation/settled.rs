//! When a run has settled: everything that happened to it has had its effect.
//!
//! Knows what may still follow from a fault; not why a run is looked at.

use super::error::SimulationError;
use super::player::Simulation;
use super::state::{NodeView, PendingKind, PendingView};
use crate::protocol::row::Row;
use crate::scenario::{Action, ActionKind};
use crate::time::{Duration, Time};
use crate::trace::{Event, Kind, RunnerKind};
use crate::world::event::{EventId, What, WorldEvent};
use crate::world::view::{Pending, PendingWhat};

/// No run is followed for longer than this after a fault, however long a TTL is.
const WAIT_MAX: Duration = Duration::from_seconds(180);
/// An expiry may be followed by another one.
const ROUNDS_MAX: u32 = 3;
/// A message that takes longer than this may still do harm.
const LATE: Duration = Duration::from_seconds(1);

impl Simulation {
    /// Goes to the end of the branch, and from there on until it has
    /// [settled](Self::has_settled). Whether it has: a lock that expires before each renewal never
    /// settles.
    ///
    /// # Errors
    ///
    /// It takes more steps than it may.
    pub fn settle(&mut self) -> Result<bool, SimulationError> {
        self.seek_time(self.end().max(self.branch().reached.time))?;
        for _ in 0..ROUNDS_MAX {
            if self.has_settled() {
                return Ok(true);
            }
            self.seek_time(self.settles_by())?;
        }
        Ok(self.has_settled())
    }

    /// True if everything that happens to this branch has had its effect by now. Then each lock has
    /// one owner, who knows it and has renewed it since, or a TTL and two attempts have passed.
    pub fn has_settled(&self) -> bool {
        self.now() >= self.settles_by() || self.is_idle()
    }

    /// When a TTL and two attempts have passed since the last fault.
    fn settles_by(&self) -> Time {
        let mut longest = Duration::ZERO;
        for client in self.scenario().clients.entries() {
            let attempt = match client.is_runner() {
                true => client.interval(),
                false => Duration::ZERO,
            };
            longest = longest.max(client.ttl + attempt + attempt);
        }
        self.last_fault() + longest.min(WAIT_MAX)
    }

    /// The last thing that happens to the branch from outside, or ends after it, or an expiry; or the
    /// arrival of a message that was on its way then.
    fn last_fault(&self) -> Time {
        let fault = self.last_act();
        let arrives = |it: Pending| match it.what {
            PendingWhat::Arrival { cause, .. } => {
                self.has_happened_by(cause?, fault).then_some(it.time)
            }
            PendingWhat::StallEnds | PendingWhat::Timer | PendingWhat::Wakes => None,
        };
        let pending = self.running.world.pending().into_iter();
        let arrivals = pending.filter_map(arrives);
        let followed = arrivals.filter(|time| *time <= fault + WAIT_MAX);
        followed.fold(fault, Time::max)
    }

    /// True if an event happened at a time or before.
    fn has_happened_by(&self, event: EventId, time: Time) -> bool {
        let mut events = self.events().iter().rev();
        let found = events.find(|it| matches!(it, Event::World(it) if it.id == event));
        found.is_some_and(|it| it.time() <= time)
    }

    /// The last thing that happens to the branch from outside, or ends after it, or an expiry.
    fn last_act(&self) -> Time {
        let happened = self.events().iter().rfind(|it| is_fault(it));
        let mut last = happened.map_or(Time::ZERO, Event::time);
        for action in &self.scenario().actions {
            let is_note = matches!(action.kind, ActionKind::Note | ActionKind::FetchAll);
            if !is_note && action.every.is_none() {
                last = last.max(ends(Time::ZERO + action.at, action));
            }
        }
        for (position, act) in &self.branch().acts {
            last = last.max(ends(position.time, act));
        }
        for pending in self.running.world.pending() {
            if matches!(pending.what, PendingWhat::Wakes | PendingWhat::StallEnds) {
                last = last.max(pending.time);
            }
        }
        last
    }

    /// True if each lock has one owner, who knows it and has renewed it since the last fault.
    fn is_idle(&self) -> bool {
        let (last, late) = (self.last_fault(), self.now() + LATE);
        if last > self.now() {
            return false;
        }
        let state = self.state();
        let is_late = |it: &PendingView| {
            matches!(it.kind, PendingKind::Message | PendingKind::Answer) && it.time > late
        };
        if state.pending.iter().any(is_late) {
            return false;
        }
        let events = self.events().iter().rev();
        let mut renewed = vec![false; state.nodes.len()];
        for event in events.take_while(|it| it.time() > last) {
            let kind = event.runner_kind();
            if let (Some(RunnerKind::Renewed | RunnerKind::Acquired), Some(node)) =
                (kind, event.node())
            {
                renewed[node.index()] = true;
            }
        }
        let is_kept = |row: &Row| {
            let believes = |it: &&NodeView| it.believes && it.key.as_ref() == Some(&row.path);
            let mut believers = state.nodes.iter().filter(believes);
            let (Some(owner), None) = (believers.next(), believers.next()) else {
                return false;
            };
            let index = state.nodes.iter().position(|it| it.name == owner.name);
            let name = owner.owner.as_ref().unwrap_or(&owner.name);
            index.is_some_and(|it| renewed[it]) && row.owner.as_ref() == Some(name)
        };
        let is_there = |event: &Event| match event {
            Event::World(WorldEvent { what: What::RowWritten(row), .. }) => {
                state.rows.iter().any(|it| it.path == row.path())
            }
            Event::World(_) | Event::Noted { .. } | Event::Stored { .. } => true,
        };
        state.rows.iter().all(is_kept) && self.events().iter().all(is_there)
    }
}

/// When an action is over.
fn ends(at: Time, action: &Action) -> Time {
    at + action.duration.unwrap_or_default()
}

/// True if an event comes from outside, or is an expiry.
fn is_fault(event: &Event) -> bool {
    let has_no_cause = matches!(event, Event::World(event) if event.cause.is_none());
    let is_usual =
        matches!(event.kind(), Kind::Called | Kind::Noted | Kind::Started | Kind::Stored);
    matches!(event.kind(), Kind::Expired) || (has_no_cause && !is_usual)
}
