//! What will happen, by time; things of one time by rank, and then in the order of their
//! scheduling.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use crate::time::Time;

/// Says what goes first among things of one time: the lower rank.
pub(super) trait Ranked {
    fn rank(&self) -> u8;
}

/// A queue of things to come.
///
/// What is scheduled for the instant that is under way, as most is, waits in line by rank and
/// never enters the heap.
#[derive(Clone, Debug)]
pub(super) struct EventQueue<T> {
    heap: BinaryHeap<Reverse<Entry<T>>>,
    /// The time of what was taken last.
    now: Option<Time>,
    /// What is due at `now`, by rank; each in the order of its scheduling.
    lines: [VecDeque<Entry<T>>; RANKS],
    scheduled: u64,
}

/// How many ranks there are.
const RANKS: usize = 9;

/// Compared by time, rank and sequence alone.
#[derive(Clone, Debug)]
struct Entry<T> {
    time: Time,
    rank: u8,
    sequence: u64,
    what: T,
}

impl<T: Ranked> EventQueue<T> {
    pub(super) fn new() -> Self {
        Self {
            heap: BinaryHeap::new(),
            now: None,
            lines: std::array::from_fn(|_| VecDeque::new()),
            scheduled: 0,
        }
    }

    pub(super) fn schedule(&mut self, time: Time, what: T) {
        self.scheduled += 1;
        let rank = what.rank();
        let entry = Entry {
            time,
            rank,
            sequence: self.scheduled,
            what,
        };
        if self.now == Some(time) {
            self.lines[usize::from(rank)].push_back(entry);
        } else {
            self.heap.push(Reverse(entry));
        }
    }

    /// The next time at which something happens.
    pub(super) fn next_time(&self) -> Option<Time> {
        let in_heap = self.heap.peek().map(|Reverse(entry)| entry.time);
        match self.now.filter(|_| self.first_line().is_some()) {
            Some(now) => Some(in_heap.map_or(now, |time| time.min(now))),
            None => in_heap,
        }
    }

    /// All that is to come, in no order: times, sequences and things.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Time, u64, &T)> {
        let in_heap = self.heap.iter().map(|Reverse(entry)| entry);
        let entries = in_heap.chain(self.lines.iter().flatten());
        entries.map(|entry| (entry.time, entry.sequence, &entry.what))
    }

    /// Takes the first thing. Says at what time it happens, and whether there is another one
    /// at the same time.
    pub(super) fn pop(&mut self) -> Option<(Time, T, bool)> {
        let first = self.take_first()?;
        let is_tie = self.next_time() == Some(first.time);
        Some((first.time, first.what, is_tie))
    }

    /// Takes one of the things that happen at the next time; `choose` is told how many there
    /// are and names one, in their order.
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
            self.lines[usize::from(entry.rank)].push_back(entry);
        }
        Some((time, chosen.what))
    }

    /// The first of those who wait in line, and of the heap where that comes before.
    fn take_first(&mut self) -> Option<Entry<T>> {
        let in_heap = self.heap.peek().map(|Reverse(entry)| entry);
        let line = self.first_line();
        let in_line = line.and_then(|line| self.lines[line].front());
        let heap_first = match (in_heap, in_line) {
            (Some(in_heap), Some(in_line)) => in_heap < in_line,
            (in_heap, None) => in_heap.is_some(),
            (None, Some(_)) => false,
        };
        if !heap_first {
            return self.lines[line?].pop_front();
        }
        let Reverse(entry) = self.heap.pop()?;
        // With somebody in line the instant is theirs; it cannot begin before they are gone.
        if line.is_none() {
            self.now = Some(entry.time);
        }
        Some(entry)
    }

    fn first_line(&self) -> Option<usize> {
        self.lines.iter().position(|line| !line.is_empty())
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
        (self.time, self.rank, self.sequence).cmp(&(other.time, other.rank, other.sequence))
    }
}
