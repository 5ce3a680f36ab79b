//! All states of one client among others, or of one in a world with a bug.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::bug::Bug;
use super::seen::{AnyOf, Rest, Seen};
use crate::check::explorer::state::State;
use crate::check::explorer::{Explorer, Outcome};
use crate::check::question::local::Follows;

/// How many states a search of one client may have.
const LOCAL_STATES_MAX: usize = 60_000;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;
type Set<T> = HashSet<T, FxBuildHasher>;

/// True if something breaks the property without lasting for any time.
pub(super) const fn is_broken_at_once(outcome: Outcome) -> bool {
    outcome.violated && outcome.lasted == 0
}

/// All states of one client among others.
pub(super) struct Alone {
    pub(super) seen: Map<Seen, Set<Rest>>,
    /// The clients whose next event breaks the property at once.
    pub(super) broken: Set<Seen>,
    pub(super) horizon: u16,
    pub(super) locket: Follows,
}

impl Alone {
    pub(super) fn new(mut explorer: Explorer, any: AnyOf, bug: Option<Bug>) -> Option<Self> {
        let mut seen: Map<Seen, Set<Rest>> = Map::default();
        let mut broken = Set::default();
        let locket = explorer.local.expect("it is of one client").locket;
        if let Some(bug) = bug {
            bug.break_bounds(&mut explorer);
        }
        let mut known = Set::from_iter([explorer.words(&State::start())]);
        let mut to_do = VecDeque::from([State::start()]);
        while let Some(state) = to_do.pop_front() {
            let (what, rest) = explorer.seen_by(&state, 0, state.had_owner, (any, locket));
            let mut is_broken = false;
            let all = explorer.next(&state, bug, |explorer, after, outcome| {
                is_broken |= is_broken_at_once(outcome);
                if known.insert(explorer.words(&after)) {
                    to_do.push_back(after);
                }
            });
            all.ok()?;
            if is_broken {
                broken.insert(what.clone());
            }
            seen.entry(what).or_default().insert(rest);
            if known.len() > LOCAL_STATES_MAX {
                return None;
            }
        }
        let horizon = explorer.horizon;
        Some(Self { seen, broken, horizon, locket })
    }
}
