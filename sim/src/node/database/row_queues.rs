//! Transactions that hold a row until they end, and others on its key that wait behind (S32).
//!
//! Which of those that wait gets the row next is decided elsewhere. PostgreSQL keeps their order
//! until the row is updated; then all look for its new version at once, and any may be the first
//! (B98).
//!
//! As in PostgreSQL: a transaction that finds no row locks none, and inserts one if it is a Lock. Of
//! several that insert, one gets the row, and the others fail when it commits (B58). A transaction
//! that waits behind a deletion finds no row then (B59).
//!
//! Where transactions take no time there are none here. Does not know how long each takes, but at
//! most.

use std::collections::BTreeMap;

use super::{Database, DatabaseOutput};
use crate::node::message::{DatabaseAnswer, Query};
use crate::protocol::operation::Operation;
use crate::time::{Duration, Time};

/// The transactions that have begun, in the order in which they have arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RowQueues {
    /// How long a transaction holds its row at most.
    longest: Duration,
    transactions: Vec<RowTransaction>,
    /// How many transactions there are on each key, as follows from the list: a stall may leave
    /// thousands of them, and each asks.
    keys: BTreeMap<String, KeyQueue>,
    /// How many keys have transactions that wait, and none that holds the row.
    free: usize,
}

/// The number of transactions on a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct KeyQueue {
    waiting: usize,
    holding: usize,
}

impl KeyQueue {
    const fn is_free(self) -> bool {
        self.waiting > 0 && self.holding == 0
    }
}

/// A transaction that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowTransaction {
    pub(crate) query: Query,
    /// True if it has found no row, which it inserts.
    pub(crate) inserts: bool,
    /// When it ends, if it holds its row.
    pub(crate) ends: Option<Time>,
}

impl RowQueues {
    /// True if a transaction can hold a row for a while.
    pub(super) const fn are_used(&self) -> bool {
        self.longest.as_ms() > 0 || !self.transactions.is_empty()
    }

    fn place(&self, process: u16, token: u64) -> Option<usize> {
        let is_it = |it: &RowTransaction| (it.query.process, it.query.token) == (process, token);
        self.transactions.iter().position(is_it)
    }

    fn on(&self, key: &str) -> KeyQueue {
        self.keys.get(key).copied().unwrap_or_default()
    }

    /// Changes the number of transactions on a key.
    fn count(&mut self, key: &str, change: impl FnOnce(&mut KeyQueue)) {
        let before = self.on(key);
        let mut after = before;
        change(&mut after);
        self.free = self.free + usize::from(after.is_free()) - usize::from(before.is_free());
        if after == KeyQueue::default() {
            self.keys.remove(key);
        } else if let Some(kept) = self.keys.get_mut(key) {
            *kept = after;
        } else {
            self.keys.insert(key.to_owned(), after);
        }
    }

    fn push(&mut self, it: RowTransaction) {
        self.count(it.key(), |on| on.waiting += 1);
        self.transactions.push(it);
    }

    /// One that waits gets its row, for so long.
    fn hold(&mut self, place: usize, ends: Time) {
        self.transactions[place].ends = Some(ends);
        let key = self.transactions[place].key().to_owned();
        self.count(&key, |on| (on.waiting, on.holding) = (on.waiting - 1, on.holding + 1));
    }

    fn remove(&mut self, place: usize) -> RowTransaction {
        let it = self.transactions.remove(place);
        self.count(it.key(), |on| match it.ends {
            Some(_) => on.holding -= 1,
            None => on.waiting -= 1,
        });
        it
    }

    /// The transactions that wait for a row that none holds, in their order.
    fn next(&self) -> impl Iterator<Item = &RowTransaction> {
        let some = if self.free > 0 { &self.transactions[..] } else { &[] };
        some.iter().filter(|it| it.ends.is_none() && self.on(it.key()).holding == 0)
    }
}

impl RowTransaction {
    fn key(&self) -> &str {
        let operation = self.query.transaction.operation();
        operation.map_or("", |operation| operation.key())
    }

    fn is_on(&self, key: &str) -> bool {
        self.key() == key
    }

    fn is_lock(&self) -> bool {
        let operation = self.query.transaction.operation();
        matches!(operation, Some(Operation::Lock { .. }))
    }
}

/// The way of a transaction through the queue.
impl Database {
    /// A query arrives, or goes on after a stall. Gives it back if it is executed now.
    pub(super) fn queue(
        &mut self,
        query: Query,
        now: Time,
        out: &mut Vec<DatabaseOutput>,
    ) -> Option<Query> {
        let mut it = RowTransaction { query, inserts: false, ends: None };
        if !self.rows.are_used() || !self.locks(&it) {
            return Some(it.query);
        }
        it.inserts = self.table.row(it.key()).is_none();
        if it.inserts && !it.is_lock() {
            return Some(it.query);
        }
        let is_alone = self.rows.on(it.key()) == KeyQueue::default();
        let Query { process, token, .. } = it.query;
        self.rows.push(it);
        match is_alone {
            true => self.grant(process, token, now, out),
            false => self.free_rows(out),
        }
        None
    }

    /// A transaction gets its row, if none holds that. A database that stalls gives none.
    pub(super) fn grant(
        &mut self,
        process: u16,
        token: u64,
        now: Time,
        out: &mut Vec<DatabaseOutput>,
    ) {
        let is_it = |it: &RowTransaction| (it.query.process, it.query.token) == (process, token);
        if self.waiting_for_rows().any(is_it)
            && let Some(place) = self.rows.place(process, token)
        {
            self.rows.hold(place, now + self.rows.longest);
            out.push(DatabaseOutput::HoldsRow { process, token });
        }
    }

    /// True if a transaction locks a row that it holds for a while, or has to wait for.
    fn locks(&self, it: &RowTransaction) -> bool {
        let operation = it.query.transaction.operation();
        let is_taken = || self.rows.on(it.key()) != KeyQueue::default();
        operation.is_some_and(|it| it.locks_row())
            && (self.rows.longest > Duration::ZERO || is_taken())
    }

    /// A transaction that holds its row commits. A database that stalls commits nothing.
    pub(super) fn commit(
        &mut self,
        process: u16,
        token: u64,
        now: Time,
        out: &mut Vec<DatabaseOutput>,
    ) {
        let place = self.rows.place(process, token);
        let holds = |place: &usize| self.rows.transactions[*place].ends.is_some();
        let Some(place) = place.filter(holds).filter(|_| !self.is_stalled()) else {
            return;
        };
        let committed = self.rows.remove(place);
        let key = committed.key().to_owned();
        self.resume(committed.query, now, out);
        self.wake_waiting(&key, now, out);
        self.free_rows(out);
    }

    /// The transactions that wait on a key find a row there, or none.
    fn wake_waiting(&mut self, key: &str, now: Time, out: &mut Vec<DatabaseOutput>) {
        let has_row = self.table.row(key).is_some();
        let mut place = 0;
        while let Some(it) = self.rows.transactions.get_mut(place) {
            let ends = match has_row {
                true => it.inserts,
                false => !it.is_lock(),
            };
            if !it.is_on(key) || !ends {
                it.inserts |= it.is_on(key) && !has_row;
                place += 1;
                continue;
            }
            let RowTransaction { query, inserts, .. } = self.rows.remove(place);
            if inserts {
                let Query { process, token, .. } = query;
                out.push(DatabaseOutput::Resumes { process, token });
                out.push(self.lose_insert(&query));
            } else {
                self.resume(query, now, out);
            }
        }
    }

    fn lose_insert(&self, query: &Query) -> DatabaseOutput {
        let error = self.table.profile().database.lost_insert();
        DatabaseOutput::Answer(DatabaseAnswer {
            process: query.process,
            token: query.token,
            answer: query.transaction.failed(error),
            can_be_lost: false,
        })
    }

    /// A query that has waited is executed.
    pub(super) fn resume(&mut self, query: Query, now: Time, out: &mut Vec<DatabaseOutput>) {
        let Query { process, token, .. } = query;
        out.push(DatabaseOutput::Resumes { process, token });
        self.execute(query, now, out);
    }

    /// Transactions end without an effect.
    pub(in crate::node) fn roll_back_unless(
        &mut self,
        is_kept: impl Fn(&Query) -> bool,
        out: &mut Vec<DatabaseOutput>,
    ) {
        let (before, mut place) = (self.rows.transactions.len(), 0);
        while let Some(it) = self.rows.transactions.get(place) {
            if is_kept(&it.query) {
                place += 1;
            } else {
                self.rows.remove(place);
            }
        }
        if self.rows.transactions.len() < before {
            self.free_rows(out);
        }
    }

    /// Says that transactions wait for rows that none holds.
    pub(super) fn free_rows(&self, out: &mut Vec<DatabaseOutput>) {
        if self.waiting_for_rows().next().is_some() {
            out.push(DatabaseOutput::RowsFree);
        }
    }

    /// All transactions end without an effect.
    pub(super) fn take_transactions(&mut self) -> impl Iterator<Item = Query> + use<> {
        let longest = self.rows.longest;
        let all = std::mem::replace(&mut self.rows, RowQueues { longest, ..RowQueues::default() });
        all.transactions.into_iter().map(|it| it.query)
    }
}

/// How long transactions take.
impl Database {
    /// The same, in which a transaction holds its row for so long at most.
    pub(crate) const fn with_transaction_time(mut self, longest: Duration) -> Self {
        self.rows.longest = longest;
        self
    }

    /// A transaction that gets its row holds it for so long at most.
    pub(super) const fn set_transaction_time(&mut self, longest: Duration) {
        self.rows.longest = longest;
    }

    /// A transaction that holds its row ends at another time, by the clock of the database.
    pub(crate) fn end_at(&mut self, process: u16, token: u64, ends: Time) {
        if let Some(place) = self.rows.place(process, token) {
            self.rows.transactions[place].ends = Some(ends);
        }
    }

    /// True if a transaction can hold a row for a while.
    pub(crate) const fn holds_rows(&self) -> bool {
        self.rows.are_used()
    }

    /// The transactions that hold rows or wait for them, in their order.
    pub(crate) fn transactions(&self) -> &[RowTransaction] {
        &self.rows.transactions
    }

    /// The transactions that may get a row now, since none holds it, in their order.
    pub(crate) fn waiting_for_rows(&self) -> impl Iterator<Item = &RowTransaction> {
        self.rows.next().filter(|_| !self.is_stalled())
    }

    /// How many transactions a process has here that it has asked for before.
    pub(crate) fn transactions_before(&self, process: u16, token: u64) -> usize {
        let is_before =
            |it: &&RowTransaction| it.query.process == process && it.query.token < token;
        self.rows.transactions.iter().filter(is_before).count()
    }

    /// When a transaction ends that holds its row.
    pub(crate) fn ends(&self, process: u16, token: u64) -> Option<Time> {
        self.rows.transactions[self.rows.place(process, token)?].ends
    }
}
