//! Visits every state of the model, for the first violation and the longest time of two owners.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use locket_sim::check::Property;
use rustc_hash::FxBuildHasher;

use super::model::{Move, Rules, World};

/// Faults, and of as many the time in units.
pub(crate) type Cost = (u32, u32);

/// The result of a whole search.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) first: Option<First>,
    /// The longest that it is as it must not last, in units, as far as that is counted; 0 for what
    /// is an event.
    pub(crate) longest: u16,
    /// The way to that.
    pub(crate) way_to_longest: Vec<Move>,
    pub(crate) states: usize,
}

/// The violation with the fewest faults, and the moment from which it is one.
#[derive(Clone, Debug)]
pub(crate) struct First {
    pub(crate) cost: Cost,
    pub(crate) moves: Vec<Move>,
}

/// The states that were found, each with what reaching it costs and the move that does.
#[derive(Default)]
struct Known {
    worlds: Vec<World>,
    costs: Vec<Cost>,
    from: Vec<Option<(u32, Move)>>,
    places: HashTable<(u64, u32)>,
    /// Those to be visited, by cost.
    ahead: BTreeMap<Cost, Vec<u32>>,
}

/// Everything that can happen by the rules; `None` if that is more than so many states.
pub(crate) fn search(rules: &Rules, states_max: u64) -> Option<Found> {
    let mut known = Known::default();
    known.add(World::new(rules), (0, 0), None);
    let (mut first, mut longest, mut after) = (None, (0, 0), Vec::new());
    while let Some((cost, state)) = known.next() {
        let world = &known.worlds[state as usize];
        if rules.property != Property::FalseLoss && world.wrong_for() > longest.0 {
            longest = (world.wrong_for(), state);
        }
        if first.is_none() && rules.is_broken(world) {
            first = Some(state);
        }
        let moves = world.moves(rules).into_iter();
        after.extend(moves.map(|happens| (happens, world.after(happens, rules))));
        for (happens, after) in after.drain(..) {
            let passed = u32::from(happens == Move::Pass);
            let cost = (after.faults(), cost.1 + passed);
            known.add(after, cost, Some((state, happens)));
        }
        if known.worlds.len() as u64 > states_max {
            return None;
        }
    }
    Some(Found {
        first: first.map(|state| known.first(state, rules)),
        longest: longest.0,
        way_to_longest: known.schedule_to(longest.1),
        states: known.worlds.len(),
    })
}

impl Rules {
    /// True if what must not last has lasted too long.
    pub(crate) fn is_broken(&self, world: &World) -> bool {
        world.wrong_for() > self.within
    }
}

impl Known {
    /// Adds a state, or notes that it is reached at less cost.
    fn add(&mut self, world: World, cost: Cost, from: Option<(u32, Move)>) {
        let hash = FxBuildHasher.hash_one(&world);
        let same = |&(at, place): &(u64, u32)| at == hash && self.worlds[place as usize] == world;
        let place = match self.places.find(hash, same) {
            Some(&(_, place)) if self.costs[place as usize] <= cost => return,
            Some(&(_, place)) => {
                self.costs[place as usize] = cost;
                self.from[place as usize] = from;
                place
            }
            None => {
                let place = self.worlds.len() as u32;
                self.worlds.push(world);
                self.costs.push(cost);
                self.from.push(from);
                let places = &mut self.places;
                places.insert_unique(hash, (hash, place), |&(hash, _)| hash);
                place
            }
        };
        self.ahead.entry(cost).or_default().push(place);
    }

    /// The cheapest state that was not visited at this cost.
    fn next(&mut self) -> Option<(Cost, u32)> {
        loop {
            let mut bucket = self.ahead.first_entry()?;
            let cost = *bucket.key();
            match bucket.get_mut().pop() {
                Some(state) if self.costs[state as usize] == cost => return Some((cost, state)),
                Some(_) => {}
                None => drop(bucket.remove()),
            }
        }
    }

    fn first(&self, state: u32, rules: &Rules) -> First {
        let (faults, time) = self.costs[state as usize];
        // A state that has lasted too long by the end of a unit was broken from its start on.
        let began = u32::from(rules.property != Property::FalseLoss);
        First { cost: (faults, time - began), moves: self.schedule_to(state) }
    }

    fn schedule_to(&self, mut state: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, happens)) = self.from[state as usize] {
            moves.push(happens);
            state = before;
        }
        moves.reverse();
        moves
    }
}
