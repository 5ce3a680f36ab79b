//! The faults between a Locket process and the database: a pause of the process, a stalled
//! database, a lost answer.

use super::Model;
use super::machines::Machines;
use super::moves::Move;
use super::state::{Body, Message, Process, State};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end::{Input, InternalFacts, Reception};
use crate::check::steps::interned::NoStep;

impl Model {
    pub(super) fn database_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let facts = self.locket(state);
        for (place, message) in (0_u8..).zip(&facts.internal) {
            choices.extend(
                self.arrives(state, message)
                    .then_some(Move::Internal(place)),
            );
        }
        for &(process, place, due_ms) in &facts.operations {
            if due_ms == 0 && runs(state, process) {
                choices.push(Move::GiveUp { process, place });
            }
        }
        match state.stalled_for {
            // One of no time changes no order that is not tried anyway.
            Some(0) => {}
            Some(_) => self.stall_ends(state, choices),
            // A stall without a query holds nothing up: it can do no more
            // than a stall that begins later.
            None if self.left(state, Fault::Stall) && self.stall > 0 => {
                choices.extend(self.may_be_asked(state).then_some(Move::Stall));
            }
            None => {}
        }
        for process in 0..self.question.processes as u8 {
            match state.processes[usize::from(process)] {
                Process::Paused(0) | Process::Down(_) => {}
                Process::Paused(_) => choices.push(Move::WakeLocket(process)),
                Process::Runs if self.left(state, Fault::LocketPause) && self.locket_pause > 0 => {
                    let holds_up = self.process_has_business(state, process);
                    choices.extend(holds_up.then_some(Move::PauseLocket(process)));
                }
                Process::Runs => {}
            }
        }
    }

    /// The database goes on, and any of the answers that it gives then may be lost.
    fn stall_ends(&self, state: &State, choices: &mut Vec<Move>) {
        let left = self.fault_left(state, Fault::LostReply);
        let waiting = self.locket(state).waiting.min(u16::BITS as u8 - 1);
        let losses = (0..1_u16 << waiting).filter(|lost| lost.count_ones() <= left.into());
        choices.extend(losses.map(Move::StallEnds));
    }

    /// Whether the database may be asked something at this instant.
    fn may_be_asked(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let asks = |number: usize| {
            let timers = [facts.timer_ms[number], facts.poll_ms[number]];
            timers.contains(&Some(0)) && runs(state, number as u8)
        };
        let is_request = |it: &Message| matches!(it.body, Body::Request(_));
        (0..self.question.processes).any(asks) || state.messages.iter().any(is_request)
    }

    /// The path of a process's transactions. The answer travels where an event can come between: a
    /// pause of the process, or a crash that loses the answer to the client.
    pub(in crate::check) fn reception(&self, state: &State) -> Reception {
        let bounds = &self.question.bounds;
        if !bounds.part_process_and_database() {
            return Reception::Answered;
        }
        if state.stalled_for.is_some() {
            return Reception::Waits;
        }
        let can_be_cut_off =
            bounds.locket_crashes > 0 && (bounds.lost_messages > 0 || bounds.partitions > 0);
        if self.left(state, Fault::LocketPause) || can_be_cut_off {
            Reception::AnswerTravels
        } else {
            Reception::Answered
        }
    }

    /// Whether a pause of a process that begins now holds something up; see that of clients.
    fn process_has_business(&self, state: &State, process: u8) -> bool {
        let facts = self.locket(state);
        let number = usize::from(process);
        let is_for_it = |message: &Message| {
            let is_on_its_way = matches!(message.body, Body::Request(_));
            message.process == process && is_on_its_way
        };
        // A ping that is not answered needs nothing else to go wrong.
        let pings = |client: usize| self.ping_is_due(client, state);
        facts.timer_ms[number] == Some(0)
            || facts.poll_ms[number] == Some(0)
            || facts
                .internal
                .iter()
                .any(|it| it.process == process && it.is_answer)
            || facts
                .operations
                .iter()
                .any(|it| it.0 == process && it.2 == 0)
            || state.messages.iter().any(is_for_it)
            || (0..self.clients()).any(pings)
    }

    /// Whether an answer of the database may arrive.
    fn arrives(&self, state: &State, message: &InternalFacts) -> bool {
        message.is_answer && runs(state, message.process)
    }

    /// Whether something between processes and the database has to happen before time passes.
    pub(super) fn database_is_forced(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let paused_for = |process: &Process| match process {
            Process::Paused(units) => *units >= self.locket_pause,
            Process::Down(_) | Process::Runs => false,
        };
        facts.internal.iter().any(|it| self.arrives(state, it))
            || facts
                .operations
                .iter()
                .any(|it| it.2 == 0 && runs(state, it.0))
            || state.stalled_for.is_some_and(|units| units >= self.stall)
            || state.processes.iter().any(paused_for)
    }
}

/// Whether a process is not paused.
pub(super) fn runs(state: &State, process: u8) -> bool {
    !matches!(state.processes[usize::from(process)], Process::Paused(_))
}

impl<M: Machines> Stepping<'_, M> {
    /// The database commits a call, and the answer to its process is lost.
    pub(super) fn lose_answer(&mut self, index: u8) -> Result<(), NoStep> {
        let message = self.state.messages.swap_remove(usize::from(index));
        self.use_up(Fault::LostReply);
        let Body::Request(method) = message.body else {
            return Ok(());
        };
        if self.model.question.bounds.part_process_and_database() {
            // The process knows what it waits for, and gives up by itself.
            return self.ask(message, method, Reception::AnswerLost);
        }
        let step = self.model.back_end_step(
            self.state.back_end,
            Input::Request {
                process: message.process,
                client: message.client,
                method,
                tag: 0,
                reception: Reception::AnswerLost,
            },
        )?;
        self.state.back_end = step.next;
        if self.model.is_kept(&message) {
            self.state.messages.push(Message {
                body: Body::Unanswered(step.answer.map_or(0, |it| it.number)),
                age: 0,
                ..message
            });
        }
        Ok(())
    }

    /// A process has waited too long for the database.
    pub(super) fn give_up_on(&mut self, index: u8) {
        let message = self.state.messages.swap_remove(usize::from(index));
        if let Body::Unanswered(number) = message.body {
            self.send_reply(message, number);
        }
    }

    pub(super) fn stall(&mut self) {
        debug_assert_eq!(
            self.state.stalled_for, None,
            "a database that stalls does not stall again"
        );
        self.use_up(Fault::Stall);
        self.state.stalled_for = Some(0);
    }

    pub(super) fn stall_ends(&mut self, lost: u16) -> Result<(), NoStep> {
        debug_assert!(
            lost >> self.model.locket(self.state).waiting == 0,
            "only a query that waits has an answer that can be lost"
        );
        self.state.stalled_for = None;
        for _ in 0..lost.count_ones() {
            self.use_up(Fault::LostReply);
        }
        self.ask_back_end(Input::StallEnds(lost))
    }

    pub(super) fn pause_locket(&mut self, process: u8) {
        debug_assert!(
            runs(self.state, process),
            "a process that is paused is not paused again"
        );
        self.use_up(Fault::LocketPause);
        self.state.processes[usize::from(process)] = Process::Paused(0);
    }

    pub(super) fn wake_locket(&mut self, process: u8) {
        self.state.processes[usize::from(process)] = Process::Runs;
    }
}
