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
/// Most events are scheduled for the current instant. They wait in a line by rank and never
/// enter the heap.
#[derive(Clone, Debug)]
pub(super) struct EventQueue<T> {
    heap: BinaryHeap<Reverse<Entry<T>>>,
    /// The time of what was taken last.
    now: Option<Time>,
    /// The events due at `now`, by rank; each rank in the order of scheduling.
    lines: [VecDeque<Entry<T>>; RANKS],
    /// The ranks whose line is not empty, one bit each.
    waiting: u16,
    scheduled: u64,
}

/// How many ranks there are.
const RANKS: usize = 9;

/// Compared by time, rank and sequence alone.
#[derive(Clone, Debug)]
struct Entry<T> {
    time: Time,
    order: Order,
    what: T,
}

/// Rank and sequence in one number: heaps compare a lot, and small entries stay in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order(u64);

/// How many bits of an [`Order`] the sequence has; no run schedules 2^56 things.
const SEQUENCE_BITS: u32 = 56;

impl Order {
    const fn new(rank: u8, sequence: u64) -> Self {
        Self((rank as u64) << SEQUENCE_BITS | sequence)
    }

    const fn rank(self) -> usize {
        (self.0 >> SEQUENCE_BITS) as usize
    }
}

impl<T: Ranked> EventQueue<T> {
    pub(super) fn new() -> Self {
        Self {
            heap: BinaryHeap::new(),
            now: None,
            lines: std::array::from_fn(|_| VecDeque::new()),
            waiting: 0,
            scheduled: 0,
        }
    }

    pub(super) fn schedule(&mut self, time: Time, what: T) {
        self.scheduled += 1;
        let order = Order::new(what.rank(), self.scheduled);
        let entry = Entry { time, order, what };
        if self.now == Some(time) {
            self.stand_in_line(entry);
        } else {
            self.heap.push(Reverse(entry));
        }
    }

    /// The next time at which something happens.
    pub(super) fn next_time(&self) -> Option<Time> {
        let in_heap = self.heap.peek().map(|Reverse(entry)| entry.time);
        match self.now.filter(|_| self.waiting != 0) {
            Some(now) => Some(in_heap.map_or(now, |time| time.min(now))),
            None => in_heap,
        }
    }

    /// The rank of the first thing that is due at `time`, if something is and nothing is earlier.
    pub(super) fn rank_at(&self, time: Time) -> Option<u8> {
        let in_heap = self.heap.peek().map(|Reverse(entry)| entry);
        let in_heap = in_heap.filter(|entry| entry.time == time);
        let in_heap = in_heap.map(|entry| entry.order.rank() as u8);
        let in_line = (self.now == Some(time) && self.waiting != 0)
            .then(|| self.waiting.trailing_zeros() as u8);
        in_heap.into_iter().chain(in_line).min()
    }

    /// All that is to come, in its order: times and things.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Time, &T)> {
        let in_heap = self.heap.iter().map(|Reverse(entry)| entry);
        let entries = in_heap.chain(self.lines.iter().flatten()).collect();
        sorted::<&Entry<T>>(entries)
            .into_iter()
            .map(|entry| (entry.time, &entry.what))
    }

    /// Takes the first thing. Says at what time it happens, and whether there is another one
    /// at the same time.
    pub(super) fn pop(&mut self) -> Option<(Time, T, bool)> {
        let first = self.take_first()?;
        let next_in_heap = self.heap.peek().map(|Reverse(entry)| entry.time);
        let is_tie = self.waiting != 0 || next_in_heap == Some(first.time);
        Some((first.time, first.what, is_tie))
    }

    /// Takes one of the events of the next time; `choose` gets their number
    /// and returns an index in their order.
    pub(super) fn pop_one_of(&mut self, choose: impl FnOnce(usize) -> usize) -> Option<(Time, T)> {
        let time = self.next_time()?;
        let mut candidates = Vec::new();
        while self.next_time() == Some(time) {
            candidates.extend(self.take_first());
        }
        let chosen = choose(candidates.len()).min(candidates.len() - 1);
        let chosen = candidates.remove(chosen);
        // They are due at the instant under way and go back into line, in their order.
        for entry in candidates {
            self.stand_in_line(entry);
        }
        Some((time, chosen.what))
    }

    fn stand_in_line(&mut self, entry: Entry<T>) {
        let rank = entry.order.rank();
        self.waiting |= 1 << rank;
        self.lines[rank].push_back(entry);
    }

    /// The first of those who wait in line, and of the heap where that comes before.
    fn take_first(&mut self) -> Option<Entry<T>> {
        let in_heap = self.heap.peek().map(|Reverse(entry)| entry);
        if self.waiting == 0 {
            self.now = Some(in_heap?.time);
            return self.heap.pop().map(|Reverse(entry)| entry);
        }
        let rank = self.waiting.trailing_zeros() as usize;
        let line = &mut self.lines[rank];
        // While a line is not empty, its instant goes on.
        if in_heap.is_some_and(|in_heap| line.front().is_some_and(|first| in_heap < first)) {
            return self.heap.pop().map(|Reverse(entry)| entry);
        }
        let first = line.pop_front();
        if line.is_empty() {
            self.waiting &= !(1 << rank);
        }
        first
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.time, self.order).cmp(&(other.time, other.order))
    }
}
