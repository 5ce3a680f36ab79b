//! Who believes to hold what, and for how long two do at once.

use std::collections::BTreeMap;

use crate::time::{Duration, Time};
use crate::world::World;

/// Follows the beliefs of clients through a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Beliefs {
    keys: BTreeMap<String, KeyBeliefs>,
}

#[derive(Clone, Debug, Default)]
struct KeyBeliefs {
    /// The clients that want the key.
    clients: Vec<usize>,
    /// Until when each believer believes, if nothing happens.
    believers: BTreeMap<usize, Time>,
    since: Time,
    two_owners_for: u64,
}

impl Beliefs {
    /// Follows the clients of each key.
    pub(super) fn new(clients: &BTreeMap<String, Vec<usize>>) -> Self {
        let keys = clients.iter().map(|(key, clients)| {
            (
                key.clone(),
                KeyBeliefs {
                    clients: clients.clone(),
                    ..KeyBeliefs::default()
                },
            )
        });
        Self {
            keys: keys.collect(),
        }
    }

    /// Looks at the clients of a key again, after something has happened to one of them.
    pub(super) fn update(&mut self, key: &str, world: &World) {
        let Some(key) = self.keys.get_mut(key) else {
            return;
        };
        key.pass(world.now());
        let believers = key
            .clients
            .iter()
            .filter(|client| world.believes_held(**client));
        key.believers = believers
            .map(|client| (*client, world.belief_ends(*client)))
            .collect();
    }

    /// Lets time pass to the end of a run.
    pub(super) fn finish(&mut self, end: Time) {
        for key in self.keys.values_mut() {
            key.pass(end);
        }
    }

    /// For how long two clients or more believed to hold a key at once.
    pub(super) fn two_owners_for(&self, key: &str) -> Duration {
        Duration::from_ms(self.keys.get(key).map_or(0, |key| key.two_owners_for))
    }
}

impl KeyBeliefs {
    fn pass(&mut self, now: Time) {
        // Two believe until the second-last of them stops.
        let mut ends: Vec<Time> = self.believers.values().map(|end| (*end).min(now)).collect();
        ends.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(second_last) = ends.get(1) {
            self.two_owners_for += second_last.since(self.since).as_ms();
        }
        self.since = now;
    }
}
