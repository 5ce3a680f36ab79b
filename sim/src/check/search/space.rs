//! The states that a search visits, one step at a time, for other ways to walk through them.

use std::fmt;

use crate::check::explorer::moves::Fates;
use crate::check::explorer::state::State;
use crate::check::explorer::{Explorer, Reductions};
use crate::check::question::{Question, QuestionError};
use crate::check::steps::interned::NoStep;

/// The states of a question and the ways between them.
#[derive(Clone, Debug)]
pub struct Space {
    pub(in crate::check) explorer: Explorer,
}

/// A state in its canonical form: equal if nothing that follows can differ.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceState {
    pub(in crate::check) words: Vec<u32>,
    /// The number of faults on the way to it.
    pub faults: u32,
    /// True if the step to this state broke the property.
    pub is_violation: bool,
}

impl fmt::Debug for SpaceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x?}", self.words)
    }
}

impl Space {
    /// The states of a question.
    ///
    /// # Errors
    ///
    /// If the question makes no sense.
    pub fn new(question: Question, reductions: Reductions) -> Result<Self, QuestionError> {
        question.check()?;
        question.check_limits()?;
        let explorer = Explorer::new(question, reductions);
        Ok(Self { explorer })
    }

    /// The state in which everything begins.
    pub fn start(&self) -> SpaceState {
        self.written(&State::start(), false)
    }

    /// The states that follow; none after a violation.
    ///
    /// # Errors
    ///
    /// A machine has more states than can be numbered.
    pub fn next(&mut self, from: &SpaceState) -> Result<Vec<SpaceState>, QuestionError> {
        if from.is_violation {
            return Ok(Vec::new());
        }
        let too_many = |NoStep| QuestionError::new("", "too many states");
        let (mut state, mut moves, mut next) = (State::start(), Vec::new(), Vec::new());
        state.decode(self.explorer.shape(), &from.words);
        self.explorer.choices(&state, &mut moves);
        let left = self.explorer.fates_left(&state);
        for what in moves {
            let mut try_one = |fates: Fates| {
                let mut after = state.clone();
                let outcome = self.explorer.apply(&mut after, what, fates).map_err(too_many)?;
                if outcome.violated || !self.explorer.is_dead(&after) {
                    next.push(self.written(&after, outcome.violated));
                }
                Ok::<_, QuestionError>(outcome.sent)
            };
            let sent = try_one(Fates::default())?;
            for fates in Fates::others(sent, left) {
                try_one(fates)?;
            }
        }
        Ok(next)
    }

    fn written(&self, state: &State, is_violation: bool) -> SpaceState {
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        self.explorer.encode(state, &mut words, &mut spare);
        SpaceState { words, faults: state.used.total(), is_violation }
    }
}
