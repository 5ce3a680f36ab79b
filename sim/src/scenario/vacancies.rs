//! How long keys have no row with an owner, after they had one.

use super::cast::Cast;
use crate::sorted::sorted;
use crate::time::Time;
use crate::trace::RowChanges;
use crate::world::World;

/// Follows the rows of keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Vacancies {
    /// The keys that `noRowFor` is about, in their order.
    asked: Vec<Vacancy>,
    /// True if each key of the run has had an owner.
    had_owner: Vec<bool>,
}

#[derive(Clone, Debug)]
struct Vacancy {
    key: String,
    is_owned: bool,
    /// Since when it has no owner, if it had one before.
    since: Option<Time>,
    /// The longest time without an owner that has ended; the first if several are as long.
    longest: Option<(Time, Time)>,
}

impl Vacancies {
    pub(super) fn new(cast: &Cast) -> Self {
        let about = cast.scenario.expect.iter();
        let about = about.filter(|it| it.no_row_for.is_some());
        let keys = about.flat_map(|it| {
            let key = it.key.as_deref().unwrap_or_default();
            cast.scenario.keys_named(key)
        });
        let mut keys = sorted(keys.collect::<Vec<String>>());
        keys.dedup();
        let asked = keys.into_iter().map(|key| Vacancy {
            key,
            is_owned: false,
            since: None,
            longest: None,
        });
        Self { asked: asked.collect(), had_owner: vec![false; cast.by_key.len()] }
    }

    /// Looks at the rows that have changed.
    pub(super) fn update(&mut self, changes: &RowChanges, cast: &Cast, world: &World) {
        if changes.are_all {
            for vacancy in &mut self.asked {
                vacancy.update(world);
            }
            for (key, had_owner) in cast.by_key.texts().zip(&mut self.had_owner) {
                *had_owner = *had_owner || world.is_owned(key);
            }
            return;
        }
        for key in &changes.keys {
            if let Some(place) = self.place(key) {
                self.asked[place].update(world);
            }
            if let Some(place) = cast.by_key.place(key) {
                let had_owner = &mut self.had_owner[place];
                *had_owner = *had_owner || world.is_owned(key);
            }
        }
    }

    /// From when to when a key had no owner, at the longest, in a run that ends at `end`.
    pub(super) fn longest(&self, key: &str, end: Time) -> Option<(Time, Time)> {
        self.asked[self.place(key)?].longest_until(end)
    }

    /// True if a key of the run has or had an owner.
    pub(super) fn had_owner(&self, key: &str, cast: &Cast) -> bool {
        let place = cast.by_key.place(key);
        place.is_some_and(|place| self.had_owner[place])
    }

    fn place(&self, key: &str) -> Option<usize> {
        let found = self.asked.binary_search_by(|vacancy| (*vacancy.key).cmp(key));
        found.ok()
    }
}

impl Vacancy {
    fn update(&mut self, world: &World) {
        let is_owned = world.is_owned(&self.key);
        if is_owned == self.is_owned {
            return;
        }
        self.is_owned = is_owned;
        let now = world.now();
        if is_owned {
            self.longest = self.longest_until(now);
            self.since = None;
        } else {
            self.since = Some(now);
        }
    }

    fn longest_until(&self, now: Time) -> Option<(Time, Time)> {
        let open = self.since.map(|since| (since, now)).filter(|(since, now)| since < now);
        match (self.longest, open) {
            (Some((from, to)), Some((since, now))) if now.since(since) <= to.since(from) => {
                self.longest
            }
            (longest, None) => longest,
            (_, open) => open,
        }
    }
}
