//! A scenario that is run step by step.

use std::sync::Arc;

use super::branch::Branch;
use super::error::SimulationError;
use super::snapshots::{Mark, Snapshots};
use crate::json;
use crate::protocol::row::Row;
use crate::scenario::{self, Cast, Position, Running, STEPS_DEFAULT, Scenario};
use crate::time::Time;
use crate::trace::export::{Format, Origin, export};
use crate::trace::{Digest, Event, Names, Recorder, Run};

/// A scenario that is run step by step. See the [module](super).
pub struct Simulation {
    pub(super) cast: Arc<Cast>,
    /// The scenario's text.
    pub(super) source: String,
    pub(super) branches: Vec<Branch>,
    pub(super) current: usize,
    pub(super) running: Running,
    pub(super) recorder: Recorder,
    pub(super) snapshots: Snapshots,
    /// Where steps ended.
    pub(super) marks: Vec<Mark>,
    /// True if the link it was made from tells the same run.
    pub(super) is_faithful: bool,
    /// How many steps may lead from the start to where it is.
    pub(super) max_steps: u64,
}

/// Its start, and what it tells.
impl Simulation {
    /// Reads a scenario, and is at its start. It goes as far as [`STEPS_DEFAULT`] steps lead.
    ///
    /// # Errors
    ///
    /// The first validation error in the text, with its place.
    pub fn from_json(scenario: &str) -> Result<Self, SimulationError> {
        Self::from_json_within(scenario, STEPS_DEFAULT)
    }

    /// The same, but stops after this many steps.
    ///
    /// # Errors
    ///
    /// The first validation error in the text, with its place.
    pub fn from_json_within(scenario: &str, max_steps: u64) -> Result<Self, SimulationError> {
        let cast = Arc::new(Cast::new(Scenario::from_json(scenario)?));
        let running = Running::new(Arc::clone(&cast));
        Ok(Self {
            cast,
            source: json::without_spaces(scenario),
            branches: vec![Branch::main()],
            current: 0,
            snapshots: Snapshots::new(running.clone()),
            running,
            recorder: Recorder::default(),
            marks: Vec::new(),
            is_faithful: true,
            max_steps,
        })
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.cast.scenario
    }

    /// The scenario's text, without white space.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names of the nodes.
    pub fn names(&self) -> &Names {
        &self.cast.names
    }

    /// Where it is.
    pub fn position(&self) -> Position {
        self.running.position()
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.position().time
    }

    /// When the scenario ends. Time can go on after that, steps cannot.
    pub fn end(&self) -> Time {
        self.scenario().end()
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        self.recorder.events()
    }

    /// The digest of what has happened so far.
    pub fn digest(&self) -> Digest {
        self.recorder.digest()
    }

    /// The truth: the rows of the table.
    pub fn rows(&self) -> Vec<Row> {
        self.running.world.rows()
    }

    /// The failures if the run ends here.
    pub fn failures(&self) -> Vec<String> {
        let failures = self.running.failures(&self.recorder);
        failures.into_iter().map(|(_, failure)| failure).collect()
    }

    /// The run as if it ended here.
    pub fn to_run(&self) -> Run {
        self.running.finish(self.recorder.clone())
    }

    /// The run so far in a form that other tools read. Tests made of a run that was
    /// not acted on, and is at its end, carry the scenario; others carry a link.
    pub fn export(&self, format: Format) -> String {
        let is_plain = self.running.acts == 0 && self.now() == self.end();
        if is_plain {
            return export(&self.to_run(), Origin::Scenario(&self.source), format);
        }
        export(&self.to_run(), Origin::Link(&self.link()), format)
    }

    /// True if the run that the link was made from is the same as here; a link may come
    /// from another version of these rules.
    pub const fn is_faithful(&self) -> bool {
        self.is_faithful
    }
}

/// Forwards and backwards. Where it would take more steps than it may, it stays.
impl Simulation {
    /// Goes on until something has happened. Says whether something did before the end.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn step(&mut self) -> Result<bool, SimulationError> {
        self.step_until(self.end())
    }

    /// Goes on until something has happened, or to `limit`. Says whether something did.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn step_until(&mut self, limit: Time) -> Result<bool, SimulationError> {
        self.or_back(|it| Ok(it.step_within(limit, u64::MAX)? == Some(true)))
    }

    /// The same in about `budget` steps; `None` if it is not done yet.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may; then it is as far as they led.
    pub fn step_within(
        &mut self,
        limit: Time,
        budget: u64,
    ) -> Result<Option<bool>, SimulationError> {
        let before = self.events().len();
        let pause = self.running.steps().saturating_add(budget);
        while self.events().len() == before {
            if self.running.steps() >= pause {
                return Ok(None);
            }
            if !self.tick(limit)? {
                self.pass_to(limit);
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Goes back to where the last step before this moment ended. Says whether there was one.
    pub fn step_back(&mut self) -> bool {
        let here = self.position();
        if here == Position::START {
            return false;
        }
        let earlier = self.marks.partition_point(|mark| mark.position < here);
        let target =
            earlier.checked_sub(1).map_or(Position::START, |index| self.marks[index].position);
        self.go_back_to(target);
        true
    }

    /// Goes to the first moment at which `count` events have happened, or to the end.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn seek_event(&mut self, count: usize) -> Result<(), SimulationError> {
        if count <= self.events().len() {
            let earlier = self.marks.partition_point(|mark| mark.events < count);
            let target = match self.marks.get(earlier) {
                Some(mark) if count > 0 => mark.position,
                _ => Position::START,
            };
            self.go_back_to(target);
            return Ok(());
        }
        self.or_back(|it| {
            while it.events().len() < count && it.step()? {}
            Ok(())
        })
    }

    /// Goes to a time, after everything that happens at it.
    ///
    /// # Errors
    ///
    /// The trace would fill too much by then, or it would take more steps than it may.
    pub fn seek_time(&mut self, time: Time) -> Result<(), SimulationError> {
        self.check_size(time, None)?;
        self.go_to(Position { time, count: u32::MAX })
    }

    /// Goes on to a time, after everything that happens at it; nowhere if it has passed.
    ///
    /// # Errors
    ///
    /// The trace would fill too much by then, or it would take more steps than it may.
    pub fn run_until(&mut self, time: Time) -> Result<(), SimulationError> {
        if time < self.now() {
            return Ok(());
        }
        self.seek_time(time)
    }

    /// Goes on to the scenario's end.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub fn run_to_end(&mut self) -> Result<(), SimulationError> {
        let end = self.end();
        if self.now() > end {
            return Ok(());
        }
        self.or_back(|it| {
            while it.tick(end)? {}
            it.pass_to(end);
            Ok(())
        })
    }

    /// Goes on or back to a place of this branch.
    pub(super) fn go_to(&mut self, place: Position) -> Result<(), SimulationError> {
        if place < self.position() {
            self.go_back_to(place);
            return Ok(());
        }
        self.or_back(|it| {
            while it.position() < place && it.tick(place.time)? {}
            it.pass_to(place.time);
            Ok(())
        })
    }

    /// Goes back to a place at which it was before: that takes no more steps than it may.
    pub(super) fn go_back_to(&mut self, place: Position) {
        self.running = self.snapshots.before(place, &mut self.recorder, &mut self.marks);
        while self.position() < place && self.tick(place.time).is_ok_and(|done| done) {}
        self.pass_to(place.time);
    }

    /// Goes somewhere, or is as it was before.
    fn or_back<T>(
        &mut self,
        go: impl FnOnce(&mut Self) -> Result<T, SimulationError>,
    ) -> Result<T, SimulationError> {
        let (here, reached) = (self.position(), self.branch().reached);
        go(self).inspect_err(|_| {
            self.go_back_to(here);
            self.branches[self.current].reached = reached;
        })
    }

    /// Does the next thing by `limit`, be it one that was done from outside.
    fn tick(&mut self, limit: Time) -> Result<bool, SimulationError> {
        self.running.check_steps(limit, self.max_steps)?;
        let (recorder, running) = (&mut self.recorder, &mut self.running);
        let before = recorder.events().len();
        let done = self.branches[self.current].tick(running, recorder, limit);
        if done {
            self.note(before);
        }
        Ok(done)
    }

    fn pass_to(&mut self, time: Time) {
        self.running.pass_to(time);
        self.note_reached();
    }

    /// Takes down that something was done.
    pub(super) fn note(&mut self, before: usize) {
        let (position, events) = (self.position(), self.recorder.events().len());
        if events > before {
            self.marks.push(Mark { position, events });
        }
        self.snapshots.note(&self.running, &self.recorder, &self.marks);
        self.note_reached();
    }

    fn note_reached(&mut self) {
        let here = self.position();
        let branch = &mut self.branches[self.current];
        branch.reached = branch.reached.max(here);
    }
}

/// Reads an argument's text.
pub(super) fn read<'de, T: serde::Deserialize<'de>>(
    text: &'de str,
    field: &str,
) -> Result<T, SimulationError> {
    scenario::read(text).map_err(|error| {
        let field = match error.path.as_str() {
            "" => field.to_owned(),
            path => format!("{field}.{path}"),
        };
        SimulationError::Argument { field, message: error.message }
    })
}
