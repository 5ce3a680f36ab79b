//! A database that answers nothing for a while, or refuses everything.

use super::{Database, DatabaseOutput};
use crate::node::availability::Availability;
use crate::node::message::{DatabaseAnswer, Query};
use crate::protocol::error::LockError;
use crate::time::Time;

impl Database {
    /// True if it is down.
    pub(crate) const fn is_down(&self) -> bool {
        matches!(self.availability, Availability::Down)
    }

    /// True if it stalls.
    pub(crate) const fn is_stalled(&self) -> bool {
        matches!(self.availability, Availability::Stalled(_))
    }

    /// True if it says at once what comes of every query.
    pub(crate) const fn answers_at_once(&self) -> bool {
        match self.availability {
            Availability::Down => true,
            Availability::Stalled(_) => false,
            Availability::Up => !self.loses_answers() && !self.holds_rows(),
        }
    }

    /// The queries that wait for the end of a stall, in the order in which they have arrived.
    pub(crate) fn waiting(&self) -> &[Query] {
        self.availability.waiting()
    }

    /// A stall ends: the queries that wait are executed in their order. If a process waits for one
    /// no more, because it has given up or ended, its transaction is rolled back, since it is not
    /// committed.
    pub(in crate::node) fn end_stall(
        &mut self,
        is_waited_for: impl Fn(&Query) -> bool,
        now: Time,
        out: &mut Vec<DatabaseOutput>,
    ) {
        for query in self.availability.end_stall() {
            if is_waited_for(&query)
                && let Some(query) = self.queue(query, now, out)
            {
                self.resume(query, now, out);
            }
        }
        self.free_rows(out);
    }

    /// Drops queries that wait.
    #[cfg(test)]
    pub(crate) fn retain_waiting(&mut self, is_kept: impl Fn(&Query) -> bool) {
        self.availability.retain(is_kept);
    }

    /// A stall ends by one query, so that something can come before the next one. Without a query it
    /// is over.
    pub(in crate::node) fn end_stall_by_one(
        &mut self,
        is_waited_for: impl Fn(&Query) -> bool,
        now: Time,
        out: &mut Vec<DatabaseOutput>,
    ) {
        let query = self.availability.end_stall_by_one();
        let query = query.filter(is_waited_for);
        if let Some(query) = query.and_then(|query| self.queue(query, now, out)) {
            self.execute(query, now, out);
        }
    }

    pub(super) fn take_query(&mut self, query: Query, now: Time, out: &mut Vec<DatabaseOutput>) {
        match &mut self.availability {
            Availability::Down => out.push(self.refuse(&query)),
            Availability::Stalled(waiting) => waiting.push(query),
            Availability::Up => {
                if let Some(query) = self.queue(query, now, out) {
                    self.execute(query, now, out);
                }
            }
        }
    }

    pub(super) fn crash(&mut self, out: &mut Vec<DatabaseOutput>) {
        if let Some(waiting) = self.availability.crash() {
            out.push(DatabaseOutput::Crashed);
            let waiting = self.take_transactions().chain(waiting);
            out.extend(waiting.map(|query| self.refuse(&query)));
        }
    }

    pub(super) fn refuse(&self, query: &Query) -> DatabaseOutput {
        DatabaseOutput::Answer(DatabaseAnswer {
            process: query.process,
            token: query.token,
            answer: query.transaction.failed(self.unreachable()),
            can_be_lost: false,
        })
    }

    /// The error of a caller while it is down.
    pub(crate) const fn unreachable(&self) -> LockError {
        self.table.profile().database.unreachable()
    }
}
