//! The inputs that reach the database, the effects of its outputs, stalls and lost answers.

use super::choice::{Site, SiteKind};
use super::event::{EventId, LossReason, Seen};
use super::message::Body;
use super::network::{LinkRule, NodeId};
use super::node::{DatabaseServer, WaitingQuery};
use super::step::Step;
use super::{DATABASE, Due, World, process_number};
use crate::environment::happening::Node;
use crate::environment::rules::Environment as _;
use crate::node::database::{DatabaseInput, DatabaseOutput};
use crate::node::message::{DatabaseAnswer, Query};
use crate::protocol::error::LockError;
use crate::sorted::set_of;
use crate::time::{Duration, Time};

/// Where it is decided how long a transaction takes: as if it were a message of the database to
/// itself.
pub(crate) const TRANSACTION: (NodeId, NodeId) = (DATABASE, DATABASE);

/// The effect of an input on the database.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// True if it gave anything out.
    pub(super) gave_out: bool,
    /// Why it did not do what an operator wanted.
    pub(super) refused: Option<LockError>,
}

/// The cause of an output of the database.
pub(super) struct Causes {
    /// To all: the input, or the failover that it was.
    cause: Option<EventId>,
    /// To an answer: the change before it, if there was one.
    change: Option<EventId>,
}

impl Causes {
    pub(super) const fn of(cause: Option<EventId>) -> Self {
        Self { cause, change: None }
    }

    pub(super) fn of_answer(&self) -> Option<EventId> {
        self.change.or(self.cause)
    }
}

impl Step<'_> {
    /// A query has reached the database.
    pub(super) fn query(&mut self, query: Query, cause: Option<EventId>) {
        let world = &mut *self.world;
        let database = &world.back_end.database;
        if database.is_stalled() || database.holds_rows() {
            world.database.waiting.push(WaitingQuery {
                process: query.process,
                token: query.token,
                cause,
                held: None,
            });
        }
        if world.back_end.takes_query(&query) {
            self.send_to_database(DatabaseInput::Query(query), cause);
        }
        self.world.forget_waiting();
    }

    /// The transaction of a process ends that holds its row. A database that is paused or stalls ends
    /// it later.
    pub(super) fn commit(&mut self, process: usize, token: u64) -> bool {
        let world = &mut *self.world;
        let process = process_number(process);
        let Some(ends) = world.back_end.database.ends(process, token) else {
            return false;
        };
        if !world.runs(Node::Database) || world.back_end.database.is_stalled() {
            return false;
        }
        // Its clock has been frozen since this entered the queue.
        if world.database.state.clock.world(ends) > world.now {
            world.schedule_commit(process, token);
            return false;
        }
        self.send_to_database(DatabaseInput::Commit { process, token }, None);
        true
    }

    /// A transaction gets the row that it has waited for. A database that is paused gives it later.
    pub(super) fn grant(&mut self, process: usize, token: u64) -> bool {
        let process = process_number(process);
        self.world.runs(Node::Database)
            && self.send_to_database(DatabaseInput::Grant { process, token }, None).gave_out
    }

    /// A transaction holds its row from now on.
    fn hold_row(&mut self, process: u16, token: u64) {
        let world = &mut *self.world;
        let (rule, number) = (world.transaction_time(), world.database.held);
        world.database.held = number.wrapping_add(1);
        let mut waiting = world.database.waiting.iter_mut();
        if let Some(it) = waiting.find(|it| (it.process, it.token) == (process, token)) {
            it.held = Some(number);
        }
        let mut time = rule.latency_min;
        if rule.latency_min < rule.latency_max {
            let site = Site::on_link(SiteKind::Delay, TRANSACTION, number);
            time = rule.latency(self.choices.pick(site, rule.latencies()));
        }
        let ends = world.database.state.local(world.now) + time;
        world.back_end.database.end_at(process, token, ends);
        world.schedule_commit(process, token);
    }

    /// The transactions that no process waits for any more are rolled back.
    pub(super) fn roll_back_unwaited(&mut self) {
        let world = &mut *self.world;
        if world.back_end.database.holds_rows() {
            let mut outputs = std::mem::take(&mut world.database_outputs);
            world.back_end.roll_back_unwaited(&mut outputs);
            self.take_database_outputs(outputs, None);
            self.world.forget_waiting();
        }
    }

    /// Rows whose TTL has ended expire by themselves, where expiry is exact.
    pub(super) fn table_expiry(&mut self) -> bool {
        let state = &mut self.world.database.state;
        if state.pause.is_some() || state.timer != Some(self.world.now) {
            return false;
        }
        state.timer = None;
        let cause = state.last_event;
        self.send_to_database(DatabaseInput::Expire, cause).gave_out
    }

    /// Gives the database an input.
    pub(super) fn send_to_database(
        &mut self,
        input: DatabaseInput,
        cause: Option<EventId>,
    ) -> Effect {
        let world = &mut *self.world;
        let mut outputs = std::mem::take(&mut world.database_outputs);
        let now = world.database.state.local(world.now);
        world.back_end.database.handle(input, now, &mut outputs);
        self.take_database_outputs(outputs, cause)
    }

    fn take_database_outputs(
        &mut self,
        mut outputs: Vec<DatabaseOutput>,
        cause: Option<EventId>,
    ) -> Effect {
        self.world.schedule_table();
        let mut effect = Effect::default();
        let mut causes = Causes::of(cause);
        for output in outputs.drain(..) {
            effect.gave_out = true;
            self.take_database_output(output, &mut causes, &mut effect);
        }
        self.world.database_outputs = outputs;
        effect
    }

    pub(super) fn take_database_output(
        &mut self,
        output: DatabaseOutput,
        causes: &mut Causes,
        effect: &mut Effect,
    ) {
        let cause = causes.cause;
        match output {
            DatabaseOutput::Answer(answer) => self.send_answer(answer, causes.of_answer()),
            DatabaseOutput::AnswerLost { process } => {
                self.lose_answer(process, causes.of_answer());
            }
            DatabaseOutput::Crashed => {
                let database = &mut self.world.database;
                database.state.pause = None;
                database.state.timer = None;
                database.stalled_until = Time::ZERO;
                database.waiting.clear();
                causes.cause = Some(self.record(DATABASE, cause, Seen::Crashed));
            }
            DatabaseOutput::Expired { key, owner } => {
                let path = key.clone();
                let event = self.record(DATABASE, cause, Seen::Expired { key, owner });
                self.record(DATABASE, Some(event), Seen::RowDeleted { path });
            }
            DatabaseOutput::FailedOver { commits } => {
                causes.cause = Some(self.record(DATABASE, cause, Seen::FailedOver { commits }));
            }
            DatabaseOutput::HoldsRow { process, token } => self.hold_row(process, token),
            DatabaseOutput::Refused(error) => effect.refused = Some(error),
            DatabaseOutput::Resumes { process, token } => {
                *causes = Causes::of(self.world.database.cause_of(process, token));
            }
            DatabaseOutput::RowDeleted { path } => {
                causes.change = Some(self.record(DATABASE, cause, Seen::RowDeleted { path }));
            }
            DatabaseOutput::RowWritten(row) => {
                causes.change = Some(self.record(DATABASE, cause, Seen::RowWritten(&row)));
            }
            DatabaseOutput::RowsFree => self.world.schedule_grants(),
            DatabaseOutput::Started => {
                self.record(DATABASE, cause, Seen::Started);
                self.world.schedule_table();
                self.start_waiting_processes();
            }
            DatabaseOutput::TableDropped => {
                self.record(DATABASE, cause, Seen::TableDropped);
            }
        }
    }

    fn send_answer(&mut self, answer: DatabaseAnswer, cause: Option<EventId>) {
        let DatabaseAnswer { process, token, answer, can_be_lost } = answer;
        if can_be_lost && self.link_loses_answer() {
            return self.lose_answer(process, cause);
        }
        let process = self.world.process(process.into());
        self.send(DATABASE, process, cause, Body::Answer { token, answer });
    }

    fn lose_answer(&mut self, process: u16, cause: Option<EventId>) {
        let to = self.world.process(process.into());
        let why = LossReason::Link;
        self.record(DATABASE, cause, Seen::MessageLost { to, why });
    }

    fn link_loses_answer(&mut self) -> bool {
        let database = &mut self.world.database;
        let per_mille = database.reply_loss_per_mille;
        if per_mille == 0 {
            return false;
        }
        let site = Site { kind: SiteKind::CommitAnswer, subject: 0, count: database.commits };
        database.commits = database.commits.wrapping_add(1);
        self.choices.fault_happens(site, per_mille)
    }
}

/// The faults of the database.
impl Step<'_> {
    /// The database answers nothing for `duration`; then everything at once. It does not stall
    /// while it is down.
    pub fn stall_database(&mut self, duration: Duration) {
        if self.world.back_end.database.is_down() {
            return;
        }
        self.send_to_database(DatabaseInput::Stall, None);
        let until = self.world.now + duration;
        let database = &mut self.world.database;
        database.stalled_until = database.stalled_until.max(until);
        self.world.queue.schedule(until, Due::StallEnds);
        self.record(DATABASE, None, Seen::Stalled { duration });
    }

    pub(super) fn stall_ends(&mut self) -> bool {
        let world = &mut *self.world;
        if !world.back_end.database.is_stalled() || world.database.stalled_until > world.now {
            return false;
        }
        let local = world.database.state.local(world.now);
        let mut outputs = std::mem::take(&mut world.database_outputs);
        world.back_end.end_stall(local, &mut outputs);
        self.take_database_outputs(outputs, None);
        self.world.forget_waiting();
        self.world.schedule_commits();
        true
    }

    fn start_waiting_processes(&mut self) {
        for process in 0..self.world.processes() {
            if std::mem::take(&mut self.world.lockets[process].starts_later) {
                self.start_process(process);
            }
        }
    }

    /// The answers to the next `count` transactions are lost, although they are committed.
    pub fn lose_commit_answers(&mut self, count: u32) {
        self.send_to_database(DatabaseInput::LoseReplies(count), None);
    }

    /// For `duration`, or from now on, a transaction that gets its row holds it for so long.
    pub fn set_transaction_time(&mut self, time: LinkRule, duration: Option<Duration>) {
        let until = duration.map_or(Time::MAX, |duration| self.world.now + duration);
        let database = &mut self.world.database;
        database.transaction_time_for_now = Some((time, until));
        let longest = database.transaction_time.latency_max.max(time.latency_max);
        self.send_to_database(DatabaseInput::TransactionTime(longest), None);
    }

    /// A transaction takes as long as at first.
    pub(super) fn restore_transaction_time(&mut self) {
        let database = &mut self.world.database;
        database.transaction_time_for_now = None;
        let longest = database.transaction_time.latency_max;
        self.send_to_database(DatabaseInput::TransactionTime(longest), None);
    }

    /// The database fails over to a replica that has not seen the last `commits`.
    pub fn fail_over(&mut self, commits: usize) {
        self.send_to_database(DatabaseInput::FailOver(commits), None);
    }

    /// The database is down: it answers every query at once with an error, and its rows stay.
    pub fn crash_database(&mut self) {
        self.send_to_database(DatabaseInput::Crash, None);
    }

    /// The database is there again, with the rows that it had; then Locket processes start that
    /// could not without it.
    pub fn start_database(&mut self) {
        self.send_to_database(DatabaseInput::Start, None);
    }
}

impl DatabaseServer {
    /// The cause of a query that has waited.
    fn cause_of(&mut self, process: u16, token: u64) -> Option<EventId> {
        let mut waiting = self.waiting.iter();
        let place = waiting.position(|it| (it.process, it.token) == (process, token))?;
        self.waiting.remove(place).cause
    }
}

impl World {
    /// Forgets the queries that wait no more.
    fn forget_waiting(&mut self) {
        let Self { database, back_end, .. } = self;
        let (stalled, rows) = (back_end.database.waiting(), back_end.database.transactions());
        // All that wait there are known here: mostly no other is.
        if database.waiting.len() == stalled.len() + rows.len() {
            return;
        }
        let all = stalled.iter().chain(rows.iter().map(|it| &it.query));
        let all = set_of(all.map(|it| (it.process, it.token)));
        database.waiting.retain(|it| all.contains(&(it.process, it.token)));
    }

    /// All transactions hold their rows for so long from now on.
    pub(crate) fn hold_rows_for(&mut self, time: LinkRule) {
        self.database.transaction_time = time;
    }

    /// How many transactions have held a row so far.
    pub(crate) const fn transactions(&self) -> u32 {
        self.database.held
    }

    /// Lets a transaction that holds its row commit now; says which of those it is that have held one,
    /// and how much earlier that is.
    pub(crate) fn end_now(&mut self, process: u16, token: u64) -> Option<(u32, Duration)> {
        let ends = self.back_end.database.ends(process, token)?;
        let now = self.database.state.local(self.now);
        self.back_end.database.end_at(process, token, now);
        self.schedule_commit(process, token);
        let mut waiting = self.database.waiting.iter();
        let it = waiting.find(|it| (it.process, it.token) == (process, token))?;
        Some((it.held?, ends.since(now)))
    }

    /// How long a transaction takes that gets its row now.
    fn transaction_time(&self) -> LinkRule {
        let for_now = self.database.transaction_time_for_now;
        let for_now = for_now.filter(|(_, until)| *until > self.now);
        for_now.map_or(self.database.transaction_time, |(rule, _)| rule)
    }

    /// Puts the end of a transaction that holds a row into the queue.
    fn schedule_commit(&mut self, process: u16, token: u64) {
        if let Some(ends) = self.back_end.database.ends(process, token) {
            let time = self.database.state.clock.world(ends).max(self.now);
            let process = process.into();
            self.queue.schedule(time, Due::Commit { process, token });
        }
    }

    /// Puts into the queue that one of the transactions gets each row that none holds: the first, unless
    /// chance or a decision orders this instant.
    pub(super) fn schedule_grants(&mut self) {
        let waiting = self.back_end.database.waiting_for_rows();
        let waiting: Vec<_> = waiting.map(|it| (it.query.process, it.query.token)).collect();
        for (process, token) in waiting {
            let process = process.into();
            self.queue.schedule(self.now, Due::Grant { process, token });
        }
    }

    /// The ends of transactions that may be overdue after a stall or a pause.
    pub(super) fn schedule_commits(&mut self) {
        let transactions = self.back_end.database.transactions().iter();
        let holding = transactions.filter(|it| it.ends.is_some());
        let holding: Vec<_> = holding.map(|it| (it.query.process, it.query.token)).collect();
        for (process, token) in holding {
            self.schedule_commit(process, token);
        }
    }

    /// Puts the next expiry of a row into the queue, if it is not there.
    pub(super) fn schedule_table(&mut self) {
        let (state, database) = (&mut self.database.state, &mut self.back_end.database);
        if state.pause.is_some() || database.is_down() {
            return;
        }
        // A renewal moves a deadline on. The timer stays, and is set anew when it has fired in
        // stale.
        let timer = state.timer.map(|timer| state.clock.local(timer));
        if timer.is_some_and(|timer| database.table().is_idle_before(timer)) {
            return;
        }
        let deadline = database.deadline(Time::MAX);
        let deadline = deadline.map(|local| state.clock.world(local).max(self.now));
        if deadline != state.timer {
            state.timer = deadline;
            if let Some(deadline) = deadline {
                self.queue.schedule(deadline, Due::TableExpiry);
            }
        }
    }
}
