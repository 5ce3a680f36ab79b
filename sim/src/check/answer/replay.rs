//! A violation as a scenario that shows it in the full simulated world.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::play::Play;
use super::replay_error::{ReplayError, diverges};
use super::scenario_text::ScenarioText;
use super::schedule::{NoSchedule, Schedule, schedule_to};
use super::timing::Timing;
use super::watch::believers;
use crate::check::question::Question;
use crate::check::question::faults::Fault;
use crate::check::question::limits::KEY;
use crate::check::search::space::{Space, SpaceState};
use crate::environment::acts::{Act, Happening, processes_of};
use crate::environment::happening::Node;
use crate::scenario::{Cast, Running, Scenario, ScenarioError};
use crate::time::{Duration, Time};
use crate::trace::{Digest, Event, Recorder};
use crate::world::DATABASE;
use crate::world::event::What;
use crate::world::network::NodeId;
use crate::world::view::NodeStatus;

/// A violation as a scenario that shows it in the full simulated world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The scenario, as JSON.
    pub scenario: String,
    /// When the property is broken in it.
    pub time: Time,
    /// For how long what must not last has lasted in it by then, measured in the world.
    pub lasted: Duration,
    /// The longest time for which it has two owners.
    pub two_owners_for: Duration,
}

impl Space {
    /// Plays the steps between these states in the full world, whether or not the last one breaks the
    /// property. Returns how many were played. For tests of the checker.
    ///
    /// # Errors
    ///
    /// The world cannot do a step, or differs from the search when time has passed: a bug in the
    /// checker, unless a clock has a rate of its own.
    pub fn play(&self, states: &[SpaceState]) -> Result<usize, ReplayError> {
        let path: Vec<&[u32]> = states.iter().map(|it| it.words.as_slice()).collect();
        let way =
            schedule_to(&self.explorer, &path).map_err(|NoSchedule| ReplayError::NoSchedule)?;
        let question = &self.explorer.question;
        let way = way.with_database_delays(question)?;
        match Play::new(&way, question)?.all() {
            Ok(_) | Err(ReplayError::Holds) => Ok(way.decisions.len()),
            Err(error) => Err(error),
        }
    }
}

impl Schedule {
    /// The schedule as a scenario that was played in the full world, and in which the property
    /// was measured again.
    ///
    /// # Errors
    ///
    /// The simulation disagrees with the search, which is a bug in the checker. Where a clock has a
    /// rate of its own, timers are due between the instants of the search, and the error may say no
    /// more than that they are.
    pub fn counterexample(&self, question: &Question) -> Result<Counterexample, ReplayError> {
        if !question.has_rates() {
            let delayed = self.with_database_delays(question)?;
            return delayed.played(question, Play::new(&delayed, question)?);
        }
        let mut result = Err(ReplayError::Holds);
        for timing in Timing::ALL {
            result = result.or_else(|_| {
                let timed = self.timed(question, timing)?;
                let mut play = Play::new(&timed, question)?;
                play.is_exact = false;
                timed.played(question, play)
            });
        }
        result
    }

    fn played(&self, question: &Question, play: Play<'_>) -> Result<Counterexample, ReplayError> {
        let played = play.all()?;
        let scenario = Scenario::from_json(&played.text.to_json(question, self.ends))?;
        let mut running = Running::new(Arc::new(Cast::new(scenario)));
        let mut recorder = Recorder::default();
        running.run_to(self.ends, &mut recorder);
        if recorder.digest() != played.digest {
            let what = "the scenario that was taken down runs in another way".to_owned();
            return Err(diverges(self.decisions.len(), self.ends, what));
        }
        let mut text = played.text;
        let end = self.aftermath(&mut running, &mut recorder, &mut text, question)?;
        let two_owners_for = running.two_owners_for(KEY);
        text.expect(played.breaks, played.view, two_owners_for, question);
        let scenario = text.to_json(question, end);
        debug_assert_eq!(Ok(recorder.digest()), digest(&scenario), "it runs as it ran");
        Ok(Counterexample { scenario, time: played.breaks, lasted: played.lasted, two_owners_for })
    }
}

/// The run after the schedule.
impl Schedule {
    /// Runs on until there are two owners no more, within the bounds of the question: what lasts
    /// ends after its longest time, and is taken down. Says when that is.
    fn aftermath(
        &self,
        running: &mut Running,
        recorder: &mut Recorder,
        text: &mut ScenarioText,
        question: &Question,
    ) -> Result<Time, ReplayError> {
        let latest = running.world.now() + question.horizon();
        let unit = Duration::from_ms(question.unit_ms());
        while believers(running).count_ones() > 1 && running.world.now() < latest {
            let next = running.world.now() + unit;
            let end = self.forced_end(running, recorder, question);
            match end.filter(|(at, _)| *at <= next) {
                Some((at, act)) => {
                    running.run_to(at, recorder);
                    text.act(running, recorder, act, None, question)?;
                }
                None => running.run_to(next, recorder),
            }
        }
        let end = running.world.now();
        // The rest of its instant.
        running.run_to(end, recorder);
        Ok(end)
    }

    /// The first end that the bounds force on something that lasts. Pauses and stalls end by
    /// themselves.
    fn forced_end(
        &self,
        running: &Running,
        recorder: &Recorder,
        question: &Question,
    ) -> Option<(Time, Act)> {
        let (world, bounds) = (&running.world, &question.bounds);
        let is_down = |node| world.status(node) == NodeStatus::Down;
        let start = |node: NodeId, act, longest| {
            let since = ended_at(recorder, node).filter(|_| is_down(node))?;
            Some((since + longest, act))
        };
        let database =
            start(DATABASE, Act::Start(Node::Database), Fault::DatabaseCrash.longest(bounds));
        // No Locket process starts while the database is down (S27).
        let processes = (0..world.processes()).filter(|_| !is_down(DATABASE));
        let processes = processes.filter_map(|process| {
            let act = Act::Start(Node::Locket(process as u8));
            start(world.process(process), act, Fault::LocketCrash.longest(bounds))
        });
        let mut cuts = BTreeMap::new();
        for decision in &self.decisions {
            if let Happening::Act(act) = decision.what
                && let Act::Cut { client, process, .. } = act
                && let Some(fault) = Fault::of(act)
            {
                cuts.insert((client, process), decision.at + fault.longest(bounds));
            }
        }
        let cuts = cuts.into_iter().filter_map(|((client, process), end)| {
            let mut processes = processes_of(process, world.processes());
            let is_cut = processes.any(|it| world.is_cut_between(client.into(), it));
            is_cut.then_some((end, Act::Heal { client, process }))
        });
        let ends = database.into_iter().chain(processes).chain(cuts);
        let ends = ends.map(|(at, act)| (at.max(world.now()), act));
        ends.min_by_key(|(at, _)| *at)
    }
}

/// When a node has crashed or stopped last.
fn ended_at(recorder: &Recorder, node: NodeId) -> Option<Time> {
    recorder.events().iter().rev().find_map(|event| match event {
        Event::World(it) if it.node == node => {
            matches!(it.what, What::Crashed | What::Stopped).then_some(it.time)
        }
        Event::World(_) | Event::Noted { .. } | Event::Stored { .. } => None,
    })
}

/// The digest of a scenario's run.
fn digest(scenario: &str) -> Result<Digest, ScenarioError> {
    let scenario = Scenario::from_json(scenario)?;
    let end = scenario.end();
    let mut running = Running::new(Arc::new(Cast::new(scenario)));
    let mut recorder = Recorder::default();
    running.run_to(end, &mut recorder);
    Ok(recorder.digest())
}
