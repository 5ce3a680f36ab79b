//! The facts about a state of Locket that other modules need.

use super::internal::{InternalFacts, OperationFacts};
use super::rows::RowFacts;
use super::{BackEnd, BackEndSettings, Timers, owner_number};
use crate::check::question::limits::KEY;
use crate::check::steps::clients::Accepting;
use crate::check::steps::clock::units_to_next;
use crate::node::locket_process::LocketProcess;
use crate::time::Time;

/// The facts about a state that other modules need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct BackEndFacts {
    /// The client that owns the row.
    pub(in crate::check) owner: Option<u8>,
    /// Whether there is no row, and whether it is that of a client that is not in the search.
    pub(in crate::check) is_absent: bool,
    pub(in crate::check) is_foreign: bool,
    /// True if the database stalls.
    pub(in crate::check) is_stalled: bool,
    /// True if the table removes a row by itself now.
    pub(in crate::check) expiry_is_due: bool,
    /// True if the timer of some process may delete the row now, where any process stands for all.
    pub(in crate::check) lease_is_over: bool,
    /// The processes whose timers fire now, and those that poll now, as bits.
    pub(in crate::check) timers_due: u8,
    pub(in crate::check) polls_due: u8,
    /// In how many units the first of these, or of the operations below, is due that is not due now.
    pub(in crate::check) units_to_next: u32,
    /// Which processes accept connections.
    pub(in crate::check) accepting: Accepting,
    /// True if any process drains.
    pub(in crate::check) drains: bool,
    /// True if there is any of the [queries and answers](Self::internal),
    /// [transactions](Self::row_transactions) and [questions](Self::operations).
    pub(in crate::check) is_busy: bool,
    /// The queries and answers on their way.
    pub(in crate::check) internal: Vec<InternalFacts>,
    /// True if queries wait at the database.
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
        let row = self.machines.database.table().row(KEY);
        let is_absent = row.is_none();
        let owner = row.and_then(|row| owner_number(&row.owner?));
        let owner = owner.map(|owner| owner as u8);
        let processes = || self.machines.processes.iter();
        let mut facts = BackEndFacts {
            owner,
            is_absent,
            is_foreign: !is_absent && owner.is_none(),
            is_stalled: self.machines.database.is_stalled(),
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
        facts.is_busy = !facts.internal.is_empty()
            || !facts.row_transactions.is_empty()
            || !facts.operations.is_empty();
        let mut times: Vec<u64> = facts.operations.iter().map(|it| it.due_ms).collect();
        let mut is_due = |ms: Option<u64>| {
            times.extend(ms);
            ms == Some(0)
        };
        facts.expiry_is_due = is_due(self.machines.database.deadline(Time::MAX).map(left));
        for (number, process) in self.machines.processes.iter_mut().enumerate() {
            facts.timers_due |=
                u8::from(is_due(process.expiry_deadline(Time::MAX).map(left))) << number;
            let poll = process.poll_deadline().filter(|_| settings.polls);
            facts.polls_due |= u8::from(is_due(poll.map(left))) << number;
        }
        if settings.timers == Timers::AnyProcess && settings.has_ages() {
            let age = self.age(settings, owner_number);
            let ttl = owner.map(|owner| settings.ttl(owner));
            let over = ttl.zip(age).map(|(ttl, age)| ttl.as_ms() - age.as_ms());
            facts.lease_is_over = is_due(over);
        }
        facts.units_to_next = units_to_next(times.into_iter(), settings.unit_ms);
        facts
    }
}
