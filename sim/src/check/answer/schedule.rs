//! The way to a violation as a list of decisions: what happens, in order, and what becomes of
//! each message.
//!
//! A search keeps states in a form in which clients and messages have no names. This module
//! repeats the steps with names. Each step is the one that leads to the state that was kept.

use std::collections::BTreeMap;

use super::written::{Taken, Written, is_of_storage};
use crate::check::explorer::moves::{Fates, Move, Sendings};
use crate::check::explorer::state::State;
use crate::check::explorer::{self, Explorer, Outcome, Sent};
use crate::check::question::visible::VisibleState;
use crate::check::search::{Search, Violation};
use crate::check::steps::back_end::Way;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::{Act, Happening};
use crate::environment::canonical::Canonical;
use crate::environment::happening::{Due, Node};
use crate::time::{Duration, Time};
use crate::world::choice::Site;

/// The way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The events, in order.
    pub(in crate::check) decisions: Vec<Decision>,
    /// The fate of each message, by name.
    pub(in crate::check) fates: BTreeMap<MessageName, Fate>,
    /// When the property is broken: the instant after which it has been so for too long.
    pub(in crate::check) ends: Time,
    /// How many faults it takes.
    pub(in crate::check) faults: u32,
    /// The grid: all times are multiples of it.
    pub(in crate::check) step: Duration,
    /// How long the messages between processes and the database take, in steps.
    pub(in crate::check) database_delays: BTreeMap<Site, u32>,
}

/// A message as the search names it.
pub(in crate::check) type MessageName = u32;

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) struct Decision {
    pub(in crate::check) at: Time,
    pub(in crate::check) what: Happening<MessageName>,
    /// For how long it lasts: a pause or a stall that ends before the schedule does.
    pub(in crate::check) lasts: Option<Duration>,
    /// How things stand, if time is about to pass.
    pub(in crate::check) standing: Option<Standing>,
    /// The messages that it sends, in order.
    pub(in crate::check) sent: Vec<Sent>,
    /// The database's answers to transactions that are lost, a bit for each.
    pub(in crate::check) unanswered: u16,
    /// True if the database's answers to what it asks arrive at once.
    pub(in crate::check) is_answered: bool,
    /// By how many steps it defers the next attempt of a client, if that has jitter.
    pub(in crate::check) jitter: Option<u16>,
}

impl Decision {
    /// Something between a client and the storage.
    pub(in crate::check) const fn of_storage(
        at: Time,
        what: Happening<MessageName>,
        lasts: Option<Duration>,
    ) -> Self {
        Self {
            at,
            what,
            lasts,
            standing: None,
            sent: Vec::new(),
            unanswered: 0,
            is_answered: false,
            jitter: None,
        }
    }
}

/// How things stand when time is about to pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) struct Standing {
    pub(in crate::check) view: VisibleState,
    pub(in crate::check) nodes: Canonical,
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Fate {
    Arrives(Time),
    /// Not before the end, or after its call is over.
    Late,
    Lost,
}

/// The steps cannot be repeated, which is a bug in the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct NoSchedule;

impl From<NoStep> for NoSchedule {
    fn from(_: NoStep) -> Self {
        Self
    }
}

impl Schedule {
    /// When the property is broken, from the start.
    pub const fn ends(&self) -> Time {
        self.ends
    }

    /// How many faults it takes.
    pub const fn faults(&self) -> u32 {
        self.faults
    }
}

impl Search {
    /// The way to a violation.
    pub(in crate::check) fn schedule_of(
        &self,
        violation: Violation,
    ) -> Result<Schedule, NoSchedule> {
        let path = self.path_to(violation.state);
        schedule(&self.explorer, &path, violation.lasted)
    }
}

/// The schedule that leads through these encoded states, and ends with a step that breaks the
/// property for this long.
pub(in crate::check) fn schedule(
    explorer: &Explorer,
    path: &[&[u32]],
    lasted: u16,
) -> Result<Schedule, NoSchedule> {
    let mut walk = Walk::new(explorer);
    walk.follow(path)?;
    walk.take_first(&|_, step| step.outcome.violated && step.outcome.lasted == lasted)?;
    Ok(walk.schedule())
}

/// The schedule that leads through these encoded states.
pub(in crate::check) fn schedule_to(
    explorer: &Explorer,
    path: &[&[u32]],
) -> Result<Schedule, NoSchedule> {
    let mut walk = Walk::new(explorer);
    walk.follow(path)?;
    Ok(walk.schedule())
}

/// The way once more, with names.
struct Walk {
    explorer: Explorer,
    state: State,
    /// In units.
    now: u64,
    decisions: Vec<Decision>,
    fates: BTreeMap<MessageName, Fate>,
    written: Written,
}

/// A step that is possible.
struct Step {
    what: Move,
    after: State,
    sent: Vec<Sent>,
    fates: Fates,
    outcome: Outcome,
}

impl Walk {
    fn new(explorer: &Explorer) -> Self {
        let mut explorer = explorer.clone();
        explorer.log = Some(Vec::new());
        Self {
            explorer,
            state: State::start(),
            now: 0,
            decisions: Vec::new(),
            fates: BTreeMap::new(),
            written: Written::default(),
        }
    }

    fn follow(&mut self, path: &[&[u32]]) -> Result<(), NoSchedule> {
        for words in path.iter().skip(1) {
            self.take_first(&|explorer, step| {
                let (mut written, mut spare) = (Vec::new(), Vec::new());
                explorer.encode(&step.after, &mut written, &mut spare);
                written == *words
            })?;
        }
        Ok(())
    }

    fn schedule(mut self) -> Schedule {
        let ends = self.time();
        for added in self.written.into_last_first() {
            let what = Happening::Act(added.act);
            let decision = Decision::of_storage(added.at, what, added.lasts);
            self.decisions.insert(added.after, decision);
        }
        let faults = self.state.used.total();
        Schedule {
            decisions: self.decisions,
            fates: self.fates,
            ends,
            step: Duration::from_ms(self.explorer.unit_ms),
            database_delays: BTreeMap::new(),
            faults,
        }
    }

    /// Takes the first possible step that is wanted.
    fn take_first(
        &mut self,
        is_wanted: &dyn Fn(&Explorer, &Step) -> bool,
    ) -> Result<(), NoSchedule> {
        let mut moves = Vec::new();
        self.explorer.choices(&self.state, &mut moves);
        let left = self.explorer.fates_left(&self.state);
        for what in moves {
            let (step, sent) = self.step(what, Fates::default())?;
            if is_wanted(&self.explorer, &step) {
                return self.take(step);
            }
            for fates in Fates::others(sent, left) {
                let (step, _) = self.step(what, fates)?;
                if is_wanted(&self.explorer, &step) {
                    return self.take(step);
                }
            }
        }
        Err(NoSchedule)
    }

    fn step(&mut self, what: Move, fates: Fates) -> Result<(Step, Sendings), NoSchedule> {
        let mut after = self.state.clone();
        let outcome = self.explorer.apply(&mut after, what, fates)?;
        let sent = self.explorer.log.replace(Vec::new()).unwrap_or_default();
        Ok((Step { what, after, sent, fates, outcome }, outcome.sent))
    }

    fn take(&mut self, step: Step) -> Result<(), NoSchedule> {
        let at = self.time();
        let what = self.named(step.what)?;
        if let Happening::Due(Due::Arrive(name)) = what {
            self.fates.insert(name, Fate::Arrives(at));
        }
        self.note_end(what, at);
        for sent in &step.sent {
            let fate = match sent.fate {
                explorer::Fate::Lost => Fate::Lost,
                explorer::Fate::Cut | explorer::Fate::Sent { .. } => Fate::Late,
            };
            self.fates.insert(sent.name, fate);
        }
        let passes = matches!(what, Happening::Pass(_));
        if !is_of_storage(step.what) {
            self.decisions.push(Decision {
                at,
                what,
                lasts: None,
                standing: passes.then(|| self.standing()),
                sent: step.sent,
                unanswered: step.fates.unanswered,
                is_answered: self.explorer.way(&self.state) == Way::Answered,
                jitter: (step.outcome.sent.jitter > 0).then_some(step.fates.jitter),
            });
        }
        if let Happening::Pass(units) = what {
            self.now += u64::from(units);
        }
        let taken = Taken {
            before: &self.state,
            after: &step.after,
            what: step.what,
            decisions: self.decisions.len(),
            now: self.time(),
            unit: Duration::from_ms(self.explorer.unit_ms),
            wrong: step.outcome.wrong_write,
        };
        self.written.follow(&self.explorer, &taken);
        self.state = step.after;
        Ok(())
    }

    /// How long a pause or a stall lasts is known when it ends.
    fn note_end(&mut self, end: Happening<MessageName>, now: Time) {
        let begins = |act: Act| match (end, act) {
            (Happening::Act(Act::Crash(ended)) | Happening::Due(Due::Wake(ended)), _) => {
                let is_clients = |client| ended == Node::Client(client);
                act == Act::Pause(ended) || matches!(act, Act::Suspend(it) if is_clients(it))
            }
            (Happening::Due(Due::StallEnds), Act::Stall) => true,
            _ => false,
        };
        let mut begun = self.decisions.iter_mut().rev();
        let begun = begun.find(|it| matches!(it.what, Happening::Act(act) if begins(act)));
        if let Some(begun) = begun.filter(|it| it.lasts.is_none()) {
            begun.lasts = Some(now.since(begun.at));
        }
    }

    /// The same thing, with the name of its message.
    fn named(&self, what: Move) -> Result<Happening<MessageName>, NoSchedule> {
        let messages = &self.state.messages;
        let name = |place: u8| messages.get(usize::from(place)).map(|it| it.name);
        what.renamed(name).ok_or(NoSchedule)
    }

    fn standing(&self) -> Standing {
        Standing {
            view: self.explorer.view(&self.state),
            nodes: self.explorer.canonical(&self.state),
        }
    }

    fn time(&self) -> Time {
        Time::from_ms(self.now * self.explorer.unit_ms)
    }
}
