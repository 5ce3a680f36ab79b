//! The end of a Locket process: it crashes, or has finished its calls after a stop signal (B90).

use super::event::{EventId, Seen};
use super::message::Body;
use super::process_number;
use super::step::Step;
use crate::environment::rules::{End, calls_failing, has_drained};
use crate::node::message::Reply;
use crate::protocol::error::LockError;
use crate::protocol::runner::CallId;

impl Step<'_> {
    /// Sends a Locket process the stop signal; a paused one sees it when it goes on.
    pub fn drain_process(&mut self, process: usize) {
        let Some(life) = self.world.back_end.processes[process].life() else {
            return;
        };
        if !self.world.lockets[process].state.keep_signal(life) {
            self.begin_to_drain(process, life, None);
        }
    }

    /// Clients learn at once that they have to connect elsewhere for their next call. A call
    /// that has left is served: the real server closes a connection only after its streams, and
    /// a round trip after it has said so.
    pub(super) fn begin_to_drain(&mut self, process: usize, life: u32, cause: Option<EventId>) {
        let machine = &mut self.world.back_end.processes[process];
        if machine.accepting() != Some(life) {
            return;
        }
        machine.drain();
        let node = self.world.process(process);
        self.record(node, cause, Seen::Draining);
        self.stop_if_drained(process);
    }

    /// Ends a process that drains and has no call left. If it was started before that, it starts
    /// again.
    pub(super) fn stop_if_drained(&mut self, process: usize) {
        if !has_drained(self.world, process) {
            return;
        }
        let locket = &self.world.lockets[process];
        let (starts, cause) = (locket.starts_later, locket.state.last_event);
        self.end_process(process, End::Stop, cause);
        if starts {
            self.start_process(process);
        }
    }

    /// Ends a process with its timers and the calls that it serves. Each client that waits for an
    /// answer learns that its call has failed.
    pub(super) fn end_process(&mut self, process: usize, how: End, cause: Option<EventId>) {
        let failing = calls_failing(self.world, process, how);
        // A process that noticed by itself that it cannot go on has ended already.
        self.world.back_end.processes[process].end();
        let locket = &mut self.world.lockets[process];
        locket.starts_later = false;
        locket.overdue.clear();
        locket.state.pause = None;
        locket.state.timer = None;
        let node = locket.state.id;
        let what = match how {
            End::Crash => Seen::Crashed,
            End::Stop => Seen::Stopped,
        };
        let cause = Some(self.record(node, cause, what));
        for (client, call) in failing {
            self.refuse_call(client, call, process, cause);
        }
        self.roll_back_unwaited();
    }

    fn refuse_call(&mut self, client: usize, call: CallId, process: usize, cause: Option<EventId>) {
        let (from, to) = (self.world.process(process), self.world.client(client));
        let reply = Reply {
            session: self.world.clients[client].machine.session(),
            call,
            result: Err(LockError::Unavailable),
            from: Some(process_number(process)),
        };
        self.send(from, to, cause, Body::Reply(reply));
    }
}
