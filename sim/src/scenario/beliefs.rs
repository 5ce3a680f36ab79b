//! The keys that each client believes it holds, how long two clients believe it of the same key, and
//! how long no client acts: no client believes it and runs.

use super::Scenario;
use super::by_text::ByText;
use crate::sorted::set_of;
use crate::time::Time;
use crate::world::World;

/// Follows the beliefs of clients through a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Beliefs {
    clients: Vec<Belief>,
    /// By key.
    keys: Vec<KeyBeliefs>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Belief {
    /// The number of the key that the client wants, if that is followed.
    key: Option<usize>,
    /// Until when it believes, if nothing happens; `None` while it does not.
    ends: Option<Time>,
    /// True if it is not paused.
    runs: bool,
}

impl Belief {
    /// Until when it acts, if nothing happens.
    fn acts_until(&self) -> Option<Time> {
        self.ends.filter(|_| self.runs)
    }
}

#[derive(Clone, Debug, Default)]
struct KeyBeliefs {
    key: String,
    /// The clients that want the key.
    clients: Vec<usize>,
    since: Time,
    /// True if a client has believed that it holds the key.
    had_owner: bool,
    /// Since when two believe, if they did until `since`.
    two_since: Option<Time>,
    /// The longest time without a break in which two believed; the first if several are as long.
    two_owners: Option<(Time, Time)>,
    /// True if a client has acted.
    had_one: bool,
    /// Since when no client acts, if none did until `since` and a client had acted before.
    idle_since: Option<Time>,
    /// The longest time in which no client acted; the first if several are as long.
    no_client_acts: Option<(Time, Time)>,
}

impl Beliefs {
    /// Follows the clients of each key that several want, since only such a key has two owners, or of
    /// which an expectation asks for how long it has two, or no client acts.
    pub(super) fn new(by_key: &ByText, scenario: &Scenario) -> Self {
        let about = scenario.expect.iter();
        let about =
            about.filter(|it| it.no_client_acts_for.is_some() || it.two_owners_for.is_some());
        let keys = about.flat_map(|it| scenario.keys_named(it.key.as_deref().unwrap_or_default()));
        let asked = set_of(keys);
        let followed =
            by_key.iter().filter(|(name, clients)| clients.len() > 1 || asked.contains(*name));
        let last = followed.clone().flat_map(|(_, clients)| clients).max();
        let mut beliefs = Self {
            clients: vec![Belief::default(); last.map_or(0, |last| last + 1)],
            ..Self::default()
        };
        for (key, (name, clients)) in followed.enumerate() {
            beliefs.keys.push(KeyBeliefs {
                key: name.to_owned(),
                clients: clients.clone().collect(),
                ..KeyBeliefs::default()
            });
            for client in clients {
                beliefs.clients[client].key = Some(key);
            }
        }
        beliefs
    }

    /// Looks at a client again, after something has happened to it. Nothing else changes what
    /// it believes but time, which is looked at when it counts.
    pub(super) fn update(&mut self, client: usize, world: &World) {
        let Some(&Belief { key: Some(key), ends: last_ends, runs: last_runs }) =
            self.clients.get(client)
        else {
            return;
        };
        let believes = world.believes_held(client);
        let ends = believes.then(|| world.belief_ends(client));
        let runs = !believes || world.acts(client);
        if (ends, runs) != (last_ends, last_runs) {
            self.pass(key, world.now());
            (self.clients[client].ends, self.clients[client].runs) = (ends, runs);
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
        self.of(key)?.two_owners
    }

    /// Why two clients could never believe so, and why none could stop acting, if that is so.
    pub(super) fn never_tried(&self, key: &str) -> (Option<&'static str>, Option<&'static str>) {
        let of_key = self.of(key);
        let two_owners = match of_key {
            Some(it) if !it.had_owner => Some("no client ever held"),
            Some(it) if it.clients.len() > 1 => None,
            _ => Some("no two clients want"),
        };
        let has_acted = of_key.is_some_and(|it| it.had_one);
        (two_owners, (!has_acted).then_some("no client ever acted on"))
    }

    fn of(&self, key: &str) -> Option<&KeyBeliefs> {
        let place = self.keys.binary_search_by(|it| (*it.key).cmp(key));
        Some(&self.keys[place.ok()?])
    }

    /// From when to when no client that believed so ran, at the longest, after the first one did.
    pub(super) fn no_client_acts(&self, key: &str) -> Option<(Time, Time)> {
        self.of(key)?.no_client_acts
    }

    fn pass(&mut self, key: usize, now: Time) {
        let key = &mut self.keys[key];
        if now == key.since {
            return;
        }
        key.pass_owners(&self.clients, now);
        let acting = key.clients.iter().filter_map(|&it| self.clients[it].acts_until());
        key.pass_acting(acting.max(), now);
        key.since = now;
    }
}

impl KeyBeliefs {
    fn pass_owners(&mut self, clients: &[Belief], now: Time) {
        // Two believe until the second-last of them stops.
        let (mut last, mut second_last) = (None, None);
        for &client in &self.clients {
            let ends = clients[client].ends.map(|ends| ends.min(now));
            if ends > last {
                (last, second_last) = (ends, last);
            } else {
                second_last = second_last.max(ends);
            }
        }
        self.had_owner |= last > Some(self.since);
        let began = self.two_since.take().unwrap_or(self.since);
        if let Some(ends) = second_last.filter(|ends| *ends > self.since) {
            note_longest(&mut self.two_owners, (began, ends));
            self.two_since = (ends == now).then_some(began);
        }
    }

    /// A client acted until `acting`, from the last look on.
    fn pass_acting(&mut self, acting: Option<Time>, now: Time) {
        let acting = acting.map(|ends| ends.min(now)).filter(|ends| *ends > self.since);
        if let Some(ends) = acting {
            self.had_one = true;
            self.idle_since = (ends < now).then_some(ends);
        } else if self.had_one {
            self.idle_since = self.idle_since.or(Some(self.since));
        }
        if let Some(since) = self.idle_since {
            note_longest(&mut self.no_client_acts, (since, now));
        }
    }
}

fn note_longest(longest: &mut Option<(Time, Time)>, (from, to): (Time, Time)) {
    if longest.map(|(from, to)| to.since(from)) < Some(to.since(from)) {
        *longest = Some((from, to));
    }
}
