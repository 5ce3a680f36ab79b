//! Random requests, faults and operators against a naive model of Locket.
//!
//! The model keeps rows in a `BTreeMap` and timers in a list, looks at all of them whenever it
//! wants to know who is due, and polls every 5 s whether or not anything changed. It shares no
//! code with the server. Where both agree over many random runs, the server's shortcuts
//! (agendas, skipped polls, rows that are renewed in place) change nothing.
//!
//! A failure names its seed; `SEED=17 cargo test -p locket-sim-tests --test locket random::` replays it
//! alone.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::collections::BTreeMap;

use crate::common::*;
use crate::random_numbers::{Random, number};
use locket_sim::cluster::Cluster;
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::lock_table::RowChanges;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::row::Row;
use locket_sim::time::Time;

const SEEDS: u64 = 200;
const STEPS: usize = 1_500;

#[test]
fn random_runs_with_exact_expiry_agree_with_the_model() {
    check_seeds(Profile::DOCUMENTED);
}

#[test]
fn random_runs_with_upstream_timers_agree_with_the_model() {
    check_seeds(Profile::UPSTREAM);
}

fn check_seeds(profile: Profile) {
    let seeds = number("SEED").map_or(0..SEEDS, |seed| seed..seed + 1);
    for seed in seeds {
        check(profile, seed);
    }
}

/// One run.
fn check(profile: Profile, seed: u64) {
    let mut random = Random::of(seed, 0);
    let processes = 1 + random.below(3) as usize;
    let mut cluster = Cluster::new(profile, seed);
    let mut model = Model::new(profile == Profile::DOCUMENTED);
    for _ in 1..processes {
        cluster.add_process(Time::ZERO, &mut ());
        model.processes.push(Some(ModelProcess::started(0)));
    }
    for step in 0..STEPS {
        let action = random.action(processes, &mut cluster);
        let said = perform(&mut cluster, &action);
        let expected = model.perform(&action);
        let replay = || {
            format!(
                "step {step} of seed {seed}: {action:?}\nSEED={seed} replays it, see the head of this file"
            )
        };
        assert_eq!(said, expected, "{}", replay());
        if step % 8 == 0 || step + 1 == STEPS {
            let now = cluster.now();
            let expired = cluster.stats(now, &mut ()).expired;
            let rows = cluster.table(now, &mut ()).rows();
            let expected = model.rows_and_expired();
            assert_eq!((shown(rows), [expired.presences, expired.locks]), expected, "{}", replay());
        }
    }
}

/// The actions of a step.
#[derive(Clone, Debug)]
enum Action {
    Call(usize, Request),
    Delete(String),
    Drop,
    Pass(u64),
    Put(Row),
    Restart(usize),
    Start(usize),
    Stop(usize),
    Update(RowChanges),
}

/// The outcome.
#[derive(Debug, PartialEq)]
enum Said {
    Answer(Result<Response, LockError>),
    Done(bool),
    Edited(Result<(), LockError>),
    Nothing,
}

/// A row as text, without its id: the two sides make different ones.
fn shown(rows: Vec<Row>) -> Vec<String> {
    rows.iter().map(|row| format!("{row} value={:?}", row.value)).collect()
}

fn perform(cluster: &mut Cluster, action: &Action) -> Said {
    let now = cluster.now();
    match action {
        Action::Call(process, request) => {
            let handled = cluster.handle(*process, request, WAITING, now, &mut ());
            Said::Answer(handled.answer().expect("no fault was caused"))
        }
        Action::Delete(key) => Said::Done(cluster.delete_row(key, now, &mut ())),
        Action::Drop => {
            cluster.drop_table(now, &mut ());
            Said::Nothing
        }
        Action::Pass(ms) => {
            cluster.handle_timeout(Time::from_ms(now.as_ms() + ms), &mut ());
            Said::Nothing
        }
        Action::Put(row) => Said::Edited(cluster.put_row(row.clone(), now, &mut ())),
        Action::Restart(process) => Said::Done(cluster.restart(*process, now, &mut ())),
        Action::Start(process) => Said::Done(cluster.start(*process, now, &mut ())),
        Action::Stop(process) => {
            cluster.handle_timeout(now, &mut ());
            Said::Done(cluster.stop(*process))
        }
        Action::Update(changes) => Said::Edited(cluster.update_rows(changes, now, &mut ())),
    }
}

impl Random {
    fn action(&mut self, processes: usize, cluster: &mut Cluster) -> Action {
        let process = self.below(processes as u64) as usize;
        match self.below(100) {
            0..40 => Action::Call(process, self.lock()),
            40..48 => Action::Call(process, release(self.key(), self.owner())),
            48..52 => Action::Call(process, fetch(self.key())),
            52..56 => Action::Call(process, fetch_all(self.type_name(), self.type_code())),
            56..86 => Action::Pass(self.pause(cluster)),
            86..90 => Action::Put(self.row()),
            90..92 => Action::Update(self.changes()),
            92..94 => Action::Delete(self.key().to_owned()),
            94 => Action::Restart(process),
            95 => Action::Stop(process),
            96 if self.below(4) == 0 => Action::Drop,
            _ => Action::Start(process),
        }
    }

    fn key(&mut self) -> &'static str {
        self.pick(&["a", "a", "b", "b", "c", "d", "e", ""])
    }

    fn owner(&mut self) -> &'static str {
        self.pick(&["o", "o", "o", "p", "q", ""])
    }

    fn type_name(&mut self) -> &'static str {
        self.pick(&["", "", "lock", "presence", "dog"])
    }

    fn type_code(&mut self) -> TypeCode {
        let codes = [1, 1, 1, 1, 2, 2, 0, 7];
        self.pick(&codes.map(TypeCode::from))
    }

    fn ttl(&mut self) -> i64 {
        let usual = [1, 2, 3, 4, 5, 6, 7, 10, 15, 15, 20];
        let strange = [0, -1, 9_223_372_037, 18_446_744_074, i64::MAX];
        if self.below(12) == 0 { self.pick(&strange) } else { self.pick(&usual) }
    }

    fn lock(&mut self) -> Request {
        let resource = Resource {
            value: self.pick(&["", "v", "w"]).to_owned(),
            type_name: self.type_name().to_owned(),
            type_code: self.type_code(),
            ..resource(self.key(), self.owner())
        };
        lock_of(resource, self.ttl())
    }

    fn row(&mut self) -> Row {
        Row {
            type_name: Some(self.pick(&["lock", "presence", "dog"]).to_owned()),
            modified_id: Some(self.pick(&["", "x", "y"]).to_owned()),
            modified_index: Some(self.pick(&[0, 1, 2, 3, i64::MAX])),
            ..row(self.key(), self.owner(), self.ttl())
        }
    }

    fn changes(&mut self) -> RowChanges {
        let mut changes = RowChanges::default();
        match self.below(4) {
            0 => changes.ttl = Some(self.ttl()),
            1 => changes.owner = Some(self.owner().to_owned()),
            2 => changes.modified_index = Some(self.below(4) as i64),
            _ => changes.modified_id = Some(self.pick(&["", "x"]).to_owned()),
        }
        changes
    }

    /// Some time, often just up to when something happens, for ties are where bugs live.
    fn pause(&mut self, cluster: &mut Cluster) -> u64 {
        let now = cluster.now().as_ms();
        let until_poll = 5_000 - now % 5_000;
        let until_due = cluster.deadline().map_or(0, |due| due.as_ms().saturating_sub(now));
        // Not into the centuries of an overflowing TTL: the model polls all the way.
        let until_due = until_due.min(20_000);
        match self.below(10) {
            0 => until_poll,
            1 => until_poll - 1,
            2 => until_due,
            3 => until_due.saturating_sub(1),
            4 => until_due + 1,
            5 => 60_000,
            6 => self.below(8) * 1_000,
            _ => self.below(3_000),
        }
    }
}

// The model

struct Model {
    /// Exact expiry and the documents' rules, or upstream's.
    documented: bool,
    rows: BTreeMap<String, ModelRow>,
    processes: Vec<Option<ModelProcess>>,
    dropped: bool,
    now: u64,
    /// Counts writes and ids.
    count: u64,
    /// `[presences, locks]` that the table itself removed.
    expired: [u64; 2],
}

#[derive(Clone)]
struct ModelRow {
    row: Row,
    /// When it goes, under the documents.
    end: Option<u64>,
    inserted: u64,
    written: u64,
}

struct ModelProcess {
    next_poll: u64,
    /// In the order of registration.
    timers: Vec<(Row, u64)>,
    expired: [u64; 2],
}

impl ModelProcess {
    fn started(now: u64) -> Self {
        Self { next_poll: now, timers: Vec::new(), expired: [0, 0] }
    }

    fn register(&mut self, row: &Row, now: u64) {
        let same = |known: &Row| known.path == row.path && known.modified_id == row.modified_id;
        if let Some(place) = self.timers.iter().position(|(known, _)| same(known)) {
            if self.timers[place].0.modified_index >= row.modified_index {
                return;
            }
            self.timers.remove(place);
        }
        let due = now + upstream_length(row.ttl.unwrap());
        self.timers.push((row.clone(), due));
    }
}

/// Milliseconds of a TTL, as 64-bit nanoseconds count them.
fn upstream_length(ttl: i64) -> u64 {
    let nanoseconds = (i128::from(ttl) * 1_000_000_000).rem_euclid(1 << 64);
    if nanoseconds >= 1 << 63 {
        return 0;
    }
    ((nanoseconds + 999_999) / 1_000_000) as u64
}

fn documented_length(ttl: i64) -> u64 {
    let milliseconds = i128::from(ttl).max(0) * 1_000;
    u64::try_from(milliseconds).unwrap_or(u64::MAX)
}

/// The place of a type in `[presences, locks]`.
fn kind(row: &Row) -> usize {
    usize::from(row.type_name.as_deref() != Some("presence"))
}

fn has_owner(row: &Row) -> bool {
    row.owner.as_deref() != Some("")
}

impl Model {
    fn new(documented: bool) -> Self {
        Self {
            documented,
            rows: BTreeMap::new(),
            processes: vec![Some(ModelProcess::started(0))],
            dropped: false,
            now: 0,
            count: 0,
            expired: [0, 0],
        }
    }

    fn rows_and_expired(&mut self) -> (Vec<String>, [u64; 2]) {
        self.pass(self.now);
        let rows = self.rows.values().map(|it| it.row.clone()).collect();
        let mut expired = self.expired;
        for process in self.processes.iter().flatten() {
            expired[0] += process.expired[0];
            expired[1] += process.expired[1];
        }
        (shown(rows), expired)
    }

    fn perform(&mut self, action: &Action) -> Said {
        let pause = if let Action::Pass(ms) = action { *ms } else { 0 };
        self.pass(self.now + pause);
        match action {
            Action::Call(process, request) => Said::Answer(self.call(*process, request)),
            Action::Delete(key) => Said::Done(self.rows.remove(key).is_some()),
            Action::Drop => {
                self.rows.clear();
                self.dropped = true;
                Said::Nothing
            }
            Action::Pass(_) => Said::Nothing,
            Action::Put(row) => Said::Edited(self.edit(|model| {
                model.rows.remove(&row.path);
                model.write(row.clone());
            })),
            Action::Restart(process) => {
                self.processes[*process] = None;
                Said::Done(self.start(*process))
            }
            Action::Start(process) => Said::Done(self.start(*process)),
            Action::Stop(process) => Said::Done(self.processes[*process].take().is_some()),
            Action::Update(changes) => Said::Edited(self.edit(|model| {
                for row in model.rows.clone().into_values().map(|it| it.row) {
                    model.write(Row {
                        owner: changes.owner.clone().or(row.owner),
                        ttl: changes.ttl.or(row.ttl),
                        modified_id: changes.modified_id.clone().or(row.modified_id),
                        modified_index: changes.modified_index.or(row.modified_index),
                        ..row
                    });
                }
            })),
        }
    }

    fn start(&mut self, process: usize) -> bool {
        if self.processes[process].is_some() {
            return false;
        }
        self.dropped = false;
        self.processes[process] = Some(ModelProcess::started(self.now));
        self.pass(self.now);
        true
    }

    fn edit(&mut self, edit: impl FnOnce(&mut Self)) -> Result<(), LockError> {
        if self.dropped {
            return Err(database("sql-unrecoverable"));
        }
        edit(self);
        Ok(())
    }

    /// Writes a row. An existing row keeps its place among the insertions.
    fn write(&mut self, row: Row) {
        self.count += 1;
        let written = self.count;
        let inserted = self.rows.get(&row.path).map_or(written, |it| it.inserted);
        let end = (self.documented && has_owner(&row))
            .then(|| self.now.saturating_add(documented_length(row.ttl.unwrap())));
        let key = row.path.clone();
        let written = ModelRow { row, end, inserted, written };
        self.rows.insert(key, written);
    }

    /// Lets everything happen by `now`, instant by instant.
    fn pass(&mut self, now: u64) {
        loop {
            let ends = self.rows.values().filter_map(|it| it.end);
            let running = self.processes.iter().flatten();
            let timers = running.flat_map(|it| it.timers.iter().map(|(_, due)| *due));
            let running = self.processes.iter().flatten();
            let polls = running.map(|it| it.next_poll).filter(|_| !self.documented);
            let Some(due) = ends.chain(timers).chain(polls).min() else {
                break;
            };
            if due > now {
                break;
            }
            self.now = due;
            self.expire_exactly();
            self.fire_timers();
            self.poll();
        }
        self.now = now;
    }

    fn expire_exactly(&mut self) {
        let now = self.now;
        let expired = &mut self.expired;
        self.rows.retain(|_, it| {
            let stays = it.end.is_none_or(|end| end > now);
            expired[kind(&it.row)] += u64::from(!stays);
            stays
        });
    }

    fn fire_timers(&mut self) {
        for process in self.processes.iter_mut().flatten() {
            let (mut due, rest) = std::mem::take(&mut process.timers)
                .into_iter()
                .partition::<Vec<_>, _>(|(_, due)| *due <= self.now);
            process.timers = rest;
            due.sort_by_key(|(_, due)| *due);
            for (snapshot, _) in due {
                let found = self.rows.get(&snapshot.path).map(|it| &it.row);
                if found.is_some_and(|row| {
                    row.owner == snapshot.owner
                        && row.modified_id == snapshot.modified_id
                        && row.modified_index == snapshot.modified_index
                }) {
                    self.rows.remove(&snapshot.path);
                    process.expired[kind(&snapshot)] += 1;
                }
            }
        }
    }

    fn poll(&mut self) {
        let rows = self.listed(|it| it.written);
        for process in self.processes.iter_mut().flatten() {
            if self.documented || process.next_poll != self.now {
                continue;
            }
            process.next_poll += 5_000;
            for row in &rows {
                process.register(row, self.now);
            }
        }
    }

    fn listed(&self, order: impl Fn(&ModelRow) -> u64) -> Vec<Row> {
        let mut rows: Vec<&ModelRow> = self.rows.values().collect();
        rows.sort_by_key(|it| order(it));
        let rows = rows.into_iter().map(|it| it.row.clone());
        rows.filter(has_owner).collect()
    }

    fn call(&mut self, process: usize, request: &Request) -> Result<Response, LockError> {
        if self.processes[process].is_none() {
            return Err(LockError::Unavailable);
        }
        self.validate(request)?;
        if self.dropped {
            self.processes[process] = None;
            return Err(database("sql-unrecoverable"));
        }
        match request {
            Request::Fetch { key } => {
                let row = self.rows.get(key).map(|it| it.row.clone());
                let found = row.filter(has_owner).ok_or(LockError::ResourceNotFound)?;
                Ok(Response::Fetch(as_resource(found).into()))
            }
            Request::FetchAll { type_name, type_code } => {
                let wanted = match type_code {
                    TypeCode::Lock => "lock",
                    TypeCode::Presence => "presence",
                    TypeCode::Unknown | TypeCode::Other(_) => type_name,
                };
                let documented = self.documented;
                let rows = self.listed(|it| if documented { it.inserted } else { it.written });
                let rows = rows.into_iter();
                let of_type = rows.filter(|row| row.type_name.as_deref() == Some(wanted));
                Ok(Response::FetchAll(of_type.map(as_resource).collect()))
            }
            Request::Lock { resource, ttl_in_seconds } => {
                self.lock(process, resource.as_ref().unwrap(), *ttl_in_seconds)
            }
            Request::Release { resource } => self.release(resource.as_ref().unwrap()),
        }
    }

    fn validate(&self, request: &Request) -> Result<(), LockError> {
        let invalid_type = Err(LockError::InvalidType(Code::NotFound));
        let known = |code: &TypeCode| matches!(code, TypeCode::Lock | TypeCode::Presence);
        let no_key = self.documented && request.key().is_empty();
        match request {
            Request::FetchAll { type_name, type_code } => {
                let by_name = self.documented
                    && *type_code == TypeCode::Unknown
                    && ["lock", "presence"].contains(&&**type_name);
                if !known(type_code) && !by_name {
                    return invalid_type;
                }
            }
            _ if no_key => return Err(LockError::InvalidKey),
            Request::Fetch { .. } => {}
            Request::Release { .. } => {
                if self.documented && request.owner().is_empty() {
                    return Err(LockError::InvalidOwner);
                }
            }
            Request::Lock { resource, ttl_in_seconds } => {
                let code = resource.as_ref().unwrap().type_code;
                if !self.documented && !known(&code) {
                    return invalid_type;
                }
                if *ttl_in_seconds <= 0 {
                    return Err(LockError::InvalidTtl);
                }
                if request.owner().is_empty() {
                    return Err(LockError::InvalidOwner);
                }
                if matches!(code, TypeCode::Other(_)) {
                    return invalid_type;
                }
            }
        }
        Ok(())
    }

    fn lock(&mut self, process: usize, wanted: &Resource, ttl: i64) -> Result<Response, LockError> {
        let old = self.rows.get(&wanted.key).map(|it| it.row.clone());
        if old
            .as_ref()
            .is_some_and(|row| has_owner(row) && row.owner.as_ref() != Some(&wanted.owner))
        {
            return Err(LockError::LockCollision);
        }
        self.count += 1;
        let new_id = format!("new {}", self.count);
        let (old_id, old_index) =
            old.map_or((None, 0), |row| (row.modified_id, row.modified_index.unwrap()));
        let row = Row {
            path: wanted.key.clone(),
            owner: Some(wanted.owner.clone()),
            value: Some(wanted.value.clone()),
            type_name: Some(match wanted.type_code {
                TypeCode::Lock => "lock".to_owned(),
                TypeCode::Presence => "presence".to_owned(),
                TypeCode::Unknown | TypeCode::Other(_) => wanted.type_name.clone(),
            }),
            ttl: Some(ttl),
            modified_id: old_id.filter(|id| !id.is_empty()).or(Some(new_id)),
            modified_index: Some(old_index.wrapping_add(1)),
        };
        self.write(row.clone());
        if let Some(process) = self.processes[process].as_mut().filter(|_| !self.documented) {
            process.register(&row, self.now);
        }
        Ok(Response::Lock)
    }

    fn release(&mut self, wanted: &Resource) -> Result<Response, LockError> {
        let missing = match self.rows.get(&wanted.key) {
            None => true,
            Some(it) => self.documented && !has_owner(&it.row),
        };
        if missing {
            return if self.documented {
                Err(LockError::ResourceNotFound)
            } else {
                Ok(Response::Release)
            };
        }
        if self.rows[&wanted.key].row.owner.as_ref() != Some(&wanted.owner) {
            return Err(LockError::LockCollision);
        }
        self.rows.remove(&wanted.key);
        Ok(Response::Release)
    }
}

fn as_resource(row: Row) -> Resource {
    let type_name = row.type_name.unwrap();
    Resource {
        key: row.path,
        owner: row.owner.unwrap(),
        value: row.value.unwrap(),
        type_code: match &*type_name {
            "lock" => TypeCode::Lock,
            "presence" => TypeCode::Presence,
            _ => TypeCode::Unknown,
        },
        type_name,
    }
}
