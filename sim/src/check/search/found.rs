//! The states that a search has found, and the order in which it visits them.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use super::store::{Cost, Origin, Store};

/// The states that were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) store: Store,
    /// Those to be visited, by faults and time, and of these the first found first.
    pub(super) frontier: BTreeMap<u64, VecDeque<u32>>,
    /// The most states to keep.
    pub(super) states_max: usize,
}

impl Found {
    /// The next states to be visited, at most so many, and what it takes to reach them; `None` if
    /// there are none.
    pub(super) fn next_batch(&mut self, count: usize, batch: &mut Vec<u32>) -> Option<Cost> {
        let mut bucket = self.frontier.first_entry()?;
        let states = bucket.get_mut();
        batch.clear();
        batch.extend(states.drain(..count.min(states.len())));
        let key = *bucket.key();
        // More of the same cost may be found while these are visited.
        if batch.is_empty() || bucket.get().is_empty() {
            bucket.remove();
        }
        Some(((key >> 32) as u32, key as u32))
    }

    /// Puts states back that were taken and not visited.
    pub(super) fn put_back(&mut self, cost: Cost, states: impl DoubleEndedIterator<Item = u32>) {
        for state in states.rev() {
            self.bucket(cost).push_front(state);
        }
    }

    /// The states of this cost. One number is compared faster than two.
    fn bucket(&mut self, (faults, time): Cost) -> &mut VecDeque<u32> {
        let key = u64::from(faults) << 32 | u64::from(time);
        self.frontier.entry(key).or_default()
    }

    /// Keeps a state, given with its hash, unless it is known to be reached as cheaply.
    pub(super) fn keep(&mut self, words: &[u32], hash: u64, origin: Origin) -> ControlFlow<()> {
        let Some(state) = self.store.insert(words, hash, origin, self.states_max) else {
            return ControlFlow::Break(());
        };
        if let Some(state) = state {
            self.bucket(origin.cost).push_back(state);
        }
        ControlFlow::Continue(())
    }
}
