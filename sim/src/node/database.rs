//! The database: transactions, rows that expire by themselves, stalls, crashes, failovers,
//! operators.
//!
//! Knows the rules of the [table](crate::protocol::lock_table), which of its answers are lost, and
//! which queries wait for the end of a stall or [for a row](row_queues); not how long a stall lasts.

mod direct;
mod row_queues;
mod stalls;

use std::sync::Arc;

use super::ask::TableVersion;
use super::availability::Availability;
use super::commit_history::CommitHistory;
use super::message::{Answer, DatabaseAnswer, Query};
use super::unseen::Unseen;
use crate::protocol::error::LockError;
use crate::protocol::id_source::IdSource;
use crate::protocol::lock_table::{KnownRow, LockTable};
use crate::protocol::log::{Log, LogRecord};
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::profile::Profile;
use crate::protocol::row::{Registration, Row, WrittenRow};
use crate::time::{Duration, Time};

use row_queues::RowQueues;

pub(crate) use direct::Direct;

/// The database.
///
/// After every input ask [`deadline`](Self::deadline) when to give it
/// [`Expire`](DatabaseInput::Expire).
#[derive(Clone, Debug)]
pub(crate) struct Database {
    table: LockTable,
    /// Where modified ids come from.
    ids: IdSource,
    history: CommitHistory,
    availability: Availability,
    rows: RowQueues,
    answers_to_lose: u32,
    /// How often it has failed over.
    failovers: u32,
}

/// An input of the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DatabaseInput {
    /// The transaction of a process that holds a row commits.
    Commit {
        /// The process that asked.
        process: u16,
        /// The process's name of its question.
        token: u64,
    },
    /// It goes down: it refuses every query at once, those too that wait for the end of a stall,
    /// and keeps its rows.
    Crash,
    /// An operator deletes a row.
    DeleteRow(String),
    /// An operator drops the table.
    DropTable,
    /// Rows whose TTL has ended expire, where the table sees to that itself.
    Expire,
    /// It fails over to a replica that has not seen the last commits.
    FailOver(usize),
    /// A transaction of a process that waits for a row gets it, if none holds that.
    Grant {
        /// The process that asked.
        process: u16,
        /// The process's name of its question.
        token: u64,
    },
    /// No more answers are lost.
    KeepAnswers,
    /// The answers to the next transactions are lost, although they are committed.
    LoseReplies(u32),
    /// An operator writes a row.
    PutRow(Row),
    /// A process asks.
    Query(Query),
    /// It answers nothing until its [stall ends](Database::end_stall). It does not stall while it
    /// is down.
    Stall,
    /// It is up again after a crash.
    Start,
    /// A transaction that gets its row holds it for so long at most.
    TransactionTime(Duration),
}

/// An output of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseOutput {
    /// It answers what a process has asked, or refuses the connection.
    Answer(DatabaseAnswer),
    /// It has committed what this process asked, and the answer is lost.
    AnswerLost {
        /// The process that asked.
        process: u16,
    },
    /// It has gone down.
    Crashed,
    /// It has deleted a row whose TTL had ended.
    Expired {
        /// The row's key.
        key: String,
        /// The owner that it had.
        owner: String,
    },
    /// It has failed over and lost its last commits; what was changed by that follows.
    FailedOver {
        /// How many it has lost.
        commits: usize,
    },
    /// A transaction holds its row from now on.
    HoldsRow {
        /// The process that asked.
        process: u16,
        /// The process's name of its question.
        token: u64,
    },
    /// It has not done what an operator wanted.
    Refused(LockError),
    /// A query that has waited, for the end of a stall or for a row, is executed; what comes of it
    /// follows.
    Resumes {
        /// The process that asked.
        process: u16,
        /// The process's name of its question.
        token: u64,
    },
    /// A row was deleted.
    RowDeleted {
        /// The row's key.
        path: String,
    },
    /// Transactions wait for rows that none holds: one on each key gets its row at this instant.
    RowsFree,
    /// A row was written.
    RowWritten(WrittenRow),
    /// It is up again.
    Started,
    /// The table was dropped.
    TableDropped,
}

impl Database {
    /// An empty one. A failover can lose this many of its commits. The same seed gives the same
    /// ids.
    pub(crate) fn new(profile: Profile, seed: u64, lost_commits: usize) -> Self {
        Self {
            table: LockTable::new(profile),
            ids: IdSource::new(seed),
            history: CommitHistory::new(lost_commits),
            availability: Availability::default(),
            rows: RowQueues::default(),
            answers_to_lose: 0,
            failovers: 0,
        }
    }

    /// Replaces the seed of a database that has given out no id.
    pub(crate) const fn reseed(&mut self, seed: u64) {
        self.ids = IdSource::new(seed);
    }

    /// Takes an input, and adds what comes of it to `out`.
    pub(crate) fn handle(
        &mut self,
        input: DatabaseInput,
        now: Time,
        out: &mut Vec<DatabaseOutput>,
    ) {
        match input {
            DatabaseInput::Commit { process, token } => self.commit(process, token, now, out),
            DatabaseInput::Crash => self.crash(out),
            // A table is not reached while its database is down.
            DatabaseInput::DeleteRow(_) | DatabaseInput::DropTable if self.is_down() => {}
            DatabaseInput::DeleteRow(path) => {
                if self.history.commit(&mut self.table, |table| table.delete_row(&path)) {
                    out.push(DatabaseOutput::RowDeleted { path });
                }
            }
            DatabaseInput::DropTable => {
                self.table.drop_table();
                out.push(DatabaseOutput::TableDropped);
            }
            DatabaseInput::Expire => self.expire(now, out),
            DatabaseInput::FailOver(commits) => self.fail_over(commits, out),
            DatabaseInput::Grant { process, token } => self.grant(process, token, now, out),
            DatabaseInput::KeepAnswers => self.answers_to_lose = 0,
            DatabaseInput::LoseReplies(count) => {
                self.answers_to_lose = self.answers_to_lose.saturating_add(count);
            }
            DatabaseInput::PutRow(_) if self.is_down() => {
                out.push(DatabaseOutput::Refused(self.unreachable()));
            }
            DatabaseInput::PutRow(row) => {
                let written = self.history.commit(&mut self.table, |table| table.put_row(row, now));
                let row = self.table.last_written();
                out.extend(match written {
                    Ok(()) => row.cloned().map(DatabaseOutput::RowWritten),
                    Err(error) => Some(DatabaseOutput::Refused(error)),
                });
            }
            DatabaseInput::Query(query) => self.take_query(query, now, out),
            DatabaseInput::Stall => self.availability.stall(),
            DatabaseInput::Start => {
                out.extend(self.availability.start().then_some(DatabaseOutput::Started));
            }
            DatabaseInput::TransactionTime(longest) => self.set_transaction_time(longest),
        }
    }

    /// A process that starts creates the table if there is none.
    pub(super) fn create_table(&mut self) {
        debug_assert!(!self.is_down(), "a database that is down is not reached");
        self.table.create_table();
    }

    /// Another client, which is not simulated, has the row of a key from now on, or has it no longer.
    pub(crate) fn commit_of_others(&mut self, key: &str, has_row: bool) {
        self.history.commit(&mut self.table, |table| {
            table.delete_row(key);
            if has_row {
                table.put_row_of_others(key);
            }
        });
    }

    /// Runs one transaction now.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::apply`].
    pub(crate) fn transact(
        &mut self,
        operation: Operation<'_>,
        now: Time,
        log: &mut dyn Log,
    ) -> Result<Outcome, LockError> {
        let Self { table, ids, history, .. } = self;
        let mut apply =
            |table: &mut LockTable| table.apply(operation, now, || Ok(ids.next_id()), log);
        if operation.is_write() { history.commit(table, apply) } else { apply(table) }
    }

    /// True if no commit can be lost, so that what is known of a row by its last write stays true.
    pub(crate) const fn keeps_commits(&self) -> bool {
        self.history.is_without()
    }

    /// Renews a row that has not been written since.
    pub(super) fn renew_known(&mut self, known: &mut KnownRow, now: Time) {
        self.table.renew_known(known, now);
    }

    /// The version of the table.
    pub(crate) const fn version(&self) -> TableVersion {
        TableVersion::new(self.failovers, self.table.writes())
    }

    /// True if the last write stored just what is registered for it (B36, B37).
    fn has_stored(&self, registered: &Registration) -> bool {
        // Equal texts of the two are one.
        self.table.last_written().is_some_and(|row| {
            Arc::ptr_eq(&row.path, &registered.key) && Arc::ptr_eq(&row.owner, &registered.owner)
        })
    }

    /// When the next row expires by itself, if that is not after `limit`. A database that is down
    /// catches up once it is up.
    pub(crate) fn deadline(&mut self, limit: Time) -> Option<Time> {
        match self.is_down() {
            true => None,
            false => self.table.deadline(limit),
        }
    }

    /// The table of a database that is not needed any more.
    pub(crate) fn into_table(self) -> LockTable {
        self.table
    }

    /// The truth.
    pub(crate) const fn table(&self) -> &LockTable {
        &self.table
    }

    /// The table, for changes of an operator that are in no commit that a failover could lose.
    ///
    /// # Errors
    ///
    /// It is down.
    pub(crate) const fn reach_table(&mut self) -> Result<&mut LockTable, LockError> {
        match self.is_down() {
            true => Err(self.unreachable()),
            false => Ok(&mut self.table),
        }
    }

    /// True if a row has this id and index, or would have them again after a failover.
    pub(crate) fn could_have(&self, key: &str, version: &(String, i64)) -> bool {
        let has = |table: &LockTable| {
            let row = table.row(key);
            row.and_then(|row| row.modified_id.zip(row.modified_index)).as_ref() == Some(version)
        };
        has(&self.table) || self.history.tables().any(has)
    }

    /// The tables before the last commits, as far as a failover can go back; oldest first.
    pub(super) fn earlier_tables(&self) -> impl Iterator<Item = &LockTable> {
        self.history.tables()
    }

    /// True if the next answer to a transaction is lost.
    const fn loses_answers(&self) -> bool {
        self.answers_to_lose > 0
    }

    fn execute(&mut self, query: Query, now: Time, out: &mut Vec<DatabaseOutput>) {
        debug_assert!(!self.is_down(), "a database that is down executes nothing");
        let Query { process, token, transaction } = query;
        let Some(operation) = transaction.operation() else {
            let answer = Answer::Rows(Ok(self.table.registrations().collect()));
            out.push(DatabaseOutput::Answer(DatabaseAnswer {
                process,
                token,
                answer,
                can_be_lost: false,
            }));
            return;
        };
        let writes = self.table.writes();
        let result = self.transact(operation, now, &mut ());
        let mut version = None;
        if self.table.writes() != writes {
            let is_stored = match &result {
                Ok(Outcome::Locked(Some(row))) => self.has_stored(row),
                _ => true,
            };
            version = Some(self.version()).filter(|_| is_stored);
            out.push(match self.table.last_written() {
                Some(row) => DatabaseOutput::RowWritten(row.clone()),
                None => DatabaseOutput::RowDeleted { path: operation.key().to_owned() },
            });
        }
        out.push(if self.loses_answers() {
            self.answers_to_lose -= 1;
            DatabaseOutput::AnswerLost { process }
        } else {
            let answer = Answer::Outcome(result, Unseen(version));
            DatabaseOutput::Answer(DatabaseAnswer { process, token, answer, can_be_lost: true })
        });
    }

    fn expire(&mut self, now: Time, out: &mut Vec<DatabaseOutput>) {
        let mut watch = |record: &LogRecord<'_>| {
            if record.message == "lock-expired" {
                out.push(DatabaseOutput::Expired {
                    key: record.key.to_owned(),
                    owner: record.owner.to_owned(),
                });
            }
        };
        self.handle_timeout(now, &mut watch);
    }

    /// Removes the rows whose TTL has ended, where the table sees to that itself.
    pub(crate) fn handle_timeout(&mut self, now: Time, log: &mut dyn Log) {
        if !self.is_down() {
            let expire = |table: &mut LockTable| table.handle_timeout(now, log);
            self.history.commit(&mut self.table, expire);
        }
    }

    /// The transactions that hold rows or wait for them fail with their connections.
    fn fail_over(&mut self, commits: usize, out: &mut Vec<DatabaseOutput>) {
        let before = self.table.rows();
        let (commits, table) = self.history.lose(commits);
        if let Some(table) = table {
            self.table = table;
            self.failovers = self.failovers.wrapping_add(1);
        }
        out.push(DatabaseOutput::FailedOver { commits });
        let after = self.table.rows();
        let find = |rows: &[Row], path: &str| rows.binary_search_by(|it| (*it.path).cmp(path)).ok();
        let is_gone = |row: &&Row| find(&after, &row.path).is_none();
        out.extend(before.iter().filter(is_gone).map(|row| {
            let path = row.path.clone();
            DatabaseOutput::RowDeleted { path }
        }));
        let is_other =
            |row: &Row| find(&before, &row.path).is_none_or(|place| before[place] != *row);
        let others = after.iter().filter(|row| is_other(row)).cloned();
        out.extend(others.map(|row| DatabaseOutput::RowWritten(row.into())));
        let failed = self.take_transactions();
        out.extend(failed.map(|query| self.refuse(&query)));
    }
}
