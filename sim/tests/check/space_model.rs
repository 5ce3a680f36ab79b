//! A question's states as another model checker, Stateright, wants them. The benchmark uses it,
//! too.

use std::sync::Mutex;

use locket_sim::check::{Question, Reductions, Space, SpaceState};
use stateright::{Model, Property};

/// Nothing is left out. With all reductions the number of states, though not the verdict, depends
/// on which of two clients happens to be written first.
pub(crate) const NO_REDUCTIONS: Reductions = Reductions::NONE;

/// The states of a question. A space is changed by being looked at; Stateright shares it.
pub(crate) struct SpaceModel(Mutex<Space>);

impl SpaceModel {
    /// Of a question that makes sense.
    pub(crate) fn new(question: Question) -> Self {
        Self(Mutex::new(Space::new(question, NO_REDUCTIONS).expect("the question makes sense")))
    }
}

impl Model for SpaceModel {
    type State = SpaceState;
    /// The state that follows.
    type Action = SpaceState;

    fn init_states(&self) -> Vec<SpaceState> {
        vec![self.0.lock().expect("no thread has panicked").start()]
    }

    fn actions(&self, state: &SpaceState, actions: &mut Vec<SpaceState>) {
        let mut space = self.0.lock().expect("no thread has panicked");
        actions.extend(space.next(state).expect("the question is small"));
    }

    fn next_state(&self, _: &SpaceState, next: SpaceState) -> Option<SpaceState> {
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("it holds", |_: &Self, state: &SpaceState| !state.is_violation)]
    }
}
