//! Drains: a process accepts no connection, serves the calls that it has, stops and starts again.
//! Processes drain in turn.

use locket_sim::check::Fault;

use super::{Message, Reply, Rules, What, World};

impl World {
    /// True if it is a process's turn, and all others accept connections.
    pub(super) fn may_drain(&self, process: usize, rules: &Rules) -> bool {
        let turn = usize::from(self.used[Fault::LocketDrain as usize]) % rules.processes;
        let before = (turn + rules.processes - 1) % rules.processes;
        let is_up = |it| self.locket.accepts(it) && !self.locket.is_paused(it);
        self.may(Fault::LocketDrain, rules) && process == turn && is_up(process) && is_up(before)
    }

    /// A process that drains stops when no call is on its way to it, and it serves none.
    pub(super) fn stop_drained(&mut self, rules: &Rules) {
        for process in 0..rules.processes {
            let is_call =
                |it: &Message| it.process == process && matches!(it.what, What::Request(_));
            let has_call = self.locket.serves(process) || self.messages.iter().any(is_call);
            if self.locket.drains(process) && !has_call {
                self.stop_locket(process);
            }
        }
    }

    /// Clients whose request was lost learn that their connection is closed.
    fn stop_locket(&mut self, process: usize) {
        self.locket.crash(process);
        for client in 0..self.clients.len() {
            let it = &mut self.clients[client];
            if it.connection != Some(process) {
                continue;
            }
            it.connection = None;
            it.unanswered_for = None;
            let is_answer = |it: &Message| {
                let is_one = matches!(it.what, What::Reply(_) | What::NoConnection);
                it.client == client && it.is_awaited && is_one
            };
            let waits = it.runner.is_calling() && it.waits.is_none();
            if waits && !self.messages.iter().any(is_answer) {
                self.send(client, process, What::Reply(Reply::Failure));
            }
        }
    }
}
