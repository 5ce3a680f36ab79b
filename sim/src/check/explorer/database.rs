//! The messages between a Locket process and the database, and their faults: a database that stalls
//! or is down, a lost answer.

use super::Explorer;
use super::machines::Machines;
use super::message::{Body, Message};
use super::moves::Move;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::faults::Fault;
use crate::check::steps::back_end::{
    Input, InternalFacts, Lost, OperationFacts, Reception, RowFacts, Stage, Way,
};
use crate::check::steps::clock::units;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Act;
use crate::environment::happening::{Due, Node, Wait};

impl Explorer {
    pub(super) fn database_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let facts = self.locket(state);
        let arriving = facts.internal.iter().filter(|it| arrives(state, it));
        choices.extend(arriving.map(|it| {
            let (process, rank) = (it.process, it.rank);
            Move::Due(match it.stage {
                Stage::Answer => Due::Answer { process, rank },
                Stage::Query => Due::Query { process, rank },
            })
        }));
        choices.extend(self.row_transactions(state).map(|it| {
            let RowFacts { process, rank, .. } = *it;
            Move::Due(match it.due_ms {
                Some(_) => Due::Commit { process, rank },
                None => Due::Grant { process, rank },
            })
        }));
        let operations = facts.operations.iter();
        let due = operations.filter(|it| self.gives_up_now(state, it));
        choices.extend(due.map(|it| Move::Due(self.give_up(state, it))));
    }

    /// The transactions that may commit or get their row now. A database that stalls does neither.
    fn row_transactions(&self, state: &State) -> impl Iterator<Item = &RowFacts> {
        let facts = self.locket(state);
        let all = facts.row_transactions.iter();
        all.filter(|_| !facts.is_stalled)
    }

    /// In how many milliseconds each transaction that holds a row commits at the latest.
    pub(super) fn ms_to_commits(&self, state: &State) -> impl Iterator<Item = u64> {
        self.row_transactions(state).filter_map(|it| it.due_ms)
    }

    fn give_up(&self, state: &State, operation: &OperationFacts) -> Due<u8> {
        let OperationFacts { process, place, .. } = *operation;
        let wait = state.wait(operation);
        let operations = self.locket(state).operations.iter();
        let before = operations.filter(|it| it.process == process && it.place < place);
        let alike = before.filter(|it| state.wait(it) == wait);
        Due::GiveUp { process, place: alike.count() as u8, wait }
    }

    /// A call that its client has given up, after the answer of the database was lost. When its
    /// process gives it up matters only to a drain, and as a sign of life.
    fn unheard(&self, state: &State) -> Option<OperationFacts> {
        let operations = &self.locket(state).operations;
        if operations.is_empty() {
            return None;
        }
        let matters =
            self.keepalive || self.is_loose || self.allowed[Fault::LocketDrain as usize] > 0;
        let mut operations = operations.iter();
        operations.find(|it| !matters && state.wait(it) == Wait::Unheard).copied()
    }

    /// True if the database may be asked something at this instant.
    pub(super) fn may_be_asked(&self, state: &State) -> bool {
        let facts = self.locket(state);
        if !facts.row_transactions.is_empty() {
            return true;
        }
        if self.question.bounds.slow_database() {
            return facts.internal.iter().any(|it| it.stage == Stage::Query);
        }
        let is_request = |it: &Message| matches!(it.body, Body::Request(_));
        self.process_is_due(state) || state.messages.iter().any(is_request)
    }

    /// True if the database does something at this instant, or something waits for it. While it is down
    /// no process starts, either (S27).
    pub(super) fn database_has_business(&self, state: &State) -> bool {
        self.may_be_asked(state)
            || self.locket(state).expiry_is_due
            || self.locket(state).has_waiting
            || self.process_has_to_start(state)
    }

    /// The path of a process's transactions. The answer travels where an event can come between: a
    /// pause of the process, or a crash that loses the answer to the client.
    pub(in crate::check) fn way(&self, state: &State) -> Way {
        let is_parted = self.may_be_parted || self.left(state, Fault::LocketPause);
        match self.longest_way {
            Way::AnswerTravels if !is_parted => Way::Answered,
            Way::Answered | Way::AnswerTravels | Way::QueryTravels => self.longest_way,
        }
    }

    /// In how many units each message between processes and the database arrives at the latest.
    pub(super) fn units_to_internal_arrivals(&self, state: &State) -> impl Iterator<Item = u32> {
        let messages = self.locket(state).internal.iter();
        let arriving = messages.filter(|it| arrives(state, it));
        arriving.map(|it| units(it.left_ms, self.unit_ms))
    }

    /// True if something between processes and the database has to happen before time passes.
    pub(super) fn database_is_forced(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let mut operations = facts.operations.iter();
        self.units_to_internal_arrivals(state).any(|left| left == 0)
            || operations.any(|it| self.gives_up_now(state, it))
            || self.row_transactions(state).any(|it| it.due_ms.is_none_or(|ms| ms == 0))
    }

    fn gives_up_now(&self, state: &State, operation: &OperationFacts) -> bool {
        operation.due_ms == 0 && !state.is_paused(Node::Locket(operation.process))
    }
}

/// True if a message between a process and the database may arrive.
fn arrives(state: &State, message: &InternalFacts) -> bool {
    match message.stage {
        Stage::Answer => !state.is_paused(Node::Locket(message.process)),
        Stage::Query => true,
    }
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
            let OperationFacts { process, place, lost, .. } = operation;
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
        let reception = self.answer_travels();
        self.ask_back_end(Input::Query { process, rank, reception })
    }

    /// A transaction that holds its row commits.
    pub(super) fn commit(&mut self, process: u8, rank: u8) -> Result<(), NoStep> {
        let reception = self.answer_travels();
        self.ask_back_end(Input::Commit { process, rank, reception })
    }

    pub(super) fn stall(&mut self) -> Result<(), NoStep> {
        self.state.begin(Act::Stall);
        self.ask_back_end(Input::Stall)
    }

    /// The database answers everything that waits there.
    pub(super) fn stall_ends(&mut self) -> Result<(), NoStep> {
        if self.explorer.has_others() {
            return self.stall_ends_among_others();
        }
        self.state.end(|what| what == Act::Stall);
        self.ask_back_end(Input::StallEnds(self.answer_travels()))
    }

    /// The database crashes, which ends its stall.
    pub(super) fn crash_database(&mut self) -> Result<(), NoStep> {
        self.state.end(|what| what == Act::Stall);
        self.state.begin(Act::Crash(Node::Database));
        self.ask_back_end(Input::CrashDatabase)
    }

    pub(super) fn answer_travels(&self) -> Reception {
        Reception { way: Way::AnswerTravels, ..self.reception() }
    }
}
