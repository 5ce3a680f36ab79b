//! The storage of a run: what is under way to it is planned, and what it took is counted.

use std::cmp::Reverse;

use super::Running;
use super::plan::{Planned, Rank};
use crate::scenario::writes::{WriteCounts, Writes};
use crate::trace::Recorder;
use crate::world::World;

impl Running {
    /// Lets something happen to the storage, if there is one.
    pub(in crate::scenario) fn write(
        &mut self,
        recorder: &mut Recorder,
        act: impl FnOnce(&mut Writes, &World, &mut Recorder),
    ) {
        if let Some(writes) = &mut self.writes {
            act(writes, &self.world, recorder);
            for (time, number) in writes.take_arriving() {
                let planned = Planned::Stored(number);
                let rank = Rank::new(None, planned);
                self.plan.push(Reverse((time, rank, planned)));
            }
        }
    }

    /// How many writes the storage took that were wrong, and refused that were right.
    pub(crate) fn write_counts(&self) -> WriteCounts {
        let counts = self.writes.as_ref().map(|it| it.counts);
        counts.unwrap_or_default()
    }
}
