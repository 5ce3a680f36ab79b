//! The model as Stateright wants it, which explores it once more by its own means.

use stateright::{Checker, Model, Property};

use super::model::{Move, Rules, World};

impl Model for Rules {
    type State = World;
    type Action = Move;

    fn init_states(&self) -> Vec<World> {
        vec![World::new(self)]
    }

    fn actions(&self, world: &World, moves: &mut Vec<Move>) {
        moves.extend(world.moves(self));
    }

    fn next_state(&self, world: &World, happens: Move) -> Option<World> {
        Some(world.after(happens, self))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("it holds", |rules: &Self, world| !rules.is_broken(world))]
    }
}

/// Whether Stateright finds a violation, and how many states.
pub(crate) fn by_stateright(rules: &Rules) -> (bool, usize) {
    let checker = rules.clone().checker().spawn_bfs().join();
    let is_broken = checker.discovery("it holds").is_some();
    (is_broken, checker.unique_state_count())
}
