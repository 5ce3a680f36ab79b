//! Random questions, small enough to be explored by the plainest means.

use locket_sim::check::VisibleStates;

use super::random::Random;

impl Random {
    pub(crate) fn in_a_hundred(&mut self, n: u64) -> bool {
        self.below(100) < n
    }
}

/// The value of this environment variable, if it is set.
pub(crate) fn words(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.into_string();
    Some(value.unwrap_or_else(|_| panic!("{name} is no text")))
}

/// The faults, by their names in a question.
pub(crate) const FAULTS: [&str; 16] = [
    "crash",
    "databaseCrash",
    "disconnect",
    "duplicate",
    "rowDeletion",
    "failover",
    "locketCrash",
    "locketDrain",
    "locketPause",
    "lostMessage",
    "lostReply",
    "partition",
    "pause",
    "restart",
    "stall",
    "stop",
];

pub(crate) const PROPERTIES: [&str; 7] = [
    "one-owner",
    "false-loss",
    "no-client-acts",
    "acquired",
    "presence-gap",
    "belief-matches-row",
    "own",
];

pub(crate) const RUNNERS: [&str; 3] = ["upstream", "upstream-before-2025-10", "safe"];

/// Times of Locket's own are long: it gives up on the database after 10 s, polls every 5 s, and a
/// client's pings fail after 32 s. A grain that divides them keeps questions about them small.
const LONG_GRAINS: [(&str, &[u64]); 4] = [
    ("locketPause", &[2_000]),
    ("lostReply", &[5_000]),
    ("partition", &[4_000, 8_000]),
    ("stall", &[5_000]),
];
const LONG_GRAIN_OF_SLOW_DATABASE: u64 = 5_000;

/// How large a question is: the more takes part, the smaller its numbers.
struct Size {
    clients: u64,
    /// How often each fault may happen.
    counts: [u64; FAULTS.len()],
    has_slow_database: bool,
    /// In grains.
    delay: u64,
    /// The grain of its times, in milliseconds.
    grain: u64,
}

impl Size {
    fn random(random: &mut Random) -> Self {
        let clients = random.pick(&[1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
        let has_slow_database = random.in_a_hundred(10);
        let faults = match clients {
            1 if has_slow_database => random.pick(&[1, 1, 2]),
            2 if has_slow_database => random.pick(&[0, 1]),
            1 => random.pick(&[1, 2, 2, 3, 3]),
            2 => random.pick(&[0, 1, 1, 1, 2, 2]),
            _ => random.pick(&[0, 0, 1]),
        };
        let delay = match (clients, faults) {
            _ if has_slow_database => random.pick(&[0, 0, 0, 1]),
            (1, _) | (2, 0) => random.pick(&[0, 1, 1, 2]),
            (2, 1) => random.pick(&[0, 0, 0, 1]),
            _ => 0,
        };
        let mut counts = [0; FAULTS.len()];
        for _ in 0..faults {
            counts[random.below(FAULTS.len() as u64) as usize] += 1;
        }
        let mut size = Self {
            clients,
            counts,
            has_slow_database,
            delay,
            grain: if clients + faults + delay < 4 {
                random.pick(&[1_000, 1_000, 500])
            } else {
                1_000
            },
        };
        if let Some(grains) = size.long_grains()
            && random.in_a_hundred(60)
        {
            size.grain = random.pick(grains);
        }
        size
    }

    /// The grains that divide Locket's own times, where these matter.
    fn long_grains(&self) -> Option<&'static [u64]> {
        if self.has_slow_database && !self.has("locketPause") {
            return Some(&[LONG_GRAIN_OF_SLOW_DATABASE]);
        }
        let mut all = LONG_GRAINS.iter().filter(|(name, _)| self.has(name));
        all.next().map(|(_, grains)| *grains)
    }

    fn is_large(&self) -> bool {
        self.clients + self.counts.iter().sum::<u64>() + self.delay > 2
    }

    const fn has_long_grain(&self) -> bool {
        self.grain > 1_000
    }

    /// A TTL, in milliseconds.
    fn ttl(&self, random: &mut Random) -> u64 {
        if self.has_long_grain() {
            return self.grain * random.pick(&[1, 2, 2, 3]);
        }
        let more = match (self.is_large(), self.grain) {
            (false, 1_000) => 6,
            (false, _) | (true, 1_000) => 2,
            (true, _) => 1,
        };
        3_000 + 1_000 * random.below(more)
    }

    /// A retry interval, in milliseconds.
    fn retry_interval(&self, random: &mut Random) -> u64 {
        let longest = match (self.has_long_grain(), self.is_large()) {
            (true, _) => 2 * self.grain,
            (false, true) => 2_000,
            (false, false) => 4_000,
        };
        self.up_to(random, longest)
    }

    /// A length of what holds messages up, in milliseconds: also longer than Locket waits.
    fn hold_up(&self, random: &mut Random, ttl: u64) -> u64 {
        let longest = if self.has_long_grain() { 3 * self.grain } else { ttl };
        self.up_to(random, longest)
    }

    /// The length of a partition, in milliseconds: also one in which pings fail.
    fn partition(&self, random: &mut Random, ttl: u64) -> u64 {
        if self.has_long_grain() {
            self.grain * random.pick(&[1, 2, 3, 5, 5])
        } else {
            self.up_to(random, ttl)
        }
    }

    /// True if polls would make it very large: they travel for as long as the time between them, or
    /// do not come at multiples of its grain.
    fn cannot_poll(&self, processes: u64) -> bool {
        let is_apart = !self.grain.is_multiple_of(5_000);
        let travels = ["locketPause", "lostReply", "stall", "databaseCrash"];
        let polls = processes > 1 || travels.into_iter().any(|it| self.has(it));
        self.has_long_grain() && (self.has_slow_database || is_apart && polls)
    }

    /// True if a fault may happen.
    fn has(&self, name: &str) -> bool {
        let mut counts = FAULTS.iter().zip(self.counts);
        counts.any(|(fault, count)| *fault == name && count > 0)
    }

    /// From one grain on, in milliseconds.
    fn up_to(&self, random: &mut Random, ms: u64) -> u64 {
        self.grain * (1 + random.below((ms / self.grain).max(1)))
    }
}

/// A random question, as JSON.
pub(crate) fn question(random: &mut Random) -> String {
    let size = Size::random(random);
    let ttl = size.ttl(random);
    let kind = random.pick(&["lock", "lock", "lock", "presence"]);
    let same_owner = random.in_a_hundred(6);
    // Clients of one owner have one TTL.
    let other_ttl = if same_owner { ttl } else { size.ttl(random) };
    let clients = clients(random, &size, ttl, other_ttl);
    let processes = 1 + u64::from(size.clients < 3 && random.in_a_hundred(20));
    let profile = match size.cannot_poll(processes) {
        true => "documented",
        false => random.pick(&["upstream", "upstream", "documented"]),
    };
    let bounds = bounds(random, &size, ttl);
    let property = property(random, &size, ttl);
    format!(
        r#"{{"ttl": "{ttl}ms", "kind": "{kind}", "sameOwner": {same_owner}, "clients": [{clients}], "profile": "{profile}", "processes": {processes}, {bounds}, "property": {{{property}}}}}"#
    )
}

/// Mostly alike.
fn clients(random: &mut Random, size: &Size, ttl: u64, other_ttl: u64) -> String {
    let first = client(random, size, ttl);
    let mut all = vec![first.clone()];
    for _ in 1..size.clients {
        let is_alike = random.in_a_hundred(85);
        all.push(if is_alike { first.clone() } else { client(random, size, other_ttl) });
    }
    all.join(", ")
}

fn client(random: &mut Random, size: &Size, ttl: u64) -> String {
    let runner = random.pick(&RUNNERS);
    let retry_interval = size.retry_interval(random);
    let has_deadline = random.in_a_hundred(40);
    let margin = match runner {
        // Something is left of the TTL.
        "safe" => {
            let margin = size.grain * random.pick(&[0, 0, 1, 2]);
            format!(r#", "margin": "{}ms""#, margin.min(ttl - size.grain))
        }
        _ => String::new(),
    };
    format!(
        r#"{{"runner": "{runner}", "ttl": "{ttl}ms", "retryInterval": "{retry_interval}ms", "firstAttemptDeadline": {has_deadline}{margin}}}"#
    )
}

fn bounds(random: &mut Random, size: &Size, ttl: u64) -> String {
    let mut bounds = vec![format!(r#""latency": "{}ms""#, size.delay * size.grain)];
    if size.has_slow_database {
        bounds.push(format!(r#""databaseLatency": "{}ms""#, size.grain));
    }
    let mut faults = Vec::new();
    let mut brought_down = Vec::new();
    for (fault, count) in FAULTS.iter().zip(size.counts).filter(|(_, count)| *count > 0) {
        let length = match *fault {
            "databaseCrash" | "stall" | "locketPause" => size.hold_up(random, ttl),
            "partition" => size.partition(random, ttl),
            "pause" => size.up_to(random, ttl),
            "failover" => {
                let commits = 1 + random.below(2);
                faults
                    .push(format!(r#""failover": {{"lostCommits": {commits}, "count": {count}}}"#));
                continue;
            }
            "locketCrash" | "locketDrain" => {
                brought_down.push((fault, count));
                continue;
            }
            _ => {
                faults.push(format!(r#""{fault}": {count}"#));
                continue;
            }
        };
        faults.push(format!(r#""{fault}": {{"length": "{length}ms", "count": {count}}}"#));
    }
    if !brought_down.is_empty() {
        let down = size.up_to(random, 3_000);
        let lasting = brought_down.iter().map(|(fault, count)| {
            format!(r#""{fault}": {{"length": "{down}ms", "count": {count}}}"#)
        });
        faults.extend(lasting);
    }
    bounds.push(format!(r#""faults": {{{}}}"#, faults.join(", ")));
    bounds.join(", ")
}

/// Some, of up to three clients, which need not be the same with clients in each other's place.
fn states(random: &mut Random) -> VisibleStates {
    let some: Vec<(u64, u64, u64)> =
        (0..3).map(|_| (random.below(8), random.below(8), random.below(4))).collect();
    VisibleStates::of(|it| {
        let owner = it.owner.map_or(0, |owner| u64::from(owner) + 1);
        let is_one = |one: &(u64, u64, u64)| {
            (u64::from(it.believers), owner) == (one.0, one.2)
                && u64::from(it.running) & one.1 == one.1
        };
        some.iter().any(is_one)
    })
}

fn property(random: &mut Random, size: &Size, ttl: u64) -> String {
    let property = match random.in_a_hundred(30) {
        true => PROPERTIES[0],
        false => random.pick(&PROPERTIES),
    };
    let never = (property == "own").then(|| states(random));
    let mut below = |ms: u64| size.up_to(random, ms) - size.grain;
    match property {
        "false-loss" => format!(r#""is": "{property}""#),
        "one-owner" => {
            let tolerated = if below(2_000) == 0 { below(3_000) } else { 0 };
            format!(r#""is": "{property}", "allow": "{tolerated}ms""#)
        }
        "belief-matches-row" => format!(r#""is": "{property}", "allow": "{}ms""#, below(ttl)),
        _ => {
            let within = below(2 * ttl);
            let never = never.map(|it| format!(r#", "never": "{it}""#));
            let never = never.unwrap_or_default();
            format!(r#""is": "{property}", "allow": "{within}ms"{never}"#)
        }
    }
}
