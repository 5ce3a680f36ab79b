//! The profile under way, one continuation at a time.

use std::sync::Arc;

use super::{MarginMoment, MarginQuestion, SafetyMargin};
use crate::scenario::{Cast, Continuation, Running, StepsExceeded};
use crate::simulation::branch::Branch;
use crate::simulation::{Simulation, SimulationError};
use crate::time::{Duration, Time};
use crate::trace::Recorder;
use crate::world::network::NodeId;

/// A profile under way; let it [`run`](Self::run) in slices until it is done.
pub struct SafetyMarginSearch {
    cast: Arc<Cast>,
    branch: Branch,
    end: Time,
    /// The run at the moment that is looked at, and at the one before.
    here: Running,
    before: Running,
    stage: Stage,
    profile: SafetyMargin,
    /// How many steps the run and each continuation may take.
    max_steps: u64,
}

/// The next step of the search.
enum Stage {
    /// Nothing: all moments are known.
    Done,
    /// Nothing: it takes too long.
    Exceeded(StepsExceeded),
    /// The moment as it is.
    Moment,
    /// The point of no return lies after the first of these moments, and not after the second.
    NoReturn { after: Time, by: Time },
    /// A fault of a node with this length, in the run without its own faults.
    NodeFault {
        base: Box<Continuation>,
        length: Duration,
        node: usize,
    },
}

/// The next step, and how much work was done.
type Tried = Result<(Stage, u64), StepsExceeded>;

impl Simulation {
    /// How near the branch that it is in is to two owners, at each moment from its start to its
    /// end; see [`SafetyMargin`]. Where the simulation is does not matter.
    ///
    /// # Errors
    ///
    /// The question makes no sense, or asks for too many moments or lengths; or no two runners
    /// want the same key.
    pub fn safety_margin(
        &self,
        question: MarginQuestion,
    ) -> Result<SafetyMarginSearch, SimulationError> {
        let end = self.end().max(self.branch().reached.time);
        question.check(end)?;
        self.check_rivals()?;
        let here = Running::new(Arc::clone(&self.cast));
        Ok(SafetyMarginSearch {
            cast: Arc::clone(&self.cast),
            branch: self.branch().clone(),
            end,
            before: here.clone(),
            here,
            stage: Stage::Moment,
            profile: SafetyMargin {
                question,
                moments: Vec::new(),
                point_of_no_return: None,
                two_owners_at: None,
            },
            max_steps: self.max_steps,
        })
    }

    /// Without rivals no moment would have a margin, and a result would only seem to say so.
    fn check_rivals(&self) -> Result<(), SimulationError> {
        let clients = &self.scenario().clients;
        let runners = |of: &Vec<usize>| of.iter().filter(|&&it| clients[it].is_runner()).count();
        if self.cast.by_key.values().any(|of| runners(of) > 1) {
            return Ok(());
        }
        let message = "no two runners want the same key, so there are never two owners; give a second client the key and a `retryInterval`";
        Err(SimulationError::argument("scenario", message))
    }
}

impl SafetyMarginSearch {
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
                Stage::Moment => self.try_moment(),
                Stage::NoReturn { after, by } => self.try_no_return(after, by),
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

    /// How many moments there are.
    pub const fn moments(&self) -> u64 {
        self.end.as_ms() / self.profile.question.step.as_ms() + 1
    }

    fn try_moment(&mut self) -> Tried {
        let (breaks, done) = self.breaks_by_itself(&self.here)?;
        let by = self.here.world.now();
        let last = self.profile.moments.last().map(|last| last.at);
        let next = match (breaks, self.profile.point_of_no_return, last) {
            (false, ..) => {
                let base = Box::new(self.here.continuation());
                self.fault(base, self.profile.question.grain, 0)?
            }
            (true, None, Some(after)) => Stage::NoReturn { after, by },
            (true, None, None) => self.no_return_at(by)?,
            (true, Some(_), _) => self.note(Some(Duration::ZERO), None)?,
        };
        Ok((next, done))
    }

    fn try_fault(&mut self, base: Box<Continuation>, length: Duration, node: usize) -> Tried {
        let fault = self.profile.question.fault;
        let faulty = base.with(fault, self.node(node), length);
        let until = self.here.world.now() + length + self.aftermath();
        let (breaks, done) = faulty.has_two_owners_by(until, self.max_steps)?;
        let next = if breaks {
            self.note(Some(length), Some(node))?
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
        if node < self.nodes() {
            return Ok(Stage::NodeFault { base, length, node });
        }
        let length = Duration::from_ms(length.as_ms() + question.grain.as_ms());
        if length > question.longest {
            return self.note(None, None);
        }
        let node = 0;
        Ok(Stage::NodeFault { base, length, node })
    }

    /// Halves the time in which the point of no return lies, until that is one moment.
    fn try_no_return(&mut self, after: Time, by: Time) -> Tried {
        let half = Duration::from_ms(by.since(after).as_ms() / 2);
        if half == Duration::ZERO {
            return Ok((self.no_return_at(by)?, 0));
        }
        let middle = after + half;
        let mut running = self.before.clone();
        advance(&self.branch, &mut running, middle, self.max_steps)?;
        let (breaks, done) = self.breaks_by_itself(&running)?;
        let (after, by) = if breaks {
            (after, middle)
        } else {
            (middle, by)
        };
        Ok((Stage::NoReturn { after, by }, done))
    }

    /// Notes the point of no return, and the moment at which it was found to have passed.
    fn no_return_at(&mut self, at: Time) -> Result<Stage, StepsExceeded> {
        self.profile.point_of_no_return = Some(at);
        self.note(Some(Duration::ZERO), None)
    }

    /// Adds a moment to the result; the next step is the next moment.
    fn note(
        &mut self,
        smallest: Option<Duration>,
        node: Option<usize>,
    ) -> Result<Stage, StepsExceeded> {
        let at = self.here.world.now();
        let node = node.map(|node| self.cast.names.of(self.node(node)).to_owned());
        self.profile
            .moments
            .push(MarginMoment { at, smallest, node });
        let next = at + self.profile.question.step;
        let is_over = next > self.end;
        self.before.clone_from(&self.here);
        // Two may come to act after the last moment.
        let next = next.min(self.end + Duration::from_ms(1));
        let first = advance(&self.branch, &mut self.here, next, self.max_steps)?;
        let earlier = self.profile.two_owners_at;
        self.profile.two_owners_at = earlier.or(first);
        Ok(if is_over { Stage::Done } else { Stage::Moment })
    }

    /// Whether a run has two owners, now or later, without another fault.
    fn breaks_by_itself(&self, running: &Running) -> Result<(bool, u64), StepsExceeded> {
        if running.has_two_owners() {
            return Ok((true, 0));
        }
        let until = self.end.max(running.world.now() + self.aftermath());
        running
            .continuation()
            .has_two_owners_by(until, self.max_steps)
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

    /// How long a continuation is followed after its fault: two leases and two retry intervals.
    fn aftermath(&self) -> Duration {
        let clients = &self.cast.scenario.clients;
        let ttl = clients.iter().map(|it| it.ttl).max().unwrap_or_default();
        let retries = clients.iter().map(|it| it.interval());
        let retry_interval = retries.max().unwrap_or_default();
        let both = ttl.as_ms().saturating_add(retry_interval.as_ms());
        Duration::from_ms(both.saturating_mul(2)).min(AFTERMATH_MAX)
    }
}

/// Beyond that a continuation is not followed, however long a lease is.
const AFTERMATH_MAX: Duration = Duration::from_seconds(600);

/// Lets a run of a branch go on to right before what happens at `at`. Says when two first acted
/// on the way.
fn advance(
    branch: &Branch,
    running: &mut Running,
    at: Time,
    max_steps: u64,
) -> Result<Option<Time>, StepsExceeded> {
    let Some(limit) = at.as_ms().checked_sub(1).map(Time::from_ms) else {
        return Ok(None);
    };
    let mut recorder = Recorder::default();
    let mut first = None;
    let (mut instant, mut acts) = (running.world.now(), running.has_two_owners());
    loop {
        running.check_steps(limit, max_steps)?;
        if !branch.tick(running, &mut recorder, limit) {
            break;
        }
        recorder.forget_events();
        let now = running.world.now();
        if acts && now > instant {
            first.get_or_insert(instant);
        }
        (instant, acts) = (now, running.has_two_owners());
    }
    running.pass_to(at);
    if acts && at > instant {
        first.get_or_insert(instant);
    }
    Ok(first)
}
