//! The effects of a choice.

use super::machines::Machines;
use super::moves::{Fates, Move};
use super::state::{Body, Message, Process, State, TAG_MAX};
use super::{Fate, Model, Outcome, Sent};
use crate::check::question::Property;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end::{self, Answered, Reception};
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
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
    /// The fates of the messages that are sent.
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
            Move::DrainLocket(process) => step.drain_locket(process)?,
            Move::Evict => step.locket(back_end::Input::Evict, Some(Fault::RowDeletion))?,
            Move::Expire => step.locket(back_end::Input::Expire, None)?,
            Move::FailOver => {
                let commits = step.model.question.bounds.lost_commits;
                step.locket(back_end::Input::FailOver(commits), Some(Fault::Failover))?;
            }
            Move::GiveUp { process, place } => {
                step.ask_back_end(back_end::Input::GiveUp { process, place })?;
            }
            Move::GiveUpOn(message) => step.give_up_on(message),
            Move::Heal(place) => step.heal(place),
            Move::Internal(place) => step.ask_back_end(back_end::Input::Internal(place))?,
            Move::Leave(client) => step.input(client, Input::Leave)?,
            Move::LoseAnswer(place) => step.lose_answer(place)?,
            Move::Pass(units) => step.pass(units)?,
            Move::Pause(client) => step.pause(client),
            Move::PauseLocket(process) => step.pause_locket(process),
            Move::Ping(client) => step.ping(client)?,
            Move::Poll(process) => {
                let reception = step.model.reception(step.state);
                step.ask_back_end(back_end::Input::Poll(process, reception))?;
            }
            Move::ProcessTimer(process) => {
                let reception = step.model.reception(step.state);
                step.ask_back_end(back_end::Input::Timer(process, reception))?;
            }
            Move::Restart(client) => step.restart(client)?,
            Move::Stall => step.stall(),
            Move::StallEnds(lost) => step.stall_ends(lost)?,
            Move::Start(client) => step.input(client, Input::Start)?,
            Move::StartLocket(process) => step.start_locket(process)?,
            Move::Stop(client) => step.stop(client)?,
            Move::Timer(client) => step.input(client, Input::Timer)?,
            Move::Wake(client) => step.wake(client),
            Move::WakeLocket(process) => step.wake_locket(process),
        }
        self.stop_drained()?;
        self.model.note_owner(self.state);
        Ok(self.outcome)
    }

    pub(super) fn use_up(&mut self, fault: Fault) {
        debug_assert!(
            self.model.left(self.state, fault),
            "{fault:?} happens more often than the question allows"
        );
        self.state.used[fault as usize] += 1;
    }

    /// Sends a call, or the answer to a call that the client waits for.
    pub(super) fn send(&mut self, client: u8, process: u8, body: Body) {
        self.send_out(Message {
            client,
            process,
            body,
            is_current: true,
            keeps_alive: true,
            is_second: false,
            age: 0,
            name: 0,
        });
    }

    /// Answers a call, if the answer can matter.
    pub(super) fn send_reply(&mut self, call: Message, number: u8) {
        if self.model.matters(&call) {
            self.send_out(Message {
                body: Body::Reply(number),
                is_second: false,
                age: 0,
                ..call
            });
        }
    }

    /// Puts a message on its way, unless it is lost.
    fn send_out(&mut self, mut message: Message) {
        let Message {
            client,
            process,
            body,
            ..
        } = message;
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
        message.name = name;
        match fate {
            Fate::Cut => {}
            Fate::Lost => self.use_up(Fault::LostMessage),
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
        let row_is_own = self.model.owner(self.state) == Some(self.model.owners.first(client));
        if step.lost && row_is_own && self.model.question.property == Property::FalseLoss {
            self.outcome.violated = true;
        }
        let ends_life = matches!(input, Input::Crash | Input::Start);
        if step.call_is_over || ends_life {
            self.forget_calls(client, ends_life);
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
                keeps_alive: true,
                is_second: false,
                age: 0,
                name: 0,
            });
        }
        Ok(())
    }

    /// A client's calls are over: their answers are dropped, unless they show that a connection is
    /// alive.
    fn forget_calls(&mut self, client: u8, ends_life: bool) {
        let Self { model, state, .. } = self;
        state.messages.retain_mut(|message| {
            if message.client != client {
                return true;
            }
            message.is_current = false;
            message.keeps_alive &= !ends_life;
            match message.body {
                Body::Held(_) | Body::Request(_) => true,
                Body::FailedLocally => false,
                Body::Orphaned | Body::Reply(_) => model.matters(message),
                Body::Unanswered(_) => model.is_kept(message),
            }
        });
    }

    pub(super) fn deliver(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        let Message {
            client,
            process,
            body,
            is_current,
            ..
        } = message;
        let reply = |number, from| Input::Reply { number, from };
        match body {
            Body::FailedLocally => self.input(client, reply(UNAVAILABLE, None)),
            Body::Orphaned => {
                // A process that started meanwhile knows nothing of that connection.
                if let Process::Down(_) = self.state.processes[usize::from(process)] {
                    self.send_reply(message, UNAVAILABLE);
                }
                Ok(())
            }
            Body::Reply(_) if !is_current => self.input(client, Input::Hear { from: process }),
            Body::Reply(number) => self.input(client, reply(number, Some(process))),
            Body::Request(method) => {
                let reception = self.model.reception(self.state);
                self.ask(message, method, reception)
            }
            Body::Held(_) | Body::Unanswered(_) => Ok(()),
        }
    }

    /// A call reaches its process.
    pub(super) fn ask(
        &mut self,
        call: Message,
        method: Method,
        reception: Reception,
    ) -> Result<(), NoStep> {
        let Message {
            client, process, ..
        } = call;
        let held = |tag| {
            let mut messages = self.state.messages.iter();
            messages.any(|it| it.client == client && it.body == Body::Held(tag))
        };
        let Some(tag) = (0..=TAG_MAX).find(|&tag| !held(tag)) else {
            return Err(NoStep);
        };
        self.state.messages.push(Message {
            body: Body::Held(tag),
            is_second: false,
            age: 0,
            ..call
        });
        self.ask_back_end(back_end::Input::Request {
            process,
            client,
            method,
            tag,
            reception,
        })
    }

    /// Gives Locket an input, and sends what it answers.
    pub(super) fn ask_back_end(&mut self, input: back_end::Input) -> Result<(), NoStep> {
        let step = self.model.back_end_step(self.state.back_end, input)?;
        self.state.back_end = step.next;
        let Some(Answered {
            client,
            tag,
            number,
        }) = step.answer
        else {
            return Ok(());
        };
        let is_it = |it: &Message| it.client == client && it.body == Body::Held(tag);
        if let Some(place) = self.state.messages.iter().position(is_it) {
            let held = self.state.messages.swap_remove(place);
            self.send_reply(held, number);
        }
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
        self.ask_back_end(input)
    }
}
