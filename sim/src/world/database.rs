//! The inputs that reach the database, the effects of its outputs, stalls and lost answers.

use super::choice::{Site, SiteKind};
use super::event::{EventId, LossReason, Seen};
use super::message::Body;
use super::node::DatabaseServer;
use super::step::Step;
use super::{DATABASE, Due, World};
use crate::node::database::{DatabaseInput, DatabaseOutput};
use crate::node::message::{DatabaseAnswer, Query};
use crate::protocol::error::LockError;
use crate::time::{Duration, Time};

/// The effect of an input on the database.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// Whether it gave anything out.
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
        Self {
            cause,
            change: None,
        }
    }

    pub(super) fn of_answer(&self) -> Option<EventId> {
        self.change.or(self.cause)
    }
}

impl Step<'_> {
    /// A query has reached the database.
    pub(super) fn query(&mut self, query: Query, cause: Option<EventId>) {
        if self.world.back_end.database.is_stalled() {
            let waiting = (query.process, query.token, cause);
            self.world.database.waiting.push_back(waiting);
        }
        self.tell_database(DatabaseInput::Query(query), cause);
    }

    /// Rows whose TTL has ended expire by themselves, where expiry is exact.
    pub(super) fn table_expiry(&mut self) -> bool {
        let state = &mut self.world.database.state;
        if state.pause.is_some() || state.timer != Some(self.world.now) {
            return false;
        }
        state.timer = None;
        let cause = state.last_event;
        self.tell_database(DatabaseInput::Expire, cause).gave_out
    }

    /// Gives the database an input.
    pub(super) fn tell_database(&mut self, input: DatabaseInput, cause: Option<EventId>) -> Effect {
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
        let DatabaseAnswer {
            process,
            token,
            answer,
            can_be_lost,
        } = answer;
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
        let site = Site {
            kind: SiteKind::CommitAnswer,
            subject: 0,
            count: database.commits,
        };
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
        self.tell_database(DatabaseInput::Stall, None);
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
        self.world.database.waiting.clear();
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
        self.tell_database(DatabaseInput::LoseReplies(count), None);
    }

    /// The database fails over to a replica that has not seen the last `commits`.
    pub fn fail_over(&mut self, commits: usize) {
        self.tell_database(DatabaseInput::FailOver(commits), None);
    }

    /// The database is down: it answers every query at once with an error, and its rows stay.
    pub fn crash_database(&mut self) {
        self.tell_database(DatabaseInput::Crash, None);
    }

    /// The database is there again, with the rows that it had; then Locket processes start that
    /// could not without it.
    pub fn start_database(&mut self) {
        self.tell_database(DatabaseInput::Start, None);
    }
}

impl DatabaseServer {
    /// The cause of a query that has waited. Those before it were rolled back.
    fn cause_of(&mut self, process: u16, token: u64) -> Option<EventId> {
        std::iter::from_fn(|| self.waiting.pop_front())
            .find(|waiting| (waiting.0, waiting.1) == (process, token))?
            .2
    }
}

impl World {
    /// Puts the next expiry of a row into the queue, if it is not there.
    pub(super) fn schedule_table(&mut self) {
        let (state, database) = (&mut self.database.state, &mut self.back_end.database);
        if state.pause.is_some() || database.is_down() {
            return;
        }
        // A renewal moves a deadline on. The timer stays, and is set anew when it has fired in
        // vain.
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
