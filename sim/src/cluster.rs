//! One database and its Locket processes, always able to reach each other.
//!
//! This is the reference server: what a test double needs, with all of Locket's rules and
//! none of the faults. Everything happens in the call; virtual time passes only when the
//! caller says so.
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
//! assert_eq!(locket.handle(0, &lock, caller, Time::ZERO, &mut ()), Ok(Response::Lock));
//! assert_eq!(locket.deadline(), Some(Time::from_ms(15_000)));
//!
//! let fetch = Request::Fetch { key: "bbs".into() };
//! let after = Time::from_ms(15_000);
//! assert_eq!(locket.handle(0, &fetch, caller, after, &mut ()), Err(LockError::ResourceNotFound));
//! ```

use crate::protocol::error::{LockError, SQL_RESOURCE_EXISTS};
use crate::protocol::expiry::ExpiredCounters;
use crate::protocol::id_source::IdSource;
use crate::protocol::lock_table::{LockTable, RowChanges};
use crate::protocol::log::Log;
use crate::protocol::message::{Request, Response};
use crate::protocol::operation::Operation;
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    profile: Profile,
    ids: IdSource,
    table: LockTable,
    processes: Vec<Process>,
    now: Time,
    /// Who takes the next free key at the moment at which it is asked for.
    rival: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Process {
    /// `None` while the process is stopped.
    server: Option<Server>,
    /// Whether the table or the timers changed since the last poll.
    poll_finds_something: bool,
}

/// What operators look at (B82, B85).
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
            ids: IdSource::new(seed),
            table: LockTable::new(profile),
            processes: Vec::new(),
            now: Time::ZERO,
            rival: None,
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

    /// Handles one request at process number `process`.
    ///
    /// # Errors
    ///
    /// What Locket answers, and [`LockError::Unavailable`] if there is no such process or it
    /// is stopped.
    pub fn handle(
        &mut self,
        process: usize,
        request: &Request,
        caller: Caller<'_>,
        now: Time,
        log: &mut dyn Log,
    ) -> Result<Response, LockError> {
        self.handle_timeout(now, log);
        let rival_won = self.rival_wins(process, request, log);
        let running = self
            .processes
            .get_mut(process)
            .and_then(|process| process.server.as_mut());
        let server = running.ok_or(LockError::Unavailable)?;
        let (call, operation) = server.begin(request, self.now);
        let before = self.table.writes();
        let result = operation.and_then(|operation| {
            if rival_won {
                return Err(SQL_RESOURCE_EXISTS);
            }
            self.table
                .apply(operation, self.now, || Ok(self.ids.next_id()), log)
        });
        let response = server.finish(call, request, result, caller, self.now, log);
        if server.exits() {
            self.stop(process);
        }
        self.note_writes(before, self.now + INSTANT);
        response
    }

    /// Whether the rival inserts the row between this request's look at the table and its insert.
    fn rival_wins(&mut self, process: usize, request: &Request, log: &mut dyn Log) -> bool {
        let Request::Lock {
            resource: Some(resource),
            ttl_in_seconds,
        } = request
        else {
            return false;
        };
        let is_free = |_: &mut String| self.table.row(&resource.key).is_none();
        let Some(owner) = self.rival.take_if(is_free) else {
            return false;
        };
        let resource = Some(Resource {
            owner: owner.clone(),
            ..resource.clone()
        });
        let ttl_in_seconds = *ttl_in_seconds;
        let rivals = Request::Lock {
            resource,
            ttl_in_seconds,
        };
        let answer = self.handle(process, &rivals, Caller::default(), self.now, log);
        if answer.is_err() {
            // What cannot be inserted leads to no race.
            self.rival = Some(owner);
        }
        answer.is_ok()
    }

    /// When something happens next by itself.
    pub fn deadline(&mut self) -> Option<Time> {
        self.deadline_by(Time::MAX)
    }

    /// The deadline, if it is not after `limit`: cheap when nothing is due.
    fn deadline_by(&mut self, limit: Time) -> Option<Time> {
        let mut earliest = self.table.deadline(limit);
        for process in &mut self.processes {
            let timer = process
                .server
                .as_mut()
                .and_then(|server| server.deadline(limit));
            let poll = process.poll_deadline().filter(|&due| due <= limit);
            earliest = [earliest, timer, poll].into_iter().flatten().min();
        }
        earliest
    }

    /// How many leases and timers are waiting for their end.
    pub fn pending(&self) -> usize {
        let timers = self
            .processes
            .iter()
            .filter_map(|process| process.server.as_ref());
        self.table.leases() + timers.map(|server| server.expiry().len()).sum::<usize>()
    }

    /// Lets everything happen that is due by `now`, in order.
    pub fn handle_timeout(&mut self, now: Time, log: &mut dyn Log) {
        while let Some(due) = self.deadline_by(now) {
            self.now = self.now.max(due);
            let before = self.table.writes();
            self.table.handle_timeout(due, log);
            for process in 0..self.processes.len() {
                self.fire_timers(process, due, log);
            }
            self.note_writes(before, due);
            for process in &mut self.processes {
                process.poll(&self.table, due, log);
            }
        }
        self.now = self.now.max(now);
        // Idle processes stand where they would if they had polled all the while, so that equal
        // situations are equal states.
        for process in &mut self.processes {
            process.pass_idle_polls(self.now);
        }
    }

    fn fire_timers(&mut self, process: usize, due: Time, log: &mut dyn Log) {
        let process = &mut self.processes[process];
        let Some(server) = &mut process.server else {
            return;
        };
        let mut fired_any = false;
        while let Some((fired, registration)) = server.poll_fired(due) {
            let operation = Operation::CompareAndDelete(&registration);
            let result = self
                .table
                .apply(operation, due, || Ok(self.ids.next_id()), log);
            server.handle_attempt(fired, result, log);
            fired_any = true;
        }
        // A deletion that failed leaves a row that no timer stands for.
        if fired_any {
            process.wants_poll(due);
        }
    }

    /// A write is for all processes to see. A poll at the very instant of a request was before
    /// it, one at the very instant of an expiry comes after it.
    fn note_writes(&mut self, before: u64, poll_from: Time) {
        if self.table.writes() != before {
            for process in &mut self.processes {
                process.wants_poll(poll_from);
            }
        }
    }
}

/// Processes.
impl Cluster {
    /// How many processes there are, running or stopped.
    pub const fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Adds a process that starts at `now` and returns its number.
    pub fn add_process(&mut self, now: Time, log: &mut dyn Log) -> usize {
        self.processes.push(Process {
            server: None,
            poll_finds_something: false,
        });
        let process = self.processes.len() - 1;
        self.start(process, now, log);
        process
    }

    /// Stops a process as a crash does: its timers are gone, the rows stay. Says whether it ran.
    pub fn stop(&mut self, process: usize) -> bool {
        self.processes
            .get_mut(process)
            .and_then(|process| process.server.take())
            .is_some()
    }

    /// Starts a process; it registers every row with its full TTL (B75). Says whether it was
    /// stopped before.
    pub fn start(&mut self, process: usize, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        let Some(stopped) = self
            .processes
            .get_mut(process)
            .filter(|process| process.server.is_none())
        else {
            return false;
        };
        self.table.create_table();
        *stopped = Process::started(self.profile, self.now);
        stopped.poll(&self.table, self.now, log);
        true
    }

    /// Stops and starts a process. Says whether there is one of that number.
    pub fn restart(&mut self, process: usize, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        self.stop(process);
        self.start(process, now, log)
    }

    /// Whether a process of that number runs.
    pub fn is_running(&self, process: usize) -> bool {
        self.processes
            .get(process)
            .is_some_and(|process| process.server.is_some())
    }

    /// A running process's own state.
    pub fn process(&self, process: usize) -> Option<&Server> {
        self.processes.get(process)?.server.as_ref()
    }
}

/// What operators see and do.
impl Cluster {
    /// The table as it is at `now`.
    pub fn table(&mut self, now: Time, log: &mut dyn Log) -> &LockTable {
        self.handle_timeout(now, log);
        &self.table
    }

    /// The row of `path` as the last call left it; passes no time.
    pub fn row(&self, path: &str) -> Option<Row> {
        self.table.row(path)
    }

    /// Counts of rows, expiries and requests at `now`.
    pub fn stats(&mut self, now: Time, log: &mut dyn Log) -> Stats {
        self.handle_timeout(now, log);
        let mut stats = Stats {
            active_locks: self.table.count(LOCK),
            active_presences: self.table.count(PRESENCE),
            expired: self.table.expired(),
            requests: RequestCounters::default(),
        };
        for server in self
            .processes
            .iter()
            .filter_map(|process| process.server.as_ref())
        {
            stats.expired.add(server.expiry().expired());
            stats.requests.add(server.requests());
        }
        stats
    }

    /// Writes a whole row behind Locket's back.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::put_row`].
    pub fn put_row(&mut self, row: Row, now: Time, log: &mut dyn Log) -> Result<(), LockError> {
        self.edit(now, log, |table, now| table.put_row(row, now))
    }

    /// Has the next Lock of a free key lose a race: `owner` asks for the same at the same moment
    /// and inserts the row first, and the call is answered as PostgreSQL has it answered then,
    /// `sql-resource-exists`. A transaction takes no time here, so no race comes about by itself.
    pub fn lose_insert_race(&mut self, owner: String) {
        self.rival = Some(owner);
    }

    /// Sets columns of all rows behind Locket's back.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::update_rows`].
    pub fn update_rows(
        &mut self,
        changes: &RowChanges,
        now: Time,
        log: &mut dyn Log,
    ) -> Result<(), LockError> {
        self.edit(now, log, |table, now| table.update_rows(changes, now))
    }

    /// Lets `edit` change all rows but for their paths behind Locket's back; it can set NULL.
    ///
    /// # Errors
    ///
    /// Those of [`LockTable::edit_rows`].
    pub fn edit_rows(
        &mut self,
        edit: impl Fn(&mut Row),
        now: Time,
        log: &mut dyn Log,
    ) -> Result<(), LockError> {
        self.edit(now, log, |table, now| table.edit_rows(edit, now))
    }

    /// Deletes a row behind Locket's back; says whether there was one.
    pub fn delete_row(&mut self, key: &str, now: Time, log: &mut dyn Log) -> bool {
        self.edit(now, log, |table, _| table.delete_row(key))
    }

    /// Drops the table; the first process that notices stops, and a start creates it anew (B29).
    pub fn drop_table(&mut self, now: Time, log: &mut dyn Log) {
        self.edit(now, log, |table, _| table.drop_table());
    }

    fn edit<T>(
        &mut self,
        now: Time,
        log: &mut dyn Log,
        edit: impl FnOnce(&mut LockTable, Time) -> T,
    ) -> T {
        self.handle_timeout(now, log);
        let before = self.table.writes();
        let result = edit(&mut self.table, self.now);
        self.note_writes(before, self.now + INSTANT);
        result
    }
}

/// The grain of time.
const INSTANT: Duration = Duration::from_ms(1);

impl Process {
    fn started(profile: Profile, now: Time) -> Self {
        let server = Some(Server::new(profile, now));
        Self {
            server,
            poll_finds_something: true,
        }
    }

    /// When the process polls next, if a poll can find anything; else its rhythm goes on
    /// without it, so that a quiet year costs nothing.
    fn poll_deadline(&self) -> Option<Time> {
        self.server
            .as_ref()
            .filter(|_| self.poll_finds_something)?
            .poll_deadline()
    }

    fn poll(&mut self, table: &LockTable, now: Time, log: &mut dyn Log) {
        let due = self.poll_deadline().is_some_and(|due| due <= now);
        if let Some(server) = self.server.as_mut().filter(|_| due) {
            server.handle_poll(Ok(table.registrations()), now, log);
            self.poll_finds_something = false;
        }
    }

    /// Polls by `now` that found nothing are behind the process.
    fn pass_idle_polls(&mut self, now: Time) {
        if let Some(server) = self.server.as_mut().filter(|_| !self.poll_finds_something) {
            server.skip_polls_before(now + INSTANT);
        }
    }

    /// From now on a poll finds something; those before `now` did not and are left out.
    fn wants_poll(&mut self, now: Time) {
        if let Some(server) = self.server.as_mut().filter(|_| !self.poll_finds_something) {
            server.skip_polls_before(now);
            self.poll_finds_something = true;
        }
    }
}
