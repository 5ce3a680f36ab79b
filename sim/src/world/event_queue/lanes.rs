//! A queue for many events, most of them scheduled in the order in which they happen.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{Entry, Place};
use crate::time::Time;

/// The things of a queue that has become long.
///
/// Most timers of a world have one of few lengths. So each thing goes to the end of the first lane that
/// has nothing after it, and only what fits in no lane goes on a heap. The first thing is the first of
/// a lane or of the heap.
#[derive(Clone, Debug)]
pub(super) struct Lanes<T> {
    /// Each in order. The last one takes only things of one time among which a run chooses.
    lanes: [VecDeque<Entry<T>>; LANES + 1],
    /// The things that fit in no lane.
    heap: BinaryHeap<Reverse<Entry<T>>>,
    /// The place of the first thing of each lane, and then of the heap.
    fronts: [Place; LANES + 2],
    /// The place of the last thing of each lane that takes any.
    backs: [Place; LANES],
    /// Which of the fronts is the first.
    first: usize,
}

/// How many lanes there are: one for each length of timers that many nodes have.
const LANES: usize = 4;
/// The lane of things among which a run chooses.
const TIED: usize = LANES;

/// The heap among the fronts.
const HEAP: usize = LANES + 1;

impl Place {
    /// Before all others.
    const FIRST: Self = Self(0);
    /// After all others: that of a lane that has nothing.
    const NONE: Self = Self(u128::MAX);
}

impl<T: Copy> Lanes<T> {
    pub(super) fn new() -> Self {
        Self {
            lanes: std::array::from_fn(|_| VecDeque::new()),
            heap: BinaryHeap::new(),
            fronts: [Place::NONE; LANES + 2],
            backs: [Place::FIRST; LANES],
            first: 0,
        }
    }

    #[inline(never)]
    pub(super) fn schedule(&mut self, entry: Entry<T>) {
        let place = entry.place;
        let front = match self.backs.iter().position(|back| *back < place) {
            Some(lane) => {
                self.backs[lane] = place;
                self.lanes[lane].push_back(entry);
                lane
            }
            None => {
                self.heap.push(Reverse(entry));
                HEAP
            }
        };
        self.fronts[front] = self.fronts[front].min(place);
        if place < self.fronts[self.first] {
            self.first = front;
        }
    }

    /// The place of the first thing.
    pub(super) fn front(&self) -> Option<Place> {
        debug_assert!(self.are_fronts_kept(), "the fronts are kept up");
        let front = self.fronts[self.first];
        (front != Place::NONE).then_some(front)
    }

    pub(super) fn first(&self) -> Option<&Entry<T>> {
        self.first_of(self.first)
    }

    /// The first thing of a lane or of the heap.
    fn first_of(&self, front: usize) -> Option<&Entry<T>> {
        match front {
            HEAP => self.heap.peek().map(|Reverse(entry)| entry),
            lane => self.lanes[lane].front(),
        }
    }

    fn are_fronts_kept(&self) -> bool {
        let mut fronts = self.fronts.iter().enumerate();
        fronts.all(|(index, &front)| {
            let first = self.first_of(index).map_or(Place::NONE, |it| it.place);
            front == first && self.fronts[self.first] <= front
        })
    }

    /// Looks again at a lane or at the heap, which has lost a thing or got one.
    fn look_at(&mut self, changed: usize) {
        let first = self.first_of(changed).map(|entry| entry.place);
        self.fronts[changed] = first.unwrap_or(Place::NONE);
        if first.is_none() && changed < LANES {
            self.backs[changed] = Place::FIRST;
        }
        let (mut first, mut earliest) = (0, Place::NONE);
        for (index, front) in self.fronts.iter().enumerate() {
            if *front < earliest {
                (first, earliest) = (index, *front);
            }
        }
        self.first = first;
    }

    /// All things, in any order.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry<T>> {
        let on_heap = self.heap.iter().map(|Reverse(entry)| entry);
        self.lanes.iter().flatten().chain(on_heap)
    }

    /// Takes one of the things of the next time.
    #[inline(never)]
    pub(super) fn take_one_of(&mut self, choose: impl FnOnce(usize) -> usize) -> Option<Entry<T>> {
        let first = self.take_first()?;
        let time = first.place.time();
        if !self.has_one_at(time) {
            choose(1);
            return Some(first);
        }
        // Those of before that were not chosen come first, unless others have a lower rank.
        let mut tied = std::mem::take(&mut self.lanes[TIED]);
        tied.insert(tied.partition_point(|it| *it < first), first);
        self.look_at(TIED);
        while self.has_one_at(time) {
            let entry = self.take_first()?;
            tied.insert(tied.partition_point(|it| *it < entry), entry);
        }
        let chosen = choose(tied.len()).min(tied.len() - 1);
        let entry = tied.remove(chosen);
        self.lanes[TIED] = tied;
        self.look_at(TIED);
        entry
    }

    fn has_one_at(&self, time: Time) -> bool {
        self.front().is_some_and(|front| front.time() == time)
    }

    #[inline(never)]
    pub(super) fn take_first(&mut self) -> Option<Entry<T>> {
        let entry = match self.first {
            HEAP => self.heap.pop().map(|Reverse(entry)| entry),
            lane => self.lanes[lane].pop_front(),
        };
        self.look_at(self.first);
        entry
    }
}
