//! Visits every state that can be reached, those with fewer faults first and of these the
//! earlier ones, so that the first violation is the one with the smallest schedule.
//!
//! Knows states as words and the order of visits; what follows from a state is the
//! [model](super::model)'s.

use std::collections::BTreeMap;

use super::machine::TooManySituations;
use super::model::{Model, Reductions};
use super::moves::{Choice, Move};
use super::question::{Question, QuestionError};
use super::state::State;
use super::store::{Cost, NO_PARENT, Origin, Store};

/// A search under way; a value that can be cloned.
///
/// Let it [`run`](Self::run) in slices until it says that it has ended.
#[derive(Clone, Debug)]
pub struct Search {
    pub(super) model: Model,
    store: Store,
    /// States to be visited, by faults and time.
    frontier: BTreeMap<Cost, Vec<u32>>,
    /// The most states to keep.
    states_max: usize,
    ended: Option<Ended>,
    /// Whether the property was put to the test at all.
    exercised: bool,
    /// The faults and time of what is being visited.
    reached: Cost,
    visits: u64,
    scratch: Scratch,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Every state was visited.
    Complete,
    /// There is no room for more.
    Cut,
    /// The property is broken: in a state, by a choice.
    Violated { state: u32, choice: Choice },
}

/// What a search has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There were more states than may be kept: nothing is known beyond what was reached.
    NotFinished,
    /// The property holds in every state, but no state put it to the test.
    NeverExercised,
    /// The property holds, whatever happens within the bounds.
    Proved,
    /// The search goes on.
    Running,
    /// The property is broken by a schedule, the smallest there is.
    Violated,
}

#[derive(Clone, Debug)]
struct Scratch {
    words: Vec<u16>,
    spare: Vec<u16>,
    moves: Vec<Move>,
    parent: State,
    child: State,
}

impl Search {
    /// A search for a violation that keeps at most `states_max` states.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn new(
        question: Question,
        reductions: Reductions,
        states_max: usize,
    ) -> Result<Self, QuestionError> {
        question.check()?;
        let mut search = Self {
            model: Model::new(question, reductions),
            store: Store::default(),
            frontier: BTreeMap::new(),
            states_max: states_max.min(u32::MAX as usize - 1),
            ended: None,
            exercised: false,
            reached: (0, 0),
            visits: 0,
            scratch: Scratch {
                words: Vec::new(),
                spare: Vec::new(),
                moves: Vec::new(),
                parent: State::start(),
                child: State::start(),
            },
        };
        search.scratch.child = State::start();
        search.keep(NO_PARENT, (0, 0));
        Ok(search)
    }

    /// Visits up to `budget` states more, and says how things stand.
    pub fn run(&mut self, budget: u64) -> Verdict {
        let until = self.visits.saturating_add(budget);
        while self.ended.is_none() && self.visits < until {
            let Some(mut bucket) = self.frontier.first_entry() else {
                self.ended = Some(Ended::Complete);
                break;
            };
            let cost = *bucket.key();
            let Some(state) = bucket.get_mut().pop() else {
                bucket.remove();
                continue;
            };
            // It was reached in a better way meanwhile, and visited then.
            if !self.store.begin_visit(state, cost) {
                continue;
            }
            self.reached = cost;
            self.visits += 1;
            if let Err(TooManySituations) = self.visit(state, cost) {
                self.ended = Some(Ended::Cut);
            }
        }
        self.verdict()
    }

    /// How things stand.
    pub fn verdict(&self) -> Verdict {
        match self.ended {
            None => Verdict::Running,
            Some(Ended::Complete) if self.exercised => Verdict::Proved,
            Some(Ended::Complete) => Verdict::NeverExercised,
            Some(Ended::Cut) => Verdict::NotFinished,
            Some(Ended::Violated { .. }) => Verdict::Violated,
        }
    }

    /// How many different states were found.
    pub const fn states(&self) -> usize {
        self.store.len()
    }

    /// How many of them were visited.
    pub const fn visits(&self) -> u64 {
        self.visits
    }

    /// How many faults the states have that are being visited, and at what time they are
    /// reached first, in milliseconds: everything with fewer faults, or as many and earlier,
    /// was visited.
    pub const fn reached(&self) -> (u32, u64) {
        (self.reached.0, self.reached.1 as u64 * self.model.unit_ms)
    }

    /// What is asked.
    pub const fn question(&self) -> &Question {
        &self.model.question
    }

    fn visit(&mut self, state: u32, cost: Cost) -> Result<(), TooManySituations> {
        let clients = self.model.clients();
        let mut parent = std::mem::replace(&mut self.scratch.parent, State::start());
        parent.decode(clients, self.store.words(state));
        let mut moves = std::mem::take(&mut self.scratch.moves);
        self.model.choices(&parent, &mut moves);
        let result = self.follow(state, cost, &parent, &moves);
        self.scratch.parent = parent;
        self.scratch.moves = moves;
        result
    }

    fn follow(
        &mut self,
        state: u32,
        cost: Cost,
        parent: &State,
        moves: &[Move],
    ) -> Result<(), TooManySituations> {
        let loses = self.model.may_lose(parent);
        for &what in moves {
            self.exercised |= matches!(what, Move::Pass(_)) && self.model.is_exercised(parent);
            for loses in [false, true].into_iter().take(1 + usize::from(loses)) {
                let choice = Choice { what, loses };
                self.scratch.child.clone_from(parent);
                let outcome = self.model.apply(&mut self.scratch.child, choice)?;
                if outcome.violated {
                    self.ended = Some(Ended::Violated { state, choice });
                    return Ok(());
                }
                if loses && !outcome.sent {
                    break;
                }
                if !self.model.is_dead(&self.scratch.child) {
                    let units = if let Move::Pass(units) = what {
                        u32::from(units)
                    } else {
                        0
                    };
                    let time = cost.1.saturating_add(units);
                    self.keep(state, (self.scratch.child.faults(), time));
                }
                if !outcome.sent {
                    break;
                }
            }
            if self.ended.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Keeps the state in `scratch.child`, unless it is known to be reached as cheaply.
    fn keep(&mut self, parent: u32, cost: Cost) {
        let Scratch {
            words,
            spare,
            child,
            ..
        } = &mut self.scratch;
        self.model.encode(child, words, spare);
        let origin = Origin { parent, cost };
        let Some(state) = self.store.insert(words, origin, self.states_max) else {
            self.ended = Some(Ended::Cut);
            return;
        };
        if let Some(state) = state {
            self.frontier.entry(cost).or_default().push(state);
        }
    }

    /// The states on the way to the violation, with the choice that broke the property.
    pub(super) fn path(&self) -> Option<(Vec<&[u16]>, Choice)> {
        let Some(Ended::Violated { mut state, choice }) = self.ended else {
            return None;
        };
        let mut path = Vec::new();
        while state != NO_PARENT {
            path.push(self.store.words(state));
            state = self.store.parent(state);
        }
        path.reverse();
        Some((path, choice))
    }
}
