//! What follows from a choice.

use super::machines::Machines;
use super::{Logged, Model, Outcome};
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
    /// Whether the message that is sent is lost.
    loses: bool,
    pub(super) outcome: Outcome,
}

impl<'a, M: Machines> Stepping<'a, M> {
    pub(in crate::check) fn new(model: &'a mut M, state: &'a mut State, choice: Choice) -> Self {
        Self {
            model,
            state,
            loses: choice.loses,
            outcome: Outcome::default(),
        }
    }

    pub(in crate::check) fn take(mut self, what: Move) -> Result<Outcome, NoStep> {
        let step = &mut self;
        match what {
            Move::Crash(client) => step.crash(client),
            Move::CrashLocket(process) => step.crash_locket(process)?,
            Move::Deliver(message) => step.deliver(message)?,
            Move::DeliverBoth(message) => step.deliver_both(message)?,
            Move::Evict => step.locket(LocketInput::Evict, Some(Fault::Eviction))?,
            Move::Expire => step.serve(LocketInput::Expire)?,
            Move::FailOver => {
                let commits = step.model.question.bounds.failover_commits;
                step.locket(LocketInput::FailOver(commits), Some(Fault::Failover))?;
            }
            Move::GiveUp(message) => step.give_up(message)?,
            Move::Go => step.state.is_fresh = false,
            Move::LoseAnswer(message) => step.lose_answer(message)?,
            Move::Pass(units) => step.pass(units)?,
            Move::Pause(client) => step.pause(client),
            Move::Poll(process) => step.serve(LocketInput::Poll(process))?,
            Move::ProcessTimer(process) => step.serve(LocketInput::Timer(process))?,
            Move::Restart(client) => step.restart(client)?,
            Move::Start(client) => step.input(client, RunnerInput::Start)?,
            Move::StartLocket(process) => step.start_locket(process)?,
            Move::Stop(client) => step.stop(client)?,
            Move::Timer(client) => step.input(client, RunnerInput::Timeout)?,
            Move::Wake(client) => step.state.clients[usize::from(client)].paused_for = None,
        }
        Ok(self.outcome)
    }

    pub(super) fn use_up(&mut self, fault: Fault) {
        self.state.used[fault as usize] += 1;
        let is_from_outside = !matches!(fault, Fault::Loss | Fault::LostAnswer);
        self.state.is_closing |= is_from_outside && !self.state.is_fresh;
    }

    /// Puts a message on its way, unless it is the one that is lost.
    pub(super) fn send(&mut self, client: u8, process: u8, body: Body) {
        self.outcome.sent = true;
        let is_lost = std::mem::take(&mut self.loses);
        let name = self.name(client, process, matches!(body, Body::Reply(_)), is_lost);
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

    /// A name for a message that is sent now.
    pub(super) fn name(&mut self, client: u8, process: u8, is_reply: bool, is_lost: bool) -> u32 {
        let name = self.model.new_name();
        self.model.log(Logged::Sent {
            name,
            client,
            process,
            is_reply,
            is_lost,
        });
        name
    }

    fn log_unheard(&mut self, message: Message, is_later: bool) {
        self.model.log(Logged::Unheard {
            client: message.client,
            process: message.process,
            is_later,
        });
    }

    /// Gives a runner an input, and sends what it calls.
    pub(super) fn input(&mut self, client: u8, input: RunnerInput) -> Result<(), NoStep> {
        let mut input = input;
        loop {
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
                None if waits => self.state.messages.push(Message {
                    client,
                    process: 0,
                    body: Body::Unsent(method),
                    is_current: true,
                    age: 0,
                    name: 0,
                }),
                None => {
                    // Its own machine tells it at once.
                    input = RunnerInput::Reply(self.model.unavailable);
                    continue;
                }
            }
            return Ok(());
        }
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
        // With one process there is nothing to remember.
        it.connection = process.filter(|_| count > 1);
        process
    }

    pub(super) fn deliver(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        match message.body {
            Body::Reply(number) => self.input(message.client, RunnerInput::Reply(number)),
            Body::Request(method) => {
                match self.ask(message, method, false)? {
                    Some(number) if message.is_current => {
                        self.send(message.client, message.process, Body::Reply(number));
                    }
                    _ => self.log_unheard(message, false),
                }
                Ok(())
            }
            Body::Held | Body::Unsent(_) => Ok(()),
        }
    }

    /// A request arrives, and its reply at the same instant.
    pub(super) fn deliver_both(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        let listens = self.state.clients[usize::from(message.client)]
            .paused_for
            .is_none();
        if let Body::Request(method) = message.body
            && let Some(number) = self.ask(message, method, false)?
        {
            if listens {
                let name = self.name(message.client, message.process, true, false);
                self.model.log(Logged::CameAtOnce { name });
                return self.input(message.client, RunnerInput::Reply(number));
            }
            self.send(message.client, message.process, Body::Reply(number));
        }
        Ok(())
    }

    /// A call reaches its process; the number of the reply.
    pub(super) fn ask(
        &mut self,
        message: Message,
        method: Method,
        answer_lost: bool,
    ) -> Result<Option<u8>, NoStep> {
        self.state.has_served = true;
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
            } else {
                self.log_unheard(message, true);
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

    /// The table or a process does what is due.
    pub(super) fn serve(&mut self, input: LocketInput) -> Result<(), NoStep> {
        self.state.has_served = true;
        self.locket(input, None)
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
