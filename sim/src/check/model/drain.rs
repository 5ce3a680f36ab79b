//! Drains: a Locket process accepts no connection, finishes its calls and stops. A deploy rolls by
//! drains, one process after the other.

use super::Model;
use super::machines::Machines;
use super::state::{Body, Message, Process, State};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
use crate::node::connection::Route;

impl Model {
    /// Whether a process may begin to drain now: it is its turn, and the one before it runs again.
    pub(super) fn may_drain(&self, state: &State, process: u8) -> bool {
        let processes = self.question.processes as u8;
        let turn = state.used[Fault::LocketDrain as usize] % processes;
        let before = (turn + processes - 1) % processes;
        let accepts = |process: u8| {
            let is_up = state.processes[usize::from(process)] == Process::Runs;
            is_up && !self.drains(state, process)
        };
        self.left(state, Fault::LocketDrain)
            && process == turn
            && accepts(process)
            && accepts(before)
    }

    fn drains(&self, state: &State, process: u8) -> bool {
        let draining = self.locket(state).draining;
        draining.life(process.into()).is_some()
    }

    /// A process that drains and has no call left.
    fn drained(&self, state: &State) -> Option<u8> {
        if !self.locket(state).draining.is_any() {
            return None;
        }
        let is_call = |process: u8, message: &Message| {
            message.process == process
                && match message.body {
                    Body::Held(_) | Body::Request(_) | Body::Unanswered(_) => true,
                    Body::FailedLocally | Body::Orphaned | Body::Reply(_) => false,
                }
        };
        let has_calls = |process: u8| state.messages.iter().any(|it| is_call(process, it));
        let mut processes = 0..self.question.processes as u8;
        processes.find(|&process| self.drains(state, process) && !has_calls(process))
    }

    /// Whether a client has sent a call over a connection, and waits for its answer.
    pub(super) fn waits_on(&self, state: &State, client: usize, connection: Route) -> bool {
        let facts = self.facts(client, state.clients[client].id);
        facts.route == Some(connection) && facts.calls && !facts.call_waits
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Clients learn at once that they have to connect elsewhere for their next call.
    pub(super) fn drain_locket(&mut self, process: u8) -> Result<(), NoStep> {
        self.locket(back_end::Input::Drain(process), Some(Fault::LocketDrain))
    }

    /// Stops the processes that drain and have no call left. A client that waits for the answer to
    /// a lost request learns that its connection broke.
    pub(super) fn stop_drained(&mut self) -> Result<(), NoStep> {
        while let Some(process) = self.model.drained(self.state) {
            let number = usize::from(process);
            let Some(life) = self.model.locket(self.state).draining.life(number) else {
                break;
            };
            self.ask_back_end(back_end::Input::Crash(process))?;
            self.state.processes[number] = Process::Down(0);
            let connection = Route {
                process: number,
                life,
            };
            for client in 0..self.model.clients() as u8 {
                let is_answered = self.state.messages.iter().any(|it| {
                    let is_answer = matches!(it.body, Body::FailedLocally | Body::Reply(_));
                    it.client == client && it.is_current && is_answer
                });
                let waits = self.model.waits_on(self.state, client.into(), connection);
                if waits && !is_answered {
                    self.send(client, process, Body::Reply(UNAVAILABLE));
                }
            }
        }
        Ok(())
    }
}
