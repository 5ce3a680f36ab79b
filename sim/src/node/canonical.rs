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
use crate::time::Time;

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

/// The canonical state of a client that keeps one lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CanonicalClient {
    /// Whether it was never started: only then it starts by itself.
    is_new: bool,
    runner: Option<CanonicalRunner>,
    call_waits: bool,
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
            call_waits: self.has_waiting_call(),
            connection: connection.then(|| self.connection().canonical(now, relevant.keepalive)),
        }
    }
}

/// The canonical state of Locket, while it is written: all processes and their database, since
/// versions of rows are compared across them. Rows of one key, whose owners are numbers.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalLocket {
    now: Time,
    words: Vec<u64>,
    /// The ids seen, with the words that hold an index of each.
    ids: Vec<(String, Vec<usize>)>,
}

impl CanonicalLocket {
    /// As seen from `now`.
    pub(crate) const fn new(now: Time) -> Self {
        Self {
            now,
            words: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Adds the database: the row of `key`, and the rows that it had before the last commits.
    pub(crate) fn add_database(&mut self, database: &mut Database, key: &str) {
        self.add_table(database.table_mut(), key);
        for table in database.earlier_tables() {
            self.add_table(table, key);
        }
    }

    /// Adds a process.
    pub(crate) fn add_process(&mut self, process: &LocketProcess, polls: bool) {
        // Its next life is another one than those that clients may still be connected to.
        self.words.push(process.ended().into());
        let Some(server) = process.server() else {
            self.words.push(0);
            return;
        };
        self.words.push(1);
        self.words.push(server.expiry().len() as u64);
        for (registration, due) in server.expiry().timers() {
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
        for (_, reason, deadline) in process.questions() {
            match reason {
                Reason::Call(call) => {
                    let method = call.request.method() as u64;
                    self.words
                        .extend([1, call.client.into(), call.client_life.into(), method]);
                }
                Reason::Expiry(fired) => {
                    self.words.push(2);
                    if let Some((row, index)) = server.expiry().attempted(fired) {
                        self.add_version(row.modified_id.to_string(), index);
                    }
                }
                Reason::Poll => self.words.push(3),
            }
            self.add_time(Some(deadline));
        }
        self.words.push(0);
    }

    /// Adds which processes drain.
    pub(crate) fn add_draining(&mut self, draining: &[bool]) {
        self.words.extend(draining.iter().map(|&it| u64::from(it)));
    }

    /// Adds a query that waits at the database, which is the question of this place at its
    /// process; `None` if the process waits for it no longer.
    pub(crate) fn add_query(&mut self, query: &Query, place: Option<usize>) {
        self.add_place(query.process, place);
        match &query.transaction {
            Transaction::Call { request, .. } => {
                self.words.extend([1, request.method() as u64]);
                self.add_owner(owner(request));
            }
            Transaction::CompareAndDelete(row) => {
                self.words.push(2);
                self.add_registration(row);
            }
            Transaction::Poll => self.words.push(3),
        }
    }

    /// Adds an answer on its way to a process, to the question of this place there.
    pub(crate) fn add_answer(&mut self, process: u16, place: usize, answer: &Answer) {
        self.add_place(process, Some(place));
        match answer {
            Answer::Outcome(Err(error)) => {
                let text = error.to_string();
                self.words.extend([4, text.len() as u64]);
                self.words.extend(text.bytes().map(u64::from));
            }
            Answer::Outcome(Ok(Outcome::Deleted(is_deleted))) => {
                self.words.extend([5, u64::from(*is_deleted)]);
            }
            // Rows that were read are repeated to the client, and change nothing there.
            Answer::Outcome(Ok(Outcome::Fetched(_) | Outcome::FetchedAll(_))) => {
                self.words.push(6);
            }
            Answer::Outcome(Ok(Outcome::Locked(row))) => {
                self.words.extend([7, u64::from(row.is_some())]);
                if let Some(row) = row {
                    self.add_registration(row);
                }
            }
            Answer::Outcome(Ok(Outcome::Released)) => self.words.push(8),
            Answer::Rows(Err(_)) => self.words.push(9),
            Answer::Rows(Ok(rows)) => {
                self.words.extend([10, rows.len() as u64]);
                for row in rows {
                    self.add_registration(row);
                }
            }
        }
    }

    fn add_place(&mut self, process: u16, place: Option<usize>) {
        let place = place.map_or(0, |place| place as u64 + 1);
        self.words.extend([u64::from(process), place]);
    }

    fn add_registration(&mut self, row: &Registration) {
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

    fn add_table(&mut self, table: &mut LockTable, key: &str) {
        let due = table.deadline(Time::MAX);
        let Some(row) = table.row(key) else {
            self.words.push(0);
            return;
        };
        self.words.push(1);
        self.add_owner(row.owner.as_deref());
        self.add_time(due);
        let id = row.modified_id.unwrap_or_default();
        self.add_version(id, row.modified_index.unwrap_or_default());
    }

    fn add_owner(&mut self, owner: Option<&str>) {
        let number = owner.and_then(|owner| owner.parse::<u64>().ok());
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
