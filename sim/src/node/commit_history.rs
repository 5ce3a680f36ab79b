//! The table before each of the last commits, for a failover to a replica that lacks them.

use std::collections::VecDeque;

use crate::protocol::lock_table::LockTable;

/// A table for each commit that a failover can lose; each costs a copy at every commit.
#[derive(Clone, Debug, Default)]
pub(super) struct CommitHistory {
    length: usize,
    /// Oldest first.
    tables: VecDeque<LockTable>,
}

impl CommitHistory {
    /// A history that can lose this many commits.
    pub(super) fn new(length: usize) -> Self {
        Self { length, tables: VecDeque::new() }
    }

    /// Changes the table, and keeps it as it was if that was changed.
    pub(super) fn commit<T>(
        &mut self,
        table: &mut LockTable,
        change: impl FnOnce(&mut LockTable) -> T,
    ) -> T {
        if self.length == 0 {
            return change(table);
        }
        let (before, writes) = (table.clone(), table.writes());
        let result = change(table);
        if table.writes() != writes {
            if self.tables.len() == self.length {
                self.tables.pop_front();
            }
            self.tables.push_back(before);
        }
        debug_assert!(self.tables.len() <= self.length);
        result
    }

    /// True if it keeps none.
    pub(super) const fn is_without(&self) -> bool {
        self.length == 0
    }

    /// The tables, oldest first.
    pub(super) fn tables(&self) -> impl Iterator<Item = &LockTable> {
        self.tables.iter()
    }

    /// Loses the last commits: how many those are, and the table before them.
    pub(super) fn lose(&mut self, commits: usize) -> (usize, Option<LockTable>) {
        let lost = commits.min(self.tables.len());
        let kept = self.tables.len() - lost;
        (lost, self.tables.drain(kept..).next())
    }
}
