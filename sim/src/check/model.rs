//! The rules of the world under exploration: what can happen in a state, and what follows.
//!
//! Messages are *lazy*: one that may take up to `d` may arrive at any instant until then, which
//! covers every delay with one state for each age. What may happen at one instant is tried in
//! every order, faults included.
//!
//! Knows the machines by their situations and no rule of Locket.

mod choices;
mod faults;
pub(super) mod machines;
mod passing;
pub(super) mod property;
pub(super) mod stepping;

use super::lockets::{LocketSettings, Lockets};
use super::machine::SituationId;
use super::question::{Property, Question};
use super::runners::{CREATED, RunnerFacts, Runners};
use super::state::{Client, DOWN, FAULTS, Fault, Order, Shape, State};
use crate::protocol::error::LockError;
use crate::protocol::runner::Outlook;
use crate::protocol::server::OPERATION_TIMEOUT;

/// What is left out of a search because it changes no answer. All on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Two clients with the same settings are one pair, whoever is first.
    pub symmetry: bool,
    /// What cannot break the property any more is not followed.
    pub dead_states: bool,
}

impl Default for Reductions {
    fn default() -> Self {
        Self {
            symmetry: true,
            dead_states: true,
        }
    }
}

/// The rules with a question's numbers, in units of time.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) question: Question,
    pub(super) unit_ms: u64,
    pub(super) reductions: Reductions,
    pub(super) lockets: Lockets,
    /// The kinds of runners, and the kind of each client.
    runners: Vec<Runners>,
    kinds: Vec<usize>,
    delay: u16,
    pause: u16,
    locket_down: u16,
    grid: u16,
    given_up: u16,
    /// How long what must not last may last.
    tolerated: u16,
    /// Up to what it is counted how long it lasts.
    pub(super) horizon: u16,
    allowed: [u8; FAULTS],
    unavailable: u8,
    /// Names for messages.
    named: u32,
    /// The messages that were sent, for whoever follows a schedule.
    pub(super) log: Option<Vec<Sent>>,
}

/// A message that was sent on its way; its state does not show which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) name: u32,
    pub(super) client: u8,
    pub(super) process: u8,
    pub(super) is_reply: bool,
    pub(super) is_lost: bool,
}

/// What came of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// How many messages were sent, each of which could be lost.
    pub(super) sent: u8,
    /// Whether the property is broken.
    pub(super) violated: bool,
    /// For how long what must not last has lasted by now, in units.
    pub(super) lasted: u16,
}

impl Model {
    pub(super) fn new(question: Question, reductions: Reductions) -> Self {
        let unit_ms = question.unit_ms();
        let units =
            |time: crate::time::Duration| u16::try_from(time.as_ms() / unit_ms).unwrap_or(u16::MAX);
        let bounds = question.bounds;
        let symmetric = reductions.symmetry && question.is_symmetric();
        let lockets = Lockets::new(LocketSettings {
            profile: question.profile,
            processes: question.processes,
            ttl_in_seconds: question.clients[0].ttl_in_seconds(),
            type_code: question.type_code(),
            polls: question.polls_matter(),
            failover_commits: bounds.failover_commits.into(),
            symmetric,
        });
        let mut kinds = Vec::new();
        let mut runners: Vec<Runners> = Vec::new();
        for (index, client) in question.clients.iter().enumerate() {
            let same = question.clients[..index].iter().position(|it| it == client);
            let kind = same.map_or(runners.len(), |same| kinds[same]);
            if kind == runners.len() {
                runners.push(Runners::new(client.runner_settings()));
            }
            kinds.push(kind);
        }
        // Numbers of replies mean the same for all kinds.
        let numbers = runners
            .iter_mut()
            .map(|kind| kind.reply(&Err(LockError::Unavailable)));
        let unavailable = numbers.last().unwrap_or_default();
        Self {
            unit_ms,
            lockets,
            runners,
            kinds,
            delay: units(bounds.delay),
            pause: units(bounds.pause),
            locket_down: units(bounds.locket_down),
            grid: units(question.grid()).max(1),
            given_up: units(OPERATION_TIMEOUT),
            tolerated: units(question.property.bound()),
            horizon: units(question.horizon()),
            allowed: allowed(&question),
            unavailable,
            reductions: Reductions {
                symmetry: symmetric,
                ..reductions
            },
            named: 0,
            log: None,
            question,
        }
    }

    pub(super) fn clients(&self) -> usize {
        self.question.clients.len()
    }

    /// What the words of a state are about.
    pub(super) fn shape(&self) -> Shape {
        let clients = self.clients();
        let each = matches!(self.question.property, Property::RowAgrees { .. });
        let watches = if each { clients } else { 1 };
        Shape { clients, watches }
    }

    /// Writes a state down in its canonical form.
    pub(super) fn encode(&self, state: &State, words: &mut Vec<u16>, spare: &mut Vec<u16>) {
        let shape = self.shape();
        if !self.reductions.symmetry {
            return state.encode(shape, Order::AsIs, words);
        }
        let swapped = Order::Swapped {
            locket: self.lockets.twin(state.locket),
        };
        let [first, second] = [state.clients[0].words(), state.clients[1].words()];
        if first < second {
            state.encode(shape, Order::AsIs, words);
        } else if second < first {
            state.encode(shape, swapped, words);
        } else {
            state.encode(shape, Order::AsIs, words);
            state.encode(shape, swapped, spare);
            if spare < words {
                std::mem::swap(words, spare);
            }
        }
    }

    fn facts(&self, client: usize, mind: SituationId) -> RunnerFacts {
        self.runners[self.kinds[client]].facts(mind)
    }

    /// Who the row says is the owner.
    pub(super) fn owner(&self, state: &State) -> Option<u8> {
        self.lockets.facts(state.locket).owner
    }

    /// What can become of a client's runner, if there is one.
    pub(super) fn outlook(&self, client: usize, mind: SituationId) -> Option<Outlook> {
        (mind != DOWN && mind != CREATED).then(|| self.runners[self.kinds[client]].outlook(mind))
    }

    fn left(&self, state: &State, fault: Fault) -> bool {
        state.used[fault as usize] < self.allowed[fault as usize]
    }

    /// Whether a client's runner is there, started and not ended.
    fn is_alive(&self, client: usize, it: Client) -> bool {
        it.mind != DOWN && it.mind != CREATED && !self.facts(client, it.mind).has_ended
    }

    /// Whether a client's runner is there and has something to do: it has started and not ended.
    fn runs(&self, client: usize, it: Client) -> bool {
        it.paused_for.is_none() && self.is_alive(client, it)
    }

    pub(super) fn believes(&self, client: usize, it: Client) -> bool {
        it.mind != DOWN && self.facts(client, it.mind).believes
    }

    /// How many more messages may be lost.
    pub(super) fn losses_left(&self, state: &State) -> u8 {
        self.allowed[Fault::Loss as usize] - state.used[Fault::Loss as usize]
    }
}

fn allowed(question: &Question) -> [u8; FAULTS] {
    let bounds = &question.bounds;
    let mut allowed = [0; FAULTS];
    for (fault, count) in [
        (Fault::Crash, bounds.crashes),
        (Fault::Eviction, bounds.evictions),
        (Fault::Failover, bounds.failovers),
        (Fault::LocketCrash, bounds.locket_crashes),
        (Fault::Loss, bounds.losses),
        (Fault::LostAnswer, bounds.lost_answers),
        (Fault::Pause, bounds.pauses),
        (Fault::Restart, bounds.restarts),
        (Fault::Stop, bounds.stops),
    ] {
        allowed[fault as usize] = count;
    }
    allowed
}
