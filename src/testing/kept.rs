//! A runner that a reference server keeps going.

use std::cell::RefCell;
use std::rc::Rc;

use locket_sim::protocol::runner::Event;
use locket_sim::time::Time;

use super::state::State;

/// A runner on the clock of its [`ReferenceServer`](super::ReferenceServer), at its first process.
///
/// It goes on when this handle is dropped, as a process does that is not stopped.
#[derive(Clone, Debug)]
pub struct Kept {
    state: Rc<RefCell<State>>,
    runner: usize,
}

impl Kept {
    pub(super) const fn new(state: Rc<RefCell<State>>, runner: usize) -> Self {
        Self { state, runner }
    }

    /// True if the runner believes that it holds its lock or presence.
    pub fn held(&self) -> bool {
        self.state.borrow().world.driver(self.runner).is_held()
    }

    /// The events of the runner so far, each with its time.
    pub fn events(&self) -> Vec<(Time, Event)> {
        self.state.borrow().events(self.runner).to_vec()
    }

    /// Stops the runner, which releases its lock or presence and ends.
    pub fn stop(&self) {
        self.state.borrow_mut().signal(self.runner);
    }
}
