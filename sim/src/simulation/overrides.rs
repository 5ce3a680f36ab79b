//! A run's decisions, written down: a random run told again without its seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::player::Simulation;
use crate::json::Json;
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

    /// The [overrides](Self::overrides) as JSON, as a scenario has them.
    pub fn overrides_json(&self) -> String {
        let mut json = Json::default();
        json.open('{');
        for (site, picked) in self.overrides() {
            json.key(&site.to_string()).plain(picked);
        }
        json.close('}').take()
    }
}
