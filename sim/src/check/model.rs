//! The rules of the world under exploration: what can happen in a state, and what follows.
//!
//! Messages are *lazy*: one that may take up to `d` may arrive at any instant until then, which
//! covers every delay with one state for each age. Faults are decided before anything else
//! happens at an instant; so a pause begins right before what it holds up, which loses nothing:
//! a node that has nothing to do does not notice a pause.
//!
//! Knows the machines by their situations and no rule of Locket.

mod choices;
mod faults;
pub(super) mod machines;
mod passing;
mod property;
pub(super) mod stepping;

use super::lockets::{LocketSettings, Lockets};
use super::machine::SituationId;
use super::question::{Property, Question};
use super::runners::{CREATED, RunnerFacts, Runners};
use super::state::{Client, DOWN, FAULTS, Fault, Order, State};
use crate::protocol::error::LockError;
use crate::protocol::runner::Outlook;
use crate::protocol::server::OPERATION_TIMEOUT;

/// What is left out of a search because it changes no answer. All on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Two clients with the same settings are one pair, whoever is first.
    pub symmetry: bool,
    /// Of independent things at one instant only one order is tried.
    pub order: bool,
    /// What cannot break the property any more is not followed.
    pub dead_states: bool,
}

impl Default for Reductions {
    fn default() -> Self {
        Self {
            symmetry: true,
            order: true,
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
    tolerated: u64,
    allowed: [u8; FAULTS],
    unavailable: u8,
    /// Names for messages.
    named: u32,
    /// What a schedule has to tell of messages, for whoever follows one.
    pub(super) log: Option<Vec<Logged>>,
}

/// Something about a message that its state does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logged {
    /// It was sent on its way.
    Sent {
        name: u32,
        client: u8,
        process: u8,
        is_reply: bool,
        is_lost: bool,
    },
    /// The reply of this name came at once.
    CameAtOnce { name: u32 },
    /// A reply was sent that nobody waits for, or will be when its process gives up.
    Unheard {
        client: u8,
        process: u8,
        is_later: bool,
    },
}

/// What came of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Whether a message was sent, so that it could be lost.
    pub(super) sent: bool,
    /// Whether the property is broken.
    pub(super) violated: bool,
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
            grid: units(question.grid).max(1),
            given_up: u16::try_from(OPERATION_TIMEOUT.as_ms() / unit_ms).unwrap_or(u16::MAX),
            tolerated: question.property.bound().as_ms() / unit_ms,
            allowed: allowed(&question),
            unavailable,
            reductions: Reductions {
                symmetry: symmetric,
                order: reductions.order && question.property != Property::FalseLoss,
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

    /// Writes a state down in its canonical form.
    pub(super) fn encode(&self, state: &State, words: &mut Vec<u16>, spare: &mut Vec<u16>) {
        let clients = self.clients();
        if !self.reductions.symmetry {
            return state.encode(clients, Order::AsIs, words);
        }
        let swapped = Order::Swapped {
            locket: self.lockets.twin(state.locket),
        };
        let [first, second] = [state.clients[0].words(), state.clients[1].words()];
        if first < second {
            state.encode(clients, Order::AsIs, words);
        } else if second < first {
            state.encode(clients, swapped, words);
        } else {
            state.encode(clients, Order::AsIs, words);
            state.encode(clients, swapped, spare);
            if spare < words {
                std::mem::swap(words, spare);
            }
        }
    }

    fn facts(&self, client: usize, mind: SituationId) -> RunnerFacts {
        self.runners[self.kinds[client]].facts(mind)
    }

    /// For how long a process waits for the database, in units.
    pub(super) const fn given_up(&self) -> u16 {
        self.given_up
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

    /// How many believe to hold the lock.
    pub(super) fn believers(&self, state: &State) -> usize {
        let clients = state.clients[..self.clients()].iter().enumerate();
        let believes = clients.filter(|(index, client)| self.believes(*index, **client));
        believes.count()
    }

    pub(super) fn believes(&self, client: usize, it: Client) -> bool {
        it.mind != DOWN && self.facts(client, it.mind).believes
    }

    /// Whether a message that is sent now may be lost.
    pub(super) fn may_lose(&self, state: &State) -> bool {
        self.left(state, Fault::Loss)
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
        allowed[fault as usize] = count.min(15);
    }
    allowed
}
