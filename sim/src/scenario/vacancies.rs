//! How long keys have no row with an owner, after they had one.

use super::Scenario;
use super::client::ClientKind;
use crate::sorted::sorted;
use crate::time::Time;
use crate::trace::RowChanges;
use crate::world::World;

/// Follows the rows of the keys that `noRowFor` is about and of presences, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Vacancies(Vec<Vacancy>);

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
    pub(super) fn new(scenario: &Scenario) -> Self {
        let about = scenario.expect.iter();
        let about = about.filter(|it| it.no_row_for.is_some());
        let keys = about.flat_map(|it| scenario.keys_named(it.key.as_deref().unwrap_or_default()));
        let presences = scenario
            .clients
            .iter()
            .filter(|it| it.kind == ClientKind::Presence);
        let presences = presences.map(|it| it.key().to_owned());
        let mut keys = sorted(keys.chain(presences).collect::<Vec<String>>());
        keys.dedup();
        let vacancies = keys.into_iter().map(|key| Vacancy {
            key,
            is_owned: false,
            since: None,
            longest: None,
        });
        Self(vacancies.collect())
    }

    /// Looks at the rows that have changed.
    pub(super) fn update(&mut self, changes: &RowChanges, world: &World) {
        if changes.are_all {
            for vacancy in &mut self.0 {
                vacancy.update(world);
            }
            return;
        }
        for key in &changes.keys {
            if let Some(place) = self.place(key) {
                self.0[place].update(world);
            }
        }
    }

    /// From when to when a key had no owner, at the longest, in a run that ends at `end`.
    pub(super) fn longest(&self, key: &str, end: Time) -> Option<(Time, Time)> {
        self.0[self.place(key)?].longest_until(end)
    }

    /// Whether a key that it follows has or had an owner.
    pub(super) fn had_owner(&self, key: &str) -> bool {
        let vacancy = self.place(key).map(|place| &self.0[place]);
        vacancy.is_some_and(|it| it.is_owned || it.since.is_some())
    }

    fn place(&self, key: &str) -> Option<usize> {
        let found = self.0.binary_search_by(|vacancy| (*vacancy.key).cmp(key));
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
        let open = self
            .since
            .map(|since| (since, now))
            .filter(|(since, now)| since < now);
        match (self.longest, open) {
            (Some((from, to)), Some((since, now))) if now.since(since) <= to.since(from) => {
                self.longest
            }
            (longest, None) => longest,
            (_, open) => open,
        }
    }
}
