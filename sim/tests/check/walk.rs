//! A random walk through the states of a question, which may be too many for a search.

use locket_sim::check::{Space, SpaceState};
use rand_pcg::rand_core::Rng;

use super::random_question::Random;

/// One step in so many may be a fault: else each walk would begin with all of them.
const FAULT_ONE_IN: u64 = 12;

/// The states of a walk of at most `steps_max` steps. It ends where the property is broken, or
/// nothing can happen any more that could break it.
pub(super) fn walk<R: Rng>(
    space: &mut Space,
    random: &mut Random<R>,
    steps_max: u32,
) -> Vec<SpaceState> {
    let mut states = vec![space.start()];
    for _ in 0..steps_max {
        let last = &states[states.len() - 1];
        // A machine with more states than can be numbered ends the walk as well.
        let mut next = space.next(last).unwrap_or_default();
        let is_faultless = |it: &SpaceState| it.faults == last.faults;
        if random.below(FAULT_ONE_IN) > 0 && next.iter().any(is_faultless) {
            next.retain(is_faultless);
        }
        if next.is_empty() {
            break;
        }
        states.push(next.swap_remove(random.below(next.len() as u64) as usize));
    }
    states
}
