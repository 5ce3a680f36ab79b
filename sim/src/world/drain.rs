//! The stop of a Locket process in order: it finishes its calls and accepts no connection (B90).

use super::event::{EventId, Seen};
use super::step::Step;
use crate::environment::nodes::Nodes;

/// A process that finishes its calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draining {
    /// The life that ends with it.
    pub(super) life: u32,
    /// Whether it was started again before its end.
    pub(super) starts_again: bool,
}

impl Step<'_> {
    /// Sends a Locket process the stop signal; a paused one sees it when it goes on.
    pub fn drain_process(&mut self, process: usize) {
        let Some(life) = self.world.back_end.processes[process].life() else {
            return;
        };
        if !self.world.lockets[process].state.keep_signal(life) {
            self.begin_to_drain(process, life, None);
        }
    }

    /// Clients learn at once that they have to connect elsewhere for their next call. A call
    /// that has left is served: the real server closes a connection only after its streams, and
    /// a round trip after it has said so.
    pub(super) fn begin_to_drain(&mut self, process: usize, life: u32, cause: Option<EventId>) {
        if self.world.running.life(process) != Some(life) {
            return;
        }
        self.world.running.set(process, None);
        let locket = &mut self.world.lockets[process];
        locket.draining = Some(Draining {
            life,
            starts_again: false,
        });
        let node = locket.state.id;
        self.record(node, cause, Seen::Draining);
        self.stop_if_drained(process);
    }

    /// Ends a process that drains and has nothing left to do.
    pub(super) fn stop_if_drained(&mut self, process: usize) {
        let Some(draining) = self.world.lockets[process].draining else {
            return;
        };
        let Ok(has_stopped) = Nodes::stop_if_drained(self, process);
        if has_stopped && draining.starts_again {
            self.start_process(process);
        }
    }
}
