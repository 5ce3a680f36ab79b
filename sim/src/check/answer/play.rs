//! A schedule, played in the full world decision by decision and taken down as a scenario.
//!
//! No search and no guess takes part. At each decision the world must be able to take that very
//! step, and after each instant it must be in the state of the search. Events of the world that are
//! no decisions, such as a reply to a call that is over, happen as time passes.
//!
//! Knows how a schedule is played; not when its things happen, which the schedule says.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::replay_error::{ReplayError, diverges};
use super::scenario_text::ScenarioText;
use super::schedule::{Decision, Fate, MessageName, Schedule, Standing};
use super::watch::{Watch, owner_number};
use crate::check::explorer::{self, Sent};
use crate::check::question::limits::KEY;
use crate::check::question::visible::VisibleState;
use crate::check::question::{Property, Question};
use crate::environment::acts::{Act, Happening};
use crate::environment::happening::{Due, Node};
use crate::environment::rules::Environment as _;
use crate::protocol::runner;
use crate::scenario::{Cast, Running, Scenario};
use crate::time::{Duration, Time};
use crate::trace::{Digest, Event, Recorder};
use crate::world::choice::{Site, SiteKind};
use crate::world::enabled::Now;
use crate::world::event::What;
use crate::world::network::NodeId;
use crate::world::pending::{DueInWorld, LinkMessage};

/// The decision for the rarest answer of a thousand.
const RAREST: u32 = 999;

/// A schedule that was played.
pub(in crate::check) struct Played {
    pub(in crate::check) text: ScenarioText,
    pub(in crate::check) digest: Digest,
    /// From when on the property is broken, and what it sees then.
    pub(in crate::check) breaks: Time,
    pub(in crate::check) view: VisibleState,
    pub(in crate::check) lasted: Duration,
}

/// A schedule under way.
pub(in crate::check) struct Play<'a> {
    pub(in crate::check) question: &'a Question,
    pub(in crate::check) schedule: &'a Schedule,
    pub(in crate::check) running: Running,
    pub(in crate::check) recorder: Recorder,
    /// The messages of the world that the schedule's names mean.
    pub(in crate::check) names: BTreeMap<MessageName, LinkMessage>,
    text: ScenarioText,
    pub(in crate::check) watch: Watch,
    /// The delays of the messages of a slow database that the schedule has hastened, in steps.
    pub(in crate::check) database_delays: BTreeMap<Site, u32>,
    /// The acts that the question allows.
    acts: Vec<Act>,
    /// True if the world has to stand at each instant as the search says.
    pub(in crate::check) is_exact: bool,
}

impl<'a> Play<'a> {
    pub(in crate::check) fn new(
        schedule: &'a Schedule,
        question: &'a Question,
    ) -> Result<Self, ReplayError> {
        let text = ScenarioText::of(schedule, question)?.to_json(question, schedule.ends);
        let scenario = Scenario::from_json(&text)?;
        let mut running = Running::without_plan(Arc::new(Cast::new(scenario)));
        for (site, steps) in &schedule.database_delays {
            running.decide(*site, *steps);
        }
        Ok(Self {
            question,
            schedule,
            running,
            recorder: Recorder::default(),
            names: BTreeMap::new(),
            text: ScenarioText::without_actions(schedule),
            watch: Watch::new(question),
            database_delays: BTreeMap::new(),
            acts: question.allowed_acts().iter().map(|(act, _)| *act).collect(),
            is_exact: true,
        })
    }

    pub(in crate::check) fn all(mut self) -> Result<Played, ReplayError> {
        let schedule = self.schedule;
        for (number, decision) in schedule.decisions.iter().enumerate() {
            self.watch.reach(decision.at, &mut self.running, &mut self.recorder);
            self.foresee(decision);
            self.foresee_connections(number);
            self.decide(decision).map_err(|what| diverges(number, decision.at, what))?;
            self.watch.note_owner(&self.running, &self.recorder);
        }
        let breaks = self.running.world.now();
        let view = self.watch.view(&self.running);
        let has_lost = self.has_lost_own_row(view);
        self.watch.reach(schedule.ends, &mut self.running, &mut self.recorder);
        self.running.run_to(schedule.ends, &mut self.recorder);
        let property = self.question.property;
        let lasted = self.watch.longest();
        let is_broken = match property {
            Property::FalseLoss => has_lost,
            Property::NoWrongWrite => self.running.write_counts().wrong > 0,
            Property::NoClientActs { .. }
            | Property::OneOwner { .. }
            | Property::Own { .. }
            | Property::Acquired { .. }
            | Property::PresenceGap { .. }
            | Property::BeliefMatchesRow { .. } => lasted > property.bound(),
        };
        if !is_broken {
            return Err(ReplayError::Holds);
        }
        self.text.overrides.clone_from(self.running.decisions());
        Ok(Played { text: self.text, digest: self.recorder.digest(), breaks, view, lasted })
    }

    /// True if the last thing that happened is that the owner of the row has lost its lock, or the
    /// owner of all rows one of its locks.
    fn has_lost_own_row(&self, view: VisibleState) -> bool {
        let now = self.running.world.now();
        let first_client = 1 + self.question.processes;
        let owners = self.question.owners().of_row(view.owner);
        self.recorder.events().iter().any(|event| {
            let Event::World(it) = event else {
                return false;
            };
            let client = it.node.index().checked_sub(first_client);
            let is_owner = client.is_some_and(|client| owners >> client & 1 != 0);
            let has_lost = matches!(&it.what, What::Runner(runner::Event::Lost(_)));
            it.time == now && is_owner && has_lost
        })
    }

    /// Decides beforehand what becomes of the messages that a decision sends.
    pub(in crate::check) fn foresee(&mut self, decision: &Decision) {
        let mut on_link: BTreeMap<_, u32> = BTreeMap::new();
        for sent in &decision.sent {
            let link @ (from, to) = self.link(sent);
            // Two answers to one client may leave at once, as a stall ends.
            let before = on_link.entry(link).or_default();
            let number = self.running.world.network().sent(from, to) + *before;
            *before += 1;
            let message = LinkMessage { from, to, number };
            self.names.insert(sent.name, message);
            let second = match sent.fate {
                // The link decides nothing.
                explorer::Fate::Cut => continue,
                explorer::Fate::Lost => None,
                explorer::Fate::Sent { second } => second,
            };
            let site = |kind| Site::on_link(kind, link, number);
            if let Some(second) = second {
                self.names.insert(second, message);
                self.running.decide(site(SiteKind::Duplicate), RAREST);
            }
            let longest = self.running.world.network().rule(from, to).latency_max;
            let delay = match self.schedule.fates.get(&sent.name) {
                Some(Fate::Lost) => {
                    self.running.decide(site(SiteKind::Loss), RAREST);
                    continue;
                }
                // The messages that waited for a paused client had arrived before.
                Some(Fate::Arrives(at)) => at.since(decision.at).min(longest),
                Some(Fate::Late) | None => longest,
            };
            let steps = delay.as_ms() / self.schedule.step.as_ms().max(1);
            if steps > 0 {
                let steps = u32::try_from(steps).unwrap_or(u32::MAX);
                self.running.decide(site(SiteKind::Delay), steps);
            }
        }
        let next_commits = self.running.world.commits()..;
        for (bit, count) in (0..u16::BITS).zip(next_commits) {
            if decision.unanswered >> bit & 1 != 0 {
                let site = Site { kind: SiteKind::CommitAnswer, subject: 0, count };
                self.running.decide(site, RAREST);
            }
        }
    }

    fn link(&self, sent: &Sent) -> (NodeId, NodeId) {
        let world = &self.running.world;
        let client = world.client(sent.client.into());
        let process = world.process(sent.process.into());
        if sent.is_reply { (process, client) } else { (client, process) }
    }

    /// The event that must be due in the world for a step of the schedule.
    pub(in crate::check) fn in_world(&self, due: Due<MessageName>) -> Option<DueInWorld> {
        due.renamed(|name| self.names.get(&name).copied())
    }

    /// Does what the schedule says; says what is wrong if the world cannot.
    pub(in crate::check) fn decide(&mut self, decision: &Decision) -> Result<(), String> {
        let done = match decision.what {
            Happening::Act(act) => self.act(act, decision),
            Happening::Due(Due::Start(client)) => {
                self.start(client, decision.at);
                Ok(())
            }
            Happening::Due(due) => self.take(due, decision.is_answered),
            Happening::Pass(_) => self.compare(decision.standing.as_ref()),
        };
        // Where timers are due at other times, a thing may have happened before its turn, or not
        // at all; whether the property is broken all the same is measured.
        done.or_else(|what| match self.is_exact {
            true => Err(what),
            false => Ok(()),
        })
    }

    /// Decides beforehand for how long each client would wait by a decision: as long as its jitter says,
    /// or if it fails to connect until the schedule says that it tries again, or as long as it may.
    pub(in crate::check) fn foresee_connections(&mut self, number: usize) {
        let decisions = &self.schedule.decisions[number..];
        for client in 0..self.question.clients.len() {
            let tries = Happening::Due(Due::CallLeaves(client as u8));
            let next = decisions[1..].iter().find(|it| it.what == tries);
            let world = &mut self.running.world;
            let (node, now) = (world.client(client), decisions[0].at);
            let window = world.client_node(client).reconnects_if_failed(now);
            let steps = decisions[0].jitter.map(u64::from).or_else(|| {
                let (first, last) = window?;
                let at = next.map_or(last, |it| it.at.min(last));
                Some(at.since(first).as_ms() / self.schedule.step.as_ms().max(1))
            });
            if let Some(steps) = steps {
                let link = (node, node);
                let site = Site::on_link(SiteKind::Delay, link, world.network().sent(node, node));
                self.running.decide(site, u32::try_from(steps).unwrap_or(u32::MAX));
            }
        }
    }

    /// The world at this moment.
    fn now(&self) -> Now<'_> {
        Now { world: &self.running.world, key: KEY }
    }

    fn start(&mut self, client: u8, at: Time) {
        let after = self.running.done_at(at);
        self.text.start(client, at, after);
        self.running.act_in_place(&mut self.recorder, |running, recorder| {
            running.act(recorder, |step| step.start_client(client.into()));
        });
    }

    /// Lets the world do the thing that is wanted of all that is due now.
    fn take(&mut self, due: Due<MessageName>, is_answered: bool) -> Result<(), String> {
        let wanted = self.in_world(due);
        if wanted.is_none() || !self.take_first(&|due| *due == wanted) {
            let enabled = details(|| format!("{wanted:?} is not among {:?}", self.now().enabled()));
            return Err("an event is not due".to_owned() + &enabled);
        }
        if self.question.bounds.slow_database() {
            return Ok(());
        }
        // A query arrives when it is sent, and so does its answer unless that is a decision.
        while let Some(process) = self.query_due() {
            let on_their_way = self.answers_to(process);
            self.take_first(&|due| *due == Some(Due::Query { process, rank: 0 }));
            let newest = self.answers_to(process).checked_sub(1);
            if let Some(rank) = newest.filter(|&newest| is_answered && newest >= on_their_way) {
                self.take_first(&|due| *due == Some(Due::Answer { process, rank }));
            }
        }
        Ok(())
    }

    /// A process whose query is about to arrive.
    fn query_due(&self) -> Option<u8> {
        let world = &self.running.world;
        let mut due = world.due_at(world.now()).into_iter().flatten();
        due.find_map(|due| {
            if let Due::Query { process, .. } = due {
                return Some(process);
            }
            None
        })
    }

    /// How many answers of the database to a process are due.
    fn answers_to(&self, process: u8) -> u8 {
        let world = &self.running.world;
        let due = world.due_at(world.now()).into_iter().flatten();
        let is_its =
            |due: &DueInWorld| matches!(due, Due::Answer { process: to, .. } if *to == process);
        due.filter(is_its).count() as u8
    }

    fn take_first(&mut self, is_wanted: &dyn Fn(&Option<DueInWorld>) -> bool) -> bool {
        let now = self.running.world.now();
        let due = self.running.world.due_at(now);
        let Some(place) = due.iter().position(is_wanted) else {
            return false;
        };
        if place > 0 {
            let site = Site {
                kind: SiteKind::Tie,
                subject: now.as_ms() & u64::from(u32::MAX),
                count: self.running.world.ties_at(now),
            };
            self.running.decide(site, place as u32);
        }
        self.running.tick(now, &mut self.recorder)
    }

    /// Does something from outside, at this very place of the run.
    fn act(&mut self, act: Act, decision: &Decision) -> Result<(), String> {
        if !act.is_possible(&self.running.world, KEY) {
            let enabled = details(|| format!("{act:?} is not among {:?}", self.now().enabled()));
            return Err("a fault is not possible".to_owned() + &enabled);
        }
        if let Act::Crash(node @ Node::Locket(process)) = act
            && self.running.world.is_paused(node.place())
        {
            self.fill_inbox(process);
        }
        let (running, recorder) = (&mut self.running, &mut self.recorder);
        let done = self.text.act(running, recorder, act, decision.lasts, self.question);
        done.map_err(|error| error.to_string())
    }

    /// Lets a paused process get the messages that take as long as they may and are due now: it
    /// takes them along when it crashes, while a process that is down would refuse them.
    fn fill_inbox(&mut self, process: u8) {
        let now = self.running.world.now();
        let node = self.running.world.process(process.into());
        let mut late = self.running.world.due_at(now);
        late.retain(|due| {
            let is_later = |(name, it): (&MessageName, &LinkMessage)| {
                let fate = self.schedule.fates.get(name);
                *due == Some(Due::Arrive(*it)) && fate == Some(&Fate::Arrives(now))
            };
            let is_its = matches!(due, Some(Due::Arrive(it)) if it.to == node);
            is_its && !self.names.iter().any(is_later)
        });
        for due in late {
            self.take_first(&|it| *it == due);
        }
    }

    /// Time is about to pass: the world stands as the search says.
    fn compare(&self, expected: Option<&Standing>) -> Result<(), String> {
        let polls = self.question.polls_matter();
        let found = Standing {
            view: self.watch.view(&self.running),
            nodes: self.now().canonical(&self.acts, owner_number, polls),
        };
        if expected != Some(&found) {
            let states = details(|| format!("expected {expected:?}, found {found:?}"));
            return Err("not all is as the search says".to_owned() + &states);
        }
        Ok(())
    }
}

/// Details for developers. The package is smaller without the names of all states, and the question
/// alone shows them again natively.
fn details(details: impl FnOnce() -> String) -> String {
    match cfg!(target_arch = "wasm32") {
        true => String::new(),
        false => ": ".to_owned() + &details(),
    }
}
