//! The keys that each client believes it holds, and how long two clients believe it of the same
//! key.

use std::collections::BTreeMap;

use crate::time::Time;
use crate::world::World;

/// Follows the beliefs of clients through a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Beliefs {
    clients: Vec<Belief>,
    /// By key.
    keys: Vec<KeyBeliefs>,
}

#[derive(Clone, Debug, Default)]
struct Belief {
    /// The numbers of the keys that the client wants. It believes it holds all of them, or none.
    keys: Vec<usize>,
    /// Until when it believes, if nothing happens; `None` while it does not.
    ends: Option<Time>,
}

#[derive(Clone, Debug, Default)]
struct KeyBeliefs {
    key: String,
    /// The clients that want the key.
    clients: Vec<usize>,
    since: Time,
    /// Since when two believe, if they did until `since`.
    two_since: Option<Time>,
    /// The longest time without a break in which two believed; the first if several are as long.
    two_owners: Option<(Time, Time)>,
}

impl Beliefs {
    /// Follows the clients of each key.
    pub(super) fn new(by_key: &BTreeMap<String, Vec<usize>>) -> Self {
        let last = by_key.values().flatten().max();
        let mut beliefs = Self {
            clients: vec![Belief::default(); last.map_or(0, |last| last + 1)],
            ..Self::default()
        };
        for (key, (name, clients)) in by_key.iter().enumerate() {
            beliefs.keys.push(KeyBeliefs {
                key: name.clone(),
                clients: clients.clone(),
                ..KeyBeliefs::default()
            });
            for &client in clients {
                beliefs.clients[client].keys.push(key);
            }
        }
        beliefs
    }

    /// Looks at a client again, after something has happened to it. Nothing else changes what
    /// it believes but time, which is looked at when it counts.
    pub(super) fn update(&mut self, client: usize, world: &World) {
        let Some(belief) = self.clients.get(client) else {
            return;
        };
        let believes = world.believes_held(client);
        let ends = believes.then(|| world.belief_ends(client));
        if ends != belief.ends {
            for index in 0..belief.keys.len() {
                self.pass(self.clients[client].keys[index], world.now());
            }
            self.clients[client].ends = ends;
        }
    }

    /// Lets time pass to the end of a run.
    pub(super) fn finish(&mut self, end: Time) {
        for key in 0..self.keys.len() {
            self.pass(key, end);
        }
    }

    /// From when to when two clients or more believed they held a key, at the longest.
    pub(super) fn two_owners(&self, key: &str) -> Option<(Time, Time)> {
        let place = self.keys.binary_search_by(|it| (*it.key).cmp(key));
        self.keys[place.ok()?].two_owners
    }

    fn pass(&mut self, key: usize, now: Time) {
        let key = &mut self.keys[key];
        if now == key.since {
            return;
        }
        // Two believe until the second-last of them stops.
        let (mut last, mut second_last) = (None, None);
        for &client in &key.clients {
            let ends = self.clients[client].ends.map(|ends| ends.min(now));
            if ends > last {
                (last, second_last) = (ends, last);
            } else {
                second_last = second_last.max(ends);
            }
        }
        let began = key.two_since.take().unwrap_or(key.since);
        if let Some(ends) = second_last.filter(|ends| *ends > key.since) {
            let longest = key.two_owners.map(|(from, to)| to.since(from));
            if longest < Some(ends.since(began)) {
                key.two_owners = Some((began, ends));
            }
            key.two_since = (ends == now).then_some(began);
        }
        key.since = now;
    }
}
