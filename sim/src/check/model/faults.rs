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

    /// Every client with a call on a connection to the process is told that it broke (S24).
    /// Requests on their way to it find nobody there.
    pub(super) fn crash_locket(&mut self, process: u8) -> Result<(), NoStep> {
        self.locket(LocketInput::Crash(process), Some(Fault::LocketCrash))?;
        let is_its_own = |message: &Message| message.process == process;
        self.state
            .messages
            .retain_mut(|message| match message.body {
                Body::Held => !is_its_own(message),
                Body::Request(_) if is_its_own(message) => {
                    message.body = Body::Orphaned;
                    message.is_current
                }
                Body::FailedLocally
                | Body::Orphaned
                | Body::Reply(_)
                | Body::Request(_)
                | Body::Unsent(_) => true,
            });
        for client in 0..self.model.clients() as u8 {
            let it = &mut self.state.clients[usize::from(client)];
            if it.connection != Some(process) {
                continue;
            }
            it.connection = None;
            let mind = it.mind;
            let waits = mind != DOWN && self.model.facts(usize::from(client), mind).call.is_some();
            if waits {
                let unavailable = Body::Reply(self.model.unavailable);
                self.send(client, process, unavailable);
            }
        }
        Ok(())
    }

    /// It may crash again at this very instant, and be down for as long once more.
    pub(super) fn start_locket(&mut self, process: u8) -> Result<(), NoStep> {
        self.locket(LocketInput::Start(process), None)?;
        self.state.down_for[usize::from(process)] = 0;
        Ok(())
    }

    /// A client goes on.
    pub(super) fn wake(&mut self, client: u8) {
        self.state.clients[usize::from(client)].paused_for = None;
    }
}
