//! One client of a question among any number of others.
//!
//! Two owners at the same time are impossible if each client, while it believes that it holds the
//! lock, was the last to have its row: of a row only one was. Whether a client keeps to that is a
//! question about it alone, in a world that allows others everything that it can notice. So is, by
//! itself, whether its belief matches the row, and whether it gives up a lock whose row is its own.

use super::count::Count;
use super::faults::{ByRows, Does, Fault};
use super::{ClientQuestion, Property, Question};
use crate::node::ConnectionKind;
use crate::time::Duration;

/// The part of such a question that is not in the question of its one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Local {
    /// The Locket process that the client prefers.
    pub(in crate::check) prefers: u8,
    /// How Locket is followed.
    pub(in crate::check) locket: Follows,
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
            && !self.is_preview();
        let ways = if is_asked { self.ways_to_follow() } else { Vec::new() };
        ways.into_iter().map(|way| self.locals_followed(way)).collect()
    }

    /// The ways to follow Locket. A failover brings back a row as it was, for which an earlier timer
    /// stands, so there all is followed.
    fn ways_to_follow(&self) -> Vec<Follows> {
        if self.bounds.allow(Fault::Failover) {
            return vec![Follows::Processes];
        }
        let mut ways = Vec::new();
        let mut faults = Fault::ALL.into_iter().filter(|it| it.allowed(&self.bounds) > 0);
        let may_be_rows = faults.clone().all(|it| it.by_rows() != ByRows::NotAsked);
        let grows = may_be_rows && faults.any(|it| it.does(Does::GrowsWithProcesses));
        // A row that goes earlier is worse for the last owner, and need not be for another property.
        let is_worse_earlier =
            self.property.asks_for_last_owner() && !self.property.is_about_storage();
        if grows && is_worse_earlier {
            ways.push(Follows::Rows);
        }
        // Late calls of each life would grow without an end.
        if self.bounds.faults[Fault::Restart].count != Count::Any {
            ways.extend(self.polls_matter().then_some(Follows::Calls));
            ways.push(Follows::Processes);
        }
        ways
    }

    fn locals_followed(&self, locket: Follows) -> Vec<(Self, Local)> {
        let mut clients: Vec<ClientQuestion> = Vec::new();
        for client in &self.clients {
            let mut alone = ClientQuestion { owner: None, ..client.clone() };
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
            let preferring = move |prefers| (local.clone(), Local { prefers, locket });
            (0..processes as u8).map(preferring)
        });
        all.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::tests::question;

    #[test]
    fn each_different_client_is_asked_with_each_process_that_it_may_prefer() {
        let mut question = question(5_000);
        question.clients.push(question.clients[0].clone());
        question.clients[1].retry_interval = Duration::from_seconds(3);
        question.processes = 2;
        let locals = question.locals();
        let asked = |(question, local): &(Question, Local)| {
            let retry_interval = question.clients[0].retry_interval;
            (question.clients.len(), retry_interval, local.prefers)
        };
        let seconds = Duration::from_seconds;
        let each = [(5, 0), (5, 1), (3, 0), (3, 1)];
        let each = each.map(|(retry, prefers)| (1, seconds(retry), prefers));
        assert!(locals[0].iter().all(|(_, local)| local.locket == Follows::Calls));
        assert_eq!(locals.len(), 2);
        assert_eq!(locals[1].iter().map(asked).collect::<Vec<_>>(), each);
    }

    #[test]
    fn clients_of_one_owner_string_are_not_asked_alone() {
        let mut shared = question(5_000);
        for client in &mut shared.clients {
            client.owner = Some("a".to_owned());
        }
        assert!(shared.locals().is_empty());
    }
}
