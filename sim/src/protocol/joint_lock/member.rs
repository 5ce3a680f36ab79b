//! The interface of a group's members: each starts, may become ready, and ends.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::protocol::log::Log;
use crate::protocol::runner::{RequestIds, Runner, RunnerError};
use crate::time::Time;

/// A signal to a process. Runners end on any of them; groups distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// Stop, and put things in order.
    Interrupt,
    /// Stop now.
    Kill,
    /// Stop, as a supervisor says it.
    Terminate,
}

/// Something that runs: started once, signalled at any time, driven by the time. It is driven
/// from the beginning, and may have something to do before it starts and after it has ended.
///
/// Its outputs, such as calls, are taken from the member itself.
pub trait Member {
    /// Why it ended, if not well.
    type Error: Clone + Debug + Display + Eq + Hash;

    /// Starts it.
    fn start(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log);

    /// Tells it something from outside.
    fn handle_signal(
        &mut self,
        signal: Signal,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
    );

    /// Lets it do what is due by `now`.
    fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log);

    /// When something is due by itself.
    fn deadline(&self) -> Option<Time>;

    /// Whether it has become ready; never withdrawn.
    fn is_ready(&self) -> bool;

    /// How it ended, once it has.
    fn exited(&self) -> Option<Result<(), Self::Error>>;
}

impl Member for Runner {
    type Error = RunnerError;

    fn start(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        self.start(now, ids, log);
    }

    fn handle_signal(&mut self, _: Signal, now: Time, _: &mut dyn RequestIds, log: &mut dyn Log) {
        self.handle_signal(now, log);
    }

    fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        self.handle_timeout(now, ids, log);
    }

    fn deadline(&self) -> Option<Time> {
        self.deadline()
    }

    fn is_ready(&self) -> bool {
        self.is_ready()
    }

    fn exited(&self) -> Option<Result<(), Self::Error>> {
        self.exited().cloned()
    }
}
