//! The rules of the world under exploration: what can happen in a state, and what follows.
//!
//! Messages are *lazy*: a message of up to `d` may arrive at any instant until then, which
//! covers every delay with one state for each age. The events of one instant are tried in
//! every order, faults included.
//!
//! Knows the machines by the numbers of their states and no rule of Locket.

mod acts;
mod any_count;
mod any_processes;
mod around;
mod choices;
mod conditions;
mod database;
mod disconnect;
mod encoding;
mod end;
pub(super) mod faults;
pub(super) mod machines;
pub(super) mod message;
pub(super) mod moves;
mod others;
mod partition;
mod passing;
mod pause;
#[cfg(test)]
mod projection;
pub(super) mod property;
pub(super) mod state;
pub(super) mod stepping;
pub(super) mod storage;
mod transit;
mod used;
mod writes;

use crate::check::question::count::Count;
use crate::check::question::faults::{Does, FAULTS, Fault};
use crate::check::question::limits::{FAULT_COUNT_MAX, KEY};
use crate::check::question::local::{Follows, Local};
use crate::check::question::owners::Owners;
use crate::check::question::{ClientQuestion, Property, Question};
use crate::check::steps::back_end::{BackEndFacts, BackEndSettings, BackEnds, Timers, Way};
use crate::check::steps::clients::{ClientFacts, Clients};
use crate::check::steps::clock::Clock;
use crate::check::steps::interned::IdsMax;
use crate::check::steps::replies::Replies;
use crate::environment::acts::Act;
use crate::environment::canonical::Canonical;
use crate::node::canonical::Relevant;
use crate::node::client::ClientNode;
use any_processes::Transit;
use message::Message;
use moves::{FatesLeft, Sendings};
use state::{Shape, State};
use storage::{StorageRules, WrongWrite};
use used::Used;

/// The parts that a search leaves out because they change no answer. All are on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Clients with the same settings and the same preferred process count as one group, in any
    /// order.
    pub symmetry: bool,
    /// A state that can no longer break the property is not followed.
    pub dead_states: bool,
    /// Each client is first asked alone, among any number of others. If that proves the property, no
    /// other state is visited.
    pub each_client: bool,
}

impl Reductions {
    /// Nothing is left out.
    pub const NONE: Self = Self { symmetry: false, dead_states: false, each_client: false };
}

impl Default for Reductions {
    fn default() -> Self {
        Self { symmetry: true, dead_states: true, each_client: true }
    }
}

/// The rules with a question's numbers, in units of time.
#[derive(Clone, Debug)]
pub(super) struct Explorer {
    pub(super) question: Question,
    /// Set if the question has one client among any number of others.
    pub(super) local: Option<Local>,
    owners: Owners,
    pub(super) unit_ms: u64,
    pub(super) reductions: Reductions,
    shape: Shape,
    back_ends: BackEnds,
    replies: Replies,
    /// The kinds of clients, and the kind of each client.
    clients_of_kind: Vec<Clients>,
    kinds: Vec<usize>,
    /// The pairs of clients that can change places: neighbours of the same kind.
    swaps: Vec<(u8, u8)>,
    delay: u16,
    /// The longest time until a message arrives or is lost, in a search of one client that follows
    /// only Locket's rows.
    transit: Transit,
    /// The longest time that other clients' calls delay the end of a drain.
    calls_of_others: u16,
    /// How long each fault may last.
    lengths: [u16; FAULTS],
    grid: u16,
    /// How long the property may be violated.
    allow: u16,
    /// The longest violation that the search measures; longer ones count as this.
    pub(super) horizon: u16,
    allowed: [Count; FAULTS],
    /// After these no more happen.
    used_up: Used,
    /// Those that may happen at all, in order.
    faults: Vec<Fault>,
    /// The acts that are allowed faults.
    acts: Vec<(Act, Fault)>,
    /// True if a client's pings can fail, so that the time of its last message from a process
    /// matters.
    keepalive: bool,
    /// True if the clock of a client can freeze.
    clocks_freeze: bool,
    /// The path of transactions while every fault may still happen.
    longest_way: Way,
    /// True if the rule of a client has jitter.
    pub(super) has_jitter: bool,
    /// True if a process may crash while messages are lost.
    may_be_parted: bool,
    /// True if a connection may die at any time, where any number of pings may fail.
    is_loose: bool,
    /// States with fewer faults count as having this many.
    faults_least: u32,
    /// The storage that the property is about.
    storage: Option<StorageRules>,
    /// Names for messages.
    named: u32,
    /// The messages that were sent, for a schedule.
    pub(super) log: Option<Vec<Sent>>,
}

/// A message that was sent on its way; its state does not show which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) name: u32,
    pub(super) client: u8,
    pub(super) process: u8,
    pub(super) is_reply: bool,
    pub(super) fate: Fate,
}

/// The fate of a message when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Its link is cut.
    Cut,
    Lost,
    /// It leaves, twice with another name for the second.
    Sent {
        second: Option<u32>,
    },
}

/// The result of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The messages and answers that were sent.
    pub(super) sent: Sendings,
    /// True if the property is broken.
    pub(super) violated: bool,
    /// For how long what must not last has lasted by now, in units.
    pub(super) lasted: u16,
    /// The write by which it is broken, if that is about one.
    pub(super) wrong_write: Option<WrongWrite>,
}

impl Explorer {
    pub(super) fn new(question: Question, reductions: Reductions) -> Self {
        Self::among(None, question, reductions)
    }

    /// The one client of a question among any number of others.
    pub(super) fn local(question: Question, local: Local) -> Self {
        Self::among(Some(local), question, Reductions::NONE)
    }

    fn among(local: Option<Local>, question: Question, reductions: Reductions) -> Self {
        let unit_ms = question.unit_ms();
        let units =
            |time: crate::time::Duration| u16::try_from(time.as_ms() / unit_ms).unwrap_or(u16::MAX);
        let bounds = question.bounds;
        let kinds = kinds(&question);
        let mut swaps = if reductions.symmetry { swaps(&kinds) } else { Vec::new() };
        // A property that names a client tells mirror images apart.
        let owners = question.owners();
        if let Property::Own { never, .. } = &question.property {
            // A shared row stays with the first of its owners.
            swaps.retain(|&(one, other)| {
                !owners.are_shared() && never.are_same_with_swapped(one, other)
            });
        }
        let locket = local.map_or(Follows::Processes, |it| it.locket);
        let follows_calls = locket != Follows::Rows;
        let allows_any = |does| Fault::that(does).any(|it| it.allowed(&bounds) == Count::Any);
        let is_loose = follows_calls && allows_any(Does::FailsPings);
        let relevant = Relevant {
            // Only a choice between processes, or a connection that can break, is remembered.
            connection: follows_calls
                && (question.processes > 1
                    || bounds.end_processes()
                    || bounds.allow(Fault::Disconnect)
                    || is_loose),
            keepalive: follows_calls && !is_loose && bounds.allow_any_that(Does::FailsPings),
            polls: question.polls_matter() && locket == Follows::Processes,
        };
        let allowed = Fault::ALL.map(|fault| match fault.is_followed(locket) {
            true => fault.allowed(&bounds),
            false => Count::default(),
        });
        let mut acts = question.allowed_acts();
        acts.retain(|(_, fault)| fault.is_followed(locket));
        let back_ends = BackEnds::new(BackEndSettings {
            profile: question.profile,
            unit_ms,
            processes: question.processes,
            ttls_in_seconds: question.ttls_in_seconds(),
            type_code: question.type_code(),
            owners,
            polls: relevant.polls,
            gives_up: follows_calls && bounds.exceed_operation_timeout(),
            database_latency: bounds.database_latency,
            transaction_time: bounds.transaction_time,
            lost_commits: bounds.faults[Fault::Failover].lost_commits.into(),
            timers: match locket {
                Follows::Rows | Follows::Calls => Timers::AnyProcess,
                Follows::Processes => Timers::Each,
            },
            forgets_lives: allows_any(Does::EndsProcess),
            drift: local.map(|it| it.drift).unwrap_or_default(),
            swaps: swaps.clone(),
        });
        let mut clients_of_kind = Vec::new();
        for (index, client) in question.clients.iter().enumerate() {
            if kinds[index] == clients_of_kind.len() {
                let prefers = local.map_or(index, |it| usize::from(it.prefers));
                let settings = client.runner_settings().into();
                let prefers = prefers % question.processes;
                let clock = Clock { unit_ms, rate_ppm: client.rate_ppm };
                let kind = question.connection(client);
                let back_off = kind.back_off(crate::time::Duration::from_ms(unit_ms));
                let node = ClientNode::new(Some(settings), prefers as u16, back_off);
                let connection = relevant.connection || question.backs_off(client);
                let relevant = Relevant { connection, ..relevant };
                clients_of_kind.push(Clients::new(node, relevant, clock));
            }
        }
        Self {
            unit_ms,
            local,
            owners,
            back_ends,
            replies: Replies::default(),
            clients_of_kind,
            kinds,
            swaps,
            delay: units(bounds.latency),
            transit: Transit::of(&bounds, units),
            calls_of_others: units(bounds.calls_of_others()),
            lengths: Fault::ALL.map(|fault| units(question.lasts(fault))),
            grid: units(question.grid()).max(1),
            allow: units(question.property.bound()),
            horizon: units(question.horizon()),
            faults: faults(&allowed),
            used_up: used_up(&allowed),
            allowed,
            acts,
            reductions,
            shape: Shape::of(&question),
            keepalive: relevant.keepalive,
            is_loose,
            clocks_freeze: bounds.allow_any_that(Does::FreezesClock),
            longest_way: match bounds.part_process_and_database() || bounds.hold_rows() {
                true if follows_calls && bounds.slow_database() => Way::QueryTravels,
                true if follows_calls => Way::AnswerTravels,
                _ => Way::Answered,
            },
            has_jitter: question.clients.iter().any(|it| it.runner.rule().has_jitter()),
            may_be_parted: bounds.allow(Fault::LocketCrash)
                && bounds.allow_any_that(Does::LosesCalls),
            faults_least: 0,
            storage: question.asked_storage().map(|it| StorageRules {
                guard: it.guard,
                latency: it.write_latency.limit().map(units),
            }),
            named: 0,
            log: None,
            question,
        }
    }

    /// The same search, with states of fewer faults counted as having this many.
    pub(super) fn with_faults(self, faults_least: u32) -> Self {
        Self { faults_least, ..self }
    }

    /// The same search, limited to this many states.
    pub(super) fn within(mut self, states_max: usize) -> Self {
        let ids_max = IdsMax::of(states_max);
        self.back_ends.limit(ids_max);
        for clients in &mut self.clients_of_kind {
            clients.limit(ids_max);
        }
        self
    }

    /// How many faults a state counts for.
    pub(super) fn faults(&self, state: &State) -> u32 {
        state.used.total().max(self.faults_least)
    }

    pub(super) fn clients(&self) -> usize {
        self.question.clients.len()
    }

    /// The meaning of the words of a state.
    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn locket(&self, state: &State) -> &BackEndFacts {
        self.back_ends.facts(state.back_end)
    }

    /// The facts about clients in every state that they were in.
    pub(super) fn client_facts(&self) -> impl Iterator<Item = &ClientFacts> {
        self.clients_of_kind.iter().flat_map(Clients::all_facts)
    }

    /// In how many states Locket was.
    pub(super) fn locket_states(&self) -> usize {
        self.back_ends.len()
    }

    fn facts(&self, client: u8, state: &State) -> &ClientFacts {
        let client = usize::from(client);
        self.clients_of_kind[self.kinds[client]].facts(state.clients[client])
    }

    /// The facts about each client.
    fn each_client(&self, state: &State) -> impl Iterator<Item = &ClientFacts> {
        let clients = self.kinds.iter().zip(&state.clients);
        clients.map(|(&kind, &client)| self.clients_of_kind[kind].facts(client))
    }

    /// Who the row says is the owner.
    pub(super) fn owner(&self, state: &State) -> Option<u8> {
        self.locket(state).owner
    }

    /// How things stand in a state, with the acts that this question allows.
    pub(super) fn canonical(&self, state: &State) -> Canonical {
        let clients = self.kinds.iter().zip(state.clients);
        let runners =
            clients.map(|(&kind, client)| self.clients_of_kind[kind].canonical_runner(client));
        let now = self.now(state);
        let possible = |(act, _): &(Act, Fault)| act.is_possible(&now, KEY);
        Canonical {
            runners: runners.collect(),
            locket: self.back_ends.canonical_rows(state.back_end),
            possible: self.acts.iter().map(possible).collect(),
        }
    }

    /// True if any fault may still happen.
    fn has_faults_left(&self, state: &State) -> bool {
        state.used != self.used_up
    }

    fn left(&self, state: &State, fault: Fault) -> bool {
        self.allowed[fault as usize].allows_after(state.used.of(fault))
    }

    /// True if what comes of a message changes anything for its client.
    fn matters(&self, message: &Message) -> bool {
        message.is_current || self.keepalive && message.keeps_alive
    }

    /// How much more may go wrong with what is sent.
    pub(super) fn fates_left(&self, state: &State) -> FatesLeft {
        if !self.has_faults_left(state) {
            return FatesLeft::default();
        }
        let left = |fault| self.allowed[fault as usize].left_after(state.used.of(fault));
        FatesLeft {
            lost_messages: left(Fault::LostMessage),
            duplicates: left(Fault::Duplicate),
            lost_replies: left(Fault::LostReply),
        }
    }
}

/// The largest number of a body; the last ones are conditions.
const BODY_MAX: u32 = 0x1ff;
/// The largest age of a message that its word can hold: a slow one is late by two times of a question.
const AGE_MAX: u32 = 0x7fff;

/// The most orders of four clients.
const ORDERS_MAX: usize = 24;

/// The kind of each client: those with the same settings that prefer the same process, and share
/// an owner string or share none.
fn kinds(question: &Question) -> Vec<usize> {
    let clients = question.clients.iter().enumerate();
    let owners = question.owners();
    let of = |index: usize| {
        let client = ClientQuestion { owner: None, ..question.clients[index].clone() };
        let shared = owners.is_shared(index).then(|| owners.first(index as u8));
        (client, shared, index % question.processes)
    };
    let mut kinds: Vec<usize> = Vec::new();
    let mut known = 0;
    for (index, _) in clients {
        let same = (0..index).find(|&other| of(other) == of(index));
        kinds.push(same.map_or(known, |same| kinds[same]));
        known += usize::from(same.is_none());
    }
    kinds
}

/// The faults that may happen.
fn faults(allowed: &[Count; FAULTS]) -> Vec<Fault> {
    let all = Fault::ALL.into_iter();
    all.filter(|it| allowed[*it as usize] > 0).collect()
}

/// All that may happen have happened as often as they may. One without a limit is never counted as far.
fn used_up(allowed: &[Count; FAULTS]) -> Used {
    let mut used = Used::default();
    for (fault, allowed) in Fault::ALL.into_iter().zip(allowed) {
        used.set(fault, allowed.limit().unwrap_or(FAULT_COUNT_MAX));
    }
    used
}

/// The neighbours of the same kind.
fn swaps(kinds: &[usize]) -> Vec<(u8, u8)> {
    let next = |&(index, kind): &(usize, &usize)| {
        let others = kinds.iter().skip(index + 1);
        Some(index + 1 + others.clone().position(|other| other == kind)?)
    };
    let pairs = kinds.iter().enumerate();
    let pairs = pairs.filter_map(|it| Some((it.0 as u8, next(&it)? as u8)));
    pairs.collect()
}
