//! What faults do to clients and Locket processes.

use super::machines::Machines;
use super::stepping::Stepping;
use crate::check::lockets::LocketInput;
use crate::check::machine::NoStep;
use crate::check::runners::{CREATED, RunnerInput};
use crate::check::state::{Body, Client, DOWN, Fault, Message};

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn pause(&mut self, client: u8) {
        self.use_up(Fault::Pause);
        self.state.clients[usize::from(client)].paused_for = Some(0);
    }

    pub(super) fn crash(&mut self, client: u8) {
        self.use_up(Fault::Crash);
        self.forget_calls(client);
        self.state.clients[usize::from(client)] = Client {
            mind: DOWN,
            paused_for: None,
            connection: None,
        };
    }

    pub(super) fn restart(&mut self, client: u8) -> Result<(), NoStep> {
        self.use_up(Fault::Restart);
        self.forget_calls(client);
        self.state.clients[usize::from(client)] = Client {
            mind: CREATED,
            paused_for: None,
            connection: None,
        };
        self.input(client, RunnerInput::Start)
    }

    pub(super) fn stop(&mut self, client: u8) -> Result<(), NoStep> {
        self.use_up(Fault::Stop);
        self.input(client, RunnerInput::Signal)
    }

    /// Requests on their way to a process are gone with it, and those who wait are told (S24).
    pub(super) fn crash_locket(&mut self, process: u8) -> Result<(), NoStep> {
        let is_waiting: Vec<bool> = (0..self.model.clients())
            .map(|index| {
                let client = self.state.clients[index];
                let to_it =
                    self.model.question.processes == 1 || client.connection == Some(process);
                let mind = client.mind;
                let calls = mind != DOWN && self.model.facts(index, mind).call.is_some();
                let unsent = |it: &Message| {
                    usize::from(it.client) == index && matches!(it.body, Body::Unsent(_))
                };
                to_it && calls && !self.state.messages.iter().any(unsent)
            })
            .collect();
        self.locket(LocketInput::Crash(process), Some(Fault::LocketCrash))?;
        self.state.messages.retain(|message| {
            message.process != process || matches!(message.body, Body::Reply(_) | Body::Unsent(_))
        });
        for (client, is_waiting) in (0_u8..).zip(is_waiting) {
            let it = &mut self.state.clients[usize::from(client)];
            it.connection = it.connection.filter(|&to| to != process);
            if is_waiting {
                let unavailable = Body::Reply(self.model.unavailable);
                self.send(client, process, unavailable);
            }
        }
        Ok(())
    }

    /// Calls that waited for a process are sent.
    pub(super) fn start_locket(&mut self, process: u8) -> Result<(), NoStep> {
        self.locket(LocketInput::Start(process), None)?;
        for index in 0..self.state.messages.len() {
            let message = self.state.messages[index];
            let listens = self.state.clients[usize::from(message.client)]
                .paused_for
                .is_none();
            if let Body::Unsent(method) = message.body
                && listens
                && let Some(process) = self.connect(message.client)
            {
                let name = self.name(message.client, process, false, false);
                self.state.messages[index] = Message {
                    process,
                    body: Body::Request(method),
                    name,
                    ..message
                };
            }
        }
        Ok(())
    }
}
