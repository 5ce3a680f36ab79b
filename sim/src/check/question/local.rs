//! One client of a question among any number of others.
//!
//! Two owners at the same time are impossible if each client, while it believes that it holds the
//! lock, was the last to have its row: of a row only one was. Whether a client keeps to that is a
//! question about it alone, in a world that allows others everything that it can notice. So is, by
//! itself, whether its belief matches the row, and whether it gives up a lock whose row is its own.

use super::count::Count;
use super::drift::DRIFT_MAX;
use super::faults::{ByRows, Does, Fault};
use super::grid::Inexact;
use super::storage::StorageQuestion;
use super::{ClientQuestion, Property, Question};
use crate::node::ConnectionKind;
use crate::scenario::{Guard, Share};
use crate::time::Duration;

/// The part of such a question that is not in the question of its one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Local {
    /// The Locket process that the client prefers.
    pub(in crate::check) prefers: u8,
    /// How Locket is followed.
    pub(in crate::check) locket: Follows,
    /// By how much clocks may drift.
    pub(in crate::check) drift: Share,
}

/// How a search of one client follows Locket processes, the closest way last. Each of the others
/// allows more, and has fewer states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Follows {
    /// By its rows alone: calls fail, are late and are repeated as any number of processes could make
    /// them.
    Rows,
    /// Each process by its calls, and a timer of any process for all timers.
    Calls,
    /// Each process by its calls, timers and polls.
    Processes,
}

impl Question {
    /// The questions of single clients, for each way to follow Locket: nothing breaks the property
    /// with any number of such clients if in one way none of the questions has a violation. None where
    /// that says nothing of the question. The way with the fewest states is first.
    ///
    /// * Their property is [about each client](super::Property::is_of_each_client). Two owners are not
    ///   [allowed](Property::OneOwner) for any time: of several clients, each may overlap the next one
    ///   for less than that, and all together for longer.
    /// * Two clients with one owner string are one owner to Locket, which has one row for both.
    /// * Where transactions hold their rows for a while, a call waits as long as there are others.
    /// * Every client prefers some process, and each of any number may prefer any.
    pub(in crate::check) fn locals(&self) -> Vec<Vec<(Self, Local)>> {
        let is_asked = self.property.is_of_each_client()
            && (self.clients.len() > 1 || self.any_clients)
            && !self.owners().are_shared()
            && !self.bounds.hold_rows()
            && matches!(self.inexact(), None | Some(Inexact::ClockRates | Inexact::Drift));
        let ways = if is_asked { self.ways_to_follow() } else { Vec::new() };
        let asked = ways.into_iter().map(|(locket, drift)| self.locals_followed(locket, drift));
        asked.filter(|it| !it.is_empty()).collect()
    }

    /// True if a search that follows only rows can prove it. A row that goes earlier is worse for the
    /// last owner, and need not be for another property, nor for a guard that asks for the row.
    pub(in crate::check) fn may_follow_rows(&self) -> bool {
        let mut faults = Fault::ALL.into_iter().filter(|it| it.allowed(&self.bounds) > 0);
        let asks_for_row =
            |it: StorageQuestion| matches!(it.guard, Guard::ModifiedIndex | Guard::Owner);
        self.property.asks_for_last_owner()
            && !self.asked_storage().is_some_and(asks_for_row)
            && faults.all(|it| it.by_rows() != ByRows::NotAsked)
    }

    /// The ways to follow Locket, each with the drift of clocks that it covers. A failover brings back a
    /// row as it was, for which an earlier timer stands, so there all is followed.
    fn ways_to_follow(&self) -> Vec<(Follows, Share)> {
        let may_follow_rows = self.may_follow_rows();
        let (asked, none) = (self.drift(), Share::default());
        if asked != none {
            let is_covered = may_follow_rows && asked.per_mille() <= DRIFT_MAX;
            return if is_covered { vec![(Follows::Rows, asked)] } else { Vec::new() };
        }
        let mut ways = Vec::new();
        if may_follow_rows && self.bounds.allow_any_that(Does::GrowsWithProcesses) {
            ways.extend([self.drift_within_a_step(), none].map(|drift| (Follows::Rows, drift)));
            ways.dedup();
        }
        // Late calls of each life would grow without an end.
        if self.bounds.faults[Fault::Restart].count != Count::Any {
            let may_follow_calls = self.polls_matter() && !self.bounds.allow(Fault::Failover);
            ways.extend(may_follow_calls.then_some((Follows::Calls, none)));
            ways.push((Follows::Processes, none));
        }
        ways
    }

    /// None if times by a clock that drifts are too long for a search.
    fn locals_followed(&self, locket: Follows, drift: Share) -> Vec<(Self, Local)> {
        let mut clients: Vec<ClientQuestion> = Vec::new();
        for client in &self.clients {
            let mut alone = ClientQuestion { owner: None, rate_ppm: 0, ..client.clone() };
            // By rows calls are late and fail anyway.
            if locket == Follows::Rows {
                alone.connection = Some(ConnectionKind::Fetch);
            }
            if !clients.contains(&alone) {
                clients.push(alone);
            }
        }
        // Where no process is followed, it does not matter which one a client prefers.
        let processes = match locket {
            Follows::Rows => 1,
            Follows::Calls | Follows::Processes => self.processes,
        };
        let all = clients.into_iter().flat_map(|client| {
            let property = match matches!(self.property, Property::OneOwner { .. }) {
                true => Property::OneOwner { allow: Duration::ZERO },
                false => self.property,
            };
            let local = Self {
                clients: vec![client],
                property,
                any_clients: false,
                grid: None,
                processes,
                ..self.clone()
            };
            let local = if drift == Share::default() { local } else { local.seen_with(drift) };
            let preferring = move |prefers| (local.clone(), Local { prefers, locket, drift });
            (0..processes as u8).map(preferring)
        });
        let has_room = |(it, _): &(Self, Local)| it.check_times().is_ok();
        let all: Vec<_> = all.collect();
        if all.iter().all(has_room) { all } else { Vec::new() }
    }
}
