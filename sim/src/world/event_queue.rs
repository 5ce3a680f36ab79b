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
///
/// Most things are scheduled in the order in which they happen, since most timers of a world have one
/// of few lengths. So each goes to the end of the first lane that has nothing later, and only what
/// fits in no lane is kept by time. While a lane has something later than a time, it takes nothing
/// more of that time; so of one time, an earlier lane has what was scheduled before.
#[derive(Clone, Debug)]
pub(super) struct EventQueue<T> {
    lanes: [VecDeque<(Time, T)>; LANES],
    /// The things that fit in no lane.
    later: BTreeMap<Time, Vec<T>>,
    /// The first of both, which is asked for more often than it changes.
    front: Option<Front>,
    /// The time of what was taken last.
    now: Time,
    /// The events due at `now`, by rank; each rank in the order of scheduling.
    lines: [VecDeque<T>; RANKS],
    /// The ranks whose line is not empty, one bit each.
    waiting: u16,
    /// An empty list of a past instant, for the next one.
    spare: Vec<T>,
}

/// How many lanes there are: one for each length of timers that many nodes have.
const LANES: usize = 4;

/// The next thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Front {
    time: Time,
    /// The lane that it is in, if nothing else happens at its time.
    alone_in: Option<usize>,
}

/// How many ranks there are.
const RANKS: usize = 9;

impl<T: Ranked + Copy> EventQueue<T> {
    pub(super) fn new() -> Self {
        Self {
            lanes: std::array::from_fn(|_| VecDeque::new()),
            later: BTreeMap::new(),
            front: None,
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
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            if lane.back().is_none_or(|(last, _)| *last <= time) {
                lane.push_back((time, what));
                return self.note_scheduled(time, Some(index));
            }
        }
        let spare = &mut self.spare;
        let of_its_time = self.later.entry(time);
        of_its_time
            .or_insert_with(|| std::mem::take(spare))
            .push(what);
        self.note_scheduled(time, None);
    }

    /// The front is as before, or what was scheduled now.
    fn note_scheduled(&mut self, time: Time, alone_in: Option<usize>) {
        match &mut self.front {
            Some(front) if front.time < time => {}
            Some(front) if front.time == time => front.alone_in = None,
            front => *front = Some(Front { time, alone_in }),
        }
    }

    /// The next time at which something happens.
    pub(super) fn next_time(&self) -> Option<Time> {
        debug_assert_eq!(self.front, self.find_front(), "the front is kept up");
        match self.waiting {
            0 => self.next_instant(),
            _ => Some(self.now),
        }
    }

    /// The rank of the first thing that is due at `time`, if something is and nothing is earlier.
    pub(super) fn rank_at(&self, time: Time) -> Option<u8> {
        if self.waiting != 0 {
            return (self.now == time).then(|| self.first_rank() as u8);
        }
        if self.next_instant()? != time {
            return None;
        }
        let in_lanes = self.lanes.iter().flat_map(|lane| {
            let due = lane.iter().take_while(|(due, _)| *due == time);
            due.map(|(_, thing)| thing)
        });
        let others = self.later.get(&time).into_iter().flatten();
        in_lanes.chain(others).map(T::rank).min()
    }

    fn next_instant(&self) -> Option<Time> {
        self.front.map(|front| front.time)
    }

    /// The next thing when the current instant is over.
    fn find_front(&self) -> Option<Front> {
        let later = self.later.first_key_value().map(|(time, _)| *time);
        let (mut first, mut second, mut place) = (later, None, LANES);
        for (index, lane) in self.lanes.iter().enumerate() {
            let time = lane.front().map(|(time, _)| *time);
            let Some(time) = time else { continue };
            match first.is_none_or(|first| time < first) {
                true => (first, second, place) = (Some(time), first, index),
                false => second = Some(second.map_or(time, |second: Time| second.min(time))),
            }
        }
        let time = first?;
        let next_in_lane = self.lanes.get(place).map(|lane| lane.get(1));
        let is_alone = second != first
            && next_in_lane.is_some_and(|next| next.is_none_or(|(next, _)| *next != time));
        Some(Front {
            time,
            alone_in: is_alone.then_some(place),
        })
    }

    /// All that is to come, in its order: times and things.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Time, &T)> {
        let now = self.lines.iter().flatten().map(|it| (self.now, it));
        let in_lanes = self.lanes.iter().flatten().map(|(time, it)| (*time, it));
        let others = self.later.iter();
        let others = others.flat_map(|(time, things)| things.iter().map(|it| (*time, it)));
        let mut later: Vec<(Time, &T)> = in_lanes.chain(others).collect();
        // Stable: of one time and rank in the order of scheduling.
        later.sort_by_key(|(time, it)| (*time, it.rank()));
        now.chain(later)
    }

    /// Takes the first thing. Says at what time it happens, and whether there is another one
    /// at the same time.
    pub(super) fn pop(&mut self) -> Option<(Time, T, bool)> {
        if self.waiting == 0
            && let Front {
                time,
                alone_in: Some(lane),
            } = self.front?
        {
            let thing = self.take_front(time, lane)?;
            return Some((time, thing, false));
        }
        self.begin_instant()?;
        let first = self.leave_line(self.first_rank(), 0)?;
        Some((self.now, first, self.waiting != 0))
    }

    /// Takes the first thing, if it happens by `limit` and is wanted.
    pub(super) fn pop_if(&mut self, limit: Time, wants: impl Fn(&T) -> bool) -> Option<(Time, T)> {
        if self.waiting == 0 {
            let Front { time, alone_in } = self.front.filter(|front| front.time <= limit)?;
            if let Some(lane) = alone_in {
                let first = self.lanes[lane].front();
                if !first.is_some_and(|(_, thing)| wants(thing)) {
                    return None;
                }
                return Some((time, self.take_front(time, lane)?));
            }
            self.begin_instant()?;
        }
        let rank = self.first_rank();
        if self.now > limit || !self.lines[rank].front().is_some_and(wants) {
            return None;
        }
        Some((self.now, self.leave_line(rank, 0)?))
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
            let time = self.next_instant()?;
            debug_assert!(time >= self.now, "time does not go back");
            self.now = time;
            for lane in 0..LANES {
                while let Some((due, thing)) = self.lanes[lane].front().copied() {
                    if due != time {
                        break;
                    }
                    self.lanes[lane].pop_front();
                    self.stand_in_line(thing);
                }
            }
            if let Some(entry) = self.later.first_entry().filter(|it| *it.key() == time) {
                let mut things = entry.remove();
                things.drain(..).for_each(|it| self.stand_in_line(it));
                self.spare = things;
            }
            self.front = self.find_front();
        }
        Some(())
    }

    /// Takes the only thing of the next instant.
    fn take_front(&mut self, time: Time, lane: usize) -> Option<T> {
        self.now = time;
        let (_, thing) = self.lanes[lane].pop_front()?;
        self.front = self.find_front();
        Some(thing)
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
