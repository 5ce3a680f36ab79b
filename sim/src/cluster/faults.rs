//! The faults of a cluster's database: it stalls, it is down, its answers are lost.
//!
//! While it stalls or loses answers, processes ask it by queries, as they ask one across a
//! network, and calls [wait](Handled::Waits).

use super::calls::Calls;
use super::{Cluster, Handled};
use crate::node::ask::Failing;
use crate::node::back_end::{BackEnd, Delivery};
use crate::node::database::DatabaseInput;
use crate::node::locket_process::{LocketProcess, ProcessInput, Progress};
use crate::node::message::IncomingCall;
use crate::protocol::error::LockError;
use crate::protocol::log::Log;
use crate::protocol::message::{Request, Response};
use crate::protocol::server::{Caller, DRIVER_TIMEOUT};
use crate::time::{Duration, Time};

/// The faults of the database.
impl Cluster {
    /// The database answers nothing for `duration`; then everything, in the order in which it was
    /// asked. A call that has waited for 10 s by then was given up, and nothing came of it (B23).
    /// A stall of no length ends one that goes on. A database that is down does not stall.
    pub fn stall_database(&mut self, duration: Duration, now: Time, log: &mut dyn Log) {
        self.handle_timeout(now, log);
        if !self.back_end.database.is_down() {
            self.send_to_database(DatabaseInput::Stall);
            let latest = self.stall_ends.filter(|_| duration > Duration::ZERO);
            self.stall_ends = latest.max(Some(self.now + duration));
        }
        self.handle_timeout(now, log);
    }

    /// The database goes down: it refuses every query at once, and keeps its rows. Says whether it
    /// ran.
    pub fn stop_database(&mut self, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        let was_down = self.back_end.database.is_down();
        self.stall_ends = None;
        self.send_to_database(DatabaseInput::Crash);
        !was_down
    }

    /// The database is there again, with the rows that it had. Says whether it was down.
    pub fn start_database(&mut self, now: Time, log: &mut dyn Log) -> bool {
        self.handle_timeout(now, log);
        let was_down = self.back_end.database.is_down();
        self.send_to_database(DatabaseInput::Start);
        self.want_polls(self.now);
        self.handle_timeout(now, log);
        was_down
    }

    /// True if the database is down.
    pub const fn is_database_down(&self) -> bool {
        self.back_end.database.is_down()
    }

    /// The answers to the next `count` transactions of calls are lost, although they are
    /// committed: a caller that waits for one gets a timeout after 10 s.
    pub fn lose_answers(&mut self, count: u32) {
        self.send_to_database(DatabaseInput::LoseReplies(count));
    }

    /// True if a call that is made now may have to wait for its answer.
    pub const fn calls_wait(&self) -> bool {
        !self.back_end.database.answers_at_once()
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
        let (process, mut ask) = self.back_end.direct(process, now);
        let Progress::Answered(response) = process.begin_call(request, caller, now, &mut ask, log);
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
        let process = &mut self.back_end.processes[process];
        let mut ask = Failing(error);
        let Progress::Answered(response) =
            process.begin_call(request, caller, self.now, &mut ask, log);
        Handled::Answered(response)
    }

    fn begin_call_by_query(
        &mut self,
        process: usize,
        request: &Request,
        caller: Caller<'_>,
        log: &mut dyn Log,
    ) -> Handled {
        let (now, (call, incoming)) = (self.now, self.calls.name(process, request));
        let mut out = Vec::new();
        let machine = &mut self.back_end.processes[process];
        if let Err((_, response)) =
            machine.begin_call_by_query(incoming, caller, now, log, &mut out)
        {
            return Handled::Answered(response);
        }
        self.calls.wait(call);
        let (back_end, mut at_once) = self.at_once();
        back_end.deliver_queries(process, out, now, &mut at_once);
        self.calls.outcome(call)
    }

    /// Lets the timers of a process fire that are due.
    pub(super) fn fire_timers(&mut self, process: usize, now: Time, log: &mut dyn Log) {
        let has_fired = if self.back_end.database.is_stalled() {
            self.input(process, ProcessInput::ExpiryTimer)
        } else {
            let (machine, mut ask) = self.back_end.direct(process, now);
            machine.fire_timers(now, &mut ask, log)
        };
        // A deletion that failed leaves a row that no timer stands for, so a poll finds it.
        if has_fired {
            self.want_poll(process, now);
        }
    }

    /// Has a process poll if that is due.
    pub(super) fn poll(&mut self, process: usize, now: Time, log: &mut dyn Log) {
        if self.poll_deadline(process).is_none_or(|due| due > now) {
            return;
        }
        if self.back_end.database.is_stalled() {
            return self.poll_in_stall(process, now);
        }
        let (machine, mut ask) = self.back_end.direct(process, now);
        machine.poll(now, &mut ask, log);
        self.polls_find_something[process] = false;
    }

    /// Polls that would be given up before the stall ends are left out.
    fn poll_in_stall(&mut self, process: usize, now: Time) {
        match self.stall_ends {
            Some(ends) if ends > now + DRIVER_TIMEOUT => {
                let in_time = Time::ZERO + ends.since(Time::ZERO + DRIVER_TIMEOUT);
                self.back_end.processes[process].skip_polls_before(in_time);
            }
            Some(_) | None => {
                self.input(process, ProcessInput::PollTimer);
            }
        }
    }

    /// Gives a process an input. Says whether anything came of it.
    fn input(&mut self, process: usize, input: ProcessInput) -> bool {
        let now = self.now;
        let (back_end, mut at_once) = self.at_once();
        back_end.deliver_to_process(process, input, now, &mut at_once)
    }

    fn send_to_database(&mut self, input: DatabaseInput) {
        let now = self.now;
        let (back_end, mut at_once) = self.at_once();
        back_end.send_to_database(input, now, &mut at_once);
    }

    /// The back end, whose messages are delivered at once.
    const fn at_once(&mut self) -> (&mut BackEnd, AtOnce<'_>) {
        let (calls, now) = (&mut self.calls, self.now);
        (&mut self.back_end, AtOnce { calls, now })
    }
}

/// Everything that processes and the database send arrives at once.
struct AtOnce<'a> {
    calls: &'a mut Calls,
    now: Time,
}

impl Delivery for AtOnce<'_> {
    fn handled(&mut self, call: IncomingCall, result: Result<Response, LockError>) {
        self.calls.finish(call.call, self.now, result);
    }

    fn exited(&mut self, process: usize) {
        self.calls.process_ended(process, self.now);
    }
}

/// The end of a stall and of calls that waited too long.
impl Cluster {
    /// When a stall ends, or the caller of a process that waits for an answer.
    pub(super) fn faults_deadline(&self) -> Option<Time> {
        let processes = self.back_end.processes.iter();
        let given_up = processes.flat_map(LocketProcess::questions).map(|it| it.2);
        given_up.chain(self.stall_ends).min()
    }

    /// Ends a stall that is over when this is `due`, and calls that have waited too long. A call that gets
    /// its answer at the very instant at which it would be given up is in time.
    pub(super) fn pass_faults(&mut self, due: Time) {
        if self.stall_ends.take_if(|end| *end <= due).is_some() {
            let (now, mut out) = (self.now, Vec::new());
            self.back_end.end_stall(now, &mut out);
            let (back_end, mut at_once) = self.at_once();
            back_end.deliver_answers(out, now, &mut at_once);
            self.want_polls(due);
        }
        for process in 0..self.processes() {
            let questions = self.back_end.processes[process].questions();
            let over = questions.filter(|(_, _, deadline)| *deadline <= due);
            let over: Vec<u64> = over.map(|(token, ..)| token).collect();
            for token in over {
                self.input(process, ProcessInput::OperationTimer(token));
            }
        }
    }
}
