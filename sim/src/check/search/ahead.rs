//! Follows the states of a batch on all cores before they are visited in order.
//!
//! Nothing is changed here: steps of machines are only looked up, and a state that would need one
//! more is left to the visit. So whatever is found is what the visit would find by itself, and
//! results depend neither on the number of cores nor on which one was faster.

use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use super::following::{Followed, Scratch};
use super::store::{Cost, Store, hash};
use crate::check::explorer::Explorer;

/// The results for some states of a batch, in order.
#[derive(Debug, Default)]
pub(in crate::check) struct Ahead {
    /// For each state; `None` if it is left to the visit.
    known: Vec<Option<(Followed, Range<usize>)>>,
    followers: Vec<Follower>,
    /// The words of all followers.
    words: Vec<u32>,
}

#[derive(Debug)]
struct Follower {
    words: Range<usize>,
    hash: u64,
    cost: Cost,
}

/// The result for one state.
#[derive(Debug)]
pub(in crate::check) struct Known<'a> {
    pub(in crate::check) followed: Followed,
    ahead: &'a Ahead,
    followers: Range<usize>,
}

/// How many states a core takes at once, and how many are too few to share.
const CHUNK: usize = 128;
const SHARED_MIN: usize = 2 * CHUNK;

/// Follows the states of a batch; nothing if that is not worth the while.
pub(in crate::check) fn look_ahead(
    explorer: &Explorer,
    store: &Store,
    batch: &[u32],
    cost: Cost,
) -> Vec<Ahead> {
    if batch.len() < SHARED_MIN || rayon::current_num_threads() == 1 {
        return Vec::new();
    }
    let chunks = batch.par_chunks(CHUNK);
    let follow = |looker: &mut Looker, states: &[u32]| looker.follow(explorer, store, states, cost);
    chunks.map_init(Looker::default, follow).collect()
}

/// Buffers that a core reuses from state to state.
#[derive(Default)]
struct Looker {
    scratch: Scratch,
    words: Vec<u32>,
    spare: Vec<u32>,
}

impl Looker {
    fn follow(&mut self, explorer: &Explorer, store: &Store, states: &[u32], cost: Cost) -> Ahead {
        let mut ahead = Ahead::default();
        for &state in states {
            let known = if store.is_to_visit(state, cost) {
                self.follow_one(explorer, store, state, cost, &mut ahead)
            } else {
                None
            };
            ahead.known.push(known);
        }
        ahead
    }

    fn follow_one(
        &mut self,
        explorer: &Explorer,
        store: &Store,
        state: u32,
        cost: Cost,
        ahead: &mut Ahead,
    ) -> Option<(Followed, Range<usize>)> {
        let Self { scratch, words, spare } = self;
        let first = ahead.followers.len();
        scratch.read(explorer, store.words(state));
        let followed = scratch.follow(explorer, |explorer, child, units| {
            explorer.encode(child, words, spare);
            let time = cost.1.saturating_add(units.into());
            let cost = (explorer.faults(child), time);
            let hash = hash(words);
            // A state that is settled now stays settled until its turn.
            if !store.is_settled(words, hash, cost) {
                let start = ahead.words.len();
                ahead.words.extend_from_slice(words);
                let words = start..ahead.words.len();
                ahead.followers.push(Follower { words, hash, cost });
            }
            ControlFlow::Continue(())
        });
        Some((followed.ok()?, first..ahead.followers.len()))
    }
}

impl Ahead {
    /// The results for each state.
    pub(in crate::check) fn states(&self) -> impl Iterator<Item = Option<Known<'_>>> {
        self.known.iter().map(|known| {
            let (followed, followers) = known.clone()?;
            Some(Known { followed, ahead: self, followers })
        })
    }
}

impl<'a> Known<'a> {
    /// The states that follow and may be new, each in words, with its hash and what it takes to
    /// reach it.
    pub(in crate::check) fn followers(&self) -> impl Iterator<Item = (&'a [u32], u64, Cost)> {
        let ahead = self.ahead;
        let followers = ahead.followers[self.followers.clone()].iter();
        followers.map(|it| (&ahead.words[it.words.clone()], it.hash, it.cost))
    }
}
