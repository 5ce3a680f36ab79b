//! Pauses of clients and Locket processes, and suspends of clients. A message to such a node waits
//! until it goes on.

use super::Explorer;
use super::message::{Body, Message};
use super::state::State;
use crate::check::steps::back_end::Stage;
use crate::environment::acts::Act;
use crate::environment::happening::Node;

impl Explorer {
    /// True if a pause that begins now delays an event. An earlier pause can do no
    /// more: a client with nothing to do does not notice it, and less of the pause is left.
    pub(super) fn has_business(&self, state: &State, client: u8) -> bool {
        let holds_up = |message: &Message| {
            let waits = matches!(message.body, Body::FailedLocally | Body::Reply(_));
            message.client == client && self.matters(message) && waits
        };
        let facts = self.facts(client, state);
        facts.is_due
            || self.ping_is_due(client, state)
            || facts.may_connect
            || facts.calls && !self.follows_calls()
            || state.messages.iter().any(holds_up)
    }

    /// True if a pause of a process that begins now holds something up; see that of clients.
    pub(super) fn process_has_business(&self, state: &State, process: u8) -> bool {
        let facts = self.locket(state);
        let is_for_it = |message: &Message| {
            let is_on_its_way = matches!(message.body, Body::Request(_));
            message.process == process && is_on_its_way
        };
        // A ping that is not answered needs nothing else to go wrong.
        let pings = |client: u8| self.ping_is_due(client, state);
        (facts.timers_due | facts.polls_due) >> process & 1 != 0
            || facts.internal.iter().any(|it| it.process == process && it.stage == Stage::Answer)
            || facts.operations.iter().any(|it| it.process == process && it.due_ms == 0)
            || state.messages.iter().any(is_for_it)
            || (0..self.clients() as u8).any(pings)
    }

    /// True if the clock of a client is frozen.
    pub(super) fn is_suspended(&self, state: &State, client: u8) -> bool {
        self.clocks_freeze && state.has(Act::Suspend(client))
    }

    /// True if a client waits for the answer to its ping, and the time is up.
    pub(super) fn ping_is_due(&self, client: u8, state: &State) -> bool {
        self.facts(client, state).ping_is_due && !state.is_paused(Node::Client(client))
    }
}
