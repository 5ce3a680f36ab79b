//! Faults that may happen any number of times, to one client among others: what keeps its states
//! finite. Their number is not counted, and the rest that could grow is left out here.
//!
//! * Of a condition that may begin anew as it ends, it does not matter for how long it has lasted.
//! * A client that resumes does what has waited before it is paused again: two pauses with nothing
//!   between them are one longer pause. That holds for several pauses with a count, too.
//! * Queries that have waited for the end of a stall are executed before the next one begins.
//! * A process that ends any number of times is in its first life each time. Each connection to the
//!   life before is marked as one to none.
//! * A connection over which pings may fail any number of times may die at any time.
//! * A drain counts only for the turn of the next process.
//!
//! [`Fault::can_be_without_limit`] names the faults of which more than that would grow.

use super::Explorer;
use super::machines::Machines;
use super::message::{Body, Message};
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::count::Count;
use crate::check::question::faults::{Does, Fault};
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Act;
use crate::environment::happening::Node;

impl Explorer {
    /// True if a fault may happen any number of times.
    pub(super) fn is_any(&self, fault: Fault) -> bool {
        self.allowed[fault as usize] == Count::Any
    }

    /// True if a condition may begin anew at the instant at which it ends, any number of times.
    pub(super) fn lasts_any_time(&self, what: Act) -> bool {
        // Calls of others at a process that drains wait for the end of its pauses.
        let fault = if matches!(what, Act::Drain(_)) { Fault::LocketPause } else { what.fault() };
        let may_follow = matches!(
            what,
            Act::Crash(_) | Act::Cut { .. } | Act::Drain(_) | Act::Pause(Node::Locket(_))
        );
        may_follow && self.is_any(fault)
    }

    /// True if the connection of a client may die now. A ping is not answered after a call has waited
    /// for the keepalive's time; how long it has waited is not counted.
    pub(super) fn connection_may_die(&self, state: &State, client: u8) -> bool {
        let fails = |it: &Message| it.client == client && it.body == Body::FailedLocally;
        self.is_loose
            && self.facts(client, state).route.is_some()
            && !state.is_paused(Node::Client(client))
            && !state.messages.iter().any(fails)
    }

    /// True if a lost message does all that a cut link could: it loses any of them, and connections
    /// may die at any time.
    pub(super) fn losses_cover_cuts(&self) -> bool {
        self.is_loose && self.is_any(Fault::LostMessage)
    }

    /// True if lives of processes are not counted.
    pub(super) fn forgets_lives(&self) -> bool {
        Fault::that(Does::EndsProcess).any(|it| self.is_any(it))
    }

    /// Notes which clients have done all that has waited for the end of their pause.
    pub(super) fn note_rested(&self, state: &mut State) {
        for client in 0..self.clients() as u8 {
            if state.has_woken(client) && !self.has_waiting(state, client) {
                state.woken &= !(1 << client);
            }
        }
    }

    /// True if a client has something to do before time passes.
    fn has_waiting(&self, state: &State, client: u8) -> bool {
        let has_come = |it: &Message| {
            let is_for_client = matches!(it.body, Body::FailedLocally | Body::Reply(_));
            it.client == client && is_for_client && self.units_to_arrival(state, it) == Some(0)
        };
        self.must_act(state, client) || state.messages.iter().any(has_come)
    }
}

impl State {
    /// True if a client has been paused, and not yet done all that has waited for the end of that.
    pub(super) const fn has_woken(&self, client: u8) -> bool {
        self.woken >> client & 1 != 0
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// A node goes on.
    pub(super) fn wake(&mut self, node: Node) {
        if let Node::Client(client) = node
            && self.explorer.allowed[Fault::Pause as usize] > 1
        {
            self.state.woken |= 1 << client;
        }
        self.state.wake(node);
    }

    /// A process has ended: where lives are not counted, no client is connected to it.
    pub(super) fn detach(&mut self, process: u8) -> Result<(), NoStep> {
        if !self.explorer.forgets_lives() {
            return Ok(());
        }
        (0..self.explorer.clients() as u8)
            .try_for_each(|client| self.input(client, Input::Detach(process)))
    }
}
