//! Builders that the tests share.
//!
//! Comments in the tests name the facts of `docs/understand/behaviour.md`. `B…` is a behaviour of
//! the server, `C…` of its clients, `S…` a case from production, and `D…` a difference between the
//! published documents and the shipped server. Every claim stands in full in its test.
//!
//! Where upstream fakes the database, a test here calls `Server::begin` and gives
//! `Server::finish` what the database is to answer.

use std::borrow::Cow;

use locket_sim::cluster::Cluster;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::lock_table::RowChanges;
use locket_sim::protocol::log::{Level, Log, LogRecord};
use locket_sim::protocol::message::{Method, Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::Row;
use locket_sim::protocol::server::{Caller, CallerState};
use locket_sim::time::Time;

pub(crate) const WAITING: Caller<'_> = Caller { request_id: "", state: CallerState::Waiting };

/// How many things happen by themselves before a test gives up.
const STEPS_MAX: usize = 1_000;

/// Both presets, for claims that hold in each.
pub(crate) const PRESETS: [Profile; 2] = [Profile::DOCUMENTED, Profile::UPSTREAM];

pub(crate) const fn ms(ms: u64) -> Time {
    Time::from_ms(ms)
}

pub(crate) const fn s(seconds: u64) -> Time {
    Time::from_ms(seconds * 1000)
}

/// An error of the database with this text.
pub(crate) fn database(text: impl Into<Cow<'static, str>>) -> LockError {
    LockError::Database(text.into())
}

/// A lock's resource as clients of today send it: by code.
pub(crate) fn resource(key: &str, owner: &str) -> Resource {
    Resource {
        key: key.into(),
        owner: owner.into(),
        type_code: TypeCode::Lock,
        ..Resource::default()
    }
}

pub(crate) fn lock(key: &str, owner: &str, ttl_in_seconds: i64) -> Request {
    lock_of(resource(key, owner), ttl_in_seconds)
}

pub(crate) fn presence(key: &str, owner: &str, ttl_in_seconds: i64) -> Request {
    lock_typed(key, owner, "", TypeCode::Presence, ttl_in_seconds)
}

pub(crate) fn lock_typed(
    key: &str,
    owner: &str,
    type_name: &str,
    type_code: TypeCode,
    ttl_in_seconds: i64,
) -> Request {
    let resource = Resource { type_name: type_name.into(), type_code, ..resource(key, owner) };
    lock_of(resource, ttl_in_seconds)
}

pub(crate) const fn lock_of(resource: Resource, ttl_in_seconds: i64) -> Request {
    Request::Lock { resource: Some(resource), ttl_in_seconds }
}

pub(crate) fn release(key: &str, owner: &str) -> Request {
    Request::Release { resource: Some(resource(key, owner)) }
}

pub(crate) fn fetch(key: &str) -> Request {
    Request::Fetch { key: key.into() }
}

pub(crate) fn fetch_all(type_name: &str, type_code: TypeCode) -> Request {
    Request::FetchAll { type_name: type_name.into(), type_code }
}

/// A row of type `lock` as an operator writes it, with index 1 and an id of its own.
pub(crate) fn row(path: &str, owner: &str, ttl: i64) -> Row {
    Row {
        path: path.into(),
        owner: Some(owner.into()),
        value: Some(String::new()),
        type_name: Some("lock".into()),
        ttl: Some(ttl),
        modified_id: Some(format!("id-of-{path}")),
        modified_index: Some(1),
    }
}

/// An owned log record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) message: &'static str,
    pub(crate) error: Option<String>,
    pub(crate) key: String,
    pub(crate) owner: String,
    pub(crate) type_name: String,
    pub(crate) request_id: Option<String>,
    pub(crate) method: Option<Method>,
}

/// Keeps what was logged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logs(pub(crate) Vec<Line>);

impl Log for Logs {
    fn record(&mut self, record: &LogRecord<'_>) {
        self.0.push(Line {
            level: record.level,
            message: record.message,
            error: record.error.map(str::to_owned),
            key: record.key.to_owned(),
            owner: record.owner.to_owned(),
            type_name: record.type_name.to_owned(),
            request_id: record.request_id.map(str::to_owned),
            method: record.method,
        });
    }
}

impl Logs {
    /// The lines with this message.
    pub(crate) fn of(&self, message: &str) -> Vec<&Line> {
        let found = self.0.iter().filter(|line| line.message == message);
        found.collect()
    }

    pub(crate) fn count(&self, message: &str) -> usize {
        self.of(message).len()
    }

    pub(crate) fn messages(&self) -> Vec<&'static str> {
        self.0.iter().map(|line| line.message).collect()
    }
}

/// A cluster with a clock and a log: `locket.at(5_000).lock("bbs", "bbs-0", 15)`.
#[derive(Clone, Debug)]
pub(crate) struct Locket {
    pub(crate) cluster: Cluster,
    pub(crate) logs: Logs,
    now: Time,
    process: usize,
}

impl Locket {
    /// One process, started at 0.
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            cluster: Cluster::new(profile, 1),
            logs: Logs::default(),
            now: Time::ZERO,
            process: 0,
        }
    }

    /// Some processes, all started at 0.
    pub(crate) fn with_processes(profile: Profile, processes: usize) -> Self {
        let mut locket = Self::new(profile);
        for _ in 1..processes {
            locket.cluster.add_process(Time::ZERO, &mut locket.logs);
        }
        locket
    }

    /// Lets time pass until `ms` and what is due happen.
    pub(crate) fn at(&mut self, ms: u64) -> &mut Self {
        self.now = Time::from_ms(ms);
        self.cluster.handle_timeout(self.now, &mut self.logs);
        self
    }

    /// Sends what follows to the process of this number.
    pub(crate) fn via(&mut self, process: usize) -> &mut Self {
        self.process = process;
        self
    }

    pub(crate) fn handle(&mut self, request: &Request) -> Result<Response, LockError> {
        self.cluster
            .handle(self.process, request, WAITING, self.now, &mut self.logs)
            .answer()
            .expect("no fault of the database makes it wait")
    }

    pub(crate) fn lock(&mut self, key: &str, owner: &str, ttl: i64) -> Result<Response, LockError> {
        self.handle(&lock(key, owner, ttl))
    }

    pub(crate) fn release(&mut self, key: &str, owner: &str) -> Result<Response, LockError> {
        self.handle(&release(key, owner))
    }

    pub(crate) fn fetch(&mut self, key: &str) -> Result<Resource, LockError> {
        let Response::Fetch(resource) = self.handle(&fetch(key))? else {
            panic!("Fetch was answered as another call");
        };
        Ok(*resource)
    }

    /// The keys that FetchAll lists, in its order.
    pub(crate) fn listed(
        &mut self,
        type_name: &str,
        type_code: TypeCode,
    ) -> Result<Vec<String>, LockError> {
        let Response::FetchAll(list) = self.handle(&fetch_all(type_name, type_code))? else {
            panic!("FetchAll was answered as another call");
        };
        Ok(list.into_iter().map(|found| found.key).collect())
    }

    /// Who holds the key now, by the table and not by a request.
    pub(crate) fn holder(&mut self, key: &str) -> Option<String> {
        self.row(key).and_then(|row| row.owner)
    }

    pub(crate) fn rows(&mut self) -> Vec<Row> {
        self.cluster.table(self.now, &mut self.logs).rows()
    }

    pub(crate) fn row(&mut self, key: &str) -> Option<Row> {
        self.rows().into_iter().find(|row| row.path == key)
    }

    pub(crate) fn put(&mut self, row: Row) -> Result<(), LockError> {
        self.cluster.put_row(row, self.now, &mut self.logs)
    }

    pub(crate) fn update(&mut self, changes: &RowChanges) -> Result<(), LockError> {
        self.cluster.update_rows(changes, self.now, &mut self.logs)
    }

    pub(crate) fn stop(&mut self, process: usize) -> bool {
        self.cluster.stop(process)
    }

    pub(crate) fn start(&mut self, process: usize) -> bool {
        self.cluster.start(process, self.now, &mut self.logs)
    }

    pub(crate) fn restart(&mut self, process: usize) -> bool {
        self.cluster.restart(process, self.now, &mut self.logs)
    }

    /// When the row of `key` expires without another call, in milliseconds; `None` if
    /// it stays for ever. Looks ahead on a copy.
    pub(crate) fn end_of(&self, key: &str) -> Option<u64> {
        let mut ahead = self.clone();
        for _ in 0..STEPS_MAX {
            if ahead.row(key).is_none() {
                return Some(ahead.now.as_ms());
            }
            let deadline = ahead.cluster.deadline()?;
            ahead.at(deadline.as_ms());
        }
        panic!("{key} neither goes nor stays: something is due again and again");
    }
}
