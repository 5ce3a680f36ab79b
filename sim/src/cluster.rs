//! One database and its Locket processes, always able to reach each other.
//!
//! This is the reference server: what a test double needs, with all of Locket's rules. Everything
//! happens in the call, unless a fault of the database was [caused](Cluster::stall_database);
//! virtual time passes only when the caller says so.
//!
//! ```
//! use locket_sim::cluster::Cluster;
//! use locket_sim::protocol::error::LockError;
//! use locket_sim::protocol::message::{Request, Response};
//! use locket_sim::protocol::profile::Profile;
//! use locket_sim::protocol::resource::{Resource, TypeCode};
//! use locket_sim::protocol::server::Caller;
//! use locket_sim::time::Time;
//!
//! let mut locket = Cluster::new(Profile::DOCUMENTED, 1);
//! let lock = Request::Lock {
//!     resource: Some(Resource {
//!         key: "bbs".into(),
//!         owner: "bbs-0".into(),
//!         type_code: TypeCode::Lock,
//!         ..Resource::default()
//!     }),
//!     ttl_in_seconds: 15,
//! };
//! let caller = Caller::default();
//! let answer = locket.handle(0, &lock, caller, Time::ZERO, &mut ()).answer();
//! assert_eq!(answer, Some(Ok(Response::Lock)));
//! assert_eq!(locket.deadline(), Some(Time::from_ms(15_000)));
//!
//! let fetch = Request::Fetch { key: "bbs".into() };
//! let after = Time::from_ms(15_000);
//! let answer = locket.handle(0, &fetch, caller, after, &mut ()).answer();
//! assert_eq!(answer, Some(Err(LockError::ResourceNotFound)));
//! ```

mod calls;
mod faults;

pub use calls::{Finished, Handled, WaitingCall};

use calls::Calls;

use crate::node::back_end::BackEnd;
use crate::node::database::Database;
use crate::node::locket_process::LocketProcess;
use crate::protocol::error::LockError;
use crate::protocol::expiry::ExpiredCounters;
use crate::protocol::lock_table::{LockTable, RowChanges};
use crate::protocol::log::Log;
use crate::protocol::message::Request;
use crate::protocol::profile::Profile;
use crate::protocol::request_counters::RequestCounters;
use crate::protocol::resource::{LOCK, PRESENCE, Resource};
use crate::protocol::row::Row;
use crate::protocol::server::{Caller, Server};
use crate::time::{Duration, Time};

/// One database and its Locket processes.
///
/// Give every method the time; it must not go back, and if it does, the later one counts.
/// Things that are due at the same instant happen in this order: rows that expire by
/// themselves, timers of the processes by number, polls by number, then the request.
#[derive(Clone, Debug)]
pub struct Cluster {
    profile: Profile,
    back_end: BackEnd,
    /// True if the table or the timers of each process have changed since its last poll.
    polls_find_something: Vec<bool>,
    now: Time,
    /// Who takes the next free key at the moment at which it is asked for.
    rival: Option<String>,
    /// When the database's stall ends, if it stalls.
    stall_ends: Option<Time>,
    calls: Calls,
}

/// The metrics that operators see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Rows of type `lock` with an owner (`ActiveLocks`).
    pub active_locks: usize,
    /// Rows of type `presence` with an owner (`ActivePresences`).
    pub active_presences: usize,
    /// Rows that went because their TTL ended, since the processes started.
    pub expired: ExpiredCounters,
    /// Request counters, summed over the running processes.
    pub requests: RequestCounters,
}

impl Cluster {
    /// An empty database with one running process. The same `seed` gives the same ids.
    pub fn new(profile: Profile, seed: u64) -> Self {
        let mut cluster = Self {
            profile,
            back_end: BackEnd::new(profile, Database::new(profile, seed, 0), 0),
            polls_find_something: Vec::new(),
            now: Time::ZERO,
            rival: None,
            stall_ends: None,
            calls: Calls::default(),
        };
        cluster.add_process(Time::ZERO, &mut ());
        cluster
    }

    /// The switches that this Locket follows.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The time of the last call.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// Handles one request at process number `process`: the answer is Locket's, and
    /// [`LockError::Unavailable`] if there is no such process or it is stopped.
    pub fn handle(
        &mut self,
        process: usize,
        request: &Request,
        caller: Caller<'_>,
        now: Time,
        log: &mut dyn Log,
    ) -> Handled {
        self.handle_timeout(now, log);
        if !self.is_running(process) {
            return Handled::Answered(Err(LockError::Unavailable));
        }
        let rival_won = self.rival_wins(process, request, log);
        let before = self.back_end.database.table().writes();
        let handled = if rival_won {
            let error = self.profile.database.lost_insert();
            self.fail_call(process, request, caller, error, log)
        } else {
            self.begin_call(process, request, caller, log)
        };
        // The call may have killed the process, and with it all other calls in it.
        if !self.is_running(process) {
            self.calls.process_ended(process, self.now);
        }
        self.note_writes(before, self.now + Duration::INSTANT);
        handled
    }

    /// The calls that have [waited](Handled::Waits) and are answered by now, as they were.
    pub fn take_finished(&mut self) -> Vec<Finished> {
        self.calls.take_finished()
    }

    /// True if the rival inserts the row between this request's look at the table and its insert.
    fn rival_wins(&mut self, process: usize, request: &Request, log: &mut dyn Log) -> bool {
        let Request::Lock { resource: Some(resource), ttl_in_seconds } = request else {
            return false;
        };
        let can_race = !self.back_end.database.is_down() && !self.calls_wait();
        let is_free = |_: &mut String| {
            can_race && self.back_end.database.table().row(&resource.key).is_none()
        };
        let Some(owner) = self.rival.take_if(is_free) else {
            return false;
        };
        let resource = Some(Resource { owner: owner.clone(), ..resource.clone() });
        let ttl_in_seconds = *ttl_in_seconds;
        let rivals = Request::Lock { resource, ttl_in_seconds };
        let handled = self.handle(process, &rivals, Caller::default(), self.now, log);
        let has_won = matches!(handled, Handled::Answered(Ok(_)));
        if !has_won {
            // A row that cannot be inserted leads to no race.
            self.rival = Some(owner);
        }
        has_won
    }

    /// When something happens next by itself.
    pub fn deadline(&mut self) -> Option<Time> {
        self.deadline_by(Time::MAX)
    }

    /// The deadline, if it is not after `limit`: cheap when nothing is due.
    fn deadline_by(&mut self, limit: Time) -> Option<Time> {
        let faults = self.faults_deadline().filter(|&due| due <= limit);
        let table = self.back_end.database.deadline(limit);
        let mut earliest = [faults, table].into_iter().flatten().min();
        for process in 0..self.processes() {
            let timer = self.back_end.processes[process].expiry_deadline(limit);
            let poll = self.poll_deadline(process).filter(|&due| due <= limit);
            earliest = [earliest, timer, poll].into_iter().flatten().min();
        }
        earliest
    }

    /// How many rows and timers are waiting for their end.
    pub fn pending(&self) -> usize {
        let timers = self.servers().map(|server| server.expiry().len());
        self.back_end.database.table().expiries() + timers.sum::<usize>()
    }

    /// Lets everything happen that is due by `now`, in order.
    pub fn handle_timeout(&mut self, now: Time, log: &mut dyn Log) {
        while let Some(due) = self.deadline_by(now) {
            self.now = self.now.max(due);
            let before = self.back_end.database.table().writes();
            self.pass_faults(due);
            self.back_end.database.handle_timeout(due, log);
            for process in 0..self.processes() {
                self.fire_timers(process, due, log);
            }
            self.note_writes(before, due);
            for process in 0..self.processes() {
                self.poll(process, due, log);
            }
        }
        self.now = self.now.max(now);
        debug_assert_eq!(
            self.stall_ends.is_some(),
            self.back_end.database.is_stalled(),
            "a stall has an end"
        );
        // Idle processes stand where they would if they had polled all the while, so that equal
        // clusters are equal states.
        for process in 0..self.processes() {
            self.pass_idle_polls(process);
        }
    }

    /// A write is for all processes to see. A poll at the very instant of a request was before
    /// it, one at the very instant of an expiry comes after it.
    fn note_writes(&mut self, before: u64, poll_from: Time) {
        if self.back_end.database.table().writes() != before {
            self.want_polls(poll_from);
        }
    }
}

/// Processes.
impl Cluster {
    /// How many processes there are, running or stopped.
    pub const fn processes(&self) -> usize {
        self.back_end.processes.len()
    }

    /// Adds a process that starts at `now` and returns its number.
    pub fn add_process(&mut self, now: Time, log: &mut dyn Log) -> usize {
        self.handle_timeout(now, log);
        let process = self.back_end.add_process(self.profile, self.now);
        self.polls_find_something.push(true);
        self.poll(process, self.now, log);
        process
    }

    /// Stops a process as a crash does: it loses its timers, and the rows stay. Says whether it
    /// ran.
    pub fn stop(&mut self, process: usize) -> bool {
        let is_running = self.is_running(process);
        if is_running {
            self.back_end.processes[process].end();
            self.calls.process_ended(process, self.now);
        }
        is_running
    }

    /// Starts a process; it registers every row with its full TTL (B75). Returns whether it
    /// runs now and was stopped before: a process that starts while the database is down ends at
    /// once (B29).
    pub fn start(&mut self, process: usize, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        let has_started = process < self.processes() && self.back_end.start(process, self.now);
        if has_started {
            self.polls_find_something[process] = true;
            self.poll(process, self.now, log);
        }
        has_started
    }

    /// Stops and starts a process. Says whether there is one of that number.
    pub fn restart(&mut self, process: usize, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        self.stop(process);
        self.start(process, now, log)
    }

    /// True if a process of that number runs.
    pub fn is_running(&self, process: usize) -> bool {
        self.process(process).is_some()
    }

    /// A running process's own state.
    pub fn process(&self, process: usize) -> Option<&Server> {
        self.back_end.processes.get(process)?.server()
    }

    fn servers(&self) -> impl Iterator<Item = &Server> {
        let processes = self.back_end.processes.iter();
        processes.filter_map(LocketProcess::server)
    }
}

/// The view and the actions of operators.
impl Cluster {
    /// The table as it is at `now`.
    pub fn table(&mut self, now: Time, log: &mut dyn Log) -> &LockTable {
        self.handle_timeout(now, log);
        self.back_end.database.table()
    }

    /// The row of `path` as the last call left it; passes no time.
    pub fn row(&self, path: &str) -> Option<Row> {
        self.back_end.database.table().row(path)
    }

    /// Counts of rows, expiries and requests at `now`.
    pub fn stats(&mut self, now: Time, log: &mut dyn Log) -> Stats {
        self.handle_timeout(now, log);
        let table = self.back_end.database.table();
        let mut stats = Stats {
            active_locks: table.count(LOCK),
            active_presences: table.count(PRESENCE),
            expired: table.expired(),
            requests: RequestCounters::default(),
        };
        for server in self.servers() {
            stats.expired.add(server.expiry().expired());
            stats.requests.add(server.requests());
        }
        stats
    }

    /// Writes a whole row behind Locket's back.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::put_row`], and that the database is down.
    pub fn put_row(&mut self, row: Row, now: Time, log: &mut dyn Log) -> Result<(), LockError> {
        self.edit(now, log, |table, now| table.put_row(row, now))?
    }

    /// Has the next Lock of a free key lose a race: `owner` asks for the same key at the same
    /// moment and inserts the row first. The call is then answered with `sql-resource-exists` on
    /// PostgreSQL and with `lock-collision` on MySQL. A transaction takes no time here, so races do
    /// not happen otherwise.
    pub fn lose_insert_race(&mut self, owner: String) {
        self.rival = Some(owner);
    }

    /// Sets columns of all rows behind Locket's back.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::update_rows`], and that the database is down.
    pub fn update_rows(
        &mut self,
        changes: &RowChanges,
        now: Time,
        log: &mut dyn Log,
    ) -> Result<(), LockError> {
        self.edit(now, log, |table, now| table.update_rows(changes, now))?
    }

    /// Lets `edit` change all rows but for their paths behind Locket's back; it can set NULL.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::edit_rows`], and that the database is down.
    pub fn edit_rows(
        &mut self,
        edit: impl Fn(&mut Row),
        now: Time,
        log: &mut dyn Log,
    ) -> Result<(), LockError> {
        self.edit(now, log, |table, now| table.edit_rows(edit, now))?
    }

    /// Deletes a row behind Locket's back; says whether it did. A database that is down is not
    /// reached.
    pub fn delete_row(&mut self, key: &str, now: Time, log: &mut dyn Log) -> bool {
        let deleted = self.edit(now, log, |table, _| table.delete_row(key));
        deleted.unwrap_or(false)
    }

    /// Drops the table; the first process that notices stops, and a start creates it anew (B29).
    /// Says whether the database was up.
    pub fn drop_table(&mut self, now: Time, log: &mut dyn Log) -> bool {
        self.edit(now, log, |table, _| table.drop_table()).is_ok()
    }

    fn edit<T>(
        &mut self,
        now: Time,
        log: &mut dyn Log,
        edit: impl FnOnce(&mut LockTable, Time) -> T,
    ) -> Result<T, LockError> {
        self.handle_timeout(now, log);
        let before = self.back_end.database.table().writes();
        let result = edit(self.back_end.database.reach_table()?, self.now);
        self.note_writes(before, self.now + Duration::INSTANT);
        Ok(result)
    }
}

/// Polls that find nothing are left out, so that a quiet year costs nothing.
impl Cluster {
    /// When a process polls next, if a poll can find anything; else its rhythm goes on without it.
    fn poll_deadline(&self, process: usize) -> Option<Time> {
        let deadline = self.back_end.processes[process].poll_deadline();
        deadline.filter(|_| self.polls_find_something[process])
    }

    /// Polls of a process by now that found nothing are behind it.
    fn pass_idle_polls(&mut self, process: usize) {
        if !self.polls_find_something[process] {
            self.back_end.processes[process].skip_polls_before(self.now + Duration::INSTANT);
        }
    }

    /// From now on a poll of a process finds something; those before `now` did not and are left out.
    fn want_poll(&mut self, process: usize, now: Time) {
        if !self.polls_find_something[process] && self.is_running(process) {
            self.back_end.processes[process].skip_polls_before(now);
            self.polls_find_something[process] = true;
        }
    }

    /// From now on a poll of any process finds something.
    fn want_polls(&mut self, now: Time) {
        for process in 0..self.processes() {
            self.want_poll(process, now);
        }
    }
}
