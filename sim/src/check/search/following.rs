//! The successors of a state, in the order in which they are tried.

use std::ops::ControlFlow;

use super::coverage::Happened;
use crate::check::explorer::Explorer;
use crate::check::explorer::machines::Machines;
use crate::check::explorer::moves::{Fates, Move};
use crate::check::explorer::state::State;
use crate::check::explorer::stepping::Stepping;
use crate::check::steps::interned::NoStep;
use crate::environment::acts::Happening;

/// The results of following a state, beside the next states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Followed {
    /// True if the state puts the property to the test, or one before it has.
    pub(in crate::check) exercised: bool,
    /// True if a choice breaks it.
    pub(in crate::check) violated: bool,
    /// For how long what must not last has lasted when time has passed, in units.
    pub(in crate::check) lasted: u16,
    /// The coverage.
    pub(in crate::check) happened: Happened,
}

/// Buffers that are reused from state to state.
#[derive(Clone, Debug)]
pub(in crate::check) struct Scratch {
    parent: State,
    child: State,
    moves: Vec<Move>,
    /// The other fates of what a move sends.
    others: Vec<Fates>,
    /// True if one of the states has put the property to the test: of others it need not be asked.
    exercised: bool,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            parent: State::start(),
            child: State::start(),
            moves: Vec::new(),
            others: Vec::new(),
            exercised: false,
        }
    }
}

impl Scratch {
    /// Reads the state that is to be followed.
    pub(in crate::check) fn read(&mut self, explorer: &Explorer, words: &[u32]) {
        self.parent.decode(explorer.shape(), words);
    }

    /// Tells `each` every state that follows from the one that was read, with the units of time
    /// until then, unless nothing can break the property any more in it. Ends when `each` says so.
    pub(in crate::check) fn follow<M: Machines>(
        &mut self,
        mut explorer: M,
        mut each: impl FnMut(&Explorer, &State, u16) -> ControlFlow<()>,
    ) -> Result<Followed, NoStep> {
        let Self { parent, child, moves, others, exercised } = self;
        explorer.choices(parent, moves);
        let left = explorer.fates_left(parent);
        let may_differ = explorer.has_jitter || left.is_any();
        let mut followed = Followed::default();
        let count = moves.len();
        for (&what, number) in moves.iter().zip(1..) {
            let units = if let Happening::Pass(units) = what {
                *exercised = *exercised || explorer.is_exercised(parent);
                units
            } else {
                0
            };
            others.clear();
            let (mut next, mut tried) = (Some(Fates::default()), 0);
            while let Some(fates) = next {
                // Nothing else follows from the parent.
                let is_last = number == count && !may_differ;
                let child = if is_last {
                    &mut *parent
                } else {
                    child.clone_from(parent);
                    &mut *child
                };
                followed.happened.note(what, fates);
                let outcome = Stepping::new(&mut explorer, child, fates).take(what)?;
                followed.violated |= outcome.violated;
                followed.lasted = followed.lasted.max(outcome.lasted);
                if !explorer.is_dead(child) && each(&explorer, child, units).is_break() {
                    return Ok(followed);
                }
                // Most questions have no other.
                if tried == 0 && may_differ {
                    others.extend(Fates::others(outcome.sent, left));
                }
                next = others.get(tried).copied();
                tried += 1;
            }
        }
        followed.exercised = *exercised;
        Ok(followed)
    }
}
