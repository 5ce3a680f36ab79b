//! What follows from a choice.

use super::machines::Machines;
use super::{Fate, Model, Outcome, Sent};
use crate::check::back_end;
use crate::check::clients::Input;
use crate::check::interned::NoStep;
use crate::check::moves::{Fates, Move};
use crate::check::question::Property;
use crate::check::replies::{DEADLINE_EXCEEDED, UNAVAILABLE};
use crate::check::bounds::Fault;
use crate::check::state::{Body, Message, State};
use crate::node::client::Departure;
use crate::protocol::message::Method;

impl Model {
    /// Does what was chosen.
    pub(in crate::check) fn apply(
        &mut self,
        state: &mut State,
        what: Move,
        fates: Fates,
    ) -> Result<Outcome, NoStep> {
        Stepping::new(&mut { self }, state, fates).take(what)
    }
}

/// A state about to change.
pub(in crate::check) struct Stepping<'a, M> {
    pub(super) model: &'a mut M,
    pub(super) state: &'a mut State,
    /// What becomes of the messages that are sent.
    fates: Fates,
    pub(super) outcome: Outcome,
}

impl<'a, M: Machines> Stepping<'a, M> {
    pub(in crate::check) fn new(model: &'a mut M, state: &'a mut State, fates: Fates) -> Self {
        Self {
            model,
            state,
            fates,
            outcome: Outcome::default(),
        }
    }

    pub(in crate::check) fn take(mut self, what: Move) -> Result<Outcome, NoStep> {
        let step = &mut self;
        match what {
            Move::Crash(client) => step.crash(client)?,
            Move::CrashLocket(process) => step.crash_locket(process)?,
            Move::Deliver(message) => step.deliver(message)?,
            Move::Cut {
                client,
                process,
                ways,
            } => step.cut(client, process, ways),
            Move::Evict => step.locket(back_end::Input::Evict, Some(Fault::Eviction))?,
            Move::Expire => step.locket(back_end::Input::Expire, None)?,
            Move::FailOver => {
                let commits = step.model.question.bounds.failover_commits;
                step.locket(back_end::Input::FailOver(commits), Some(Fault::Failover))?;
            }
            Move::GiveUp(message) => step.give_up(message)?,
            Move::Heal(place) => step.heal(place),
            Move::Leave(client) => step.input(client, Input::Leave)?,
            Move::LoseAnswer(message) => step.lose_answer(message)?,
            Move::Pass(units) => step.pass(units)?,
            Move::Pause(client) => step.pause(client),
            Move::Ping(client) => step.ping(client)?,
            Move::Poll(process) => step.locket(back_end::Input::Poll(process), None)?,
            Move::ProcessTimer(process) => step.locket(back_end::Input::Timer(process), None)?,
            Move::Restart(client) => step.restart(client)?,
            Move::Start(client) => step.input(client, Input::Start)?,
            Move::StartLocket(process) => step.start_locket(process)?,
            Move::Stop(client) => step.stop(client)?,
            Move::Timer(client) => step.input(client, Input::Timer)?,
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
        let is_reply = matches!(body, Body::Reply(_));
        let name = self.model.new_name();
        let fate = if self.state.is_cut(client, process, is_reply) {
            Fate::Cut
        } else {
            let bit = 1_u8 << self.outcome.sent;
            self.outcome.sent += 1;
            match (self.fates.lost & bit != 0, self.fates.twice & bit != 0) {
                (true, _) => Fate::Lost,
                (false, is_twice) => Fate::Sent {
                    second: is_twice.then(|| self.model.new_name()),
                },
            }
        };
        self.model.log(Sent {
            name,
            client,
            process,
            is_reply,
            fate,
        });
        let message = Message {
            client,
            process,
            body,
            is_current: true,
            is_second: false,
            age: 0,
            name,
        };
        match fate {
            Fate::Cut => {}
            Fate::Lost => self.use_up(Fault::Loss),
            Fate::Sent { second } => {
                self.state.messages.push(message);
                if let Some(name) = second {
                    self.use_up(Fault::Duplicate);
                    self.state.messages.push(Message {
                        is_second: true,
                        name,
                        ..message
                    });
                }
            }
        }
    }

    /// Gives a client an input, and sends what it calls.
    pub(super) fn input(&mut self, client: u8, input: Input) -> Result<(), NoStep> {
        let index = usize::from(client);
        let accepting = self.model.locket(self.state).accepting;
        let before = self.state.clients[index].id;
        let step = self.model.client_step(index, before, input, accepting)?;
        self.state.clients[index].id = step.next;
        let row_is_own = self.model.owner(self.state) == Some(client);
        if step.lost && row_is_own && self.model.question.property == Property::FalseLoss {
            self.outcome.violated = true;
        }
        if step.call_is_over {
            self.forget_calls(client);
        }
        if let Some((method, Departure::Leaves(to))) = step.call {
            self.send(client, to.process as u8, Body::Request(method));
        }
        if step.call_failed {
            self.state.messages.push(Message {
                client,
                process: 0,
                body: Body::FailedLocally,
                is_current: true,
                is_second: false,
                age: 0,
                name: 0,
            });
        }
        Ok(())
    }

    /// Nobody waits for a client's calls any more: what comes back of them is dropped.
    fn forget_calls(&mut self, client: u8) {
        self.state.messages.retain_mut(|message| {
            if message.client != client {
                return true;
            }
            message.is_current = false;
            matches!(message.body, Body::Request(_))
        });
    }

    pub(super) fn deliver(&mut self, index: u8) -> Result<(), NoStep> {
        let Message {
            client,
            process,
            body,
            is_current,
            ..
        } = self.state.messages.swap_remove(usize::from(index));
        let told = |number, from| Input::Reply { number, from };
        match body {
            Body::FailedLocally => self.input(client, told(UNAVAILABLE, None)),
            Body::Orphaned => {
                // A process that started meanwhile knows nothing of that connection.
                if !self.model.locket(self.state).runs[usize::from(process)] {
                    self.send(client, process, Body::Reply(UNAVAILABLE));
                }
                Ok(())
            }
            Body::Reply(number) => self.input(client, told(number, Some(process))),
            Body::Request(method) => {
                if let Some(number) = self.ask(client, process, method, false)?
                    && is_current
                {
                    self.send(client, process, Body::Reply(number));
                }
                Ok(())
            }
            Body::Held => Ok(()),
        }
    }

    /// A call reaches its process; the number of the reply.
    fn ask(
        &mut self,
        client: u8,
        process: u8,
        method: Method,
        answer_lost: bool,
    ) -> Result<Option<u8>, NoStep> {
        let input = back_end::Input::Request {
            process,
            client,
            method,
            answer_lost,
        };
        let step = self.model.back_end_step(self.state.back_end, input)?;
        self.state.back_end = step.next;
        Ok(step.answer)
    }

    /// The database commits a call, and its process never hears of it.
    pub(super) fn lose_answer(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        self.use_up(Fault::LostAnswer);
        if let Body::Request(method) = message.body {
            self.ask(message.client, message.process, method, true)?;
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
        self.send(
            message.client,
            message.process,
            Body::Reply(DEADLINE_EXCEEDED),
        );
        Ok(())
    }

    pub(super) fn locket(
        &mut self,
        input: back_end::Input,
        fault: Option<Fault>,
    ) -> Result<(), NoStep> {
        if let Some(fault) = fault {
            self.use_up(fault);
        }
        self.state.back_end = self.model.back_end_step(self.state.back_end, input)?.next;
        Ok(())
    }
}
