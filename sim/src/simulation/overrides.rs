//! A run's decisions, written down: a random run told again without its seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::player::Simulation;
use crate::scenario::Running;
use crate::trace::Recorder;
use crate::world::choice::Site;

impl Simulation {
    /// Where the world could go two ways and did not go the usual one, up to here: which way it
    /// went, by place.
    ///
    /// With these as `overrides` and without `random` the scenario tells the same run. Each stands
    /// for itself: without one of them the others stay what they are. So a failure that a seed has
    /// found can be kept, and made smaller.
    pub fn overrides(&self) -> BTreeMap<Site, u32> {
        let mut running = Running::recording(Arc::clone(&self.cast));
        let mut recorder = Recorder::default();
        let (branch, here) = (self.branch(), self.running.ticks);
        while running.ticks < here && branch.tick(&mut running, &mut recorder, self.now()) {}
        running.into_picked()
    }
}

/// Writes the name that a scenario's overrides use.
impl Serialize for Site {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
