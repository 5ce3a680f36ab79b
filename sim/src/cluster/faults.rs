//! The faults of a cluster's database: it stalls, it is down, its answers are lost.
//!
//! While it stalls or loses answers, processes ask it by queries, as they ask one across a
//! network, and calls [wait](Handled::Waits).

use super::{Cluster, Handled};
use crate::node::ask::Failing;
use crate::node::database::{DatabaseInput, DatabaseOutput, Direct};
use crate::node::locket_process::{LocketProcess, ProcessInput, ProcessOutput, Progress};
use crate::node::message::Query;
use crate::protocol::error::LockError;
use crate::protocol::log::Log;
use crate::protocol::message::Request;
use crate::protocol::server::{Caller, DRIVER_TIMEOUT};
use crate::time::{Duration, Time};

/// The faults of the database.
impl Cluster {
    /// The database answers nothing for `duration`; then everything, in the order in which it was
    /// asked. A call that has waited for 10 s by then was given up, and nothing came of it (B23).
    /// A database that is down does not stall.
    pub fn stall_database(&mut self, duration: Duration, now: Time, log: &mut dyn Log) {
        self.handle_timeout(now, log);
        if !self.database.is_down() {
            self.tell_database(DatabaseInput::Stall);
            self.stall_ends = self.stall_ends.max(Some(self.now + duration));
        }
        self.handle_timeout(now, log);
    }

    /// The database goes down: it refuses every query at once, and keeps its rows. Says whether it
    /// ran.
    pub fn stop_database(&mut self, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        let was_down = self.database.is_down();
        self.stall_ends = None;
        self.tell_database(DatabaseInput::Crash);
        !was_down
    }

    /// The database is there again, with the rows that it had. Says whether it was down.
    pub fn start_database(&mut self, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        let was_down = self.database.is_down();
        self.tell_database(DatabaseInput::Start);
        for process in &mut self.processes {
            process.wants_poll(self.now);
        }
        self.handle_timeout(now, log);
        was_down
    }

    /// Whether the database is down.
    pub const fn is_database_down(&self) -> bool {
        self.database.is_down()
    }

    /// The answers to the next `count` transactions of calls are lost, although they are
    /// committed: a caller that waits for one gets a timeout after 10 s.
    pub fn lose_answers(&mut self, count: u32) {
        self.tell_database(DatabaseInput::LoseReplies(count));
    }

    /// Whether a call that is made now may have to wait for its answer.
    pub const fn calls_wait(&self) -> bool {
        !self.database.answers_at_once()
    }
}

/// How processes ask it.
impl Cluster {
    /// Begins a call of a process that there is.
    pub(super) fn begin_call(
        &mut self,
        process: usize,
        request: &Request,
        caller: Caller<'_>,
        log: &mut dyn Log,
    ) -> Handled {
        let now = self.now;
        if self.calls_wait() {
            return self.begin_call_by_query(process, request, caller, log);
        }
        let database = &mut self.database;
        let mut ask = Direct::new(database, now);
        let machine = &mut self.processes[process].machine;
        let Progress::Answered(response) = machine.begin_call(request, caller, now, &mut ask, log);
        Handled::Answered(response)
    }

    /// Handles a call whose transaction fails.
    pub(super) fn fail_call(
        &mut self,
        process: usize,
        request: &Request,
        caller: Caller<'_>,
        error: LockError,
        log: &mut dyn Log,
    ) -> Handled {
        let machine = &mut self.processes[process].machine;
        let mut ask = Failing(error);
        let Progress::Answered(response) =
            machine.begin_call(request, caller, self.now, &mut ask, log);
        Handled::Answered(response)
    }

    fn begin_call_by_query(
        &mut self,
        process: usize,
        request: &Request,
        caller: Caller<'_>,
        log: &mut dyn Log,
    ) -> Handled {
        let (call, incoming) = self.calls.name(process, request);
        let mut out = Vec::new();
        let machine = &mut self.processes[process].machine;
        if let Err((_, response)) =
            machine.begin_call_by_query(incoming, caller, self.now, log, &mut out)
        {
            return Handled::Answered(response);
        }
        self.calls.wait(call);
        self.take_outputs(process, out);
        self.calls.outcome(call)
    }

    /// Lets the timers of a process fire that are due.
    pub(super) fn fire_timers(&mut self, process: usize, now: Time, log: &mut dyn Log) {
        let has_fired = if self.database.is_stalled() {
            self.input(process, ProcessInput::ExpiryTimer)
        } else {
            let mut ask = Direct::new(&mut self.database, now);
            let machine = &mut self.processes[process].machine;
            machine.fire_timers(now, &mut ask, log)
        };
        // A deletion that failed leaves a row that no timer stands for, so a poll finds it.
        if has_fired {
            self.processes[process].wants_poll(now);
        }
    }

    /// Has a process poll if that is due.
    pub(super) fn poll(&mut self, process: usize, now: Time, log: &mut dyn Log) {
        let polling = &mut self.processes[process];
        if polling.poll_deadline().is_none_or(|due| due > now) {
            return;
        }
        if self.database.is_stalled() {
            return self.poll_in_stall(process, now);
        }
        let mut ask = Direct::new(&mut self.database, now);
        polling.machine.poll(now, &mut ask, log);
        polling.poll_finds_something = false;
    }

    /// Polls that would be given up before the stall ends are left out.
    fn poll_in_stall(&mut self, process: usize, now: Time) {
        match self.stall_ends {
            Some(ends) if ends > now + DRIVER_TIMEOUT => {
                let in_time = Time::ZERO + ends.since(Time::ZERO + DRIVER_TIMEOUT);
                self.processes[process].machine.skip_polls_before(in_time);
            }
            Some(_) | None => {
                self.input(process, ProcessInput::PollTimer);
            }
        }
    }

    /// Gives a process an input. Says whether anything came of it.
    fn input(&mut self, process: usize, input: ProcessInput) -> bool {
        let mut out = Vec::new();
        self.processes[process]
            .machine
            .handle(input, self.now, &mut out);
        let came = !out.is_empty();
        self.take_outputs(process, out);
        came
    }

    fn take_outputs(&mut self, process: usize, outputs: Vec<ProcessOutput>) {
        for output in outputs {
            match output {
                ProcessOutput::Exited => self.calls.process_ended(process, self.now),
                // The process counts it.
                ProcessOutput::Expired { .. } => {}
                ProcessOutput::Handled(call, result) => {
                    self.calls.finish(call.call, self.now, result);
                }
                ProcessOutput::Query(token, transaction) => {
                    let process = process as u16;
                    self.tell_database(DatabaseInput::Query(Query {
                        process,
                        token,
                        transaction,
                    }));
                }
            }
        }
    }

    pub(super) fn tell_database(&mut self, input: DatabaseInput) {
        let mut out = Vec::new();
        self.database.handle(input, self.now, &mut out);
        self.take_answers(out);
    }

    fn take_answers(&mut self, outputs: Vec<DatabaseOutput>) {
        for output in outputs {
            if let DatabaseOutput::Answer {
                process,
                token,
                answer,
            }
            | DatabaseOutput::RefusesConnection {
                process,
                token,
                answer,
            } = output
            {
                self.input(process.into(), ProcessInput::Answer(token, answer));
            }
        }
    }
}

/// The end of a stall and of calls that waited too long.
impl Cluster {
    /// When a stall ends, or the patience of a process that waits for an answer.
    pub(super) fn faults_deadline(&self) -> Option<Time> {
        let machines = self.processes.iter().map(|process| &process.machine);
        let given_up = machines.flat_map(LocketProcess::questions).map(|it| it.2);
        given_up.chain(self.stall_ends).min()
    }

    /// Ends a stall that is over at `now`, and calls that have waited too long. A call that gets
    /// its answer at the very instant at which it would be given up is in time.
    pub(super) fn pass_faults(&mut self, now: Time) {
        if self.stall_ends.take_if(|end| *end <= now).is_some() {
            let processes = &self.processes;
            let is_waited_for = |query: &Query| {
                let machine = &processes[usize::from(query.process)].machine;
                machine.waits_for(query.token)
            };
            let mut out = Vec::new();
            self.database.end_stall(is_waited_for, self.now, &mut out);
            self.take_answers(out);
            for process in &mut self.processes {
                process.wants_poll(now);
            }
        }
        for process in 0..self.processes.len() {
            let machine = &self.processes[process].machine;
            let is_due = |due: &Time| *due <= now;
            let over: Vec<u64> = machine
                .questions()
                .filter(|(_, _, due)| is_due(due))
                .map(|(token, ..)| token)
                .collect();
            for token in over {
                self.input(process, ProcessInput::OperationTimer(token));
            }
        }
    }
}
