//! Renewals that follow each other in a run, with all that it counts of them.

use super::Running;
use crate::scenario::position::Position;
use crate::time::Time;
use crate::trace::Recorder;

impl Running {
    /// Renews, as long as nothing else is due. Says whether anything was done.
    pub(super) fn run_batch(&mut self, limit: Time, budget: u64, recorder: &mut Recorder) -> bool {
        if self.picked.is_some() {
            return false;
        }
        let Self { world, script, beliefs, .. } = self;
        let done = world.run_batch(limit, budget, script, recorder, &mut |client, world| {
            beliefs.update(client, world);
        });
        self.steps += done.steps;
        if done.ticks > 0 {
            self.ticks += done.ticks;
            let (time, count) = done.last;
            let before = match self.last.time == time {
                true => self.last.count,
                false => 0,
            };
            let count = before.saturating_add(count);
            self.last = Position { time, count };
        }
        if done.other > 0 {
            self.steps += u64::from(done.other);
            self.note_changes(recorder);
            self.count(done.other);
        }
        done.steps > 0 || done.other > 0
    }
}
