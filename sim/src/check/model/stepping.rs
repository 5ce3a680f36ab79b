//! What follows from a choice.

use super::machines::Machines;
use super::{Model, Outcome, Sent};
use crate::check::lockets::LocketInput;
use crate::check::machine::NoStep;
use crate::check::moves::{Choice, Move};
use crate::check::question::Property;
use crate::check::runners::RunnerInput;
use crate::check::state::{Body, Fault, Message, State};
use crate::protocol::error::LockError;
use crate::protocol::message::Method;

impl Model {
    /// Does what was chosen.
    pub(in crate::check) fn apply(
        &mut self,
        state: &mut State,
        choice: Choice,
    ) -> Result<Outcome, NoStep> {
        Stepping::new(&mut { self }, state, choice).take(choice.what)
    }
}

/// A state about to change.
pub(in crate::check) struct Stepping<'a, M> {
    pub(super) model: &'a mut M,
    pub(super) state: &'a mut State,
    /// Which of the messages that are sent are lost.
    lost: u8,
    pub(super) outcome: Outcome,
}

impl<'a, M: Machines> Stepping<'a, M> {
    pub(in crate::check) fn new(model: &'a mut M, state: &'a mut State, choice: Choice) -> Self {
        Self {
            model,
            state,
            lost: choice.lost,
            outcome: Outcome::default(),
        }
    }

    pub(in crate::check) fn take(mut self, what: Move) -> Result<Outcome, NoStep> {
        let step = &mut self;
        match what {
            Move::Crash(client) => step.crash(client),
            Move::CrashLocket(process) => step.crash_locket(process)?,
            Move::Deliver(message) => step.deliver(message)?,
            Move::Evict => step.locket(LocketInput::Evict, Some(Fault::Eviction))?,
            Move::Expire => step.locket(LocketInput::Expire, None)?,
            Move::FailOver => {
                let commits = step.model.question.bounds.failover_commits;
                step.locket(LocketInput::FailOver(commits), Some(Fault::Failover))?;
            }
            Move::GiveUp(message) => step.give_up(message)?,
            Move::LoseAnswer(message) => step.lose_answer(message)?,
            Move::Pass(units) => step.pass(units)?,
            Move::Pause(client) => step.pause(client),
            Move::Poll(process) => step.locket(LocketInput::Poll(process), None)?,
            Move::ProcessTimer(process) => step.locket(LocketInput::Timer(process), None)?,
            Move::Restart(client) => step.restart(client)?,
            Move::Start(client) => step.input(client, RunnerInput::Start)?,
            Move::StartLocket(process) => step.start_locket(process)?,
            Move::Stop(client) => step.stop(client)?,
            Move::Timer(client) => step.input(client, RunnerInput::Timeout)?,
            Move::Wake(client) => step.wake(client),
        }
        self.model.note_owner(self.state);
        Ok(self.outcome)
    }

    pub(super) fn use_up(&mut self, fault: Fault) {
        self.state.used[fault as usize] += 1;
    }

    /// Puts a message on its way, unless it is lost.
    pub(super) fn send(&mut self, client: u8, process: u8, body: Body) {
        let is_lost = self.lost >> self.outcome.sent & 1 != 0;
        self.outcome.sent += 1;
        let name = self.model.new_name();
        self.model.log(Sent {
            name,
            client,
            process,
            is_reply: matches!(body, Body::Reply(_)),
            is_lost,
        });
        if is_lost {
            return self.use_up(Fault::Loss);
        }
        self.state.messages.push(Message {
            client,
            process,
            body,
            is_current: true,
            age: 0,
            name,
        });
    }

    /// Gives a runner an input, and sends what it calls.
    pub(super) fn input(&mut self, client: u8, input: RunnerInput) -> Result<(), NoStep> {
        let index = usize::from(client);
        let before = self.state.clients[index].mind;
        let step = self.model.runner_step(index, before, input)?;
        self.state.clients[index].mind = step.next;
        let row_is_own = self.model.lockets.facts(self.state.locket).owner == Some(client);
        if step.lost && row_is_own && self.model.question.property == Property::FalseLoss {
            self.outcome.violated = true;
        }
        if step.call.is_some() || self.model.facts(index, step.next).call.is_none() {
            self.forget_calls(client);
        }
        let Some((method, waits)) = step.call else {
            return Ok(());
        };
        match self.connect(client) {
            Some(process) => self.send(client, process, Body::Request(method)),
            None if waits => self.keep(client, Body::Unsent(method)),
            None => self.keep(client, Body::FailedLocally),
        }
        Ok(())
    }

    /// Notes what concerns a client's call and is on no link.
    fn keep(&mut self, client: u8, body: Body) {
        self.state.messages.push(Message {
            client,
            process: 0,
            body,
            is_current: true,
            age: 0,
            name: 0,
        });
    }

    /// Nobody waits for a client's calls any more: what comes back of them is dropped.
    pub(super) fn forget_calls(&mut self, client: u8) {
        self.state.messages.retain_mut(|message| {
            if message.client != client {
                return true;
            }
            message.is_current = false;
            matches!(message.body, Body::Request(_))
        });
    }

    /// The process that a client's calls go to (C30).
    pub(super) fn connect(&mut self, client: u8) -> Option<u8> {
        let runs = self.model.lockets.facts(self.state.locket).runs;
        let count = self.model.question.processes;
        let it = &mut self.state.clients[usize::from(client)];
        let connected = it.connection.filter(|&process| runs[usize::from(process)]);
        let in_order = (0..count).map(|step| (usize::from(client) + step) % count);
        let process = connected.or_else(|| {
            let mut in_order = in_order;
            in_order.find(|&process| runs[process]).map(|it| it as u8)
        });
        // Only a choice between processes, or a connection that can break, has to be remembered.
        let matters = count > 1 || self.model.allowed[Fault::LocketCrash as usize] > 0;
        it.connection = process.filter(|_| matters);
        process
    }

    pub(super) fn deliver(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        match message.body {
            Body::FailedLocally => {
                let unavailable = self.model.unavailable;
                self.reply(message.client, unavailable)
            }
            Body::Orphaned => {
                let runs = self.model.lockets.facts(self.state.locket).runs;
                // A process that started meanwhile knows nothing of that connection.
                if !runs[usize::from(message.process)] {
                    let unavailable = Body::Reply(self.model.unavailable);
                    self.send(message.client, message.process, unavailable);
                }
                Ok(())
            }
            Body::Reply(number) => self.reply(message.client, number),
            Body::Request(method) => {
                if let Some(number) = self.ask(message, method, false)?
                    && message.is_current
                {
                    self.send(message.client, message.process, Body::Reply(number));
                }
                Ok(())
            }
            Body::Unsent(method) => {
                if let Some(process) = self.connect(message.client) {
                    self.send(message.client, process, Body::Request(method));
                }
                Ok(())
            }
            Body::Held => Ok(()),
        }
    }

    fn reply(&mut self, client: u8, number: u8) -> Result<(), NoStep> {
        if number == self.model.unavailable {
            self.state.clients[usize::from(client)].connection = None;
        }
        self.input(client, RunnerInput::Reply(number))
    }

    /// A call reaches its process; the number of the reply.
    pub(super) fn ask(
        &mut self,
        message: Message,
        method: Method,
        answer_lost: bool,
    ) -> Result<Option<u8>, NoStep> {
        let input = LocketInput::Request {
            process: message.process,
            client: message.client,
            method,
            answer_lost,
        };
        let step = self.model.locket_step(self.state.locket, input)?;
        self.state.locket = step.next;
        let Some(answer) = step.answer else {
            return Ok(None);
        };
        let answer = self.model.lockets.answer(answer).clone();
        self.model.reply(&answer).map(Some)
    }

    /// The database commits a call, and its process never hears of it.
    pub(super) fn lose_answer(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        self.use_up(Fault::LostAnswer);
        if let Body::Request(method) = message.body {
            self.ask(message, method, true)?;
            if message.is_current {
                self.state.messages.push(Message {
                    body: Body::Held,
                    age: 0,
                    ..message
                });
            }
        }
        Ok(())
    }

    /// A process has waited too long for the database.
    pub(super) fn give_up(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        let answer = Err(LockError::DeadlineExceeded);
        let number = self.model.reply(&answer)?;
        self.send(message.client, message.process, Body::Reply(number));
        Ok(())
    }

    pub(super) fn locket(
        &mut self,
        input: LocketInput,
        fault: Option<Fault>,
    ) -> Result<(), NoStep> {
        if let Some(fault) = fault {
            self.use_up(fault);
        }
        self.state.locket = self.model.locket_step(self.state.locket, input)?.next;
        Ok(())
    }
}
