//! The effects of a choice.

use super::machines::Machines;
use super::message::{Body, Message, TAG_MAX};
use super::moves::{Fates, Move};
use super::state::State;
use super::{Explorer, Outcome};
use crate::check::question::Property;
use crate::check::question::faults::Fault;
use crate::check::steps::back_end::{self, Answered, Reception};
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
use crate::environment::acts::{Act, Happening};
use crate::environment::happening::{Due, Node};
use crate::environment::rules::answers_ping;
use crate::protocol::message::Method;

impl Explorer {
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
    pub(super) explorer: &'a mut M,
    pub(super) state: &'a mut State,
    /// The fates of the messages that are sent.
    pub(super) fates: Fates,
    pub(super) outcome: Outcome,
}

impl<'a, M: Machines> Stepping<'a, M> {
    pub(in crate::check) fn new(explorer: &'a mut M, state: &'a mut State, fates: Fates) -> Self {
        Self { explorer, state, fates, outcome: Outcome::default() }
    }

    pub(in crate::check) fn take(mut self, what: Move) -> Result<Outcome, NoStep> {
        let writes = self.explorer.storage.is_some();
        let deciding = match writes {
            true => self.explorer.deciding(self.state),
            false => 0,
        };
        match what {
            Happening::Act(act) => self.act(act)?,
            Happening::Due(due) => self.happen(due)?,
            Happening::Pass(units) => self.pass(units)?,
        }
        self.stop_drained()?;
        self.forget_unheard()?;
        self.explorer.note_owner(self.state);
        self.explorer.note_last_owner(self.state);
        if self.state.woken != 0 {
            self.explorer.note_rested(self.state);
        }
        if writes {
            self.outcome.wrong_write = self.explorer.note_writes(self.state, deciding, what);
            self.outcome.violated |= self.outcome.wrong_write.is_some();
        }
        self.refuse_growth()?;
        debug_assert!(
            self.explorer.now(self.state).agrees(),
            "conditions and machines say the same"
        );
        debug_assert!(
            self.fates.unanswered == 0 && self.outcome.sent.jitter == 0
                || self.outcome.sent.messages == 0,
            "a process that is not answered sends nothing, and neither does a client that waits"
        );
        Ok(self.outcome)
    }

    /// An event that comes by itself.
    fn happen(&mut self, due: Due<u8>) -> Result<(), NoStep> {
        match due {
            Due::Answer { process, rank } => {
                self.ask_back_end(back_end::Input::Answer { process, rank })
            }
            Due::Arrive(message) => self.arrive(message),
            Due::CallLeaves(client) => self.input(client, Input::Connect),
            Due::Commit { process, rank } => self.commit(process, rank),
            Due::Expire => self.ask_back_end(back_end::Input::Expire),
            Due::FailLocally(client) => self.hear_failure(client),
            Due::GiveUp { .. } => self.give_up(due),
            Due::Grant { process, rank } => {
                self.ask_back_end(back_end::Input::Grant { process, rank })
            }
            Due::Others(what) => self.others_do(what),
            Due::Ping(client) => {
                let now = self.explorer.now(self.state);
                let is_answered = !self.explorer.is_loose && answers_ping(&now, client.into());
                self.input(client, Input::Ping { is_answered })
            }
            Due::Poll(process) => {
                self.ask_back_end(back_end::Input::Poll(process, self.reception()))
            }
            Due::ProcessTimer(process) => {
                self.ask_back_end(back_end::Input::Timer(process, self.reception()))
            }
            Due::Query { process, rank } => self.query(process, rank),
            Due::StallEnds => self.stall_ends(),
            Due::Start(client) => self.input(client, Input::Start),
            Due::Timer(client) => self.input(client, Input::Timer),
            Due::Wake(node) => {
                self.wake(node);
                Ok(())
            }
        }
    }

    pub(super) fn use_up(&mut self, fault: Fault) {
        debug_assert!(
            self.explorer.left(self.state, fault),
            "{fault:?} happens more often than the question allows"
        );
        let used = self.state.used.of(fault);
        let used = match (self.explorer.is_any(fault), fault) {
            (false, _) => used + 1,
            // Whose turn it is counts.
            (true, Fault::LocketDrain) => (used + 1) % self.explorer.question.processes as u8,
            (true, _) => 0,
        };
        self.state.used.set(fault, used);
    }

    /// The path of the transactions of a process, and which of the answers are lost.
    pub(super) fn reception(&self) -> Reception {
        Reception { way: self.explorer.way(self.state), lost: self.fates.unanswered }
    }

    /// Gives a client an input, and sends what it calls.
    pub(super) fn input(&mut self, client: u8, input: Input) -> Result<(), NoStep> {
        let index = usize::from(client);
        let accepting = self.explorer.locket(self.state).accepting;
        let before = self.state.clients[index];
        let mut step = self.explorer.client_step(index, before, input, accepting)?;
        if step.jitter > 0 {
            self.outcome.sent.jitter = step.jitter;
            let later = Input::Defer(self.fates.jitter);
            step.next = self.explorer.client_step(index, step.next, later, accepting)?.next;
        }
        self.state.clients[index] = step.next;
        let row_is_own =
            self.explorer.owner(self.state) == Some(self.explorer.owners.first(client));
        if step.lost && row_is_own && self.explorer.question.property == Property::FalseLoss {
            self.outcome.violated = true;
        }
        self.state.had_owner |= step.acquired && self.explorer.question.property.counts_acquiring();
        let ends_session = matches!(input, Input::Crash | Input::Disconnect | Input::Start);
        if step.is_over || ends_session {
            self.forget_calls(client, ends_session);
        }
        if self.explorer.storage.is_some() {
            self.explorer.note_renewal(self.state, client, &step);
        }
        if let Some(call) = step.leaving {
            self.send(client, call.process, Body::Request(call.method));
        }
        if step.failed {
            self.fail_locally(client);
        }
        Ok(())
    }

    /// A client learns by its own connection that there is no process.
    fn hear_failure(&mut self, client: u8) -> Result<(), NoStep> {
        let fails = |it: &Message| it.client == client && it.body == Body::FailedLocally;
        if let Some(place) = self.state.messages.iter().position(fails) {
            self.state.messages.swap_remove(place);
        }
        self.input(client, Input::Reply { number: UNAVAILABLE, from: None })
    }

    fn arrive(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages[usize::from(index)];
        if !self.explorer.is_repeated(&message) {
            self.state.messages.swap_remove(usize::from(index));
        }
        let Message { client, process, body, is_current, .. } = message;
        match body {
            Body::Orphaned => {
                // A process that started meanwhile knows nothing of that connection.
                if self.state.has(Act::Crash(Node::Locket(process))) {
                    self.send_reply(message, UNAVAILABLE);
                }
                Ok(())
            }
            Body::Reply(_) if !is_current => self.input(client, Input::Hear(process)),
            Body::Reply(number) => self.input(client, Input::Reply { number, from: Some(process) }),
            Body::Request(method) => self.ask(message, method),
            Body::FailedLocally | Body::Held(_) => Ok(()),
        }
    }

    /// A call reaches its process.
    fn ask(&mut self, call: Message, method: Method) -> Result<(), NoStep> {
        let Message { client, process, .. } = call;
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
            reception: self.reception(),
        })
    }

    /// Gives Locket an input, and sends what it answers.
    pub(super) fn ask_back_end(&mut self, input: back_end::Input) -> Result<(), NoStep> {
        let input = self.input_among_others(input);
        let step = self.explorer.back_end_step(self.state.back_end, input)?;
        self.state.back_end = step.next;
        self.outcome.sent.answers += step.transactions;
        for _ in 0..self.fates.unanswered.count_ones().min(step.transactions.into()) {
            self.use_up(Fault::LostReply);
        }
        let Some(Answered { client, tag, number }) = step.answer else {
            return Ok(());
        };
        let is_it = |it: &Message| it.client == client && it.body == Body::Held(tag);
        if let Some(place) = self.state.messages.iter().position(is_it) {
            let held = self.state.messages.swap_remove(place);
            self.send_reply(held, number);
        }
        Ok(())
    }
}
