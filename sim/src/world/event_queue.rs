//! Scheduled events, by time, then by rank, and then in the order of their scheduling.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use crate::sorted::sorted;
use crate::time::Time;

/// Says what goes first among things of one time: the lower rank.
pub(super) trait Ranked {
    fn rank(&self) -> u8;
}

/// A queue of things to come.
///
/// Most things are scheduled in the order in which they happen, since most timers of a world have one
/// of few lengths. So each goes to the end of the first lane that has nothing after it, and only what
/// fits in no lane goes on a heap. The first thing is the first of a lane or of the heap.
#[derive(Clone, Debug)]
pub(super) struct EventQueue<T> {
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
    /// The time of what was taken last.
    now: Time,
    /// How many things were scheduled.
    scheduled: u64,
}

/// How many lanes there are: one for each length of timers that many nodes have.
const LANES: usize = 4;
/// The lane of things among which a run chooses.
const TIED: usize = LANES;

/// The heap among the fronts.
const HEAP: usize = LANES + 1;

/// A place in the order of all things: the time, below it the rank, and below that how many things
/// were scheduled before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(u128);

/// Ranks are above so many bits, which count longer than any world lasts.
const RANK_SHIFT: u32 = 56;

impl Place {
    /// Before all others.
    const FIRST: Self = Self(0);
    /// After all others: that of a lane that has nothing.
    const NONE: Self = Self(u128::MAX);

    fn new(time: Time, rank: u8, scheduled: u64) -> Self {
        let order = u64::from(rank) << RANK_SHIFT | scheduled;
        Self(u128::from(time.as_ms()) << 64 | u128::from(order))
    }

    const fn time(self) -> Time {
        Time::from_ms((self.0 >> 64) as u64)
    }

    const fn rank(self) -> u8 {
        (self.0 as u64 >> RANK_SHIFT) as u8
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    place: Place,
    thing: T,
}

impl<T: Ranked + Copy> EventQueue<T> {
    pub(super) fn new() -> Self {
        Self {
            lanes: std::array::from_fn(|_| VecDeque::new()),
            heap: BinaryHeap::new(),
            fronts: [Place::NONE; LANES + 2],
            backs: [Place::FIRST; LANES],
            first: 0,
            now: Time::ZERO,
            scheduled: 0,
        }
    }

    /// Schedules a thing for now or later.
    pub(super) fn schedule(&mut self, time: Time, thing: T) {
        debug_assert!(time >= self.now, "nothing happens in the past");
        let place = Place::new(time.max(self.now), thing.rank(), self.scheduled);
        self.scheduled += 1;
        let entry = Entry { place, thing };
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

    /// The next time at which something happens.
    pub(super) fn next_time(&self) -> Option<Time> {
        self.front().map(Place::time)
    }

    /// The rank of the first thing that is due at `time`, if something is and nothing is earlier.
    pub(super) fn rank_at(&self, time: Time) -> Option<u8> {
        let front = self.front().filter(|front| front.time() == time)?;
        Some(front.rank())
    }

    /// The place of the first thing.
    fn front(&self) -> Option<Place> {
        debug_assert!(self.are_fronts_kept(), "the fronts are kept up");
        let front = self.fronts[self.first];
        (front != Place::NONE).then_some(front)
    }

    /// The place of the first thing of a lane or of the heap.
    fn first_of(&self, front: usize) -> Option<Place> {
        match front {
            HEAP => self.heap.peek().map(|Reverse(entry)| entry.place),
            lane => self.lanes[lane].front().map(|entry| entry.place),
        }
    }

    fn are_fronts_kept(&self) -> bool {
        let mut fronts = self.fronts.iter().enumerate();
        fronts.all(|(index, &front)| {
            front == self.first_of(index).unwrap_or(Place::NONE) && self.fronts[self.first] <= front
        })
    }

    /// Looks again at a lane or at the heap, which has lost a thing or got one.
    fn look_at(&mut self, changed: usize) {
        let first = self.first_of(changed);
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

    /// All that is to come, in its order: times and things.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Time, &T)> {
        let on_heap = self.heap.iter().map(|Reverse(entry)| entry);
        let all: Vec<&Entry<T>> = self.lanes.iter().flatten().chain(on_heap).collect();
        sorted(all)
            .into_iter()
            .map(|entry| (entry.place.time(), &entry.thing))
    }

    /// Takes the first thing. Says at what time it happens, and whether there is another one
    /// at the same time.
    pub(super) fn pop(&mut self) -> Option<(Time, T, bool)> {
        let Entry { place, thing } = self.take_front()?;
        self.now = place.time();
        let is_tie = self.next_time() == Some(self.now);
        Some((self.now, thing, is_tie))
    }

    /// Takes the first thing, if it happens by `limit` and is wanted.
    pub(super) fn pop_if(&mut self, limit: Time, wants: impl Fn(&T) -> bool) -> Option<(Time, T)> {
        self.front().filter(|front| front.time() <= limit)?;
        let first = match self.first {
            HEAP => self.heap.peek().map(|Reverse(entry)| entry),
            lane => self.lanes[lane].front(),
        };
        if !first.is_some_and(|entry| wants(&entry.thing)) {
            return None;
        }
        let Entry { place, thing } = self.take_front()?;
        self.now = place.time();
        Some((self.now, thing))
    }

    /// Takes one of the events of the next time; `choose` gets their number
    /// and returns an index in their order.
    pub(super) fn pop_one_of(&mut self, choose: impl FnOnce(usize) -> usize) -> Option<(Time, T)> {
        let first = self.take_front()?;
        let time = first.place.time();
        self.now = time;
        if self.next_time() != Some(time) {
            choose(1);
            return Some((time, first.thing));
        }
        // Those of before that were not chosen come first, unless others have a lower rank.
        let mut tied = std::mem::take(&mut self.lanes[TIED]);
        tied.insert(tied.partition_point(|it| *it < first), first);
        self.look_at(TIED);
        while self.next_time() == Some(time) {
            let entry = self.take_front()?;
            tied.insert(tied.partition_point(|it| *it < entry), entry);
        }
        let chosen = choose(tied.len()).min(tied.len() - 1);
        let entry = tied.remove(chosen);
        self.lanes[TIED] = tied;
        self.look_at(TIED);
        Some((time, entry?.thing))
    }

    fn take_front(&mut self) -> Option<Entry<T>> {
        let entry = match self.first {
            HEAP => self.heap.pop().map(|Reverse(entry)| entry),
            lane => self.lanes[lane].pop_front(),
        };
        self.look_at(self.first);
        entry
    }
}

/// No two entries have one place.
impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.cmp(&other.place)
    }
}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl<T> Eq for Entry<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank, and a name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Thing(u8, u32);

    impl Ranked for Thing {
        fn rank(&self) -> u8 {
            self.0
        }
    }

    /// The same by sorting: things with their times, each at the place of its scheduling.
    #[derive(Default)]
    struct Plain(Vec<(Time, Thing)>);

    impl Plain {
        fn sorted(&self) -> Vec<(Time, Thing)> {
            let mut all = self.0.clone();
            // Stable: of one time and rank in the order of scheduling.
            all.sort_by_key(|(time, thing)| (*time, thing.0));
            all
        }

        fn take(&mut self, taken: Thing) {
            self.0.retain(|(_, thing)| *thing != taken);
        }
    }

    /// Numbers that look random: the same in each run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }
    }

    #[test]
    fn things_are_taken_by_time_then_by_rank_and_then_as_they_were_scheduled() {
        for seed in 0..200 {
            let (mut numbers, mut now) = (Numbers(seed), 0);
            let (mut queue, mut plain) = (EventQueue::new(), Plain::default());
            for name in 0..300 {
                // As timers of few lengths, or as latencies of any length.
                let ahead = match seed % 2 {
                    0 => [0, 5, 15, 60][numbers.below(4) as usize],
                    _ => numbers.below(20),
                };
                let (time, thing) = (
                    Time::from_ms(now + ahead),
                    Thing(numbers.below(9) as u8, name),
                );
                queue.schedule(time, thing);
                plain.0.push((time, thing));
                let expected = plain.sorted();
                assert!(
                    queue
                        .entries()
                        .map(|(time, thing)| (time, *thing))
                        .eq(expected.iter().copied()),
                    "seed {seed}"
                );
                let first = expected[0];
                let due = expected.iter().filter(|it| it.0 == first.0).count();
                let taken = match numbers.below(4) {
                    0 => queue.pop().map(|(time, thing, is_tie)| {
                        assert_eq!(is_tie, due > 1, "seed {seed}");
                        (time, thing)
                    }),
                    1 => queue.pop_if(first.0, |thing| *thing == first.1),
                    2 => {
                        let chosen = numbers.below(due as u64) as usize;
                        let taken = queue.pop_one_of(|count| {
                            assert_eq!(count, due, "seed {seed}");
                            chosen
                        });
                        assert_eq!(taken, Some(expected[chosen]), "seed {seed}");
                        taken
                    }
                    _ => continue,
                };
                let (time, thing) = taken.expect("something is due");
                assert_eq!(time, first.0, "seed {seed}");
                now = time.as_ms();
                plain.take(thing);
            }
        }
    }

    #[test]
    fn what_is_late_or_not_wanted_stays() {
        let mut queue = EventQueue::new();
        queue.schedule(Time::from_ms(5), Thing(3, 0));
        assert_eq!(queue.pop_if(Time::from_ms(4), |_| true), None);
        assert_eq!(queue.pop_if(Time::from_ms(5), |_| false), None);
        assert_eq!(queue.rank_at(Time::from_ms(4)), None);
        assert_eq!(queue.rank_at(Time::from_ms(5)), Some(3));
    }
}
