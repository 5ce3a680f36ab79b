//! The inputs that reach a Locket process, and the effects of its outputs.

use super::event::{EventId, Seen};
use super::message::Body;
use super::step::Step;
use super::{DATABASE, Due, World, number, process_number};
use crate::environment::happening::Node;
use crate::environment::rules::{End, Environment as _};
use crate::node::locket_process::{ProcessInput, ProcessOutput, Reason};
use crate::node::message::{IncomingCall, Query, Reply, Transaction};
use crate::protocol::error::LockError;
use crate::protocol::message::Response;
use crate::protocol::profile::CallerGone;
use crate::time::Time;

impl Step<'_> {
    pub(super) fn operation_timeout(&mut self, process: usize, token: u64) -> bool {
        let deadline = self.world.back_end.processes[process].operation_deadline(token);
        let Some(deadline) = deadline else {
            return false;
        };
        let locket = &mut self.world.lockets[process];
        if locket.state.pause.is_some() {
            locket.overdue.push(token);
            return false;
        }
        // Its clock has been frozen since this entered the queue.
        if locket.state.clock.world(deadline) > self.world.now {
            self.world.schedule_giving_up_on(process, token);
            return false;
        }
        let cause = locket.state.last_event;
        self.deliver_to_process(process, ProcessInput::OperationTimer(token), cause);
        self.roll_back_unwaited();
        true
    }

    pub(super) fn process_timer(&mut self, process: usize) -> bool {
        let state = &mut self.world.lockets[process].state;
        if state.pause.is_some() || state.timer != Some(self.world.now) {
            return false;
        }
        state.timer = None;
        let cause = state.last_event;
        debug_assert!(self.world.runs(Node::Locket(process)), "a node that is down has no timer");
        self.deliver_to_process(process, ProcessInput::ExpiryTimer, cause)
    }

    pub(super) fn process_poll(&mut self, process: usize) -> bool {
        let locket = &self.world.lockets[process];
        let now = locket.state.clock.local(self.world.now);
        let due = self.world.back_end.processes[process].poll_deadline();
        if locket.state.pause.is_some() || due.is_none_or(|due| due > now) {
            return false;
        }
        let cause = locket.state.last_event;
        if self.polls_directly(process) {
            self.poll_directly(process);
        } else {
            self.deliver_to_process(process, ProcessInput::PollTimer, cause);
        }
        self.world.schedule_poll(process);
        true
    }

    /// Where transactions are rolled back with their callers: processes learn which have gone. A paused
    /// process learns it when it goes on.
    pub(super) fn notify_callers_gone(&mut self) {
        let profile = self.world.back_end.database.table().profile();
        if profile.caller_gone == CallerGone::Commits {
            return;
        }
        for process in 0..self.world.processes() {
            if self.world.lockets[process].state.pause.is_some() {
                continue;
            }
            let questions = self.world.back_end.processes[process].questions();
            let gone = questions.filter(|(_, reason, _)| match reason {
                Reason::Call(call) => !self.world.waits(call),
                Reason::Expiry(_) | Reason::Poll => false,
            });
            let gone: Vec<u64> = gone.map(|it| it.0).collect();
            let cause = self.world.lockets[process].state.last_event;
            for token in gone {
                self.deliver_to_process(process, ProcessInput::CallerGone(token), cause);
            }
        }
        self.roll_back_unwaited();
    }

    /// Gives a process an input. Says whether it gave anything out.
    pub(super) fn deliver_to_process(
        &mut self,
        process: usize,
        input: ProcessInput,
        mut cause: Option<EventId>,
    ) -> bool {
        let world = &mut *self.world;
        let mut outputs = std::mem::take(&mut world.process_outputs);
        let now = world.lockets[process].state.clock.local(world.now);
        world.back_end.processes[process].handle(input, now, &mut outputs);
        world.schedule_process(process);
        let has_outputs = !outputs.is_empty();
        for output in outputs.drain(..) {
            self.take_process_output(process, output, &mut cause);
        }
        self.world.process_outputs = outputs;
        self.stop_if_drained(process);
        has_outputs
    }

    /// The answer to a call is the cause of the events after it.
    fn take_process_output(
        &mut self,
        process: usize,
        output: ProcessOutput,
        cause: &mut Option<EventId>,
    ) {
        let node = self.world.process(process);
        match output {
            ProcessOutput::Exited => self.end_process(process, End::Crash, *cause),
            ProcessOutput::Expired { key, owner } => {
                self.record(node, *cause, Seen::Expired { key, owner });
            }
            ProcessOutput::Handled(call, result) => {
                let client = self.world.client(call.client as usize);
                let what = Seen::Handled { client, request: &call.request, result: &result };
                let event = self.record(node, *cause, what);
                *cause = Some(event);
                self.send_reply(process, &call, result, event);
            }
            ProcessOutput::Query(token, transaction) => {
                self.send_query(process, token, transaction, *cause);
            }
        }
    }

    /// Sends the answer to a call.
    pub(super) fn send_reply(
        &mut self,
        process: usize,
        call: &IncomingCall,
        result: Result<Response, LockError>,
        cause: EventId,
    ) {
        let (from, to) = (self.world.process(process), self.world.client(call.client as usize));
        let body = Body::Reply(Reply {
            session: call.session,
            call: call.call,
            result,
            from: Some(process_number(process)),
        });
        self.send(from, to, Some(cause), body);
    }

    fn send_query(
        &mut self,
        process: usize,
        token: u64,
        transaction: Transaction,
        cause: Option<EventId>,
    ) {
        let from = self.world.process(process);
        self.world.asked.push((number(process), token));
        let query = Query { process: process_number(process), token, transaction };
        self.send(from, DATABASE, cause, Body::Query(query));
    }
}

impl World {
    /// True if a client waits for the answer to a call.
    pub(super) fn waits(&self, call: &IncomingCall) -> bool {
        let client = &self.clients[call.client as usize].machine;
        client.session() == call.session && client.call().is_some_and(|(it, _)| it == call.call)
    }

    /// True if the database answers every query at the instant at which it arrives.
    pub(super) fn database_answers_at_once(&self) -> bool {
        self.back_end.database.answers_at_once()
            && self.database.reply_loss_per_mille == 0
            && self.runs(Node::Database)
    }

    /// Puts a process's next timer into the queue, if it is not there.
    pub(super) fn schedule_process(&mut self, process: usize) {
        let state = &mut self.lockets[process].state;
        let machine = &mut self.back_end.processes[process];
        // A renewal moves a deadline on. The timer stays, and is set anew when it has fired in
        // stale.
        let timer = state.timer.map(|timer| state.clock.local(timer));
        if timer.is_some_and(|timer| machine.is_idle_before(timer)) {
            return;
        }
        let deadline = machine.expiry_deadline(Time::MAX);
        let deadline = deadline.map(|local| state.clock.world(local).max(self.now));
        if deadline != state.timer {
            state.timer = deadline;
            if let Some(deadline) = deadline {
                let due = Due::ProcessTimer(number(process));
                self.queue.schedule(deadline, due);
            }
        }
    }

    /// Puts a process's next poll into the queue.
    pub(super) fn schedule_poll(&mut self, process: usize) {
        let clock = &self.lockets[process].state.clock;
        if let Some(next) = self.back_end.processes[process].poll_deadline() {
            let time = clock.world(next).max(self.now);
            self.queue.schedule(time, Due::ProcessPoll(number(process)));
        }
    }

    /// Puts into the queue when processes give up on what they have asked at this instant, once that
    /// is over. Whatever keeps an answer away, the process that waits for it notices nothing else;
    /// and most questions are answered by then.
    #[inline]
    pub(super) fn schedule_giving_up(&mut self) {
        if self.asked.is_empty() || self.queue.next_time() == Some(self.now) {
            return;
        }
        let mut asked = std::mem::take(&mut self.asked);
        for (process, token) in asked.drain(..) {
            self.schedule_giving_up_on(process as usize, token);
        }
        self.asked = asked;
    }

    /// Puts the time into the queue at which a process gives up on a question, if it still waits.
    pub(super) fn schedule_giving_up_on(&mut self, process: usize, token: u64) {
        let clock = &self.lockets[process].state.clock;
        if let Some(deadline) = self.back_end.processes[process].operation_deadline(token) {
            let time = clock.world(deadline).max(self.now);
            let process = number(process);
            let due = Due::OperationTimeout { process, token };
            self.queue.schedule(time, due);
        }
    }
}
