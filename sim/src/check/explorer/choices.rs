//! The choices in a state.

use super::Explorer;
use super::database::runs;
use super::moves::Move;
use super::state::{Body, Client, Message, Process, State};
use crate::check::question::bounds::Fault;
use crate::check::question::limits::KEYS_MAX;
use crate::check::steps::clients::{self, ClientFacts};
use crate::environment::happening::{Act, Due, Node};

impl Explorer {
    /// All choices in a state: every order of what may happen at an instant is tried, faults
    /// included, and time passes once nothing has to happen first.
    pub(in crate::check) fn choices(&self, state: &State, choices: &mut Vec<Move>) {
        choices.clear();
        if !self.is_forced(state) {
            choices.extend(self.time_to_pass(state).map(Move::Pass));
        }
        for (index, client) in (0_u8..).zip(&state.clients[..self.clients()]) {
            self.client_moves(state, index, *client, choices);
        }
        for (index, message) in (0_u8..).zip(&state.messages) {
            self.arrivals(state, index, message, choices);
        }
        self.locket_moves(state, choices);
        self.partition_moves(state, choices);
        self.database_moves(state, choices);
    }

    fn is_due(&self, client: usize, it: Client) -> bool {
        it.paused_for.is_none() && self.facts(client, it.id).due_ms == Some(0)
    }

    /// The steps of a client, and its faults.
    fn client_moves(&self, state: &State, index: u8, client: Client, choices: &mut Vec<Move>) {
        let number = usize::from(index);
        let facts = self.facts(number, client.id);
        if facts.is_new {
            choices.push(Move::Due(Due::Start(index)));
            return;
        }
        if !facts.is_alive && self.left(state, Fault::Restart) {
            choices.push(Move::Act(Act::Start(Node::Client(index))));
        }
        if self.may_disconnect(state, index) {
            choices.push(Move::Act(Act::Disconnect(index)));
        }
        if !facts.is_active {
            return;
        }
        if self.is_due(number, client) {
            choices.push(Move::Due(Due::Timer(index)));
        }
        if self.left(state, Fault::Crash) {
            choices.push(Move::Act(Act::Crash(Node::Client(index))));
        }
        if let Some(paused_for) = client.paused_for {
            // A pause of no time changes no order that is not tried anyway.
            choices.extend((paused_for > 0).then_some(Move::Due(Due::Wake(Node::Client(index)))));
            return;
        }
        if self.ping_is_due(number, state) {
            choices.push(Move::Due(Due::Ping(index)));
        }
        if self.can_leave(state, client, facts) {
            choices.push(Move::Due(Due::CallLeaves(index)));
        }
        if facts.is_alive && self.left(state, Fault::Stop) {
            choices.push(Move::Act(Act::Stop(index)));
        }
        if self.left(state, Fault::Pause) && self.pause > 0 && self.has_business(state, index) {
            choices.push(Move::Act(Act::Pause(Node::Client(index))));
        }
    }

    fn arrivals(&self, state: &State, index: u8, message: &Message, choices: &mut Vec<Move>) {
        if message.is_second && message.age < self.delay {
            return;
        }
        match message.body {
            Body::FailedLocally | Body::Reply(_) => {
                let due = match message.body {
                    Body::FailedLocally => Due::FailLocally {
                        client: message.client,
                        member: message.member,
                    },
                    Body::Held(_) | Body::Orphaned | Body::Reply(_) | Body::Request(_) => {
                        Due::Arrive(index)
                    }
                };
                let client = &state.clients[usize::from(message.client)];
                choices.extend(client.paused_for.is_none().then_some(Move::Due(due)));
            }
            Body::Held(_) => {}
            Body::Orphaned => choices.push(Move::Due(Due::Arrive(index))),
            Body::Request(_) => {
                let arrives = runs(state, message.process);
                choices.extend(arrives.then_some(Move::Due(Due::Arrive(index))));
            }
        }
    }

    /// The steps of the table and the processes, and their faults.
    fn locket_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let facts = self.locket(state);
        if facts.expiry_ms == Some(0) {
            choices.push(Move::Due(Due::Expire));
        }
        if self.left(state, Fault::Failover) {
            choices.push(Move::Act(Act::FailOver));
        }
        if self.left(state, Fault::RowDeletion) {
            let keys = (0..KEYS_MAX as u8).filter(|key| facts.rows >> key & 1 != 0);
            choices.extend(keys.map(|key| Move::Act(Act::DeleteRow(key))));
        }
        for (process, index) in (0..self.question.processes).zip(0_u8..) {
            if facts.timer_ms[process] == Some(0) && runs(state, index) {
                choices.push(Move::Due(Due::ProcessTimer(index)));
            }
            if facts.poll_ms[process] == Some(0) && runs(state, index) {
                choices.push(Move::Due(Due::Poll(index)));
            }
            if let Process::Down(_) = state.processes[process] {
                choices.push(Move::Act(Act::Start(Node::Locket(index))));
            } else if self.left(state, Fault::LocketCrash) {
                choices.push(Move::Act(Act::Crash(Node::Locket(index))));
            }
            if self.may_drain(state, index) {
                choices.push(Move::Act(Act::Drain(index)));
            }
        }
    }

    /// Whether a pause that begins now delays an event. An earlier pause can do no
    /// more: a client with nothing to do does not notice it, and less of the pause is left.
    fn has_business(&self, state: &State, index: u8) -> bool {
        let client = usize::from(index);
        let holds_up = |message: &Message| {
            let waits = matches!(message.body, Body::FailedLocally | Body::Reply(_));
            message.client == index && self.matters(message) && waits
        };
        let it = state.clients[client];
        self.is_due(client, it)
            || self.ping_is_due(client, state)
            || self.facts(client, it.id).call_waits
            || state.messages.iter().any(holds_up)
    }

    /// Whether something has to happen before time can pass: what is due, a message that has
    /// taken as long as it may, the end of the longest pause or outage, or a client's start.
    pub(super) fn is_forced(&self, state: &State) -> bool {
        let facts = self.locket(state);
        let clients = &state.clients[..self.clients()];
        let must_act = |(index, client): (usize, &Client)| {
            self.is_due(index, *client)
                || self.ping_is_due(index, state)
                || self.can_leave(state, *client, self.facts(index, client.id))
                || client.paused_for.is_some_and(|it| it >= self.pause)
        };
        let due = |process: u8| {
            let number = usize::from(process);
            let timers = [facts.timer_ms[number], facts.poll_ms[number]];
            timers.contains(&Some(0)) && runs(state, process)
        };
        let is_down_for_long = |process: &Process| match process {
            Process::Down(units) => *units >= self.locket_downtime,
            Process::Paused(_) | Process::Runs => false,
        };
        facts.expiry_ms == Some(0)
            || (0..self.question.processes as u8).any(due)
            || clients.iter().enumerate().any(must_act)
            || clients.iter().all(|client| client.id == clients::NEW)
            || state.cuts.iter().any(|cut| cut.age >= self.partition)
            || state.processes.iter().any(is_down_for_long)
            || self.database_is_forced(state)
            || state
                .messages
                .iter()
                .any(|message| self.units_to_arrival(state, message) == Some(0))
    }

    /// In how many units a message arrives at the latest.
    pub(super) fn units_to_arrival(&self, state: &State, message: &Message) -> Option<u16> {
        let client = &state.clients[usize::from(message.client)];
        let is_for_client = matches!(message.body, Body::FailedLocally | Body::Reply(_));
        if is_for_client && client.paused_for.is_some() {
            return None;
        }
        match message.body {
            Body::FailedLocally => Some(0),
            Body::Held(_) => None,
            Body::Request(_) if !runs(state, message.process) => None,
            Body::Orphaned | Body::Reply(_) | Body::Request(_) => Some(self.delay - message.age),
        }
    }

    /// Whether a client's call that waits for a connection finds one.
    fn can_leave(&self, state: &State, client: Client, facts: &ClientFacts) -> bool {
        facts.call_waits && client.paused_for.is_none() && self.locket(state).accepting.is_any()
    }
}
