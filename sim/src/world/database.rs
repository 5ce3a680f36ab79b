//! The database: transactions, stalls, lost answers.

use super::choice::{Site, SiteKind};
use super::event::{EventId, What};
use super::message::{Answer, Body, Message, Transaction};
use super::node::{Query, Status};
use super::step::Step;
use super::{DATABASE, Due};
use crate::protocol::error::LockError;
use crate::protocol::log::LogRecord;
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Row;
use crate::time::{Duration, Time};

impl Step<'_> {
    /// A query has reached the database.
    pub(super) fn query(&mut self, query: Query, cause: Option<EventId>) {
        if self.world.database.stalled_until > self.world.now {
            let from = self.world.process(query.process.into());
            let message = Message {
                from,
                to: DATABASE,
                number: 0,
                cause,
                body: Body::Query(query),
            };
            self.world.database.waiting.push_back(message);
            return;
        }
        let (answer, cause) = self.transact(&query.transaction, cause);
        let process = self.world.process(query.process.into());
        if self.loses_answer(&query.transaction) {
            self.record(
                DATABASE,
                cause,
                What::MessageLost {
                    to: process,
                    why: super::event::LossReason::Link,
                },
            );
            return;
        }
        let body = Body::Answer {
            process: query.process,
            life: query.life,
            token: query.token,
            answer,
        };
        self.send(DATABASE, process, cause, body);
    }

    /// Runs one transaction now. Tells which event it was, if it changed anything.
    fn transact(
        &mut self,
        transaction: &Transaction,
        cause: Option<EventId>,
    ) -> (Answer, Option<EventId>) {
        let Some(operation) = transaction.operation() else {
            let rows = self.world.database.table.registrations().collect();
            return (Answer::Rows(Ok(rows)), cause);
        };
        let key = operation_key(&operation);
        let now = self.world.now;
        let writes_before = self.world.database.table.writes();
        let table_before = self.world.database.table_to_remember(&operation);
        let ids = &mut self.world.modified_ids;
        let result = self
            .world
            .database
            .table
            .apply(operation, now, || Ok(ids.next_id()), &mut ());
        self.schedule_table();
        if self.world.database.table.writes() == writes_before {
            return (Answer::Outcome(result), cause);
        }
        self.world.database.remember(table_before);
        let what = match self.world.database.table.last_written() {
            Some(row) => What::RowWritten(row),
            None => What::RowDeleted {
                path: key.to_owned(),
            },
        };
        let event = Some(self.record(DATABASE, cause, what));
        (Answer::Outcome(result), event)
    }

    fn loses_answer(&mut self, transaction: &Transaction) -> bool {
        let database = &mut self.world.database;
        if matches!(transaction, Transaction::Poll) {
            return false;
        }
        if database.answers_to_lose > 0 {
            database.answers_to_lose -= 1;
            return true;
        }
        let per_mille = database.answer_loss_per_mille;
        if per_mille == 0 {
            return false;
        }
        let site = Site {
            kind: SiteKind::CommitAnswer,
            subject: 0,
            count: database.commits,
        };
        database.commits = database.commits.wrapping_add(1);
        self.choices.befalls(site, per_mille)
    }

    /// Rows whose TTL has ended go by themselves, where expiry is exact.
    pub(super) fn table_expiry(&mut self) -> bool {
        let now = self.world.now;
        let state = &self.world.database.state;
        if !state.is_running() || state.timer != Some(now) {
            return false;
        }
        self.world.database.state.timer = None;
        let table_before = self.world.database.copy_of_table();
        let mut expired = Vec::new();
        let mut watch = |record: &LogRecord<'_>| {
            if record.message == "lock-expired" {
                expired.push((record.key.to_owned(), record.owner.to_owned()));
            }
        };
        self.world.database.table.handle_timeout(now, &mut watch);
        let happened = !expired.is_empty();
        if happened {
            self.world.database.remember(table_before);
        }
        let cause = self.world.database.state.last_event;
        for (key, owner) in expired {
            let path = key.clone();
            let event = self.record(DATABASE, cause, What::Expired { key, owner });
            self.record(DATABASE, Some(event), What::RowDeleted { path });
        }
        self.schedule_table();
        happened
    }

    pub(super) fn schedule_table(&mut self) {
        let world = &mut *self.world;
        if !world.database.state.is_running() {
            return;
        }
        // A renewal moves a deadline on. The timer stays, and is set anew when it has fired in vain.
        let table = &mut world.database.table;
        let timer = world.database.state.timer;
        if timer.is_some_and(|timer| table.is_idle_before(timer)) {
            return;
        }
        let deadline = table.deadline(Time::MAX);
        let deadline = deadline.map(|deadline| deadline.max(world.now));
        if deadline != world.database.state.timer {
            world.database.state.timer = deadline;
            if let Some(deadline) = deadline {
                world.queue.schedule(deadline, Due::TableExpiry);
            }
        }
    }

    /// The database answers nothing for `duration`; then everything at once.
    pub fn stall_database(&mut self, duration: Duration) {
        let until = self.world.now + duration;
        let database = &mut self.world.database;
        database.stalled_until = database.stalled_until.max(until);
        self.world.queue.schedule(until, Due::StallEnds);
        self.record(DATABASE, None, What::Stalled { duration });
    }

    pub(super) fn stall_ends(&mut self) -> bool {
        if self.world.database.stalled_until > self.world.now {
            return false;
        }
        let waiting = std::mem::take(&mut self.world.database.waiting);
        let happened = !waiting.is_empty();
        for message in waiting {
            if let Body::Query(query) = message.body
                && self.is_waited_for(&query)
            {
                self.query(query, message.cause);
            }
        }
        happened
    }

    /// Whether the process that asked still waits. If it has given up or is gone, its
    /// transaction is rolled back: it had not come to its end.
    fn is_waited_for(&self, query: &Query) -> bool {
        let locket = &self.world.lockets[usize::from(query.process)];
        locket.state.life == query.life && locket.asked(query.token).is_some()
    }

    /// The answers to the next `count` transactions are lost, although they are committed.
    pub const fn lose_commit_answers(&mut self, count: u32) {
        self.world.database.answers_to_lose += count;
    }

    /// The database fails over to a replica that has not seen the last `commits`.
    pub fn fail_over(&mut self, commits: usize) {
        let database = &mut self.world.database;
        let lost = commits.min(database.history.len());
        let rows_before = database.table.rows();
        if lost > 0 {
            let kept = database.history.len() - lost;
            if let Some(table) = database.history.drain(kept..).next() {
                database.table = table;
            }
        }
        let event = self.record(DATABASE, None, What::FailedOver { commits: lost });
        self.record_differences(rows_before, event);
        self.schedule_table();
    }

    /// Tells which rows are others than before.
    fn record_differences(&mut self, before: Vec<Row>, cause: EventId) {
        let after = self.world.database.table.rows();
        let gone = before.iter().filter(|row| {
            let is_same = |other: &&Row| other.path == row.path;
            after.iter().find(is_same).is_none()
        });
        for row in gone {
            let path = row.path.clone();
            self.record(DATABASE, Some(cause), What::RowDeleted { path });
        }
        for row in after.into_iter().filter(|row| !before.contains(row)) {
            self.record(DATABASE, Some(cause), What::RowWritten(row.into()));
        }
    }

    /// The database is down: it answers every query at once with an error, and its rows stay.
    pub fn crash_database(&mut self) {
        let state = &mut self.world.database.state;
        if state.status == Status::Down {
            return;
        }
        state.status = Status::Down;
        state.life += 1;
        state.timer = None;
        let event = self.record(DATABASE, None, What::Crashed);
        for message in std::mem::take(&mut self.world.database.waiting) {
            if let Body::Query(query) = message.body {
                self.refuse_query(&query, Some(event));
            }
        }
    }

    /// The database is there again, with the rows that it had.
    pub fn start_database(&mut self) {
        if self.world.database.state.status != Status::Down {
            return;
        }
        self.world.database.state.status = Status::Running;
        self.record(DATABASE, None, What::Started);
        self.schedule_table();
    }

    /// A query to a database that is down fails.
    pub(super) fn refuse_query(&mut self, query: &Query, cause: Option<EventId>) {
        let error = Err(LockError::database("connection refused"));
        let answer = match query.transaction {
            Transaction::Call { .. } | Transaction::CompareAndDelete(_) => Answer::Outcome(error),
            Transaction::Poll => Answer::Rows(error.map(|_: Outcome| Vec::new())),
        };
        let body = Body::Answer {
            process: query.process,
            life: query.life,
            token: query.token,
            answer,
        };
        let process = self.world.process(query.process.into());
        self.send(DATABASE, process, cause, body);
    }
}

fn operation_key<'a>(operation: &Operation<'a>) -> &'a str {
    match operation {
        Operation::CompareAndDelete(registration) => &registration.key,
        Operation::Fetch { key } | Operation::Release { key, .. } => key,
        Operation::FetchAll { .. } => "",
        Operation::Lock { resource, .. } => &resource.key,
    }
}
