//! Random walks through the states of a question that is too large for a search. A violation that
//! they find is real; finding none proves nothing.

use std::fmt;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::play::Play;
use super::replay::Counterexample;
use super::replay_error::ReplayError;
use super::schedule::{NoWay, schedule, way_to};
use super::story::Story;
use crate::amounts::{Seconds, count};
use crate::check::explorer::moves::{Fates, Move};
use crate::check::explorer::state::State;
use crate::check::explorer::{Explorer, Outcome, Reductions};
use crate::check::question::{Question, QuestionError};
use crate::check::search::coverage::{Coverage, Happened};
use crate::check::steps::interned::NoStep;
use crate::environment::happening::{Act, Due, Happening, Node};
use crate::time::Duration;

/// Walks under way; the same seed takes the same ones.
///
/// ```
/// use locket_sim::check::{Fault, ClientQuestion, Question, Walks};
/// use locket_sim::scenario::RunnerKind;
/// use locket_sim::time::Duration;
///
/// let seconds = Duration::from_seconds;
/// let upstream = ClientQuestion::new(RunnerKind::Upstream, seconds(15), seconds(5));
/// let mut question = Question::one_owner(upstream);
/// question.bounds = question.bounds.with_length(Fault::Pause, 1, seconds(60));
/// let mut walks = Walks::new(question, 1, 500)?;
/// while walks.walks() < 200 && walks.smallest().is_none() {
///     walks.walk();
/// }
/// assert!(walks.smallest().is_some());
/// # Ok::<(), locket_sim::check::QuestionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walks {
    explorer: Explorer,
    seed: u64,
    /// The most steps of a walk.
    max_steps: u32,
    walks: u64,
    steps: u64,
    happened: Happened,
    /// The way to the smallest violation so far.
    smallest: Option<Way>,
}

/// The way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    /// Its states in words.
    path: Vec<Vec<u32>>,
    lasted: u16,
    cost: WalkCost,
}

/// The faults of a violation, and its time in milliseconds.
pub type WalkCost = (u32, u64);

/// The result of walks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// The question.
    pub question: Question,
    /// Where the walks came from.
    pub seed: u64,
    /// How many there were.
    pub walks: u64,
    /// How many steps they took together.
    pub steps: u64,
    /// The coverage.
    pub coverage: Coverage,
    /// The smallest violation that was met, if one was.
    pub counterexample: Option<(Counterexample, Story)>,
}

/// A fault that could begin or end does so once in so many times: else each walk would begin with
/// all of them, and none would last.
const FAULT_ONE_IN: u64 = 12;
/// How often another step is looked for instead of a fault.
const ATTEMPTS: u32 = 8;

impl Walks {
    /// Walks of at most `max_steps` steps each.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn new(question: Question, seed: u64, max_steps: u32) -> Result<Self, QuestionError> {
        question.check()?;
        question.check_limits()?;
        Ok(Self {
            explorer: Explorer::new(question, Reductions::default()),
            seed,
            max_steps,
            walks: 0,
            steps: 0,
            happened: Happened::default(),
            smallest: None,
        })
    }

    /// Takes the next walk.
    pub fn walk(&mut self) {
        let (path, violated) = self.take_walk();
        if let Some((cost, lasted)) = violated {
            self.keep(Way { path, lasted, cost });
        }
    }

    /// Takes the next walk and plays it in the full world, whether or not it breaks the property.
    /// Returns how many steps were played. For tests of the checker.
    ///
    /// # Errors
    ///
    /// The world cannot do a step, or differs from the search when time has passed: a bug in the
    /// checker, unless a clock has a rate of its own.
    pub fn walk_in_world(&mut self) -> Result<usize, ReplayError> {
        let (path, _) = self.take_walk();
        let path: Vec<&[u32]> = path.iter().map(Vec::as_slice).collect();
        let way = way_to(&self.explorer, &path).map_err(|NoWay| ReplayError::NoWay)?;
        let question = &self.explorer.question;
        let way = way.with_database_delays(question)?;
        match Play::new(&way, question)?.all() {
            Ok(_) | Err(ReplayError::Holds) => Ok(way.decisions.len()),
            Err(error) => Err(error),
        }
    }

    /// The next walk: the states before it breaks the property, and how it does if it does.
    fn take_walk(&mut self) -> (Vec<Vec<u32>>, Option<(WalkCost, u16)>) {
        let mut random = Pcg64::new(self.seed.into(), self.walks.into());
        self.walks += 1;
        let mut state = State::start();
        let mut path = vec![self.written(&state)];
        let mut time = 0;
        for _ in 0..self.max_steps {
            // Of a machine with too many states, the walks use those that are numbered.
            let Ok(Some((what, fates, after, outcome))) = self.step(&state, &mut random) else {
                break;
            };
            self.steps += 1;
            self.happened.note(what, fates);
            if outcome.violated {
                let cost = (after.used.total(), time * self.explorer.unit_ms);
                return (path, Some((cost, outcome.lasted)));
            }
            if self.explorer.is_dead(&after) {
                break;
            }
            if let Happening::Pass(units) = what {
                time += u64::from(units);
            }
            state = after;
            path.push(self.written(&state));
        }
        (path, None)
    }

    fn keep(&mut self, way: Way) {
        let best = self.smallest.get_or_insert_with(|| way.clone());
        if way.cost < best.cost {
            *best = way;
        }
    }

    fn step(
        &mut self,
        state: &State,
        random: &mut Pcg64,
    ) -> Result<Option<(Move, Fates, State, Outcome)>, NoStep> {
        let mut moves = Vec::new();
        self.explorer.choices(state, &mut moves);
        if moves.is_empty() {
            return Ok(None);
        }
        let left = self.explorer.fates_left(state);
        let wants_fault = random.next_u64().is_multiple_of(FAULT_ONE_IN);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let what = moves[below(moves.len(), random)];
            let (mut after, mut fates) = (state.clone(), Fates::default());
            let mut outcome = self.explorer.apply(&mut after, what, fates)?;
            if wants_fault {
                let others: Vec<Fates> = Fates::others(outcome.sent, left).collect();
                if let Some(&other) = others.get(below(others.len() + 1, random)) {
                    fates = other;
                    after.clone_from(state);
                    outcome = self.explorer.apply(&mut after, what, fates)?;
                }
            }
            let is_fault = after.used.total() > state.used.total() || ends_fault(what);
            if !is_fault || wants_fault || attempt == ATTEMPTS {
                return Ok(Some((what, fates, after, outcome)));
            }
        }
    }

    fn written(&self, state: &State) -> Vec<u32> {
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        self.explorer.encode(state, &mut words, &mut spare);
        words
    }

    /// How many walks were taken.
    pub const fn walks(&self) -> u64 {
        self.walks
    }

    /// How many steps they took together.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Faults and time of the smallest violation so far.
    pub fn smallest(&self) -> Option<WalkCost> {
        self.smallest.as_ref().map(|way| way.cost)
    }

    /// The counterexample so far.
    ///
    /// # Errors
    ///
    /// The full world does not repeat the counterexample, which is a bug in the checker.
    pub fn answer(&self) -> Result<Walked, ReplayError> {
        let counterexample = match &self.smallest {
            Some(way) => {
                let path: Vec<&[u32]> = way.path.iter().map(Vec::as_slice).collect();
                let schedule = schedule(&self.explorer, &path, way.lasted);
                let schedule = schedule.map_err(|NoWay| ReplayError::NoWay)?;
                let found = schedule.counterexample(&self.explorer.question)?;
                let story = found.story();
                Some((found, story))
            }
            None => None,
        };
        Ok(Walked {
            question: self.explorer.question.clone(),
            seed: self.seed,
            walks: self.walks,
            steps: self.steps,
            coverage: Coverage::of(&self.explorer, self.happened),
            counterexample,
        })
    }
}

/// The same on every machine, however wide its numbers are.
fn below(limit: usize, random: &mut Pcg64) -> usize {
    (random.next_u64() % limit as u64) as usize
}

/// Whether something that went wrong ends, which it need not yet.
const fn ends_fault(what: Move) -> bool {
    matches!(
        what,
        Happening::Act(Act::Heal { .. } | Act::Start(Node::Database | Node::Locket(_)))
            | Happening::Due(Due::StallEnds | Due::Wake(_))
    )
}

impl fmt::Display for Walked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.words())?;
        match &self.counterexample {
            Some((_, story)) => write!(f, "{story}"),
            None => Ok(()),
        }
    }
}

impl Walked {
    /// The result as a sentence.
    pub fn words(&self) -> String {
        let breaks = self.question.property.words();
        let bounds = self.question.bounds_words();
        let tried = format!(
            "{} from seed {}, {}",
            count(self.walks, "random walk"),
            self.seed,
            count(self.steps, "step")
        );
        match &self.counterexample {
            Some((found, _)) => format!(
                "Unsafe within these bounds: a schedule {breaks}, after {}. {bounds} It is the smallest that was met in {tried}; there may be a smaller one.",
                Seconds(Duration::from_ms(found.time.as_ms()))
            ),
            None => format!(
                "Unknown within these bounds: no schedule was met that {breaks}. {bounds} Tried: {tried}. That proves nothing."
            ),
        }
    }
}
