//! Which acts may begin in a state.
//!
//! Not every possible act is tried: an act that can do no more now than later is tried later.

use super::Explorer;
use super::condition::Condition;
use super::moves::Move;
use super::state::State;
use crate::check::question::faults::Fault;
use crate::environment::happening::{Act, Node, Ways};
use crate::environment::rules::Environment as _;
use crate::time::Duration;

impl Explorer {
    /// The faults that are acts from outside, and may begin now.
    pub(super) fn acts(&self, state: &State, choices: &mut Vec<Move>) {
        let (now, keys) = (self.now(state), self.back_ends.keys());
        let may_begin = |(act, fault): &&(Act, Fault)| {
            self.left(state, *fault)
                && self.is_worth_trying(state, *act)
                && act.is_possible(&now, keys)
        };
        let beginning = self.acts.iter().filter(may_begin);
        choices.extend(beginning.map(|(act, _)| Move::Act(*act)));
    }

    /// Whether a possible act can do something now that it could not do later.
    fn is_worth_trying(&self, state: &State, act: Act) -> bool {
        let bounds = &self.question.bounds;
        let is_long = |longest: Duration| longest > Duration::ZERO;
        match act {
            Act::Crash(Node::Client(client)) => self.facts(client, state).is_active,
            // It keeps a process from starting, too (S27).
            Act::Crash(Node::Database) => {
                self.may_be_asked(state)
                    || self.expiry_is_due(state)
                    || self.locket(state).has_waiting
                    || self.process_has_to_start(state)
            }
            Act::Cut {
                client, process, ..
            } => {
                let now = self.now(state);
                let is_whole = now.passes(client.into(), process.into(), Ways::Both);
                is_long(bounds.faults[Fault::Partition].length)
                    && is_whole
                    && !self.losses_cover_cuts()
                    && self.may_carry(state, client, process)
            }
            // Others delete their rows by themselves.
            Act::DeleteRow(key) => self.locket(state).rows >> key & 1 != 0,
            Act::Disconnect(client) => self.connection_matters(state, client),
            Act::Drain(process) => self.is_next_to_drain(state, process),
            Act::Pause(Node::Client(client)) => {
                let is_active = self.facts(client, state).is_active;
                is_long(bounds.faults[Fault::Pause].length)
                    && is_active
                    && !state.has_woken(client)
                    && self.has_business(state, client)
            }
            Act::Pause(Node::Locket(process)) => {
                is_long(bounds.faults[Fault::LocketPause].length)
                    && self.process_has_business(state, process)
            }
            // One without a query holds nothing up.
            Act::Stall => {
                let is_under_way = state.has(Condition::Stalled);
                is_long(bounds.faults[Fault::Stall].length)
                    && !is_under_way
                    && self.may_be_asked(state)
            }
            Act::Start(Node::Client(client)) => !self.facts(client, state).is_new,
            // A paused client sees it when it goes on.
            Act::Stop(client) => !state.is_paused(Node::Client(client)),
            // Its clock is frozen from then on, so unlike a pause it matters even where the client has
            // nothing to do.
            Act::Suspend(client) => {
                is_long(bounds.faults[Fault::Suspend].length) && self.facts(client, state).is_active
            }
            Act::Crash(Node::Locket(_)) | Act::FailOver => true,
            Act::Heal { .. }
            | Act::Pause(Node::Database)
            | Act::Start(Node::Database | Node::Locket(_)) => false,
        }
    }
}
