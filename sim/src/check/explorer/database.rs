//! The messages between a Locket process and the database, and their faults: a pause of the process,
//! a stalled database, a lost answer.

use super::Explorer;
use super::machines::Machines;
use super::moves::Move;
use super::state::{Body, Message, Process, State};
use super::stepping::Stepping;
use crate::check::question::bounds::Fault;
use crate::check::steps::back_end::{
    Input, InternalFacts, Lost, OperationFacts, Reception, Stage, Way,
};
use crate::check::steps::interned::NoStep;
use crate::environment::happening::{Act, Due, Node, Wait};

impl Explorer {
    pub(super) fn database_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let facts = self.locket(state);
        let arriving = facts.internal.iter().filter(|it| arrives(state, it));
        choices.extend(arriving.map(|it| {
            let (process, rank) = (it.process, it.rank);
            Move::Due(match it.stage {
                Stage::Answer => Due::Answer { process, rank },
                Stage::Query | Stage::Waiting => Due::Query { process, rank },
            })
        }));
        let operations = facts.operations.iter();
        let due = operations.filter(|it| it.due_ms == 0 && runs(state, it.process));
        choices.extend(due.map(|it| Move::Due(self.give_up(state, it))));
        match state.stalled_for {
            // One of no time changes no order that is not tried anyway.
            Some(0) => {}
            Some(_) => choices.push(Move::Due(Due::StallEnds)),
            // A stall without a query holds nothing up: it can do no more
            // than a stall that begins later.
            None if self.left(state, Fault::Stall) && self.stall > 0 => {
                choices.extend(self.may_be_asked(state).then_some(Move::Act(Act::Stall)));
            }
            None => {}
        }
        for process in 0..self.question.processes as u8 {
            match state.processes[usize::from(process)] {
                Process::Paused(0) | Process::Down(_) => {}
                Process::Paused(_) => choices.push(Move::Due(Due::Wake(Node::Locket(process)))),
                Process::Runs if self.left(state, Fault::LocketPause) && self.locket_pause > 0 => {
                    let holds_up = self.process_has_business(state, process);
                    choices
                        .extend(holds_up.then_some(Move::Act(Act::Pause(Node::Locket(process)))));
                }
                Process::Runs => {}
            }
        }
    }

    fn give_up(&self, state: &State, operation: &OperationFacts) -> Due<u8> {
        let OperationFacts { process, place, .. } = *operation;
        let wait = state.wait(operation);
        let operations = self.locket(state).operations.iter();
        let before = operations.filter(|it| it.process == process && it.place < place);
        let alike = before.filter(|it| state.wait(it) == wait);
        Due::GiveUp {
            process,
            place: alike.count() as u8,
            wait,
        }
    }

    /// A call that its client has given up, after the answer of the database was lost. When its
    /// process gives it up matters only to a drain, and as a sign of life.
    fn unheard(&self, state: &State) -> Option<OperationFacts> {
        let matters = self.keepalive || self.allowed[Fault::LocketDrain as usize] > 0;
        let mut operations = self.locket(state).operations.iter();
        operations
            .find(|it| !matters && state.wait(it) == Wait::Unheard)
            .copied()
    }

    /// Whether the database may be asked something at this instant.
    fn may_be_asked(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let asks = |number: usize| {
            let timers = [facts.timer_ms[number], facts.poll_ms[number]];
            timers.contains(&Some(0)) && runs(state, number as u8)
        };
        if self.question.bounds.slow_database() {
            return facts.internal.iter().any(|it| it.stage == Stage::Query);
        }
        let is_request = |it: &Message| matches!(it.body, Body::Request(_));
        (0..self.question.processes).any(asks) || state.messages.iter().any(is_request)
    }

    /// The path of a process's transactions. The answer travels where an event can come between: a
    /// pause of the process, or a crash that loses the answer to the client.
    pub(in crate::check) fn way(&self, state: &State) -> Way {
        let bounds = &self.question.bounds;
        if !bounds.part_process_and_database() {
            return Way::Answered;
        }
        if bounds.slow_database() {
            return Way::QueryTravels;
        }
        if state.stalled_for.is_some() {
            return Way::Waits;
        }
        let can_be_cut_off =
            bounds.locket_crashes > 0 && (bounds.lost_messages > 0 || bounds.partitions > 0);
        if self.left(state, Fault::LocketPause) || can_be_cut_off {
            Way::AnswerTravels
        } else {
            Way::Answered
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
                .any(|it| it.process == process && it.stage == Stage::Answer)
            || facts
                .operations
                .iter()
                .any(|it| it.process == process && it.due_ms == 0)
            || state.messages.iter().any(is_for_it)
            || (0..self.clients()).any(pings)
    }

    /// In how many units each message between processes and the database arrives at the latest.
    pub(super) fn units_to_internal_arrivals(&self, state: &State) -> impl Iterator<Item = u64> {
        let messages = self.locket(state).internal.iter();
        let arriving = messages.filter(|it| arrives(state, it));
        arriving.map(|it| it.left_ms.div_ceil(self.unit_ms))
    }

    /// Whether something between processes and the database has to happen before time passes.
    pub(super) fn database_is_forced(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let paused_for = |process: &Process| match process {
            Process::Paused(units) => *units >= self.locket_pause,
            Process::Down(_) | Process::Runs => false,
        };
        self.units_to_internal_arrivals(state).any(|left| left == 0)
            || facts
                .operations
                .iter()
                .any(|it| it.due_ms == 0 && runs(state, it.process))
            || state.stalled_for.is_some_and(|units| units >= self.stall)
            || state.processes.iter().any(paused_for)
    }
}

/// Whether a message between a process and the database may arrive.
fn arrives(state: &State, message: &InternalFacts) -> bool {
    match message.stage {
        Stage::Answer => runs(state, message.process),
        Stage::Query => true,
        Stage::Waiting => false,
    }
}

/// Whether a process is not paused.
pub(super) fn runs(state: &State, process: u8) -> bool {
    !matches!(state.processes[usize::from(process)], Process::Paused(_))
}

impl State {
    fn wait(&self, operation: &OperationFacts) -> Wait {
        match operation.lost {
            Some(Lost::Call { client, tag }) => {
                let is_it = |it: &Message| it.client == client && it.body == Body::Held(tag);
                let waits = self.messages.iter().any(|it| is_it(it) && it.is_current);
                if waits { Wait::Meant } else { Wait::Unheard }
            }
            Some(Lost::Deletion) => Wait::LostDeletion,
            None => Wait::Meant,
        }
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// A process gives up on what a [move](Due::GiveUp) names.
    pub(super) fn give_up(&mut self, due: Due<u8>) -> Result<(), NoStep> {
        let (explorer, state) = (&self.explorer, &*self.state);
        let mut operations = explorer.locket(state).operations.iter();
        let operation = operations.find(|it| explorer.give_up(state, it) == due);
        let Some(&OperationFacts { process, place, .. }) = operation else {
            return Ok(());
        };
        self.ask_back_end(Input::GiveUp { process, place })
    }

    pub(super) fn forget_unheard(&mut self) -> Result<(), NoStep> {
        while let Some(operation) = self.explorer.unheard(self.state) {
            let OperationFacts {
                process,
                place,
                lost,
                ..
            } = operation;
            self.state.messages.retain(|it| match it.body {
                Body::Held(tag) => {
                    let client = it.client;
                    lost != Some(Lost::Call { client, tag })
                }
                Body::FailedLocally | Body::Orphaned | Body::Reply(_) | Body::Request(_) => true,
            });
            self.ask_back_end(Input::Forget { process, place })?;
        }
        Ok(())
    }

    /// A query that has travelled arrives at the database.
    pub(super) fn query(&mut self, process: u8, rank: u8) -> Result<(), NoStep> {
        let way = match self.state.stalled_for {
            Some(_) => Way::Waits,
            None => Way::AnswerTravels,
        };
        let reception = Reception {
            way,
            ..self.reception()
        };
        self.ask_back_end(Input::Query {
            process,
            rank,
            reception,
        })
    }

    pub(super) fn stall(&mut self) {
        debug_assert_eq!(
            self.state.stalled_for, None,
            "a database that stalls does not stall again"
        );
        self.state.stalled_for = Some(0);
    }

    /// The database answers everything that waits there.
    pub(super) fn stall_ends(&mut self) -> Result<(), NoStep> {
        self.state.stalled_for = None;
        self.ask_back_end(Input::StallEnds(Reception {
            way: Way::AnswerTravels,
            ..self.reception()
        }))
    }
}
