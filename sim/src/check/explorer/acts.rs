//! Which acts may begin in a state.
//!
//! Not every possible act is tried: an act that can do no more now than later is tried later.

use super::Explorer;
use super::moves::Move;
use super::state::State;
use crate::check::question::faults::{Begins, Fault};
use crate::check::question::limits::KEY;
use crate::environment::acts::{Act, processes_of};
use crate::environment::happening::{Directions, Node};
use crate::environment::rules::Environment as _;

impl Explorer {
    /// The faults that are acts from outside, and may begin now.
    pub(super) fn acts(&self, state: &State, choices: &mut Vec<Move>) {
        if !self.has_faults_left(state) {
            return;
        }
        let now = self.now(state);
        let may_begin = |(act, fault): &&(Act, Fault)| {
            self.left(state, *fault)
                && self.is_worth_trying(state, *act, fault.begins())
                && act.is_possible(&now, KEY)
        };
        let beginning = self.acts.iter().filter(may_begin);
        choices.extend(beginning.map(|(act, _)| Move::Act(*act)));
    }

    /// True if a possible act can do something now that it could not do later.
    fn is_worth_trying(&self, state: &State, act: Act, begins: Begins) -> bool {
        match (begins, act.node()) {
            (Begins::WithAMessage, _) => self.cut_is_worth_trying(state, act),
            (Begins::WithAQuery, _) => !state.has(Act::Stall) && self.may_be_asked(state),
            // Others delete their rows by themselves.
            (Begins::WithARow, _) => self.owner(state).is_some(),
            (begins, Node::Client(client)) => self.client_is_worth_it(state, client, begins),
            (Begins::InTurn, Node::Locket(process)) => self.is_next_to_drain(state, process),
            (Begins::WithBusiness, Node::Locket(process)) => {
                self.process_has_business(state, process)
            }
            (Begins::WithBusiness, Node::Database) => self.database_has_business(state),
            (_, Node::Database | Node::Locket(_)) => true,
        }
    }

    /// The same of what happens to one client.
    fn client_is_worth_it(&self, state: &State, client: u8, begins: Begins) -> bool {
        let facts = self.facts(client, state);
        match begins {
            Begins::WhileActive => facts.is_alive,
            // A paused client sees it when it goes on.
            Begins::WhileAlive => !state.is_paused(Node::Client(client)),
            Begins::WhileConnected => self.connection_matters(state, client),
            Begins::WhileEnded => !facts.is_new,
            Begins::WithBusiness => {
                let counts = self.counts_pauses(state, client);
                let matters = counts || self.has_business(state, client);
                facts.is_alive && !state.has_woken(client) && matters
            }
            Begins::AtAnyTime
            | Begins::InTurn
            | Begins::WithAMessage
            | Begins::WithAQuery
            | Begins::WithARow => true,
        }
    }

    /// True if links that are cut now were whole, and one of them may lose something.
    fn cut_is_worth_trying(&self, state: &State, act: Act) -> bool {
        let Act::Cut { client, process, .. } = act else {
            return false;
        };
        let now = self.now(state);
        let mut links = processes_of(process, self.question.processes);
        !self.losses_cover_cuts()
            && links.clone().all(|it| now.passes(client.into(), it, Directions::Both))
            && links.any(|it| self.may_carry(state, client, it as u8))
    }
}
