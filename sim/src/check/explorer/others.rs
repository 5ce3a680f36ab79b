//! Any number of other clients: all that one client can notice of them.
//!
//! A client notices others by the row, by which of its queries come before or after theirs, and by
//! how long a process drains. Their messages, links, clocks, pauses and timers touch only them.
//!
//! * A row that is not theirs they cannot change: Lock and Release of another owner's row are
//!   refused, and a timer deletes only the owner, id and index that it remembers.
//! * To a free key or a row of theirs they do any sequence of *take*, *renew* and *drop*, at each
//!   instant at which the database can execute a query. So whatever clients do in a world of many,
//!   one of them has the same states and inputs in this world.
//! * Between two events no move is needed: a client sees the row only by its own queries.

use super::Explorer;
use super::machines::Machines;
use super::moves::Move;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::faults::{Among, Fault};
use crate::check::steps::back_end::Input;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Act;
use crate::environment::happening::{Due, Node, Others};
use crate::environment::rules::has_drained;

/// The most messages in a state of one client: more is growth without an end.
const MESSAGES_MAX: usize = 32;

impl Input {
    /// The input among others. A new one has to be thought about here: whether queries of others come
    /// within it.
    const fn among_others(self) -> Self {
        match self {
            // Their queries come in between, so each of its own is answered by itself.
            Self::StallEnds(reception) => Self::StallEndsByOne(reception),
            // It executes one query at most, before and after which moves of others are tried, or
            // none.
            Self::Answer { .. }
            | Self::Commit { .. }
            | Self::Crash(_)
            | Self::CrashDatabase
            | Self::DeleteRow
            | Self::Drain(_)
            | Self::Expire
            | Self::FailOver(_)
            | Self::Forget { .. }
            | Self::GiveUp { .. }
            | Self::Grant { .. }
            | Self::Others { .. }
            | Self::Pass(_)
            | Self::Poll(..)
            | Self::Query { .. }
            | Self::Request { .. }
            | Self::Stall
            | Self::StallEndsByOne(_)
            | Self::Start(_)
            | Self::StartDatabase => self,
            // The timers that are due at one instant delete rows of one owner.
            Self::Timer(..) => self,
        }
    }
}

impl Explorer {
    /// True if there are others beside the one client.
    pub(super) const fn has_others(&self) -> bool {
        self.local.is_some()
    }

    /// True if a fault of a kind may happen at all.
    fn allows(&self, among: Among) -> bool {
        self.faults.iter().any(|it| it.among_others() == among)
    }

    /// The moves of others.
    pub(super) fn moves_of_others(&self, state: &State, choices: &mut Vec<Move>) {
        if !self.has_others() || !self.executes_queries(state) {
            return;
        }
        let facts = self.locket(state);
        let mut add = |what| choices.push(Move::Due(Due::Others(what)));
        if facts.is_foreign {
            add(Others::Drop);
            if self.allows(Among::Commits) && self.may_ask(state) {
                add(Others::Renew);
            }
        } else if facts.is_absent && self.may_ask(state) {
            add(Others::Take);
        } else if facts.lease_is_over && self.may_ask(state) {
            add(Others::Expire);
        }
    }

    /// True if the database executes queries at this instant: a stalled database does so as its
    /// stall ends, one query at a time.
    fn executes_queries(&self, state: &State) -> bool {
        !state.has(Act::Crash(Node::Database))
            && (!state.has(Act::Stall) || self.is_stall_over(state))
    }

    /// True if a stall is ending: no time passes until all queries that have waited are executed.
    pub(super) fn is_stall_over(&self, state: &State) -> bool {
        let longest = self.lengths[Fault::Stall as usize];
        let mut lasting = state.lasting.iter();
        lasting.any(|it| it.what == Act::Stall && it.age == longest)
    }

    /// True if a query of others may be at the database: it comes from a process that runs, or has
    /// travelled, or has waited for the end of a stall and its process is still up.
    fn may_ask(&self, state: &State) -> bool {
        let has_waited = state.has(Act::Stall);
        let asks = |process: u8| {
            let node = Node::Locket(process);
            let is_up = !state.has(Act::Crash(node));
            is_up && (has_waited || !state.is_paused(node))
        };
        self.question.bounds.slow_database() || (0..self.question.processes as u8).any(asks)
    }

    /// Notes whether another client was the last to have the row.
    pub(super) fn note_last_owner(&self, state: &mut State) {
        if self.has_others() && self.asks_for_last_owner() {
            let facts = self.locket(state);
            if facts.is_foreign || facts.owner.is_some() {
                state.had_owner = facts.is_foreign;
            }
        }
    }

    /// True if a process that drains has to stop before time passes: others have no call there any
    /// more, and neither has the client.
    pub(super) fn drain_is_over(&self, state: &State) -> bool {
        state.lasting.iter().any(|it| {
            let Act::Drain(process) = it.what else {
                return false;
            };
            it.age >= self.calls_of_others
                && !self.lasts_any_time(it.what)
                && !state.is_paused(Node::Locket(process))
                && has_drained(&self.now(state), process.into())
        })
    }
}

impl<M: Machines> Stepping<'_, M> {
    pub(super) fn others_do(&mut self, what: Others) -> Result<(), NoStep> {
        let has_row = match what {
            Others::EndCalls { process } => {
                if self.stop_if_drained(process)? {
                    self.detach(process)?;
                }
                return Ok(());
            }
            Others::Drop | Others::Expire => false,
            Others::Renew | Others::Take => true,
        };
        self.ask_back_end(Input::Others { has_row })
    }

    /// An input of Locket, among others or not.
    pub(super) fn input_among_others(&self, input: Input) -> Input {
        match self.explorer.has_others() {
            true => input.among_others(),
            false => input,
        }
    }

    /// Among others, a process drains at least for as long as they have calls, and stops as they
    /// [end](Others::EndCalls).
    pub(super) fn begin_drain_among_others(&mut self, process: u8) {
        if self.explorer.has_others() {
            self.state.begin(Act::Drain(process));
        }
    }

    /// A stall begins to end, which is noted by its age, or goes on to end by one query.
    pub(super) fn stall_ends_among_others(&mut self) -> Result<(), NoStep> {
        if !self.explorer.is_stall_over(self.state) {
            let longest = self.explorer.lengths[Fault::Stall as usize];
            let mut lasting = self.state.lasting.ages();
            if let Some((_, age)) = lasting.find(|(what, _)| *what == Act::Stall) {
                *age = longest;
            }
            return Ok(());
        }
        self.ask_back_end(Input::StallEnds(self.answer_travels()))?;
        if !self.explorer.locket(self.state).is_stalled {
            self.state.end(|what| what == Act::Stall);
        }
        Ok(())
    }

    /// A client with more and more messages has no end of states.
    pub(super) fn refuse_growth(&self) -> Result<(), NoStep> {
        let has_grown = self.state.messages.len() > MESSAGES_MAX;
        match self.explorer.has_others() && has_grown {
            true => Err(NoStep),
            false => Ok(()),
        }
    }
}
