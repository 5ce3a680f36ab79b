//! A scenario under way, one thing at a time.
//!
//! A run from start to end and a [`Simulation`](crate::simulation::Simulation) both go on by [`Running::tick`],
//! so they cannot differ. The [`Recorder`] that each call borrows keeps the events; the rest is a
//! value that can be cloned.

mod batch;
mod continuation;
mod outcome;
mod plan;
mod writing;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use super::beliefs::Beliefs;
use super::cast::Cast;
use super::position::Position;
use super::steps::StepsExceeded;
use super::vacancies::Vacancies;
use super::writes::Writes;
use crate::time::{Duration, Time};
use crate::trace::Recorder;
pub(crate) use crate::world::FAST_STEPS_MAX;
use crate::world::choice::{Choices, Recorded, Script, Site, SiteKind};
use crate::world::{Step, World};
pub(crate) use continuation::Continuation;
pub use continuation::NodeFault;
use plan::{Planned, Rank};

/// A scenario under way.
#[derive(Clone)]
pub(crate) struct Running {
    pub(crate) cast: Arc<Cast>,
    pub(crate) world: World,
    script: Script,
    /// The decisions that differ from the usual ones, if they are recorded.
    picked: Option<BTreeMap<Site, u32>>,
    beliefs: Beliefs,
    vacancies: Vacancies,
    writes: Option<Box<Writes>>,
    plan: BinaryHeap<Reverse<(Time, Rank, Planned)>>,
    /// The failures, by the number of the expectation.
    failures: Vec<(usize, String)>,
    /// When something was done last, and how many things at that time.
    last: Position,
    /// The number of steps so far.
    pub(crate) ticks: u64,
    /// How much work that was: each of them, and each instant at which there was nothing to do after all.
    steps: u64,
    /// How many of them were not in the scenario's plan.
    pub(crate) acts: usize,
}

impl Running {
    pub(crate) fn new(cast: Arc<Cast>) -> Self {
        let scenario = &cast.scenario;
        let starts = scenario.clients.by_entry().enumerate();
        let starts = starts.filter(|(_, (entry, _))| entry.is_runner());
        let starts = starts.map(|(index, (entry, number))| {
            (entry.start_at(number), entry.start_after, Planned::StartClient(index))
        });
        let actions = scenario.actions.iter().enumerate();
        let actions =
            actions.map(|(index, action)| (action.at, action.after, Planned::Action(index)));
        let checks = scenario.expect.iter().enumerate();
        let checks = checks
            .filter_map(|(index, check)| Some((check.at?, None, Planned::Expectation(index))));
        let writes = Writes::new(&cast).map(Box::new);
        let writing = scenario.storage.and_then(|it| it.write_interval);
        let writing = writing.map(|_| (Duration::ZERO, None, Planned::Writes));
        let all = starts.chain(actions).chain(checks).chain(writing);
        let all = all.map(|(at, after, planned)| {
            Reverse((Time::ZERO + at, Rank::new(after, planned), planned))
        });
        // Mostly starts of clients, of which a run may have 100,000.
        let mut plan = BinaryHeap::with_capacity(scenario.clients.len());
        plan.extend(all);
        Self {
            world: scenario.world(),
            script: Script {
                seed: scenario.random.then_some(scenario.seed),
                overrides: scenario.overrides.clone().unwrap_or_default(),
            },
            picked: None,
            beliefs: Beliefs::new(&cast.by_key, scenario),
            vacancies: Vacancies::new(&cast),
            writes,
            plan,
            failures: Vec::new(),
            last: Position::START,
            ticks: 0,
            steps: 0,
            acts: 0,
            cast,
        }
    }

    /// Replaces the scenario's seed before anything has happened.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.script.seed = self.script.seed.map(|_| seed);
        self.world.reseed(seed);
    }

    /// Like [`new`](Self::new), but plans nothing that its author does, and starts no client.
    pub(crate) fn without_plan(cast: Arc<Cast>) -> Self {
        Self { plan: BinaryHeap::new(), ..Self::new(cast) }
    }

    /// As [`new`](Self::new), and takes down what is decided otherwise than usual.
    pub(crate) fn recording(cast: Arc<Cast>) -> Self {
        Self { picked: Some(BTreeMap::new()), ..Self::new(cast) }
    }

    /// The decisions that differ from the usual ones, if they were [recorded](Self::recording).
    pub(crate) fn into_picked(self) -> BTreeMap<Site, u32> {
        self.picked.unwrap_or_default()
    }

    /// The decisions so far that differ from the usual ones, if they are
    /// [recorded](Self::recording).
    pub(crate) fn picked(&self) -> impl ExactSizeIterator<Item = (&Site, &u32)> {
        let none = const { &BTreeMap::new() };
        self.picked.as_ref().unwrap_or(none).iter()
    }

    /// Where it is: the time, and how many things were done at it.
    pub(crate) fn position(&self) -> Position {
        let time = self.world.now();
        if time == self.last.time {
            return self.last;
        }
        Position { time, count: 0 }
    }

    /// Does the next thing that is due by `limit`. Says whether there was one.
    pub(crate) fn tick(&mut self, limit: Time, recorder: &mut Recorder) -> bool {
        self.advance(limit, recorder, false, 0)
    }

    /// The same, but a call that nothing comes between is answered in one go, which takes up to
    /// [`FAST_STEPS_MAX`] steps, and renewals follow each other for about `budget` steps. Events and counts
    /// are the same.
    pub(crate) fn run_fast(&mut self, limit: Time, recorder: &mut Recorder, budget: u64) -> bool {
        self.advance(limit, recorder, true, budget)
    }

    fn advance(
        &mut self,
        limit: Time,
        recorder: &mut Recorder,
        may_run_fast: bool,
        budget: u64,
    ) -> bool {
        let planned = self.plan.peek().map(|Reverse(planned)| *planned);
        let planned = planned.filter(|(time, ..)| *time <= limit);
        // Events that no action causes come before the actions of the instant, unless the action
        // has a place among them.
        let may_happen_until = match planned {
            Some((time, rank, _)) if rank.is_due_after(self.done_at(time)) => before(time),
            Some((time, ..)) => Some(time),
            None => Some(limit),
        };
        // An action may have a place between the events of its instant.
        let fast_until = match planned {
            _ if !may_run_fast || self.writes.is_some() => None,
            Some((time, rank, _)) if rank.is_placed() => before(time),
            _ => may_happen_until,
        };
        if let Some(until) = fast_until {
            let taken = match self.script.asks_about(SiteKind::Tie) {
                true => self.things(until, budget, recorder),
                false => self.run_batch(until, budget, recorder),
            };
            if taken {
                return true;
            }
        }
        let taken =
            may_happen_until.map_or(0, |until| self.step_world(until, recorder, fast_until));
        if taken > 0 {
            self.note_changes(recorder);
            self.count(taken);
        } else {
            let Some(Reverse((time, rank, next))) = planned.and_then(|_| self.plan.pop()) else {
                return false;
            };
            if self.plan.len() < self.plan.capacity() / 4 {
                self.plan.shrink_to(self.plan.capacity() / 2);
            }
            self.world.pass_to(time);
            self.steps += 1;
            self.carry_out(time, rank, next, recorder);
            self.count(1);
        }
        true
    }

    /// Lets one thing after the other happen by itself, by `limit` and for about `budget` steps. Says
    /// whether any did.
    fn things(&mut self, limit: Time, budget: u64, recorder: &mut Recorder) -> bool {
        let (steps, ticks) = (self.steps, self.ticks);
        while self.steps - steps < budget {
            let taken = self.step_world(limit, recorder, Some(limit));
            if taken == 0 {
                break;
            }
            self.note_changes(recorder);
            self.count(taken);
        }
        self.ticks > ticks
    }

    /// The number of steps at `time`.
    pub(crate) fn done_at(&self, time: Time) -> u32 {
        if self.last.time == time { self.last.count } else { 0 }
    }

    /// Lets the next thing happen by itself, by `until`. Says how many things that were. Instant by
    /// instant, since what was due may have been moved on.
    fn step_world(
        &mut self,
        until: Time,
        recorder: &mut Recorder,
        fast_until: Option<Time>,
    ) -> u32 {
        while let Some(next) = self.world.next_time().filter(|next| *next <= until) {
            let taken = self.choosing(|world, choices| match Some(next) <= fast_until {
                true => world.run_fast(next, choices, recorder),
                false => world.step(next, choices, recorder).into(),
            });
            self.steps += u64::from(taken.max(1));
            if taken > 0 {
                return taken;
            }
        }
        0
    }

    /// How many steps it has taken: the same wherever it runs.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether it may go on to `limit` by another step.
    ///
    /// # Errors
    ///
    /// There is more to do, and it has taken that many steps.
    pub(crate) fn check_steps(&self, limit: Time, max_steps: u64) -> Result<(), StepsExceeded> {
        if self.steps < max_steps {
            return Ok(());
        }
        let planned = self.plan.peek().map(|Reverse((time, ..))| *time);
        let mut next = [self.world.next_time(), planned].into_iter().flatten();
        if next.all(|next| next > limit) {
            return Ok(());
        }
        Err(StepsExceeded { max_steps, reached: self.world.now(), until: limit })
    }

    /// Does everything that is due by `time`, and lets time pass to it.
    pub(crate) fn run_to(&mut self, time: Time, recorder: &mut Recorder) {
        while self.tick(time, recorder) {}
        self.world.pass_to(time);
    }

    /// The same, if it takes no more steps than that.
    ///
    /// # Errors
    ///
    /// It takes more.
    pub(crate) fn run_within(
        &mut self,
        time: Time,
        recorder: &mut Recorder,
        max_steps: u64,
    ) -> Result<(), StepsExceeded> {
        loop {
            self.check_steps(time, max_steps)?;
            if !self.tick(time, recorder) {
                self.world.pass_to(time);
                return Ok(());
            }
        }
    }

    /// Lets time pass to `time`, up to which nothing is due.
    pub(crate) fn pass_to(&mut self, time: Time) {
        self.world.pass_to(time);
    }

    /// For how long two clients or more have believed to hold a key at once.
    pub(crate) fn two_owners_for(&self, key: &str) -> Duration {
        let mut beliefs = self.beliefs.clone();
        beliefs.finish(self.world.now());
        let longest = beliefs.two_owners(key);
        longest.map_or(Duration::ZERO, |(from, to)| to.since(from))
    }

    /// Does something that is not in the scenario's plan.
    pub(crate) fn act_from_outside(&mut self, act: impl FnOnce(&mut Self)) {
        act(self);
        self.acts += 1;
        self.count(1);
    }

    /// Does something to the world, from outside.
    pub(crate) fn act<T>(
        &mut self,
        recorder: &mut Recorder,
        kind: impl FnOnce(&mut Step<'_>) -> T,
    ) -> T {
        let result = self.choosing(|world, choices| kind(&mut world.act(choices, recorder)));
        self.note_changes(recorder);
        result
    }

    /// Lets the world go on or be acted upon, and the script decide what could go two ways.
    fn choosing<T>(&mut self, kind: impl FnOnce(&mut World, &mut dyn Choices) -> T) -> T {
        let Some(picked) = self.picked.take() else {
            return kind(&mut self.world, &mut self.script);
        };
        let mut recorded = Recorded::resume(&mut self.script, picked);
        let result = kind(&mut self.world, &mut recorded);
        self.picked = Some(recorded.picked);
        result
    }

    /// Does at this place what a scenario does by an action with that place.
    pub(crate) fn act_in_place(
        &mut self,
        recorder: &mut Recorder,
        act: impl FnOnce(&mut Self, &mut Recorder),
    ) {
        act(self, recorder);
        self.count(1);
    }

    /// Decides what a question that is still to be asked is answered.
    pub(crate) fn decide(&mut self, site: Site, picked: u32) {
        self.script.overrides.insert(site, picked);
    }

    /// The decisions, made here or by the scenario.
    pub(crate) const fn decisions(&self) -> &BTreeMap<Site, u32> {
        &self.script.overrides
    }

    /// Counts things that were done at this time.
    fn count(&mut self, things: u32) {
        self.ticks += u64::from(things);
        let Position { time, count } = self.position();
        let count = count.saturating_add(things);
        self.last = Position { time, count };
    }

    fn carry_out(&mut self, time: Time, rank: Rank, planned: Planned, recorder: &mut Recorder) {
        let cast = Arc::clone(&self.cast);
        match planned {
            Planned::Action(index) => {
                let action = &cast.scenario.actions[index];
                self.perform(action, recorder);
                let next = action.repeats_after(time);
                self.plan.extend(next.map(|next| Reverse((next, rank, planned))));
            }
            Planned::Expectation(index) => {
                let check = &cast.scenario.expect[index];
                let found = check.check_now(&self.world, &cast.by_key, &cast.names);
                let found = found.into_iter().map(|failure| (index, failure));
                self.failures.extend(found);
            }
            Planned::StartClient(client) => {
                self.act(recorder, |step| step.start_client(client));
            }
            Planned::Stored(number) => self.write(recorder, |writes, world, recorder| {
                writes.arrive(number, world, recorder);
            }),
            Planned::Writes => {
                self.write(recorder, Writes::write_all);
                let interval = cast.scenario.storage.and_then(|it| it.write_interval);
                let next = interval.map(|it| time + it).filter(|next| *next > time);
                let next = next.filter(|next| *next <= cast.scenario.end());
                self.plan.extend(next.map(|next| Reverse((next, rank, planned))));
            }
        }
    }

    /// Looks at the beliefs of those to whom something has happened, and at the table if it has
    /// changed.
    fn note_changes(&mut self, recorder: &mut Recorder) {
        if !recorder.has_changes() && self.writes.is_none() {
            return;
        }
        let first_client = 1 + self.cast.scenario.processes;
        for node in recorder.take_touched() {
            if let Some(client) = node.index().checked_sub(first_client) {
                self.beliefs.update(client, &self.world);
                if let Some(writes) = &mut self.writes {
                    writes.touch(client);
                }
            }
        }
        let changes = recorder.row_changes();
        self.vacancies.update(changes, &self.cast, &self.world);
        self.write(recorder, |writes, world, recorder| {
            writes.update_rows(recorder.row_changes(), world);
            writes.update_touched(world, recorder);
        });
        recorder.forget_changes();
    }
}

/// The last instant before a time.
fn before(time: Time) -> Option<Time> {
    time.as_ms().checked_sub(1).map(Time::from_ms)
}
