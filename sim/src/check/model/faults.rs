//! The effects of faults on clients and Locket processes.

use super::machines::Machines;
use super::state::{Body, Process};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end;
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
use crate::node::connection::Route;

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn pause(&mut self, client: u8) {
        debug_assert_eq!(
            self.state.clients[usize::from(client)].paused_for,
            None,
            "a client that is paused is not paused again"
        );
        self.use_up(Fault::Pause);
        self.state.clients[usize::from(client)].paused_for = Some(0);
    }

    pub(super) fn crash(&mut self, client: u8) -> Result<(), NoStep> {
        self.use_up(Fault::Crash);
        self.state.clients[usize::from(client)].paused_for = None;
        self.input(client, Input::Crash)
    }

    pub(super) fn restart(&mut self, client: u8) -> Result<(), NoStep> {
        self.use_up(Fault::Restart);
        self.state.clients[usize::from(client)].paused_for = None;
        self.input(client, Input::Start)
    }

    pub(super) fn stop(&mut self, client: u8) -> Result<(), NoStep> {
        self.use_up(Fault::Stop);
        self.input(client, Input::Signal)
    }

    /// Every client with a call on a connection to the process learns that it broke.
    /// Requests on their way to the process are lost.
    pub(super) fn crash_locket(&mut self, process: u8) -> Result<(), NoStep> {
        let facts = self.model.locket(self.state);
        let number = usize::from(process);
        let life = facts.accepting.life(number);
        let life = life.or_else(|| facts.draining.life(number));
        self.locket(back_end::Input::Crash(process), Some(Fault::LocketCrash))?;
        // Messages that a paused process has not handled are lost with it.
        let was_paused = matches!(self.state.processes[number], Process::Paused(_));
        let Self { model, state, .. } = self;
        let longest = model.delay;
        state.processes[number] = Process::Down(0);
        state.messages.retain_mut(|message| {
            if message.process != process {
                return true;
            }
            match message.body {
                Body::Held(_) | Body::Unanswered(_) => false,
                Body::Request(_) => {
                    message.body = Body::Orphaned;
                    model.matters(message) && !(was_paused && message.age >= longest)
                }
                Body::FailedLocally | Body::Orphaned | Body::Reply(_) => true,
            }
        });
        let Some(life) = life else {
            return Ok(());
        };
        let connection = Route {
            process: number,
            life,
        };
        for client in 0..self.model.clients() as u8 {
            if self.model.waits_on(self.state, client.into(), connection) {
                self.send(client, process, Body::Reply(UNAVAILABLE));
            }
        }
        Ok(())
    }

    /// It may crash again at this very instant, and be down for as long once more.
    pub(super) fn start_locket(&mut self, process: u8) -> Result<(), NoStep> {
        debug_assert!(
            matches!(self.state.processes[usize::from(process)], Process::Down(_)),
            "only a process that is down starts"
        );
        self.locket(back_end::Input::Start(process), None)?;
        self.state.processes[usize::from(process)] = Process::Runs;
        Ok(())
    }

    /// A client goes on.
    pub(super) fn wake(&mut self, client: u8) {
        self.state.clients[usize::from(client)].paused_for = None;
    }
}
