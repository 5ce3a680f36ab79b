//! How long keys have no owner, after they had one.

use super::Scenario;
use crate::time::Time;
use crate::world::World;

/// Follows the rows of the keys that `noOwnerFor` is about.
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
        let about = about.filter(|it| it.no_owner_for.is_some());
        let keys = about.flat_map(|it| scenario.keys_named(it.key.as_deref().unwrap_or_default()));
        let vacancies = keys.map(|key| Vacancy {
            key,
            is_owned: false,
            since: None,
            longest: None,
        });
        Self(vacancies.collect())
    }

    /// Looks at the rows again, after the table has changed.
    pub(super) fn update(&mut self, world: &World) {
        let now = world.now();
        for vacancy in &mut self.0 {
            let is_owned = world
                .row(&vacancy.key)
                .and_then(|row| row.owner)
                .is_some_and(|owner| !owner.is_empty());
            if is_owned == vacancy.is_owned {
                continue;
            }
            vacancy.is_owned = is_owned;
            if is_owned {
                vacancy.longest = vacancy.longest_until(now);
                vacancy.since = None;
            } else {
                vacancy.since = Some(now);
            }
        }
    }

    /// From when to when a key had no owner, at the longest, in a run that ends at `end`.
    pub(super) fn longest(&self, key: &str, end: Time) -> Option<(Time, Time)> {
        let vacancy = self.0.iter().find(|vacancy| vacancy.key == key);
        vacancy.and_then(|vacancy| vacancy.longest_until(end))
    }
}

impl Vacancy {
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
