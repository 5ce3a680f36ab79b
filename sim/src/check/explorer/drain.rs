//! Drains: a Locket process accepts no connection, finishes its calls and stops. A deploy rolls by
//! drains, one process after the other.

use super::Explorer;
use super::machines::Machines;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::faults::Fault;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Situation as _;
use crate::environment::happening::Node;
use crate::environment::nodes::Nodes as _;

impl Explorer {
    /// Whether it is the turn of a process to drain, and the one before it runs again.
    pub(super) fn is_next_to_drain(&self, state: &State, process: u8) -> bool {
        let processes = self.question.processes as u8;
        let turn = state.used[Fault::LocketDrain as usize] % processes;
        let before = (turn + processes - 1) % processes;
        let (now, node) = (self.now(state), Node::Locket(before));
        process == turn && now.accepts(before) && !now.is_paused(node)
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Stops the processes that drain and have no call left.
    pub(super) fn stop_drained(&mut self) -> Result<(), NoStep> {
        let drains = self.explorer.locket(self.state).draining.is_any();
        if drains && !self.explorer.has_others() {
            for process in 0..self.explorer.question.processes {
                self.stop_if_drained(process)?;
            }
        }
        Ok(())
    }
}
