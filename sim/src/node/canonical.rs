//! The canonical state of a node: its possible futures, with times relative to a moment.
//!
//! Two nodes of the same settings whose canonical states are equal do the same from here on,
//! whenever that is and whatever led there. That makes the set of states finite that a search
//! has to visit. Ids count as equal or different, indices by their distance, and what only logs
//! and events repeat is left out.

use super::client::ClientNode;
use super::connection::CanonicalConnection;
use super::database::Database;
use super::locket_process::{LocketProcess, Reason};
use super::message::{Answer, Query, Transaction};
use crate::protocol::lock_table::LockTable;
use crate::protocol::message::Request;
use crate::protocol::operation::Outcome;
use crate::protocol::row::Registration;
use crate::protocol::runner::CanonicalRunner;
use crate::protocol::server::POLL_INTERVAL;
use crate::time::{Duration, Time};

/// The parts of a node's state that can matter where some faults cannot happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relevant {
    /// Which process a client is connected to: there are several, or one may end.
    pub connection: bool,
    /// Since when no process has answered: one may be unreachable and not say so.
    pub keepalive: bool,
    /// When a process polls: a poll may find something new.
    pub polls: bool,
}

/// The canonical state of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CanonicalClient {
    /// True if it was never started: only then it starts by itself.
    is_new: bool,
    runner: Option<CanonicalRunner>,
    /// True if the call under way waits for a connection.
    calling: Option<bool>,
    connection: Option<CanonicalConnection>,
}

impl ClientNode {
    /// Its canonical state. Ids of calls are left out: the search delivers no replies to
    /// calls that are over.
    pub(crate) fn canonical(&self, now: Time, relevant: Relevant) -> CanonicalClient {
        let connection = relevant.connection || relevant.keepalive;
        CanonicalClient {
            is_new: self.life() == 0,
            runner: self.runner().map(|runner| runner.canonical(now)),
            calling: self.calling(),
            connection: connection.then(|| self.connection().canonical(now, relevant.keepalive)),
        }
    }
}

#[cfg(test)]
impl CanonicalClient {
    /// The same where connections do not matter, and a call need not wait for one.
    pub(crate) fn without_connection(mut self) -> Self {
        self.calling = self.calling.map(|_| false);
        self.connection = None;
        self
    }
}

/// The number of the owner of this name.
pub(crate) type OwnerNumber = fn(&str) -> Option<u64>;

/// The canonical state of Locket, while it is written: all processes and their database, since
/// versions of rows are compared across them. Rows of one key, whose owners are numbers. Of a row
/// whose owner has no number, only that it is there.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalLocket<'a> {
    now: Time,
    key: &'a str,
    owner: OwnerNumber,
    words: Vec<u64>,
    /// The ids seen, with the words that hold an index of each.
    ids: Vec<(String, Vec<usize>)>,
}

/// Few states take more words.
const WORDS_USUAL: usize = 32;

impl<'a> CanonicalLocket<'a> {
    /// A form relative to `now`, without rows of other keys.
    pub(crate) fn new(now: Time, key: &'a str, owner: OwnerNumber) -> Self {
        Self { now, key, owner, words: Vec::with_capacity(WORDS_USUAL), ids: Vec::new() }
    }

    /// Adds the database: its rows, and those that it had before the last commits.
    pub(crate) fn add_database(&mut self, database: &Database, polls: bool) {
        self.add_rows(database, polls);
        for table in database.earlier_tables() {
            self.add_table(table, polls);
        }
    }

    /// Adds whether the database answers, the transactions that hold rows or wait for them, in order,
    /// and its rows.
    pub(crate) fn add_rows(&mut self, database: &Database, polls: bool) {
        let availability = [database.is_down(), database.is_stalled()];
        self.words.extend(availability.map(u64::from));
        for it in database.transactions() {
            let flags = u64::from(it.ends.is_some()) << 1 | u64::from(it.inserts);
            self.words.extend([4, it.query.process.into(), flags]);
            self.add_transaction(&it.query.transaction);
        }
        self.add_table(database.table(), polls);
    }

    /// Adds a process and whether it drains, with its polls and with the times at which it gives up on the database, where
    /// these can matter.
    pub(crate) fn add_process(&mut self, process: &LocketProcess, polls: bool, gives_up: bool) {
        self.add_timers(process, polls, true);
        self.words.push(process.draining().is_some().into());
        self.add_questions(process, gives_up);
    }

    /// Adds the life of a process and its timers that have not fired yet.
    pub(crate) fn add_running_timers(&mut self, process: &LocketProcess, polls: bool) {
        self.add_timers(process, polls, false);
    }

    fn add_timers(&mut self, process: &LocketProcess, polls: bool, has_fired: bool) {
        // Its next life is another one than those that clients may still be connected to.
        self.words.push(process.ended().into());
        let Some(server) = process.server() else {
            self.words.push(0);
            return;
        };
        self.words.push(1);
        let timers = server.expiry().timers();
        let timers = timers.filter(|it| self.is_numbered(it.0) && (has_fired || it.1.is_some()));
        let timers: Vec<_> = timers.collect();
        self.words.push(timers.len() as u64);
        for (registration, due) in timers {
            self.add_key(&registration.key);
            self.add_owner(Some(&registration.owner));
            self.add_time(due);
            let id = registration.modified_id.to_string();
            self.add_version(id, registration.modified_index);
        }
        let poll = server.poll_deadline().filter(|_| polls);
        self.add_time(poll);
        // An overdue poll happens late, and then the rhythm continues as before.
        let overdue = poll.map_or(0, |due| self.now.since(due).as_ms());
        self.words.push(overdue % POLL_INTERVAL.as_ms());
    }

    /// Adds what a process that runs has asked the database.
    fn add_questions(&mut self, process: &LocketProcess, gives_up: bool) {
        let Some(server) = process.server() else {
            return;
        };
        for (_, reason, deadline) in process.questions() {
            match reason {
                Reason::Call(call) => {
                    let method = call.request.method() as u64;
                    self.words.extend([1, call.client.into(), call.session.into(), method]);
                    self.add_key_of(&call.request);
                }
                Reason::Expiry(fired) => {
                    self.words.push(2);
                    if let Some((row, index)) = server.expiry().attempted(fired) {
                        self.add_key(&row.key);
                        self.add_version(row.modified_id.to_string(), index);
                    }
                }
                Reason::Poll => self.words.push(3),
            }
            self.add_time(Some(deadline).filter(|_| gives_up));
        }
        self.words.push(0);
    }

    /// Adds a query that is on its way for at most so long, or waits at the database. It is the
    /// question of this place at its process; `None` if the process waits for it no longer.
    pub(crate) fn add_query(
        &mut self,
        query: &Query,
        place: Option<usize>,
        left: Option<Duration>,
    ) {
        self.add_place(query.process, place);
        self.words.push(left.map_or(u64::MAX, Duration::as_ms));
        self.add_transaction(&query.transaction);
    }

    fn add_transaction(&mut self, transaction: &Transaction) {
        match transaction {
            Transaction::Call { request, .. } => {
                self.words.extend([1, request.method() as u64]);
                self.add_key_of(request);
                self.add_owner(owner(request));
            }
            Transaction::CompareAndDelete(row) => {
                self.words.push(2);
                self.add_registration(row);
            }
            Transaction::Poll => self.words.push(3),
        }
    }

    /// Adds an answer that is on its way to a process for at most so long, to the question of this
    /// place there.
    pub(crate) fn add_answer(
        &mut self,
        process: u16,
        place: usize,
        answer: &Answer,
        left: Duration,
    ) {
        self.add_place(process, Some(place));
        self.words.push(left.as_ms());
        match answer {
            Answer::Outcome(Err(error), _) => {
                let text = error.to_string();
                self.words.extend([4, text.len() as u64]);
                self.words.extend(text.bytes().map(u64::from));
            }
            Answer::Outcome(Ok(Outcome::Deleted(is_deleted)), _) => {
                self.words.extend([5, u64::from(*is_deleted)]);
            }
            // Rows that were read are repeated to the client, and change nothing there.
            Answer::Outcome(Ok(Outcome::Fetched(_) | Outcome::FetchedAll(_)), _) => {
                self.words.push(6);
            }
            Answer::Outcome(Ok(Outcome::Locked(row)), _) => {
                self.words.extend([7, u64::from(row.is_some())]);
                if let Some(row) = row {
                    self.add_registration(row);
                }
            }
            Answer::Outcome(Ok(Outcome::Released), _) => self.words.push(8),
            Answer::Rows(Err(_)) => self.words.push(9),
            Answer::Rows(Ok(rows)) => {
                let numbered = rows.iter().filter(|it| self.is_numbered(it));
                let rows: Vec<_> = numbered.collect();
                self.words.extend([10, rows.len() as u64]);
                for row in rows {
                    self.add_registration(row);
                }
            }
        }
    }

    /// Adds for how long the row of a key stands as it is, if it has one whose owner has a number.
    pub(crate) fn add_age(&mut self, age: Option<Duration>) {
        self.words.push(age.map_or(u64::MAX, Duration::as_ms));
    }

    fn add_place(&mut self, process: u16, place: Option<usize>) {
        let place = place.map_or(0, |place| place as u64 + 1);
        self.words.extend([u64::from(process), place]);
    }

    fn add_registration(&mut self, row: &Registration) {
        self.add_key(&row.key);
        self.add_owner(Some(&row.owner));
        self.add_version(row.modified_id.to_string(), row.modified_index);
    }

    /// The state in words.
    pub(crate) fn finish(mut self) -> Vec<u64> {
        for (_, places) in &self.ids {
            let smallest = places.iter().map(|&place| self.words[place]).min();
            for &place in places {
                self.words[place] -= smallest.unwrap_or_default();
            }
        }
        self.words
    }

    fn add_table(&mut self, table: &LockTable, polls: bool) {
        for (row, due) in table.expiries_by_path() {
            if self.is_numbered(&row) {
                self.words.push(1);
                self.add_registration(&row);
                self.add_time(due);
            } else {
                self.words.push(2);
                self.add_key(&row.key);
            }
        }
        self.words.push(0);
        // A poll registers rows in the order in which they were written.
        for row in table.registrations().filter(|_| polls) {
            if self.is_numbered(&row) {
                self.add_key(&row.key);
            }
        }
    }

    fn is_numbered(&self, row: &Registration) -> bool {
        (self.owner)(&row.owner).is_some()
    }

    /// Rows of other keys look alike.
    fn add_key(&mut self, key: &str) {
        self.words.push(u64::from(key != self.key));
    }

    fn add_key_of(&mut self, request: &Request) {
        self.add_key(request.key());
    }

    fn add_owner(&mut self, owner: Option<&str>) {
        let number = owner.and_then(self.owner);
        self.words.push(number.map_or(0, |number| number + 1));
    }

    fn add_time(&mut self, due: Option<Time>) {
        let left = due.map(|due| due.since(self.now).as_ms());
        self.words.push(left.unwrap_or(u64::MAX));
    }

    fn add_version(&mut self, id: String, index: i64) {
        let known = self.ids.iter().position(|(known, _)| *known == id);
        let class = known.unwrap_or(self.ids.len());
        if class == self.ids.len() {
            self.ids.push((id, Vec::new()));
        }
        self.words.push(class as u64);
        self.ids[class].1.push(self.words.len());
        self.words.push(index as u64);
    }
}

/// The owner that a request names.
fn owner(request: &Request) -> Option<&str> {
    match request {
        Request::Lock { resource, .. } | Request::Release { resource } => {
            resource.as_ref().map(|it| it.owner.as_str())
        }
        Request::Fetch { .. } | Request::FetchAll { .. } => None,
    }
}
