//! Scheduled events, by time, then by rank, and then in the order of their scheduling.

use std::collections::{BTreeMap, VecDeque};

use crate::time::Time;

/// Says what goes first among things of one time: the lower rank.
pub(super) trait Ranked {
    fn rank(&self) -> u8;
}

/// A queue of things to come.
///
/// The things of the current instant wait in a line for each rank. Those of a later one are kept
/// together, in the order of their scheduling, and get in line when its time comes.
#[derive(Clone, Debug)]
pub(super) struct EventQueue<T> {
    later: BTreeMap<Time, Vec<T>>,
    /// The time of what was taken last.
    now: Time,
    /// The events due at `now`, by rank; each rank in the order of scheduling.
    lines: [VecDeque<T>; RANKS],
    /// The ranks whose line is not empty, one bit each.
    waiting: u16,
    /// An empty list of a past instant, for the next one.
    spare: Vec<T>,
}

/// How many ranks there are.
const RANKS: usize = 9;

impl<T: Ranked> EventQueue<T> {
    pub(super) fn new() -> Self {
        Self {
            later: BTreeMap::new(),
            now: Time::ZERO,
            lines: std::array::from_fn(|_| VecDeque::new()),
            waiting: 0,
            spare: Vec::new(),
        }
    }

    /// Schedules a thing for now or later.
    pub(super) fn schedule(&mut self, time: Time, what: T) {
        debug_assert!(time >= self.now, "nothing happens in the past");
        if time <= self.now {
            return self.stand_in_line(what);
        }
        let spare = &mut self.spare;
        let of_its_time = self.later.entry(time);
        of_its_time
            .or_insert_with(|| std::mem::take(spare))
            .push(what);
    }

    /// The next time at which something happens.
    pub(super) fn next_time(&self) -> Option<Time> {
        match self.waiting {
            0 => self.later.first_key_value().map(|(time, _)| *time),
            _ => Some(self.now),
        }
    }

    /// The rank of the first thing that is due at `time`, if something is and nothing is earlier.
    pub(super) fn rank_at(&self, time: Time) -> Option<u8> {
        if self.waiting != 0 {
            return (self.now == time).then(|| self.first_rank() as u8);
        }
        let (first, things) = self.later.first_key_value()?;
        let due = things.iter().filter(|_| *first == time);
        due.map(T::rank).min()
    }

    /// All that is to come, in its order: times and things.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Time, &T)> {
        let now = self.lines.iter().flatten().map(|it| (self.now, it));
        let later = self.later.iter().flat_map(|(time, things)| {
            let ranks = 0..RANKS as u8;
            let of_rank = |rank| things.iter().filter(move |it| it.rank() == rank);
            ranks.flat_map(of_rank).map(|it| (*time, it))
        });
        now.chain(later)
    }

    /// Takes the first thing. Says at what time it happens, and whether there is another one
    /// at the same time.
    pub(super) fn pop(&mut self) -> Option<(Time, T, bool)> {
        self.begin_instant()?;
        let first = self.leave_line(self.first_rank(), 0)?;
        Some((self.now, first, self.waiting != 0))
    }

    /// Takes one of the events of the next time; `choose` gets their number
    /// and returns an index in their order.
    pub(super) fn pop_one_of(&mut self, choose: impl FnOnce(usize) -> usize) -> Option<(Time, T)> {
        self.begin_instant()?;
        let due: usize = self.lines.iter().map(VecDeque::len).sum();
        let mut place = choose(due).min(due - 1);
        for rank in 0..RANKS {
            let waiting = self.lines[rank].len();
            if place < waiting {
                return Some((self.now, self.leave_line(rank, place)?));
            }
            place -= waiting;
        }
        None
    }

    /// Goes on to the next instant if the current one is over.
    fn begin_instant(&mut self) -> Option<()> {
        if self.waiting == 0 {
            let (time, mut things) = self.later.pop_first()?;
            debug_assert!(time >= self.now, "time does not go back");
            self.now = time;
            things.drain(..).for_each(|it| self.stand_in_line(it));
            self.spare = things;
        }
        Some(())
    }

    fn first_rank(&self) -> usize {
        self.waiting.trailing_zeros() as usize
    }

    fn stand_in_line(&mut self, what: T) {
        let rank = what.rank();
        self.waiting |= 1 << rank;
        self.lines[usize::from(rank)].push_back(what);
    }

    fn leave_line(&mut self, rank: usize, place: usize) -> Option<T> {
        let line = &mut self.lines[rank];
        let taken = line.remove(place);
        if line.is_empty() {
            self.waiting &= !(1 << rank);
        }
        taken
    }
}
