//! Scheduled events, by time, then by rank, and then in the order of their scheduling.

mod lanes;

use std::cmp::Ordering;
use std::collections::VecDeque;

use crate::sorted::sorted;
use crate::time::Time;
use lanes::Lanes;

/// Says what goes first among things of one time: the lower rank.
pub(super) trait Ranked {
    fn rank(&self) -> u8;
}

/// A queue of things to come.
#[derive(Clone, Debug)]
pub(super) struct EventQueue<T> {
    /// The first one last, until they are many: what comes soon moves few of them. All things of the
    /// next time are among them.
    few: Vec<Entry<T>>,
    /// The longest timers, in order: they are scheduled as they happen, and most fire stale.
    far: VecDeque<Entry<T>>,
    /// All things, once they have been many.
    many: Option<Box<Lanes<T>>>,
    /// The time of what was taken last.
    now: Time,
    /// The number of events scheduled so far.
    scheduled: u64,
}

/// So many things are few: to find a place among them takes less time than lanes do.
const FEW: usize = 32;

/// A place in the order of all things: the time, below it the rank, and below that how many things
/// were scheduled before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(u128);

/// Ranks are above this many bits, enough to count for longer than any world lasts.
const RANK_SHIFT: u32 = 56;

impl Place {
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
    pub(super) const fn new() -> Self {
        Self { few: Vec::new(), far: VecDeque::new(), many: None, now: Time::ZERO, scheduled: 0 }
    }

    /// Schedules a thing for now or later.
    pub(super) fn schedule(&mut self, time: Time, thing: T) {
        debug_assert!(time >= self.now, "nothing happens in the past");
        let place = Place::new(time.max(self.now), thing.rank(), self.scheduled);
        self.scheduled += 1;
        let entry = Entry { place, thing };
        if let Some(many) = &mut self.many {
            many.schedule(entry);
        } else if self.is_far(entry) {
            self.far.push_back(entry);
        } else if self.few.len() < FEW {
            self.insert(entry);
        } else {
            self.schedule_one_of_many(entry);
        }
    }

    #[cold]
    #[inline(never)]
    fn schedule_one_of_many(&mut self, entry: Entry<T>) {
        let few = std::mem::take(&mut self.few).into_iter().rev();
        let far = std::mem::take(&mut self.far);
        let mut many = Box::new(Lanes::new());
        let all = few.chain(far).chain([entry]);
        all.for_each(|entry| many.schedule(entry));
        self.many = Some(many);
    }

    /// True if something comes after the next time and after all that is far.
    fn is_far(&self, entry: Entry<T>) -> bool {
        let is_later = |first: &Entry<T>| first.place.time() < entry.place.time();
        self.few.last().is_some_and(is_later) && self.far.back().is_none_or(|last| *last < entry)
    }

    /// Inserts a thing among the few. A call of `memmove` would take longer than to move so few.
    fn insert(&mut self, entry: Entry<T>) {
        let mut index = self.few.len();
        self.few.push(entry);
        while index > 0 && self.few[index - 1] < entry {
            self.few[index] = self.few[index - 1];
            index -= 1;
        }
        self.few[index] = entry;
    }

    /// Keeps all things of the next time among the few, after one of them was taken.
    fn draw_near(&mut self) {
        while let Some(far) = self.far.front()
            && self.few.last().is_none_or(|it| it.place.time() >= far.place.time())
            && let Some(entry) = self.far.pop_front()
        {
            self.insert(entry);
        }
    }

    /// Takes one of the few that are due.
    fn take_one_of_few(&mut self, choose: impl FnOnce(usize) -> usize) -> Option<Entry<T>> {
        let due = self.few.iter().rev();
        let due = due.take_while(|it| it.place.time() == self.now).count();
        let chosen = choose(due).min(due - 1);
        let taken = match chosen {
            0 => self.few.pop(),
            _ => Some(self.few.remove(self.few.len() - 1 - chosen)),
        };
        self.draw_near();
        taken
    }

    /// The next time at which something happens.
    #[inline]
    pub(super) fn next_time(&self) -> Option<Time> {
        self.front().map(Place::time)
    }

    /// The rank of the first thing that is due at `time`, if something is and nothing is earlier.
    pub(super) fn rank_at(&self, time: Time) -> Option<u8> {
        let front = self.front().filter(|front| front.time() == time)?;
        Some(front.rank())
    }

    /// The place of the first thing.
    #[inline]
    fn front(&self) -> Option<Place> {
        match &self.many {
            None => self.few.last().map(|first| first.place),
            Some(many) => many.front(),
        }
    }

    /// All scheduled events with their times, in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Time, &T)> {
        let many = self.many.iter().flat_map(|many| many.entries());
        let all: Vec<&Entry<T>> = self.few.iter().chain(&self.far).chain(many).collect();
        sorted(all).into_iter().map(|entry| (entry.place.time(), &entry.thing))
    }

    /// Takes the first thing. Says at what time it happens, and whether there is another one
    /// at the same time.
    pub(super) fn pop(&mut self) -> Option<(Time, T, bool)> {
        let (now, thing) = self.take_first()?;
        let is_tie = self.next_time() == Some(now);
        Some((now, thing, is_tie))
    }

    /// Takes the first thing, if it happens by `limit` and is wanted.
    pub(super) fn pop_if(&mut self, limit: Time, wants: impl Fn(&T) -> bool) -> Option<(Time, T)> {
        self.front().filter(|front| front.time() <= limit)?;
        let first = match &self.many {
            None => self.few.last(),
            Some(many) => many.first(),
        };
        wants(&first?.thing).then(|| self.take_first())?
    }

    /// Takes one of the events of the next time; `choose` gets their number
    /// and returns an index in their order.
    pub(super) fn pop_one_of(&mut self, choose: impl FnOnce(usize) -> usize) -> Option<(Time, T)> {
        self.now = self.next_time()?;
        let Entry { place, thing } = match &mut self.many {
            None => self.take_one_of_few(choose)?,
            Some(many) => many.take_one_of(choose)?,
        };
        Some((place.time(), thing))
    }

    fn take_first(&mut self) -> Option<(Time, T)> {
        let first = match &mut self.many {
            None => {
                let first = self.few.pop();
                self.draw_near();
                first
            }
            Some(many) => many.take_first(),
        };
        let Entry { place, thing } = first?;
        self.now = place.time();
        Some((self.now, thing))
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
                let (time, thing) =
                    (Time::from_ms(now + ahead), Thing(numbers.below(9) as u8, name));
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
