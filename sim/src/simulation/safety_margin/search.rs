//! The profile under way, one continuation at a time.

use std::sync::Arc;

use super::no_return::NoReturn;
use super::run_under_way::{RunUnderWay, Tried};
use super::{MarginMoment, MarginQuestion, SafetyMargin};
use crate::scenario::{Continuation, Harm, Running, StepsExceeded};
use crate::simulation::{Simulation, SimulationError};
use crate::time::{Duration, Time};
use crate::world::network::NodeId;

/// A profile under way; let it [`run`](Self::run) in slices until it is done.
pub struct SafetyMarginSearch {
    pub(super) run: RunUnderWay,
    no_return: NoReturn,
    /// Where the moment is that is looked at.
    here: Running,
    /// True if it is right after the events of its time.
    is_after: bool,
    /// True if there was harm since the moment before.
    had_harm: bool,
    /// How things were right after the last event.
    signs: Signs,
    stage: Stage,
    profile: SafetyMargin,
}

/// Where one of these changes, there is a moment right after it: which nodes run, and whether
/// there is harm.
#[derive(PartialEq, Eq)]
struct Signs(Vec<bool>, bool);

/// The next step of the search.
enum Stage {
    /// Nothing: all moments are known.
    Done,
    /// Nothing: it takes too long.
    Exceeded(StepsExceeded),
    /// The moment as it is, if all faults end.
    Rescue,
    /// When the harm became certain on the way to this moment, or ceased to be.
    NoReturn,
    /// The moment as it is.
    Moment,
    /// A further fault of a node with this length.
    NodeFault { base: Box<Continuation>, length: Duration, node: usize },
}

impl Simulation {
    /// How near the branch that it is in is to harm, at each moment from its start to its end; see
    /// [`SafetyMargin`]. Where the simulation is does not matter.
    ///
    /// # Errors
    ///
    /// The question makes no sense, or asks for too many moments or lengths; or no two runners
    /// want the same key, and none keeps a presence.
    pub fn safety_margin(
        &self,
        question: MarginQuestion,
    ) -> Result<SafetyMarginSearch, SimulationError> {
        let end = self.end().max(self.branch().reached.time);
        question.check(end)?;
        let harm = self.harm()?;
        let here = Running::new(Arc::clone(&self.cast));
        Ok(SafetyMarginSearch {
            run: RunUnderWay {
                cast: Arc::clone(&self.cast),
                branch: self.branch().clone(),
                end,
                max_steps: self.max_steps,
                harm,
                only: None,
            },
            no_return: NoReturn::new(here.clone()),
            signs: Signs::of(&here, harm),
            here,
            is_after: false,
            had_harm: false,
            stage: Stage::Rescue,
            profile: SafetyMargin {
                question,
                moments: Vec::new(),
                unavoidable: Vec::new(),
                point_of_no_return: None,
                harm,
                harm_at: None,
            },
        })
    }

    /// Without rivals and presences no moment would have a margin, and a result would only seem to
    /// say so.
    fn harm(&self) -> Result<Harm, SimulationError> {
        let message = "no two runners want the same key, so there are never two owners; give a second client the key and a `retryInterval`";
        let harm = self.cast.harm();
        harm.ok_or_else(|| SimulationError::argument("scenario", message))
    }
}

impl SafetyMarginSearch {
    /// The same, but only this node has the further fault.
    ///
    /// # Errors
    ///
    /// No client or Locket process has this name.
    pub fn of_node(mut self, name: &str) -> Result<Self, SimulationError> {
        let mut nodes = (0..self.nodes()).map(|number| self.node(number));
        let found = nodes.find(|&node| self.run.cast.names.of(node) == name);
        let message = "expected the name of a client or of a Locket process";
        self.run.only = Some(found.ok_or_else(|| SimulationError::argument("node", message))?);
        Ok(self)
    }

    /// Does about `budget` things more in continuations of the run. Whether the profile is done.
    ///
    /// # Errors
    ///
    /// The run, or a continuation of it, takes more steps than it may.
    pub fn run(&mut self, budget: u64) -> Result<bool, SimulationError> {
        let mut left = budget;
        while left > 0 {
            let tried = match std::mem::replace(&mut self.stage, Stage::Done) {
                Stage::Done => return Ok(true),
                Stage::Exceeded(exceeded) => Err(exceeded),
                Stage::Rescue => self.try_rescue(),
                Stage::NoReturn => self.try_no_return(),
                Stage::Moment => self.try_moment(),
                Stage::NodeFault { base, length, node } => self.try_fault(base, length, node),
            };
            match tried {
                Ok((next, done)) => {
                    self.stage = next;
                    left = left.saturating_sub(1 + done);
                }
                Err(exceeded) => {
                    self.stage = Stage::Exceeded(exceeded);
                    return Err(exceeded.into());
                }
            }
        }
        Ok(matches!(self.stage, Stage::Done))
    }

    /// The result so far.
    pub const fn profile(&self) -> &SafetyMargin {
        &self.profile
    }

    /// How many moments there are at least: one for each step, and more right after events.
    pub const fn moments(&self) -> u64 {
        self.run.end.as_ms() / self.profile.question.step.as_ms() + 1
    }

    /// How many of [them](Self::moments) are known.
    pub fn known(&self) -> usize {
        let moments = self.profile.moments.iter();
        moments.filter(|moment| !moment.is_after).count()
    }

    /// Looks closer at the way to this moment if the harm was certain on it.
    fn try_rescue(&mut self) -> Tried<Stage> {
        let (is_certain, done) = self.run.breaks_if_rescued(&self.here)?;
        let looks_closer = is_certain || self.had_harm || self.no_return.is_certain();
        let next = match looks_closer {
            true => Stage::NoReturn,
            false => {
                self.no_return.skip_to(&self.here);
                self.after_rescue()
            }
        };
        Ok((next, done))
    }

    fn try_no_return(&mut self) -> Tried<Stage> {
        let limit = match self.is_after {
            true => Some(self.here.world.now()),
            false => before(self.here.world.now()),
        };
        let (is_there, done) = self.no_return.walk(&self.run, &self.here, limit)?;
        let unavoidable = self.no_return.spans();
        self.profile.point_of_no_return = unavoidable.first().map(|it| it.from);
        self.profile.unavoidable = unavoidable.to_vec();
        let next = match is_there {
            true => self.after_rescue(),
            false => Stage::NoReturn,
        };
        Ok((next, done))
    }

    const fn after_rescue(&self) -> Stage {
        match self.here.world.now().as_ms() > self.run.end.as_ms() {
            true => Stage::Done,
            false => Stage::Moment,
        }
    }

    fn try_moment(&mut self) -> Tried<Stage> {
        if self.here.has(self.run.harm) {
            return Ok((self.note(Some(Duration::ZERO), None)?, 0));
        }
        let base = self.run.continuation(&self.here);
        let until = self.run.until(&self.here);
        let run = &self.run;
        let (breaks, done) = base.clone().has_by(run.harm, until, run.max_steps)?;
        let next = match breaks {
            true => self.note(Some(Duration::ZERO), None)?,
            false => self.fault(Box::new(base), self.profile.question.grain, 0)?,
        };
        Ok((next, done))
    }

    fn try_fault(
        &mut self,
        base: Box<Continuation>,
        length: Duration,
        node: usize,
    ) -> Tried<Stage> {
        let fault = self.profile.question.fault;
        let id = self.node(node);
        let faulty = base.with(fault, id, length);
        let until = self.here.world.now() + length + self.run.aftermath();
        let run = &self.run;
        let (breaks, done) = faulty.has_by(run.harm, until, run.max_steps)?;
        let next = if breaks {
            let has_it_already = base.is_faulty(fault, id);
            self.note(Some(length), Some((node, has_it_already)))?
        } else {
            self.fault(base, length, node + 1)?
        };
        Ok((next, done))
    }

    /// The next step after all nodes before this one.
    fn fault(
        &mut self,
        base: Box<Continuation>,
        length: Duration,
        node: usize,
    ) -> Result<Stage, StepsExceeded> {
        let question = self.profile.question;
        if let Some(node) = self.next_node(node) {
            return Ok(Stage::NodeFault { base, length, node });
        }
        let length = Duration::from_ms(length.as_ms() + question.grain.as_ms());
        if length > question.longest {
            return self.note(None, None);
        }
        let node = self.next_node(0).unwrap_or_default();
        Ok(Stage::NodeFault { base, length, node })
    }

    /// The first node from this one on whose fault is tried.
    fn next_node(&self, from: usize) -> Option<usize> {
        let is_tried = |&it: &usize| self.run.only.is_none_or(|only| only == self.node(it));
        (from..self.nodes()).find(is_tried)
    }

    /// Adds a moment to the result; the next step is the next moment.
    fn note(
        &mut self,
        smallest: Option<Duration>,
        node: Option<(usize, bool)>,
    ) -> Result<Stage, StepsExceeded> {
        let name = |(node, _)| self.run.cast.names.of(self.node(node)).to_owned();
        self.profile.moments.push(MarginMoment {
            at: self.here.world.now(),
            is_after: self.is_after,
            smallest,
            node: node.map(name),
            lasts_already: node.is_some_and(|it| it.1),
        });
        // The harm may come after the last moment.
        let step = self.profile.question.step.as_ms();
        let known = self.known() as u64;
        let next = Time::from_ms(known * step).min(self.run.end + Duration::from_ms(1));
        self.advance(next)?;
        Ok(Stage::Rescue)
    }

    /// Goes on to right after the next event that changes a sign, or to right before the events of
    /// `at`.
    fn advance(&mut self, at: Time) -> Result<(), StepsExceeded> {
        let run = &self.run;
        self.had_harm = false;
        let limit = before(at);
        while let Some(limit) = limit
            && run.advance_instant(&mut self.here, limit)?
        {
            let signs = Signs::of(&self.here, run.harm);
            if signs.1 {
                self.had_harm = true;
                let now = self.here.world.now();
                self.profile.harm_at.get_or_insert(now);
            }
            if signs != self.signs {
                self.signs = signs;
                self.is_after = true;
                return Ok(());
            }
        }
        self.is_after = false;
        self.here.pass_to(at);
        Ok(())
    }

    /// The number of nodes that can have the fault: clients, and then Locket processes.
    fn nodes(&self) -> usize {
        self.here.world.clients() + self.here.world.processes()
    }

    fn node(&self, number: usize) -> NodeId {
        let world = &self.here.world;
        match number.checked_sub(world.clients()) {
            None => world.client(number),
            Some(process) => world.process(process),
        }
    }
}

impl Signs {
    fn of(running: &Running, harm: Harm) -> Self {
        Self(running.world.nodes_running(), running.has(harm))
    }
}

/// The last instant before `at`.
fn before(at: Time) -> Option<Time> {
    at.as_ms().checked_sub(1).map(Time::from_ms)
}
