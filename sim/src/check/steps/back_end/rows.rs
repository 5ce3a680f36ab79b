//! The transactions at the database that hold a row, or wait for one.

use super::BackEnd;
use crate::node::canonical::CanonicalLocket;
use crate::node::database::DatabaseInput;
use crate::node::message::Query;

/// The facts about a transaction that holds its row, or gets it now if no other does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct RowFacts {
    /// The process that has asked.
    pub(in crate::check) process: u8,
    /// Which of those that the process has at the database it is, in the order in which they were
    /// asked.
    pub(in crate::check) rank: u8,
    /// In how many milliseconds it commits at the latest, if it holds its row.
    pub(in crate::check) due_ms: Option<u64>,
}

impl BackEnd {
    /// A transaction commits that holds its row.
    pub(super) fn commit(&mut self, process: u8, rank: u8) {
        if let Some(token) = self.transaction(process, rank) {
            let process = process.into();
            self.send_to_database(DatabaseInput::Commit { process, token });
        }
    }

    /// A transaction gets its row.
    pub(super) fn grant(&mut self, process: u8, rank: u8) {
        if let Some(token) = self.transaction(process, rank) {
            let process = process.into();
            self.send_to_database(DatabaseInput::Grant { process, token });
        }
    }

    /// The token of a transaction of a process.
    fn transaction(&self, process: u8, rank: u8) -> Option<u64> {
        let database = &self.machines.database;
        let its = database.transactions().iter().map(|it| &it.query);
        let its = its.filter(|it| it.process == u16::from(process));
        let rank_of = |it: &Query| database.transactions_before(it.process, it.token);
        let found = its.into_iter().find(|it| rank_of(it) == usize::from(rank));
        debug_assert!(found.is_some(), "what happens to a transaction is about one that has begun");
        Some(found?.token)
    }

    /// The transactions that no process waits for any more leave their queues.
    pub(super) fn roll_back_unwaited(&mut self) {
        // A transaction that gets its row is found among the others.
        self.machines.roll_back_unwaited(&mut Vec::new());
    }

    /// The transactions that hold their rows, or may get them now.
    pub(super) fn rows(&self) -> Vec<RowFacts> {
        let database = &self.machines.database;
        let holding = database.transactions().iter();
        let holding = holding.filter(|it| it.ends.is_some());
        let facts = holding.chain(database.waiting_for_rows()).map(|it| RowFacts {
            process: it.query.process as u8,
            rank: database.transactions_before(it.query.process, it.query.token) as u8,
            due_ms: it.ends.map(|ends| ends.since(self.now).as_ms()),
        });
        facts.collect()
    }

    /// Adds the questions of processes that are transactions at the database, and when they commit.
    pub(super) fn add_transactions(&self, canonical: &mut CanonicalLocket<'_>) {
        for it in self.machines.database.transactions() {
            let place = self.place(it.query.process, it.query.token);
            let left = it.ends.map(|ends| ends.since(self.now));
            canonical.add_query(&it.query, place, left);
        }
    }
}
