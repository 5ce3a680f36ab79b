//! The end of a Locket process: it crashes, or drains first. Then it accepts no connection, finishes
//! its calls and stops. A deploy rolls by drains, one process after the other.

use super::Explorer;
use super::machines::Machines;
use super::message::Body;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::faults::Fault;
use crate::check::steps::back_end::Input;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
use crate::environment::acts::Act;
use crate::environment::happening::Node;
use crate::environment::rules::{End, calls_failing, has_drained};
use crate::node::connection::Processes as _;

impl Explorer {
    /// True if it is the turn of a process to drain, and the one before it runs again.
    pub(super) fn is_next_to_drain(&self, state: &State, process: u8) -> bool {
        let processes = self.question.processes as u8;
        let turn = state.used.of(Fault::LocketDrain) % processes;
        let before = (turn + processes - 1) % processes;
        let accepting = self.locket(state).accepting.accepting(before.into());
        process == turn && accepting.is_some() && !state.is_paused(Node::Locket(before))
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Stops the processes that drain and have no call left.
    pub(super) fn stop_drained(&mut self) -> Result<(), NoStep> {
        if self.explorer.locket(self.state).drains && !self.explorer.has_others() {
            for process in 0..self.explorer.question.processes as u8 {
                self.stop_if_drained(process)?;
            }
        }
        Ok(())
    }

    /// Says whether it has stopped.
    pub(super) fn stop_if_drained(&mut self, process: u8) -> Result<bool, NoStep> {
        let has_drained = has_drained(&self.explorer.now(self.state), process.into());
        if has_drained {
            self.end_process(process, End::Stop)?;
        }
        Ok(has_drained)
    }

    /// Ends a process with its timers and the calls that it serves. Each client that waits for an
    /// answer learns that its call has failed. A paused process takes the requests along that it has
    /// not handled.
    #[inline(never)] // A copy at each end of a process would make its module larger.
    pub(super) fn end_process(&mut self, process: u8, how: End) -> Result<(), NoStep> {
        let now = self.explorer.now(self.state);
        let failing = calls_failing(&now, process.into(), how);
        self.ask_back_end(Input::Crash(process))?;
        let Self { explorer, state, .. } = self;
        let node = Node::Locket(process);
        let was_paused = state.is_paused(node);
        state.wake(node);
        state.end(|what| what == Act::Drain(process));
        state.begin(Act::Crash(node));
        state.messages.retain_mut(|message| {
            if message.process != process {
                return true;
            }
            match message.body {
                Body::Held(_) => false,
                Body::Request(_) => {
                    let longest = explorer.longest_delay(message);
                    message.body = Body::Orphaned;
                    explorer.matters(message) && !(was_paused && message.age >= longest)
                }
                Body::FailedLocally | Body::Orphaned | Body::Reply(_) => true,
            }
        });
        for (client, _) in failing {
            self.send(client as u8, process, Body::Reply(UNAVAILABLE));
        }
        Ok(())
    }
}
