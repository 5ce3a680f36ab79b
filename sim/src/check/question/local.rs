//! One client of a question among any number of others.
//!
//! Two owners at the same time are impossible if each client, while it believes that it holds the
//! lock, was the last to have its row: of a row only one was. Whether a client keeps to that is a
//! question about it alone, in a world that allows others everything that it can notice. So is, by
//! itself, whether its belief matches the row, and whether it gives up a lock whose row is its own.

use super::{ClientQuestion, Question};

/// The part of such a question that is not in the question of its one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Local {
    /// The Locket process that the client prefers.
    pub(in crate::check) prefers: u8,
    /// The key that is looked at, by its number in the question of the client.
    pub(in crate::check) key: u8,
    /// Whether any process stands for the timers of all.
    pub(in crate::check) any_timers: bool,
}

impl Question {
    /// The questions of single clients, for each key that can be looked at: nothing breaks the
    /// property with any number of such clients if for one key none of its questions has a violation.
    /// None where that says nothing of the question. Where processes have timers, each key is looked
    /// at first with a process that may have registered a row at any time: that has fewer states, and
    /// allows more.
    ///
    /// * Their property is [about each client](super::Property::is_of_each_client).
    /// * Two clients with one owner string are one owner to Locket, which has one row for both.
    /// * Every client prefers some process, and each of any number may prefer any.
    pub(in crate::check) fn locals(&self) -> Vec<Vec<(Self, Local)>> {
        let is_asked = self.property.is_of_each_client()
            && (self.clients.len() > 1 || self.any_clients)
            && !self.owners().are_shared()
            && !self.is_preview();
        let mut keys = if is_asked { self.keys() } else { Vec::new() };
        if !self.property.asks_for_last_owner() {
            // It is about all keys at once, which one client has in its world anyway.
            keys.truncate(1);
        }
        // A failover brings back a row for which an earlier timer stands.
        let any_timers = self.polls_matter() && self.bounds.failovers.is_never();
        let ways = [true, false].into_iter().skip(usize::from(!any_timers));
        let each = keys
            .iter()
            .flat_map(|key| ways.clone().map(move |way| (key, way)));
        each.map(|(key, any_timers)| self.locals_of(key, any_timers))
            .collect()
    }

    fn locals_of(&self, key: &str, any_timers: bool) -> Vec<(Self, Local)> {
        let mut clients: Vec<ClientQuestion> = Vec::new();
        for client in &self.clients {
            let alone = ClientQuestion {
                owner: None,
                ..client.clone()
            };
            if !clients.contains(&alone) {
                clients.push(alone);
            }
        }
        let processes = 0..self.processes as u8;
        let all = clients.into_iter().flat_map(|client| {
            let local = Self {
                clients: vec![client],
                any_clients: false,
                grid: None,
                ..self.clone()
            };
            let place = local.keys().iter().position(|it| it == key);
            let key = place.unwrap_or_default() as u8;
            let of = move |prefers| {
                let local_of = Local {
                    prefers,
                    key,
                    any_timers,
                };
                (local.clone(), local_of)
            };
            processes.clone().map(of)
        });
        all.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::question::tests::question;
    use crate::scenario::ClientKind;
    use crate::time::Duration;

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
        assert!(locals[0].iter().all(|(_, local)| local.any_timers));
        assert_eq!(locals.len(), 2);
        assert_eq!(locals[1].iter().map(asked).collect::<Vec<_>>(), each);
    }

    #[test]
    fn a_key_is_the_same_for_all_clients_in_whichever_order_they_take_it() {
        let mut question = question(5_000);
        for (client, keys) in question.clients.iter_mut().zip([["x", "y"], ["y", "x"]]) {
            client.kind = ClientKind::Joint;
            client.keys = keys.map(str::to_owned).to_vec();
        }
        let keys = question.locals().into_iter().map(|locals| {
            let names = locals
                .iter()
                .map(|(question, local)| question.clients[0].keys[usize::from(local.key)].clone());
            names.collect::<Vec<_>>()
        });
        assert_eq!(keys.collect::<Vec<_>>(), [["x", "x"], ["y", "y"]]);
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
