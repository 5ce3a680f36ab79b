//! The way to a violation: what was done from outside, what became of each message, and how
//! things stood in between.
//!
//! A search keeps states in a form in which clients and messages have no names. Here the way is
//! gone once more with names, each step being the one that leads to the state that was kept.

use std::collections::BTreeMap;

use super::machine::NoStep;
use super::model::{Logged, Model};
use super::moves::{Choice, Move};
use super::search::Search;
use super::state::{Body, State};
use crate::protocol::runner::Outlook;
use crate::time::{Duration, Time};

/// The way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// What was done from outside, in order.
    pub(super) deeds: Vec<Deed>,
    /// What became of each message, by the link and how many messages it had carried before.
    pub(super) fates: BTreeMap<(Link, u32), Fate>,
    /// How things stood whenever time was about to pass.
    pub(super) checkpoints: Vec<Checkpoint>,
    /// When the property was broken.
    pub(super) ends: Time,
    /// How many faults it took.
    pub(super) faults: u32,
}

/// Something that is done from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) at: Time,
    /// Whether it comes before everything else at its instant, or after it.
    pub(super) is_first: bool,
    pub(super) what: DeedWhat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeedWhat {
    Crash(u8),
    CrashLocket(u8),
    Evict,
    FailOver,
    LoseAnswer,
    /// For as long; `None` if it goes on beyond the end.
    Pause(u8, Option<Duration>),
    Restart(u8),
    Start(u8),
    StartLocket(u8),
    Stop(u8),
}

/// One direction between a client and a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) client: u8,
    pub(super) process: u8,
    pub(super) is_reply: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Arrives(Duration),
    /// Not before the end, or not before anybody stops to wait for it.
    Late,
    Lost,
}

/// How things stand at the end of an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub(super) time: Time,
    /// Who the row says is the owner.
    pub(super) owner: Option<u8>,
    /// What can become of each client's runner.
    pub(super) outlooks: Vec<Option<Outlook>>,
    /// Who believes to hold the lock.
    pub(super) believers: Vec<u8>,
}

impl Schedule {
    /// When the property was broken, from the start.
    pub const fn ends(&self) -> Time {
        self.ends
    }

    /// How many faults it took.
    pub const fn faults(&self) -> u32 {
        self.faults
    }
}

impl Search {
    /// The smallest schedule that breaks the property, if the search has found one.
    pub fn schedule(&self) -> Option<Schedule> {
        let (path, last) = self.path()?;
        let mut model = self.model.clone();
        model.log = Some(Vec::new());
        let walk = Walk {
            model,
            state: State::start(),
            now: 0,
            schedule: Schedule {
                deeds: Vec::new(),
                fates: BTreeMap::new(),
                checkpoints: Vec::new(),
                ends: Time::ZERO,
                faults: 0,
            },
            counts: BTreeMap::new(),
            sent: BTreeMap::new(),
            later: Vec::new(),
        };
        // Every situation on the way is known already.
        walk.follow(&path, last).ok()
    }
}

/// The way once more, with names.
struct Walk {
    model: Model,
    state: State,
    /// In units.
    now: u64,
    schedule: Schedule,
    /// How many messages each link has carried.
    counts: BTreeMap<Link, u32>,
    /// The messages by name: where they are, and when they were sent.
    sent: BTreeMap<u32, (Link, u32, u64)>,
    /// Replies that nobody waits for and that will be sent at a time.
    later: Vec<(u64, Link)>,
}

impl Walk {
    fn follow(mut self, path: &[&[u16]], last: Choice) -> Result<Schedule, NoStep> {
        for words in path.iter().skip(1) {
            self.step_to(words)?;
        }
        // Which client is which was settled on the way: of the choices that look like the last
        // one any that breaks the property will do.
        let mut moves = Vec::new();
        self.model.choices(&self.state, &mut moves);
        for what in moves {
            let choice = Choice { what, ..last };
            let mut state = self.state.clone();
            if self.model.apply(&mut state, choice)?.violated {
                self.take(choice, state);
                break;
            }
        }
        self.schedule.ends = self.time();
        self.schedule.faults = self.state.faults();
        Ok(self.schedule)
    }

    /// Takes the step that leads to the state of these words.
    fn step_to(&mut self, words: &[u16]) -> Result<(), NoStep> {
        let (mut moves, mut found, mut spare) = (Vec::new(), Vec::new(), Vec::new());
        self.model.choices(&self.state, &mut moves);
        for (what, loses) in moves
            .into_iter()
            .flat_map(|what| [(what, false), (what, true)])
        {
            let choice = Choice { what, loses };
            let mut state = self.state.clone();
            self.model.log = Some(Vec::new());
            self.model.apply(&mut state, choice)?;
            self.model.encode(&state, &mut found, &mut spare);
            if found == words {
                self.take(choice, state);
                return Ok(());
            }
        }
        Ok(())
    }

    fn take(&mut self, choice: Choice, after: State) {
        let is_first = self.state.is_fresh;
        let at = self.time();
        let mut deed = |what| self.schedule.deeds.push(Deed { at, is_first, what });
        match choice.what {
            Move::Crash(client) => deed(DeedWhat::Crash(client)),
            Move::CrashLocket(process) => {
                deed(DeedWhat::CrashLocket(process));
                self.later.retain(|(_, link)| link.process != process);
            }
            Move::Evict => deed(DeedWhat::Evict),
            Move::FailOver => deed(DeedWhat::FailOver),
            Move::LoseAnswer(_) => self.schedule.deeds.push(Deed {
                at,
                is_first: true,
                what: DeedWhat::LoseAnswer,
            }),
            Move::Pause(client) => deed(DeedWhat::Pause(client, None)),
            Move::Restart(client) => deed(DeedWhat::Restart(client)),
            Move::Start(client) => deed(DeedWhat::Start(client)),
            Move::StartLocket(process) => deed(DeedWhat::StartLocket(process)),
            Move::Stop(client) => deed(DeedWhat::Stop(client)),
            Move::Wake(client) => self.wake(client),
            Move::Deliver(_)
            | Move::DeliverBoth(_)
            | Move::Expire
            | Move::GiveUp(_)
            | Move::Go
            | Move::Pass(_)
            | Move::Poll(_)
            | Move::ProcessTimer(_)
            | Move::Timer(_) => {}
        }
        self.arrive(choice.what);
        for logged in self.model.log.take().unwrap_or_default() {
            self.note(logged);
        }
        if let Move::Pass(units) = choice.what {
            self.pass(units);
        }
        self.state = after;
    }

    fn wake(&mut self, client: u8) {
        let now = self.time();
        let mut deeds = self.schedule.deeds.iter_mut().rev();
        let pause = deeds.find_map(|deed| {
            let DeedWhat::Pause(paused, duration) = &mut deed.what else {
                return None;
            };
            (*paused == client).then_some((deed.at, duration))
        });
        if let Some((since, duration)) = pause {
            *duration = Some(now.since(since));
        }
    }

    /// A message arrives.
    fn arrive(&mut self, what: Move) {
        let (Move::Deliver(index) | Move::DeliverBoth(index) | Move::LoseAnswer(index)) = what
        else {
            return;
        };
        let message = self.state.messages[usize::from(index)];
        if matches!(message.body, Body::Reply(_) | Body::Request(_)) {
            self.arrives_now(message.name);
        }
    }

    fn arrives_now(&mut self, name: u32) {
        if let Some(&(link, count, sent)) = self.sent.get(&name) {
            let longest = self.model.question.bounds.delay;
            // What waited for a paused client had come before.
            let took = Duration::from_ms((self.now - sent) * self.model.unit_ms).min(longest);
            self.schedule
                .fates
                .insert((link, count), Fate::Arrives(took));
        }
    }

    fn note(&mut self, logged: Logged) {
        match logged {
            Logged::CameAtOnce { name } => self.arrives_now(name),
            Logged::Sent {
                name,
                client,
                process,
                is_reply,
                is_lost,
            } => {
                let link = Link {
                    client,
                    process,
                    is_reply,
                };
                let count = self.count(link);
                let fate = if is_lost { Fate::Lost } else { Fate::Late };
                self.schedule.fates.insert((link, count), fate);
                self.sent.insert(name, (link, count, self.now));
            }
            Logged::Unheard {
                client,
                process,
                is_later,
            } => {
                let link = Link {
                    client,
                    process,
                    is_reply: true,
                };
                if is_later {
                    let given_up = self.now + u64::from(self.model.given_up());
                    self.later.push((given_up, link));
                } else {
                    self.count(link);
                }
            }
        }
    }

    fn count(&mut self, link: Link) -> u32 {
        let count = self.counts.entry(link).or_default();
        *count += 1;
        *count - 1
    }

    fn pass(&mut self, units: u16) {
        let clients = 0..self.model.clients();
        let checkpoint = Checkpoint {
            time: self.time(),
            owner: self.model.owner(&self.state),
            outlooks: clients
                .clone()
                .map(|client| self.model.outlook(client, self.state.clients[client].mind))
                .collect(),
            believers: clients
                .filter(|&client| self.model.believes(client, self.state.clients[client]))
                .map(|client| client as u8)
                .collect(),
        };
        self.schedule.checkpoints.push(checkpoint);
        self.now += u64::from(units);
        let now = self.now;
        let due: Vec<Link> = self
            .later
            .extract_if(.., |(at, _)| *at <= now)
            .map(|(_, link)| link)
            .collect();
        for link in due {
            self.count(link);
        }
    }

    fn time(&self) -> Time {
        Time::from_ms(self.now * self.model.unit_ms)
    }
}
