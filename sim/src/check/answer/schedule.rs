//! The way to a violation as a list of decisions: what happens, in order, and what becomes of
//! each message.
//!
//! A search keeps states in a form in which clients and messages have no names. This module
//! repeats the steps with names. Each step is the one that leads to the state that was kept.

use std::collections::BTreeMap;

use crate::check::model::moves::{Fates, Move};
use crate::check::model::state::{Body, State, Ways};
use crate::check::model::{self, Model, Sent};
use crate::check::question::visible::VisibleState;
use crate::check::search::{Search, Violation};
use crate::check::steps::back_end::Reception;
use crate::check::steps::interned::NoStep;
use crate::protocol::runner::CanonicalRunner;
use crate::time::{Duration, Time};

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
    /// The step of which all times are multiples.
    pub(in crate::check) step: Duration,
}

/// A message as the search names it.
pub(in crate::check) type MessageName = u32;

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) struct Decision {
    pub(in crate::check) at: Time,
    pub(in crate::check) what: Happening,
    /// The messages that it sends, in order.
    pub(in crate::check) sent: Vec<Sent>,
    /// Whether the database's answers to what it asks arrive at once.
    pub(in crate::check) is_answered: bool,
}

/// What happens. Clients and processes go by number, messages by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) enum Happening {
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
    DrainLocket(u8),
    Evict,
    Expire,
    FailOver,
    /// A client's own connection tells it that there is no process.
    FailLocally(u8),
    /// A process gives up on the call of a client.
    GiveUpOn {
        process: u8,
        client: u8,
    },
    /// A process gives up on a question to the database, by its place among those it waits for.
    GiveUp {
        process: u8,
        place: u8,
    },
    /// An answer of the database arrives at a process: which of those on their way to it, in the
    /// order in which they were asked for.
    Answer {
        process: u8,
        rank: u8,
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
    /// A Locket process is paused for this time; `None` if the pause outlasts the schedule.
    PauseLocket(u8, Option<Duration>),
    /// A client finds out whether its ping is answered.
    Ping(u8),
    Poll(u8),
    ProcessTimer(u8),
    Restart(u8),
    /// The database stalls, for as long.
    Stall(Option<Duration>),
    /// The database goes on; of the transactions that waited, the answers to those with a bit here
    /// are lost.
    StallEnds(u16),
    Start(u8),
    StartLocket(u8),
    Stop(u8),
    Timer(u8),
    Wake(u8),
    WakeLocket(u8),
}

impl Happening {
    /// Whether it comes from outside, so that a scenario has an action for it.
    pub(in crate::check) const fn is_from_outside(&self) -> bool {
        match self {
            Self::Crash(_)
            | Self::CrashLocket(_)
            | Self::Cut { .. }
            | Self::DrainLocket(_)
            | Self::Evict
            | Self::FailOver
            | Self::Heal { .. }
            | Self::Pause(..)
            | Self::PauseLocket(..)
            | Self::Restart(_)
            | Self::Stall(_)
            | Self::StartLocket(_)
            | Self::Stop(_) => true,
            Self::Answer { .. }
            | Self::Arrive(_)
            | Self::CallLeaves(_)
            | Self::Expire
            | Self::FailLocally(_)
            | Self::GiveUp { .. }
            | Self::GiveUpOn { .. }
            | Self::LoseAnswer(_)
            | Self::Pass(_)
            | Self::Ping(_)
            | Self::Poll(_)
            | Self::ProcessTimer(_)
            | Self::StallEnds(_)
            | Self::Start(_)
            | Self::Timer(_)
            | Self::Wake(_)
            | Self::WakeLocket(_) => false,
        }
    }
}

impl Happening {
    /// Which of the database's next answers to transactions are lost, as bits.
    pub(in crate::check) const fn lost_answers(&self) -> u16 {
        if let Self::StallEnds(lost) = self {
            return *lost;
        }
        matches!(self, Self::LoseAnswer(_)) as u16
    }
}

/// How things stand when time is about to pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::check) struct Standing {
    pub(in crate::check) view: VisibleState,
    /// The canonical state of each client's runner.
    pub(in crate::check) runners: Vec<Option<CanonicalRunner>>,
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
pub(in crate::check) struct NoWay;

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
    pub(in crate::check) fn schedule_of(&self, violation: Violation) -> Result<Schedule, NoWay> {
        let path = self.path_to(violation.state);
        schedule(&self.model, &path, violation.lasted)
    }
}

/// The way through states that are written down in words, the last of which a step leaves that
/// breaks the property, for as long.
pub(in crate::check) fn schedule(
    model: &Model,
    path: &[&[u16]],
    lasted: u16,
) -> Result<Schedule, NoWay> {
    let mut model = model.clone();
    model.log = Some(Vec::new());
    let walk = Walk {
        model,
        state: State::start(),
        now: 0,
        decisions: Vec::new(),
        fates: BTreeMap::new(),
    };
    walk.follow(path, lasted)
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
        }
        self.note_end(&what, at);
        for sent in &step.sent {
            let fate = match sent.fate {
                model::Fate::Lost => Fate::Lost,
                model::Fate::Cut | model::Fate::Sent { .. } => Fate::Late,
            };
            self.fates.insert(sent.name, fate);
        }
        let is_answered = !matches!(what, Happening::LoseAnswer(_))
            && self.model.reception(&self.state) != Reception::AnswerTravels;
        self.decisions.push(Decision {
            at,
            what,
            sent: step.sent,
            is_answered,
        });
        if let Move::Pass(units) = step.what {
            self.now += u64::from(units);
        }
        self.state = step.after;
    }

    /// How long a pause or a stall lasts is known when it ends.
    fn note_end(&mut self, end: &Happening, now: Time) {
        let ends = |begun: &Decision| match (&begun.what, end) {
            (Happening::Pause(it, _), Happening::Crash(other) | Happening::Wake(other))
            | (
                Happening::PauseLocket(it, _),
                Happening::CrashLocket(other) | Happening::WakeLocket(other),
            ) => it == other,
            (Happening::Stall(_), Happening::StallEnds(_)) => true,
            _ => false,
        };
        let Some(begun) = self.decisions.iter_mut().rev().find(|it| ends(it)) else {
            return;
        };
        if let Happening::Pause(_, duration @ None)
        | Happening::PauseLocket(_, duration @ None)
        | Happening::Stall(duration @ None) = &mut begun.what
        {
            *duration = Some(now.since(begun.at));
        }
    }

    fn happening(&self, what: Move) -> Happening {
        let message = |index: u8| self.state.messages[usize::from(index)];
        match what {
            Move::Crash(client) => Happening::Crash(client),
            Move::CrashLocket(process) => Happening::CrashLocket(process),
            Move::Deliver(index) => match message(index).body {
                Body::FailedLocally => Happening::FailLocally(message(index).client),
                Body::Held(_)
                | Body::Orphaned
                | Body::Reply(_)
                | Body::Request(_)
                | Body::Unanswered(_) => Happening::Arrive(message(index).name),
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
            Move::DrainLocket(process) => Happening::DrainLocket(process),
            Move::Evict => Happening::Evict,
            Move::Expire => Happening::Expire,
            Move::FailOver => Happening::FailOver,
            Move::GiveUp { process, place } => Happening::GiveUp { process, place },
            Move::Heal(place) => {
                let cut = self.state.cuts[usize::from(place)];
                Happening::Heal {
                    client: cut.client,
                    process: cut.process,
                }
            }
            Move::GiveUpOn(index) => Happening::GiveUpOn {
                process: message(index).process,
                client: message(index).client,
            },
            Move::Internal(place) => {
                let answer = self.model.locket(&self.state).internal[usize::from(place)];
                Happening::Answer {
                    process: answer.process,
                    rank: answer.rank,
                }
            }
            Move::Leave(client) => Happening::CallLeaves(client),
            Move::LoseAnswer(index) => Happening::LoseAnswer(message(index).name),
            Move::Pass(_) => Happening::Pass(self.standing()),
            Move::Pause(client) => Happening::Pause(client, None),
            Move::PauseLocket(process) => Happening::PauseLocket(process, None),
            Move::Ping(client) => Happening::Ping(client),
            Move::Poll(process) => Happening::Poll(process),
            Move::ProcessTimer(process) => Happening::ProcessTimer(process),
            Move::Restart(client) => Happening::Restart(client),
            Move::Stall => Happening::Stall(None),
            Move::StallEnds(lost) => Happening::StallEnds(lost),
            Move::Start(client) => Happening::Start(client),
            Move::StartLocket(process) => Happening::StartLocket(process),
            Move::Stop(client) => Happening::Stop(client),
            Move::Timer(client) => Happening::Timer(client),
            Move::Wake(client) => Happening::Wake(client),
            Move::WakeLocket(process) => Happening::WakeLocket(process),
        }
    }

    fn standing(&self) -> Standing {
        let clients = 0..self.model.clients();
        let runners = clients.map(|client| {
            self.model
                .canonical_runner(client, self.state.clients[client].id)
        });
        Standing {
            view: self.model.view(&self.state),
            runners: runners.collect(),
        }
    }

    fn time(&self) -> Time {
        Time::from_ms(self.now * self.model.unit_ms)
    }
}
