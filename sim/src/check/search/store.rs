//! All states of a search, once each: their words in long lists, found by their hash and
//! compared in full.
//!
//! A search runs in short slices, so no single operation may take long. The words are in many
//! lists and the hashes in many tables, and each grows at its own time.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Faults, then time in units.
pub(in crate::check) type Cost = (u32, u32);

/// The first state has no parent.
pub(in crate::check) const NO_PARENT: u32 = u32::MAX;

/// From which state one was reached first, and at what cost.
#[derive(Clone, Copy, Debug)]
pub(in crate::check) struct Origin {
    pub(in crate::check) parent: u32,
    pub(in crate::check) cost: Cost,
}

#[derive(Clone, Debug)]
pub(in crate::check) struct Store {
    words: Words,
    states: Vec<Kept>,
    by_hash: Vec<HashTable<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    place: Place,
    is_visited: bool,
    origin: Origin,
    hash: u64,
}

/// Where a state's words are: which list, from where on, and how many.
#[derive(Clone, Copy, Debug)]
struct Place {
    list: u16,
    length: u16,
    start: u32,
}

/// The words of all states.
#[derive(Clone, Debug, Default)]
struct Words(Vec<Vec<u32>>);

/// How many words a list has before the next one is begun.
const LIST_LENGTH: usize = 1 << 20;
/// How many tables there are.
const TABLES: u64 = 64;

impl Default for Store {
    fn default() -> Self {
        Self {
            words: Words::default(),
            states: Vec::new(),
            by_hash: vec![HashTable::new(); TABLES as usize],
        }
    }
}

impl Store {
    /// How many states there are.
    pub(in crate::check) const fn len(&self) -> usize {
        self.states.len()
    }

    pub(in crate::check) fn words(&self, state: u32) -> &[u32] {
        self.words.at(self.states[state as usize].place)
    }

    pub(in crate::check) fn parent(&self, state: u32) -> u32 {
        self.states[state as usize].origin.parent
    }

    /// Notes that a state is visited; `false` if it was, or was reached at less cost meanwhile.
    pub(in crate::check) fn begin_visit(&mut self, state: u32, cost: Cost) -> bool {
        let kept = &mut self.states[state as usize];
        if kept.is_visited || kept.origin.cost != cost {
            return false;
        }
        kept.is_visited = true;
        true
    }

    /// True if a state is known that is to be visited at this cost.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::check) fn is_to_visit(&self, state: u32, cost: Cost) -> bool {
        let kept = self.states[state as usize];
        !kept.is_visited && kept.origin.cost == cost
    }

    /// True if a state was visited, or is known to be reached at no more than this cost.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::check) fn is_settled(&self, words: &[u32], hash: u64, cost: Cost) -> bool {
        let is_same = |&state: &u32| self.words(state) == words;
        let known = self.by_hash[table(hash)].find(hash, is_same);
        known.is_some_and(|&state| {
            let kept = self.states[state as usize];
            kept.is_visited || kept.origin.cost <= cost
        })
    }

    /// Inserts a state, given with its [`hash`], or makes the way to it cheaper; its number if it
    /// is to be visited then. `None` if there is no room.
    pub(in crate::check) fn insert(
        &mut self,
        words: &[u32],
        hash: u64,
        origin: Origin,
        states_max: usize,
    ) -> Option<Option<u32>> {
        let by_hash = &mut self.by_hash[table(hash)];
        let (all, states) = (&mut self.words, &mut self.states);
        let is_same = |&state: &u32| all.has(states[state as usize].place, words);
        if let Some(&state) = by_hash.find(hash, is_same) {
            let known = &mut states[state as usize];
            if known.is_visited || known.origin.cost <= origin.cost {
                return Some(None);
            }
            known.origin = origin;
            return Some(Some(state));
        }
        if states.len() >= states_max {
            return None;
        }
        // Memory may end before the limit. In wasm, asking for what is not there would end everything.
        states.try_reserve(1).ok()?;
        let rehash = |&state: &u32| states[state as usize].hash;
        by_hash.try_reserve(1, rehash).ok()?;
        let place = all.push(words)?;
        let state = states.len() as u32;
        by_hash.insert_unique(hash, state, rehash);
        states.push(Kept { place, is_visited: false, origin, hash });
        Some(Some(state))
    }
}

impl Words {
    fn at(&self, place: Place) -> &[u32] {
        let start = place.start as usize;
        &self.0[usize::from(place.list)][start..start + usize::from(place.length)]
    }

    /// True if these words are at that place. Comparing slices would be a call for each byte in wasm.
    fn has(&self, place: Place, words: &[u32]) -> bool {
        let known = self.at(place);
        let differences = known.iter().zip(words).map(|(known, word)| known ^ word);
        known.len() == words.len() && differences.fold(0, |all, it| all | it) == 0
    }

    /// `None` if there is no room.
    fn push(&mut self, words: &[u32]) -> Option<Place> {
        let is_full = |list: &Vec<u32>| list.len() + words.len() > LIST_LENGTH;
        if self.0.last().is_none_or(is_full) {
            self.0.try_reserve(1).ok()?;
            self.0.push(Vec::new());
        }
        let list = u16::try_from(self.0.len() - 1).ok()?;
        let last = self.0.last_mut()?;
        last.try_reserve(words.len()).ok()?;
        let start = last.len() as u32;
        last.extend_from_slice(words);
        let length = u16::try_from(words.len()).ok()?;
        Some(Place { list, length, start })
    }
}

/// In which table a state is: not by the bits by which a table itself tells states apart.
const fn table(hash: u64) -> usize {
    ((hash >> 40) % TABLES) as usize
}

/// The hash by which a state is found.
pub(in crate::check) fn hash(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    let mut pairs = words.chunks_exact(2);
    for pair in &mut pairs {
        hasher.write_u64(u64::from(pair[1]) << 32 | u64::from(pair[0]));
    }
    for &word in pairs.remainder() {
        hasher.write_u32(word);
    }
    // All bits count for a table, of which it looks at the first ones and the last ones. A product of
    // 128 bits would do it at once, and is a call in WebAssembly.
    let hash = hasher.finish();
    let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Origin = Origin { parent: NO_PARENT, cost: (0, 0) };

    fn insert(store: &mut Store, words: &[u32], origin: Origin) -> Option<Option<u32>> {
        store.insert(words, hash(words), origin, usize::MAX)
    }

    #[test]
    fn every_state_is_found_again_in_whatever_list_it_is() {
        let mut store = Store::default();
        let words = |number| [[7; 39].as_slice(), &[number]].concat();
        let count = (2 * LIST_LENGTH / 40) as u32;
        for number in 0..count {
            assert_eq!(insert(&mut store, &words(number), START), Some(Some(number)));
        }
        assert!(store.words.0.len() > 1);
        for number in 0..count {
            assert_eq!(store.words(number), words(number));
            assert_eq!(insert(&mut store, &words(number), START), Some(None));
        }
    }

    #[test]
    fn a_state_reached_at_less_cost_is_visited_by_that_way() {
        let mut store = Store::default();
        let dear = Origin { parent: 3, cost: (2, 0) };
        assert_eq!(insert(&mut store, &[1, 2], dear), Some(Some(0)));
        assert_eq!(insert(&mut store, &[1, 2], START), Some(Some(0)));
        assert!(!store.begin_visit(0, dear.cost));
        assert!(store.begin_visit(0, START.cost));
        assert!(!store.begin_visit(0, START.cost));
    }
}
