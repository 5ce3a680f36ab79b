//! The choices in a state.

use super::Explorer;
use super::message::{Body, Message};
use super::moves::Move;
use super::state::State;
use crate::check::steps::clients::ClientFacts;
use crate::check::steps::clock::NEVER;
use crate::environment::happening::{Due, Node};

impl Explorer {
    /// All choices in a state: every order of what may happen at an instant is tried, faults
    /// included, and time passes once nothing has to happen first.
    pub(in crate::check) fn choices(&self, state: &State, choices: &mut Vec<Move>) {
        choices.clear();
        choices.extend(self.time_to_pass(state).map(Move::Pass));
        for client in 0..self.clients() as u8 {
            self.client_moves(state, client, choices);
        }
        for (index, message) in (0_u8..).zip(&state.messages) {
            self.arrivals(state, index, message, choices);
        }
        self.locket_moves(state, choices);
        if self.locket(state).is_busy {
            self.database_moves(state, choices);
        }
        self.moves_of_others(state, choices);
        self.ends(state, choices);
        self.token_moves(state, choices);
        self.acts(state, choices);
    }

    /// The steps of a client.
    fn client_moves(&self, state: &State, client: u8, choices: &mut Vec<Move>) {
        let facts = self.facts(client, state);
        if facts.is_new {
            choices.push(Move::Due(Due::Start(client)));
            return;
        }
        if !facts.is_alive || state.is_paused(Node::Client(client)) {
            return;
        }
        if facts.is_due {
            choices.push(Move::Due(Due::Timer(client)));
        }
        if facts.ping_is_due || self.connection_may_die(state, client) {
            choices.push(Move::Due(Due::Ping(client)));
        }
        if self.can_connect(state, facts) {
            choices.push(Move::Due(Due::CallLeaves(client)));
        }
        self.failures(state, client, choices);
    }

    fn arrivals(&self, state: &State, index: u8, message: &Message, choices: &mut Vec<Move>) {
        if message.is_second && message.age < self.longest_delay(message) {
            return;
        }
        match message.body {
            Body::FailedLocally | Body::Reply(_) => {
                let due = match message.body {
                    Body::FailedLocally => Due::FailLocally(message.client),
                    Body::Held(_) | Body::Orphaned | Body::Reply(_) | Body::Request(_) => {
                        Due::Arrive(index)
                    }
                };
                let arrives = !state.is_paused(Node::Client(message.client));
                choices.extend(arrives.then_some(Move::Due(due)));
            }
            Body::Held(_) => {}
            Body::Orphaned => choices.push(Move::Due(Due::Arrive(index))),
            Body::Request(_) => {
                let arrives = !state.is_paused(Node::Locket(message.process))
                    && self.may_be_executed(state, message);
                choices.extend(arrives.then_some(Move::Due(Due::Arrive(index))));
            }
        }
    }

    /// The steps of the table and the processes.
    fn locket_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let facts = self.locket(state);
        if facts.expiry_is_due {
            choices.push(Move::Due(Due::Expire));
        }
        for process in 0..self.question.processes as u8 {
            if state.is_paused(Node::Locket(process)) {
                continue;
            }
            if facts.timers_due >> process & 1 != 0 {
                choices.push(Move::Due(Due::ProcessTimer(process)));
            }
            if facts.polls_due >> process & 1 != 0 {
                choices.push(Move::Due(Due::Poll(process)));
            }
        }
    }

    /// True if something has to happen before time can pass: what is due, a message that has
    /// taken as long as it may, the end of the longest pause or outage, or a client's start.
    pub(super) fn is_forced(&self, state: &State) -> bool {
        self.machines_force(state) || self.units_to_deadline(state) == 0
    }

    /// True if a machine has to do something before time can pass.
    pub(super) fn machines_force(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let (mut may_act, mut are_new) = (false, !self.has_others());
        for client in self.each_client(state) {
            may_act |= client.may_act;
            are_new &= client.is_new;
        }
        facts.expiry_is_due
            || self.process_is_due(state)
            || may_act && (0..self.clients() as u8).any(|client| self.must_act(state, client))
            // Nothing has begun. Among others a client starts at any time: they may have been there
            // before.
            || are_new
            || facts.is_busy && self.database_is_forced(state)
            || self.drain_is_over(state)
    }

    /// In how many units a message has taken as long as it may, or the longest pause or outage ends.
    pub(super) fn units_to_deadline(&self, state: &State) -> u32 {
        let messages = state.messages.iter();
        let arrivals = messages.filter_map(|it| self.units_to_arrival(state, it));
        let units = arrivals.chain(self.units_to_ends(state)).min();
        units.map_or(NEVER, u32::from)
    }

    /// True if the timers of a process fire now, or it polls.
    pub(super) fn process_is_due(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let due = facts.timers_due | facts.polls_due;
        let is_due =
            |process: u8| due >> process & 1 != 0 && !state.is_paused(Node::Locket(process));
        due != 0 && (0..self.question.processes as u8).any(is_due)
    }

    /// True if a client has to do something before time can pass.
    pub(super) fn must_act(&self, state: &State, client: u8) -> bool {
        let facts = self.facts(client, state);
        let connects = facts.tries.map_or_else(|| self.can_connect(state, facts), |it| it.1);
        let has_to = facts.is_due || facts.ping_is_due || connects;
        facts.may_act && has_to && !state.is_paused(Node::Client(client))
    }

    /// True if a client's call that waits for a connection finds one, or a client that backs off may
    /// try to, unless the client is paused.
    fn can_connect(&self, state: &State, client: &ClientFacts) -> bool {
        match client.tries {
            Some((may_try, _)) => may_try,
            None => client.may_connect && self.locket(state).accepting.is_any(),
        }
    }
}
