//! What can happen in a state.

use super::Model;
use crate::check::moves::Move;
use crate::check::runners::CREATED;
use crate::check::state::{Body, Client, Fault, Message, State};

impl Model {
    /// All choices in a state.
    pub(in crate::check) fn choices(&self, state: &State, choices: &mut Vec<Move>) {
        choices.clear();
        if state.is_fresh {
            self.faults(state, choices);
            if !self.must_change(state) {
                choices.push(Move::Go);
            }
            return;
        }
        if self.reductions.order
            && let Some(client) = self.urgent_timer(state)
        {
            choices.push(Move::Timer(client));
            return;
        }
        let is_forced = self.is_forced(state);
        if !is_forced {
            choices.extend(self.time_to_pass(state).map(Move::Pass));
            self.faults_at_the_end(state, choices);
            if state.is_closing {
                return;
            }
        }
        for (index, client) in (0_u8..).zip(&state.clients[..self.clients()]) {
            if self.is_due(index.into(), *client) {
                choices.push(Move::Timer(index));
            }
        }
        for (index, message) in (0_u8..).zip(&state.messages) {
            self.arrivals(state, index, message, choices);
        }
        self.locket_moves(state, choices);
    }

    /// A timer that is independent of all else that can happen now: its runner waits for no
    /// reply that could come at this very instant.
    pub(super) fn urgent_timer(&self, state: &State) -> Option<u8> {
        let clients = (0_u8..).zip(&state.clients[..self.clients()]);
        let mut due = clients.filter(|(index, client)| self.is_due(usize::from(*index), **client));
        due.find_map(|(index, _)| {
            let mut own = state.messages.iter().filter(|it| it.client == index);
            own.all(|message| !message.is_current).then_some(index)
        })
    }

    pub(super) fn is_due(&self, client: usize, it: Client) -> bool {
        self.runs(client, it) && self.facts(client, it.mind).due_ms == Some(0)
    }

    /// Where the order of independent things is left out, replies come before anything that a
    /// process or the database does at an instant, or right after their requests.
    pub(super) fn arrivals(
        &self,
        state: &State,
        index: u8,
        message: &Message,
        choices: &mut Vec<Move>,
    ) {
        let is_late = self.reductions.order && state.has_served;
        match message.body {
            Body::Held if message.age >= self.given_up && !is_late => {
                choices.push(Move::GiveUp(index));
            }
            Body::Held | Body::Unsent(_) => {}
            Body::Reply(_) => {
                let client = usize::from(message.client);
                let listens = state.clients[client].paused_for.is_none();
                if listens && (!is_late || self.delay == 0) {
                    choices.push(Move::Deliver(index));
                }
            }
            Body::Request(_) => {
                choices.push(Move::Deliver(index));
                if self.reductions.order && message.is_current && self.delay > 0 {
                    choices.push(Move::DeliverBoth(index));
                }
                if self.left(state, Fault::LostAnswer) {
                    choices.push(Move::LoseAnswer(index));
                }
            }
        }
    }

    pub(super) fn locket_moves(&self, state: &State, choices: &mut Vec<Move>) {
        let facts = self.lockets.facts(state.locket);
        if facts.expiry_ms == Some(0) {
            choices.push(Move::Expire);
        }
        for process in 0..self.question.processes {
            if facts.timer_ms[process] == Some(0) {
                choices.push(Move::ProcessTimer(process as u8));
            }
            if facts.poll_ms[process] == Some(0) {
                choices.push(Move::Poll(process as u8));
            }
        }
    }

    /// Faults and other changes from outside, before anything else happens at an instant.
    pub(super) fn faults(&self, state: &State, choices: &mut Vec<Move>) {
        for (index, client) in (0_u8..).zip(&state.clients[..self.clients()]) {
            if client.mind == CREATED {
                choices.push(Move::Start(index));
            }
            if client.paused_for.is_some_and(|units| units > 0) {
                choices.push(Move::Wake(index));
            }
            let may_pause = self.left(state, Fault::Pause) && self.pause > 0;
            if may_pause && self.has_business(state, index) {
                choices.push(Move::Pause(index));
            }
        }
        let runs = self.lockets.facts(state.locket).runs;
        for (index, runs) in (0_u8..).zip(&runs[..self.question.processes]) {
            if !*runs {
                choices.push(Move::StartLocket(index));
            }
        }
        self.faults_at_the_end(state, choices);
    }

    /// Faults that may also happen after everything else at an instant: right after it is
    /// something else than right before what comes next.
    fn faults_at_the_end(&self, state: &State, choices: &mut Vec<Move>) {
        if state.used == self.allowed {
            return;
        }
        for (index, client) in (0_u8..).zip(&state.clients[..self.clients()]) {
            if !self.is_alive(index.into(), *client) {
                if client.mind != CREATED && self.left(state, Fault::Restart) {
                    choices.push(Move::Restart(index));
                }
                continue;
            }
            if self.left(state, Fault::Crash) {
                choices.push(Move::Crash(index));
            }
            if client.paused_for.is_none() && self.left(state, Fault::Stop) {
                choices.push(Move::Stop(index));
            }
        }
        let facts = self.lockets.facts(state.locket);
        if self.left(state, Fault::LocketCrash) {
            for (index, runs) in (0_u8..).zip(&facts.runs[..self.question.processes]) {
                choices.extend(runs.then_some(Move::CrashLocket(index)));
            }
        }
        if self.left(state, Fault::Failover) {
            choices.push(Move::FailOver);
        }
        if self.left(state, Fault::Eviction) && facts.owner.is_some() {
            choices.push(Move::Evict);
        }
    }

    /// Whether something may happen at a client at this instant, which a pause would hold up.
    pub(super) fn has_business(&self, state: &State, index: u8) -> bool {
        let client = usize::from(index);
        if !self.runs(client, state.clients[client]) {
            return false;
        }
        let own = |message: &Message| message.client == index && message.is_current;
        let answered = |message: &Message| matches!(message.body, Body::Reply(_));
        // A request may be answered at once, when it arrives.
        let may_be = |message: &Message| matches!(message.body, Body::Request(_));
        let mut messages = state.messages.iter().filter(|message| own(message));
        self.is_due(client, state.clients[client])
            || messages.any(|message| answered(message) || may_be(message))
    }

    /// Whether a pause or an outage has lasted as long as it may, or nothing has begun yet.
    pub(super) fn must_change(&self, state: &State) -> bool {
        let clients = &state.clients[..self.clients()];
        let runs = &self.lockets.facts(state.locket).runs[..self.question.processes];
        let mut down = runs.iter().zip(&state.down_for);
        clients
            .iter()
            .any(|client| client.paused_for.is_some_and(|units| units >= self.pause))
            || down.any(|(runs, down_for)| !runs && *down_for >= self.locket_down)
            || clients.iter().all(|client| client.mind == CREATED)
    }

    /// Whether something has to happen before time can pass.
    pub(super) fn is_forced(&self, state: &State) -> bool {
        let facts = self.lockets.facts(state.locket);
        let mut clients = state.clients[..self.clients()].iter().enumerate();
        let mut processes = facts.timer_ms.iter().chain(&facts.poll_ms);
        facts.expiry_ms == Some(0)
            || processes.any(|due| *due == Some(0))
            || clients.any(|(index, client)| self.is_due(index, *client))
            || state
                .messages
                .iter()
                .any(|message| self.units_to_arrival(state, message) == Some(0))
    }

    /// In how many units a message arrives at the latest.
    pub(super) fn units_to_arrival(&self, state: &State, message: &Message) -> Option<u16> {
        let listens = state.clients[usize::from(message.client)]
            .paused_for
            .is_none();
        match message.body {
            Body::Held => Some(self.given_up - message.age),
            Body::Reply(_) if !listens => None,
            Body::Reply(_) | Body::Request(_) => Some(self.delay - message.age),
            Body::Unsent(_) => None,
        }
    }
}
