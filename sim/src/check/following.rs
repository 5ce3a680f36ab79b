//! All that follows from a state, in the order in which it is tried.

use std::ops::ControlFlow;

use super::machine::NoStep;
use super::model::Model;
use super::model::machines::Machines;
use super::model::stepping::Stepping;
use super::moves::{Choice, Move};
use super::state::State;

/// What following a state has found out beside the states that follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Followed {
    /// Whether the state puts the property to the test.
    pub(super) exercised: bool,
    /// The first choice that breaks it; nothing was tried after that.
    pub(super) violated: Option<Choice>,
}

/// What is used again from state to state.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    parent: State,
    child: State,
    moves: Vec<Move>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            parent: State::start(),
            child: State::start(),
            moves: Vec::new(),
        }
    }
}

impl Scratch {
    /// Reads the state that is to be followed.
    pub(super) fn read(&mut self, model: &Model, words: &[u16]) {
        self.parent.decode(model.clients(), words);
    }

    /// Tells `each` every state that follows from the one that was read, with the units of time
    /// until then, unless nothing can break the property any more in it. Ends when `each` says so.
    pub(super) fn follow<M: Machines>(
        &mut self,
        mut model: M,
        mut each: impl FnMut(&Model, &State, u16) -> ControlFlow<()>,
    ) -> Result<Followed, NoStep> {
        let Self {
            parent,
            child,
            moves,
        } = self;
        model.choices(parent, moves);
        let may_lose = model.may_lose(parent);
        let mut followed = Followed::default();
        for &what in &*moves {
            let units = if let Move::Pass(units) = what {
                followed.exercised |= model.is_exercised(parent);
                units
            } else {
                0
            };
            for loses in [false, true].into_iter().take(1 + usize::from(may_lose)) {
                let choice = Choice { what, loses };
                child.clone_from(parent);
                let outcome = Stepping::new(&mut model, child, choice).take(what)?;
                if outcome.violated {
                    followed.violated = Some(choice);
                    return Ok(followed);
                }
                if loses && !outcome.sent {
                    break;
                }
                if !model.is_dead(child) && each(&model, child, units).is_break() {
                    return Ok(followed);
                }
                if !outcome.sent {
                    break;
                }
            }
        }
        Ok(followed)
    }
}
