//! The facts about a state of Locket that other modules need.

use super::internal::{InternalFacts, OperationFacts};
use super::rows::RowFacts;
use super::{BackEnd, BackEndSettings, Timers, owner_number};
use crate::check::question::keys::owner_of_all;
use crate::check::question::limits::{KEYS_MAX, PROCESSES_MAX};
use crate::check::steps::clients::Accepting;
use crate::node::locket_process::LocketProcess;
use crate::time::Time;

/// The facts about a state that other modules need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct BackEndFacts {
    /// The client that owns the row, or each row of several keys.
    pub(in crate::check) owner: Option<u8>,
    /// The keys that have a row with an owner, as bits.
    pub(in crate::check) rows: u8,
    /// The keys that have no row, as bits, and those whose row is that of a client that is not in
    /// the search.
    pub(in crate::check) absent: u8,
    pub(in crate::check) foreign: u8,
    /// Whether the database stalls.
    pub(in crate::check) is_stalled: bool,
    /// When the table removes the row by itself, in milliseconds from now.
    pub(in crate::check) expiry_ms: Option<u64>,
    /// In how long the timer of some process may delete the row of each key, where any process stands
    /// for all.
    pub(in crate::check) lease_ms: [Option<u64>; KEYS_MAX],
    /// When each process's timers fire.
    pub(in crate::check) timer_ms: [Option<u64>; PROCESSES_MAX],
    /// When each process polls.
    pub(in crate::check) poll_ms: [Option<u64>; PROCESSES_MAX],
    /// Which processes accept connections.
    pub(in crate::check) accepting: Accepting,
    /// Whether any process drains.
    pub(in crate::check) drains: bool,
    /// The queries and answers on their way.
    pub(in crate::check) internal: Vec<InternalFacts>,
    /// Whether queries wait at the database.
    pub(in crate::check) has_waiting: bool,
    /// The transactions that hold their rows, or may get them now.
    pub(in crate::check) row_transactions: Vec<RowFacts>,
    /// The open questions of processes to the database, in order.
    pub(in crate::check) operations: Vec<OperationFacts>,
}

impl BackEnd {
    /// The facts about it.
    pub(super) fn facts(&mut self, settings: &BackEndSettings) -> BackEndFacts {
        let now = self.now;
        let left = |due: Time| due.since(now).as_ms();
        let keys = settings.keys.iter();
        let rows = keys.map(|key| Some(self.machines.database.table().row(key)?.owner));
        let rows: Vec<Option<Option<String>>> = rows.collect();
        let owner = |row: &Option<Option<String>>| {
            let owner = row.as_ref()?.as_deref()?;
            owner_number(owner).map(|owner| owner as u8)
        };
        let owners: Vec<Option<u8>> = rows.iter().map(owner).collect();
        let keys_where = |is_so: &dyn Fn(usize) -> bool| {
            (0..rows.len()).fold(0, |keys, key| keys | u8::from(is_so(key)) << key)
        };
        let processes = || self.machines.processes.iter();
        let mut facts = BackEndFacts {
            owner: owner_of_all(&owners),
            rows: keys_where(&|key| owners[key].is_some()),
            absent: keys_where(&|key| rows[key].is_none()),
            foreign: keys_where(&|key| rows[key].is_some() && owners[key].is_none()),
            is_stalled: self.machines.database.is_stalled(),
            expiry_ms: self.machines.database.deadline(Time::MAX).map(left),
            accepting: Accepting::new(processes().map(LocketProcess::accepting)),
            drains: processes().any(|it| it.draining().is_some()),
            internal: self.internal_facts(settings.database_latency),
            has_waiting: !self.machines.database.waiting().is_empty()
                || !self.machines.database.transactions().is_empty(),
            row_transactions: self.rows(),
            operations: match settings.gives_up {
                true => self.operations(),
                false => Vec::new(),
            },
            ..BackEndFacts::default()
        };
        if settings.timers == Timers::AnyProcess && settings.has_ages() {
            for (key, owner) in owners.iter().enumerate() {
                let age = self.age(key, settings, owner_number);
                let ttl = owner.map(|owner| settings.ttl(owner));
                facts.lease_ms[key] = ttl.zip(age).map(|(ttl, age)| ttl.as_ms() - age.as_ms());
            }
        }
        for (number, process) in self.machines.processes.iter_mut().enumerate() {
            facts.timer_ms[number] = process.expiry_deadline(Time::MAX).map(left);
            let poll = process.poll_deadline().filter(|_| settings.polls);
            facts.poll_ms[number] = poll.map(left);
        }
        facts
    }
}
