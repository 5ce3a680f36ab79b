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
use super::schedule::{Decision, Fate, Happening, MessageName, Schedule, Standing};
use super::watch::{Watch, view};
use crate::check::model::{self, Sent};
use crate::check::question::visible::VisibleState;
use crate::check::question::{Property, Question};
use crate::protocol::runner;
use crate::scenario::{Cast, Running, Scenario};
use crate::time::{Duration, Time};
use crate::trace::{Digest, Event, Recorder};
use crate::world::choice::{Site, SiteKind};
use crate::world::event::What;
use crate::world::network::NodeId;
use crate::world::pending::Pending;

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
    pub(in crate::check) names: BTreeMap<MessageName, (NodeId, NodeId, u32)>,
    text: ScenarioText,
    pub(in crate::check) watch: Watch,
    /// Whether the world has to stand at each instant as the search says.
    pub(in crate::check) is_exact: bool,
}

impl<'a> Play<'a> {
    pub(in crate::check) fn new(
        schedule: &'a Schedule,
        question: &'a Question,
    ) -> Result<Self, ReplayError> {
        let text = ScenarioText::of(schedule, question)?.to_json(question, schedule.ends);
        let scenario = Scenario::from_json(&text)?;
        Ok(Self {
            question,
            schedule,
            running: Running::without_plan(Arc::new(Cast::new(scenario))),
            recorder: Recorder::default(),
            names: BTreeMap::new(),
            text: ScenarioText::without_actions(schedule),
            watch: Watch::new(question),
            is_exact: true,
        })
    }

    pub(in crate::check) fn all(mut self) -> Result<Played, ReplayError> {
        let schedule = self.schedule;
        for (number, decision) in schedule.decisions.iter().enumerate() {
            self.watch
                .reach(decision.at, &mut self.running, &mut self.recorder);
            self.foresee(decision);
            self.decide(decision)
                .map_err(|what| diverges(number, decision.at, what))?;
            self.watch.note_owner(&self.running);
        }
        let breaks = self.running.world.now();
        let view = view(&self.running);
        let has_lost = self.has_lost_own_row(view);
        self.watch
            .reach(schedule.ends, &mut self.running, &mut self.recorder);
        self.running.run_to(schedule.ends, &mut self.recorder);
        let property = self.question.property;
        let lasted = self.watch.longest();
        let is_broken = match property {
            Property::FalseLoss => has_lost,
            Property::Handover { .. }
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
        Ok(Played {
            text: self.text,
            digest: self.recorder.digest(),
            breaks,
            view,
            lasted,
        })
    }

    /// Whether the last thing that happened is that the row's owner has lost its lock.
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
            it.time == now && is_owner && matches!(it.what, What::Runner(runner::Event::Lost(_)))
        })
    }

    /// Decides beforehand what becomes of the messages that a decision sends.
    pub(in crate::check) fn foresee(&mut self, decision: &Decision) {
        for sent in &decision.sent {
            let link @ (from, to) = self.link(sent);
            let number = self.running.world.network().sent(from, to);
            self.names.insert(sent.name, (from, to, number));
            let second = match sent.fate {
                // The link decides nothing.
                model::Fate::Cut => continue,
                model::Fate::Lost => None,
                model::Fate::Sent { second } => second,
            };
            let site = |kind| Site::on_link(kind, link, number);
            if let Some(second) = second {
                self.names.insert(second, (from, to, number));
                self.running.decide(site(SiteKind::Duplicate), RAREST);
            }
            let longest = self.question.bounds.latency;
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
            if decision.what.lost_answers() >> bit & 1 != 0 {
                let site = Site {
                    kind: SiteKind::CommitAnswer,
                    subject: 0,
                    count,
                };
                self.running.decide(site, RAREST);
            }
        }
    }

    fn link(&self, sent: &Sent) -> (NodeId, NodeId) {
        let world = &self.running.world;
        let client = world.client(sent.client.into());
        let process = world.process(sent.process.into());
        if sent.is_reply {
            (process, client)
        } else {
            (client, process)
        }
    }

    /// The event that must be due in the world for a step of the schedule; `None` for actions
    /// from outside.
    pub(in crate::check) fn pending(&self, what: &Happening) -> Option<Pending> {
        let node = |client: u8| self.running.world.client(client.into());
        Some(match *what {
            Happening::Arrive(name) | Happening::LoseAnswer(name) => {
                let (from, to, number) = self.names.get(&name).copied()?;
                Pending::Arrival { from, to, number }
            }
            Happening::CallLeaves(client) => Pending::CallLeaves(client.into()),
            Happening::Expire => Pending::TableExpiry,
            Happening::FailLocally(client) => Pending::Local(node(client)),
            Happening::GiveUp { process, place } => Pending::GivesUp {
                process: process.into(),
                place: place.into(),
            },
            Happening::GiveUpOn { process, client } => {
                let process = process.into();
                let place = self.running.world.place_for(process, client.into())?;
                Pending::GivesUp { process, place }
            }
            Happening::Answer { process, rank } => Pending::Answer {
                process: process.into(),
                rank: rank.into(),
            },
            Happening::Ping(client) => Pending::Ping(client.into()),
            Happening::Poll(process) => Pending::Poll(process.into()),
            Happening::ProcessTimer(process) => Pending::ProcessTimer(process.into()),
            Happening::StallEnds(_) => Pending::StallEnds,
            Happening::Timer(client) => Pending::ClientTimer(client.into()),
            Happening::Wake(client) => Pending::Wake(node(client)),
            Happening::WakeLocket(process) => {
                Pending::Wake(self.running.world.process(process.into()))
            }
            Happening::Crash(_)
            | Happening::CrashLocket(_)
            | Happening::Cut { .. }
            | Happening::DrainLocket(_)
            | Happening::Evict
            | Happening::FailOver
            | Happening::Heal { .. }
            | Happening::Pass(_)
            | Happening::Pause(..)
            | Happening::PauseLocket(..)
            | Happening::Restart(_)
            | Happening::Stall(_)
            | Happening::Start(_)
            | Happening::StartLocket(_)
            | Happening::Stop(_) => return None,
        })
    }

    /// Does what the schedule says; says what is wrong if the world cannot.
    pub(in crate::check) fn decide(&mut self, decision: &Decision) -> Result<(), String> {
        if let Some(wanted) = self.pending(&decision.what) {
            // Where timers are due at other times, a thing may have happened before its turn, or
            // not at all; whether the property is broken all the same is measured.
            return self
                .take(wanted, decision.is_answered)
                .or_else(|what| match self.is_exact {
                    true => Err(what),
                    false => Ok(()),
                });
        }
        if let Happening::Pass(standing) = &decision.what {
            return self.compare(standing);
        }
        if let Happening::Start(client) = decision.what {
            self.start(client, decision.at);
            return Ok(());
        }
        self.act(decision)
    }

    fn start(&mut self, client: u8, at: Time) {
        let after = self.running.done_at(at);
        self.text.start(client, at, after);
        self.running
            .act_in_place(&mut self.recorder, |running, recorder| {
                running.act(recorder, |step| step.start_client(client.into()));
            });
    }

    /// Lets the world do the thing that is wanted of all that is due now.
    fn take(&mut self, wanted: Pending, is_answered: bool) -> Result<(), String> {
        if !self.take_first(|due| *due == wanted) {
            let now = self.running.world.now();
            let due = self.running.world.due_at(now);
            return Err(format!("{wanted:?} is not among {due:?}"));
        }
        // A query arrives when it is sent, and so does its answer unless that is a decision.
        while let Some(process) = self.query_due() {
            self.take_first(|due| *due == Pending::Query { process });
            if is_answered {
                self.take_newest_answer(process);
            }
        }
        Ok(())
    }

    /// A process whose query is about to arrive.
    fn query_due(&self) -> Option<usize> {
        let world = &self.running.world;
        let mut due = world.due_at(world.now()).into_iter();
        due.find_map(|due| {
            if let Pending::Query { process } = due {
                return Some(process);
            }
            None
        })
    }

    fn take_newest_answer(&mut self, process: usize) {
        let world = &self.running.world;
        let due = world.due_at(world.now()).into_iter();
        let ranks = due.filter_map(|due| {
            if let Pending::Answer { process: to, rank } = due {
                return (to == process).then_some(rank);
            }
            None
        });
        if let Some(rank) = ranks.max() {
            self.take_first(|due| *due == Pending::Answer { process, rank });
        }
    }

    fn take_first(&mut self, is_wanted: impl Fn(&Pending) -> bool) -> bool {
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
    fn act(&mut self, decision: &Decision) -> Result<(), String> {
        if !decision.what.is_from_outside() {
            // See above.
            return match self.is_exact {
                true => Err(format!("nothing in the world is {:?}", decision.what)),
                false => Ok(()),
            };
        }
        let after = self.running.done_at(decision.at);
        let action = self.text.add_action(decision, after, self.question);
        let action = action.map_err(|error| error.to_string())?;
        self.running
            .act_in_place(&mut self.recorder, |running, recorder| {
                running.perform(&action, recorder);
            });
        Ok(())
    }

    /// Time is about to pass: the world stands as the search says.
    fn compare(&self, expected: &Standing) -> Result<(), String> {
        let world = &self.running.world;
        let runners = (0..world.clients()).map(|client| {
            let local = world.local_time(world.client(client));
            world.runner(client).map(|runner| runner.canonical(local))
        });
        let found = Standing {
            view: view(&self.running),
            runners: runners.collect(),
        };
        if self.is_exact && found != *expected {
            return Err(format!("expected {expected:?}, found {found:?}"));
        }
        Ok(())
    }
}
