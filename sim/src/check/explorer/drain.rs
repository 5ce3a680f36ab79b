//! Drains: a Locket process accepts no connection, finishes its calls and stops. A deploy rolls by
//! drains, one process after the other.

use super::Explorer;
use super::machines::Machines;
use super::state::{Body, Message, Process, State};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
use crate::node::connection::Route;

impl Explorer {
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
                    Body::Held(_) | Body::Request(_) => true,
                    Body::FailedLocally | Body::Orphaned | Body::Reply(_) => false,
                }
        };
        let has_calls = |process: u8| state.messages.iter().any(|it| is_call(process, it));
        let mut processes = 0..self.question.processes as u8;
        processes.find(|&process| self.drains(state, process) && !has_calls(process))
    }

    /// The members of a client that wait for the answer to a call, if it has this connection.
    pub(super) fn waiting_on(
        &self,
        state: &State,
        client: u8,
        connection: Route,
    ) -> impl Iterator<Item = u8> + use<> {
        let client = usize::from(client);
        let id = state.clients[client].id;
        let is_connected = self.facts(client, id).route == Some(connection);
        let sent = self.clients_of_kind[self.kinds[client]].sent(id);
        sent.into_iter().flatten().filter(move |_| is_connected)
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Clients learn at once that they have to connect elsewhere for their next call.
    pub(super) fn drain_locket(&mut self, process: u8) -> Result<(), NoStep> {
        self.ask_back_end(back_end::Input::Drain(process))
    }

    /// Stops the processes that drain and have no call left. A client that waits for the answer to
    /// a lost request learns that its connection broke.
    pub(super) fn stop_drained(&mut self) -> Result<(), NoStep> {
        while let Some(process) = self.explorer.drained(self.state) {
            let number = usize::from(process);
            let Some(life) = self.explorer.locket(self.state).draining.life(number) else {
                break;
            };
            self.ask_back_end(back_end::Input::Crash(process))?;
            self.state.processes[number] = Process::Down(0);
            let connection = Route {
                process: number,
                life,
            };
            for client in 0..self.explorer.clients() as u8 {
                let waiting = self.explorer.waiting_on(self.state, client, connection);
                for member in waiting {
                    let is_answered = self.state.messages.iter().any(|it| {
                        let is_answer = matches!(it.body, Body::FailedLocally | Body::Reply(_));
                        let is_its = (it.client, it.member) == (client, member);
                        is_its && it.is_current && is_answer
                    });
                    if !is_answered {
                        self.send((client, member), process, Body::Reply(UNAVAILABLE));
                    }
                }
            }
        }
        Ok(())
    }
}
