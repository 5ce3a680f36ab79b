//! The way to a violation as a list of decisions: what happens, in order, and what becomes of
//! each message.
//!
//! A search keeps states in a form in which clients and messages have no names. Here the way is
//! gone once more with names, each step being the one that leads to the state that was kept.

use std::collections::BTreeMap;

use super::interned::NoStep;
use super::model::property::View;
use super::model::{self, Model, Sent};
use super::moves::{Fates, Move};
use super::search::{Search, Violation};
use super::state::{Body, State, Ways};
use crate::protocol::runner::Outlook;
use crate::time::{Duration, Time};

/// The way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// What happens, in order.
    pub(super) decisions: Vec<Decision>,
    /// What becomes of each message, by name.
    pub(super) fates: BTreeMap<MessageName, Fate>,
    /// When the property is broken: the instant after which it has been so for too long.
    pub(super) ends: Time,
    /// How many faults it takes.
    pub(super) faults: u32,
    /// The step of which all times are multiples.
    pub(super) step: Duration,
}

/// A message as the search names it.
pub(super) type MessageName = u32;

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) at: Time,
    pub(super) what: Happening,
    /// The messages that it sends, in order.
    pub(super) sent: Vec<Sent>,
}

/// What happens. Clients and processes go by number, messages by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// A message arrives.
    Arrive(MessageName),
    /// A client's call that has waited for a connection leaves.
    CallLeaves(u8),
    Crash(u8),
    CrashLocket(u8),
    Cut {
        client: u8,
        process: u8,
        ways: Ways,
    },
    Evict,
    Expire,
    FailOver,
    /// A client's own connection tells it that there is no process.
    FailLocally(u8),
    /// A process gives up on the call of a client.
    GiveUp {
        process: u8,
        client: u8,
    },
    Heal {
        client: u8,
        process: u8,
    },
    /// A request arrives, and the database's answer to it is lost.
    LoseAnswer(MessageName),
    /// Time passes; this is how things stand then.
    Pass(Standing),
    /// For as long; `None` if it does not end before the schedule does.
    Pause(u8, Option<Duration>),
    /// A client finds out whether anybody answers its ping.
    Ping(u8),
    Poll(u8),
    ProcessTimer(u8),
    Restart(u8),
    Start(u8),
    StartLocket(u8),
    Stop(u8),
    Timer(u8),
    Wake(u8),
}

impl Happening {
    /// Whether somebody outside does it, so that a scenario has an action for it.
    pub(super) const fn is_from_outside(&self) -> bool {
        match self {
            Self::Crash(_)
            | Self::CrashLocket(_)
            | Self::Cut { .. }
            | Self::Evict
            | Self::FailOver
            | Self::Heal { .. }
            | Self::Pause(..)
            | Self::Restart(_)
            | Self::StartLocket(_)
            | Self::Stop(_) => true,
            Self::Arrive(_)
            | Self::CallLeaves(_)
            | Self::Expire
            | Self::FailLocally(_)
            | Self::GiveUp { .. }
            | Self::LoseAnswer(_)
            | Self::Pass(_)
            | Self::Ping(_)
            | Self::Poll(_)
            | Self::ProcessTimer(_)
            | Self::Start(_)
            | Self::Timer(_)
            | Self::Wake(_) => false,
        }
    }
}

/// How things stand when time is about to pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) view: View,
    /// What can become of each client's runner.
    pub(super) outlooks: Vec<Option<Outlook>>,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Arrives(Time),
    /// Not before the end, or when nobody waits for it any more.
    Late,
    Lost,
}

/// A way that was found cannot be gone again: a mistake of the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoWay;

impl From<NoStep> for NoWay {
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
    pub(super) fn schedule_of(&self, violation: Violation) -> Result<Schedule, NoWay> {
        let mut model = self.model.clone();
        model.log = Some(Vec::new());
        let walk = Walk {
            model,
            state: State::start(),
            now: 0,
            decisions: Vec::new(),
            fates: BTreeMap::new(),
        };
        walk.follow(&self.path_to(violation.state), violation.lasted)
    }
}

/// The way once more, with names.
struct Walk {
    model: Model,
    state: State,
    /// In units.
    now: u64,
    decisions: Vec<Decision>,
    fates: BTreeMap<MessageName, Fate>,
}

/// A step that is possible.
struct Step {
    what: Move,
    after: State,
    sent: Vec<Sent>,
    /// Whether it breaks the property, and for how long that has lasted then.
    breaks: bool,
    lasted: u16,
}

impl Walk {
    fn follow(mut self, path: &[&[u16]], lasted: u16) -> Result<Schedule, NoWay> {
        for words in path.iter().skip(1) {
            let leads_there = |model: &Model, step: &Step| {
                let (mut written, mut spare) = (Vec::new(), Vec::new());
                model.encode(&step.after, &mut written, &mut spare);
                written == *words
            };
            self.take_first(leads_there)?;
        }
        self.take_first(|_, step| step.breaks && step.lasted == lasted)?;
        let ends = self.time();
        let faults = self.state.faults();
        Ok(Schedule {
            decisions: self.decisions,
            fates: self.fates,
            ends,
            step: Duration::from_ms(self.model.unit_ms),
            faults,
        })
    }

    /// Takes the first possible step that is wanted.
    fn take_first(&mut self, is_wanted: impl Fn(&Model, &Step) -> bool) -> Result<(), NoWay> {
        let mut moves = Vec::new();
        self.model.choices(&self.state, &mut moves);
        let (losses, duplicates) = self.model.fates_left(&self.state);
        for what in moves {
            let step = self.step(what, Fates::default())?;
            let sent = step.sent.iter().filter(|it| it.fate != model::Fate::Cut);
            let sent = sent.count() as u8;
            if is_wanted(&self.model, &step) {
                self.take(step);
                return Ok(());
            }
            for fates in Fates::others(sent, losses, duplicates) {
                let step = self.step(what, fates)?;
                if is_wanted(&self.model, &step) {
                    self.take(step);
                    return Ok(());
                }
            }
        }
        Err(NoWay)
    }

    fn step(&mut self, what: Move, fates: Fates) -> Result<Step, NoWay> {
        let mut after = self.state.clone();
        let outcome = self.model.apply(&mut after, what, fates)?;
        let sent = self.model.log.replace(Vec::new()).unwrap_or_default();
        Ok(Step {
            what,
            after,
            sent,
            breaks: outcome.violated,
            lasted: outcome.lasted,
        })
    }

    fn take(&mut self, step: Step) {
        let at = self.time();
        let what = self.happening(step.what);
        if let Happening::Arrive(name) | Happening::LoseAnswer(name) = what {
            self.fates.insert(name, Fate::Arrives(at));
        } else if let Happening::Crash(client) | Happening::Wake(client) = what {
            self.note_end_of_pause(client, at);
        }
        for sent in &step.sent {
            let fate = match sent.fate {
                model::Fate::Lost => Fate::Lost,
                model::Fate::Cut | model::Fate::Sent { .. } => Fate::Late,
            };
            self.fates.insert(sent.name, fate);
        }
        self.decisions.push(Decision {
            at,
            what,
            sent: step.sent,
        });
        if let Move::Pass(units) = step.what {
            self.now += u64::from(units);
        }
        self.state = step.after;
    }

    /// How long a pause lasts is known when it ends.
    fn note_end_of_pause(&mut self, client: u8, now: Time) {
        let pause = self.decisions.iter_mut().rev().find_map(|decision| {
            let Happening::Pause(paused, duration) = &mut decision.what else {
                return None;
            };
            (*paused == client).then_some((decision.at, duration))
        });
        if let Some((since, duration @ None)) = pause {
            *duration = Some(now.since(since));
        }
    }

    fn happening(&self, what: Move) -> Happening {
        let message = |index: u8| self.state.messages[usize::from(index)];
        match what {
            Move::Crash(client) => Happening::Crash(client),
            Move::CrashLocket(process) => Happening::CrashLocket(process),
            Move::Deliver(index) => match message(index).body {
                Body::FailedLocally => Happening::FailLocally(message(index).client),
                Body::Held | Body::Orphaned | Body::Reply(_) | Body::Request(_) => {
                    Happening::Arrive(message(index).name)
                }
            },
            Move::Cut {
                client,
                process,
                ways,
            } => Happening::Cut {
                client,
                process,
                ways,
            },
            Move::Evict => Happening::Evict,
            Move::Expire => Happening::Expire,
            Move::FailOver => Happening::FailOver,
            Move::GiveUp(index) => Happening::GiveUp {
                process: message(index).process,
                client: message(index).client,
            },
            Move::Heal(place) => {
                let cut = self.state.cuts[usize::from(place)];
                Happening::Heal {
                    client: cut.client,
                    process: cut.process,
                }
            }
            Move::Leave(client) => Happening::CallLeaves(client),
            Move::LoseAnswer(index) => Happening::LoseAnswer(message(index).name),
            Move::Pass(_) => Happening::Pass(self.standing()),
            Move::Pause(client) => Happening::Pause(client, None),
            Move::Ping(client) => Happening::Ping(client),
            Move::Poll(process) => Happening::Poll(process),
            Move::ProcessTimer(process) => Happening::ProcessTimer(process),
            Move::Restart(client) => Happening::Restart(client),
            Move::Start(client) => Happening::Start(client),
            Move::StartLocket(process) => Happening::StartLocket(process),
            Move::Stop(client) => Happening::Stop(client),
            Move::Timer(client) => Happening::Timer(client),
            Move::Wake(client) => Happening::Wake(client),
        }
    }

    fn standing(&self) -> Standing {
        let clients = 0..self.model.clients();
        let outlooks =
            clients.map(|client| self.model.outlook(client, self.state.clients[client].id));
        Standing {
            view: self.model.view(&self.state),
            outlooks: outlooks.collect(),
        }
    }

    fn time(&self) -> Time {
        Time::from_ms(self.now * self.model.unit_ms)
    }
}
