//! Random questions, small enough to be explored by the plainest means.

use locket_sim::check::VisibleStates;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Numbers that follow from a seed and the number of a case alone.
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn new(seed: u64, case: u64) -> Self {
        Self(Pcg64::new(seed.into(), case.into()))
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n
    }

    pub(crate) fn in_a_hundred(&mut self, n: u64) -> bool {
        self.below(100) < n
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// The value of this environment variable, if it is set.
pub(crate) fn number(name: &str) -> Option<u64> {
    let value = std::env::var_os(name)?;
    let value = value.to_str().and_then(|value| value.parse().ok());
    Some(value.unwrap_or_else(|| panic!("{name} is not a number")))
}

/// The faults, by their names in a question.
pub(crate) const FAULTS: [&str; 15] = [
    "crashes",
    "disconnects",
    "duplicates",
    "rowDeletions",
    "failovers",
    "locketCrashes",
    "locketDrains",
    "locketPauses",
    "lostMessages",
    "lostReplies",
    "partitions",
    "pauses",
    "restarts",
    "stalls",
    "stops",
];

pub(crate) const PROPERTIES: [&str; 7] = [
    "one-owner",
    "false-loss",
    "handover",
    "acquired",
    "presence-gap",
    "belief-matches-row",
    "own",
];

pub(crate) const RUNNERS: [&str; 3] = ["upstream", "upstream-before-2025-10", "safe"];

/// How large a question is: the more takes part, the smaller its numbers.
struct Size {
    clients: u64,
    faults: u64,
    /// In grains.
    delay: u64,
    /// The grain of its times, in milliseconds.
    grain: u64,
}

impl Size {
    fn random(random: &mut Random) -> Self {
        let clients = random.pick(&[1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
        let faults = match clients {
            1 => random.pick(&[1, 2, 2, 3, 3]),
            2 => random.pick(&[0, 1, 1, 1, 2, 2]),
            _ => random.pick(&[0, 0, 1]),
        };
        let delay = match (clients, faults) {
            (1, _) | (2, 0) => random.pick(&[0, 1, 1, 2]),
            (2, 1) => random.pick(&[0, 0, 0, 1]),
            _ => 0,
        };
        let is_small = clients + faults + delay < 4;
        Self {
            clients,
            faults,
            delay,
            grain: if is_small {
                random.pick(&[1_000, 1_000, 500])
            } else {
                1_000
            },
        }
    }

    const fn is_large(&self) -> bool {
        self.clients + self.faults + self.delay > 2
    }

    /// A TTL, in milliseconds.
    fn ttl(&self, random: &mut Random) -> u64 {
        let more = match (self.is_large(), self.grain) {
            (false, 1_000) => 6,
            (false, _) | (true, 1_000) => 2,
            (true, _) => 1,
        };
        3_000 + 1_000 * random.below(more)
    }

    /// From one grain on, in milliseconds.
    fn up_to(&self, random: &mut Random, ms: u64) -> u64 {
        self.grain * (1 + random.below(ms / self.grain))
    }
}

/// A random question, as JSON.
pub(crate) fn question(random: &mut Random) -> String {
    let size = Size::random(random);
    let ttl = size.ttl(random);
    let clients = clients(random, &size);
    let kind = random.pick(&["lock", "lock", "lock", "presence"]);
    let same_owner = random.in_a_hundred(6);
    let profile = random.pick(&["upstream", "upstream", "documented"]);
    let processes = 1 + u64::from(size.clients < 3 && random.in_a_hundred(12));
    let bounds = bounds(random, &size, ttl);
    let property = property(random, &size, ttl);
    format!(
        r#"{{"ttl": "{ttl}ms", "kind": "{kind}", "sameOwner": {same_owner}, "clients": [{clients}], "profile": "{profile}", "processes": {processes}, "bounds": {{{bounds}}}, "property": {{{property}}}}}"#
    )
}

/// Mostly alike.
fn clients(random: &mut Random, size: &Size) -> String {
    let first = client(random, size);
    let mut all = vec![first.clone()];
    for _ in 1..size.clients {
        let is_alike = random.in_a_hundred(85);
        all.push(if is_alike {
            first.clone()
        } else {
            client(random, size)
        });
    }
    all.join(", ")
}

fn client(random: &mut Random, size: &Size) -> String {
    let runner = random.pick(&RUNNERS);
    let longest = if size.is_large() { 2_000 } else { 4_000 };
    let retry_interval = size.up_to(random, longest);
    let has_deadline = random.in_a_hundred(40);
    let margin = match runner {
        "safe" => format!(
            r#", "margin": "{}ms""#,
            size.grain * random.pick(&[0, 0, 1, 2])
        ),
        _ => String::new(),
    };
    format!(
        r#"{{"runner": "{runner}", "retryInterval": "{retry_interval}ms", "firstAttemptDeadline": {has_deadline}{margin}}}"#
    )
}

fn bounds(random: &mut Random, size: &Size, ttl: u64) -> String {
    let mut counts = [0; FAULTS.len()];
    for _ in 0..size.faults {
        counts[random.below(FAULTS.len() as u64) as usize] += 1;
    }
    let mut bounds = vec![format!(r#""latency": "{}ms""#, size.delay * size.grain)];
    if random.in_a_hundred(8) {
        bounds.push(format!(r#""databaseLatency": "{}ms""#, size.grain));
    }
    for (fault, count) in FAULTS.iter().zip(counts).filter(|(_, count)| *count > 0) {
        bounds.push(format!(r#""{fault}": {count}"#));
        bounds.extend(match *fault {
            "failovers" => Some(format!(r#""lostCommits": {}"#, 1 + random.below(2))),
            "stalls" => {
                let stall = size.up_to(random, ttl);
                Some(format!(r#""stall": "{stall}ms""#))
            }
            "locketPauses" => {
                let pause = size.up_to(random, ttl);
                Some(format!(r#""locketPause": "{pause}ms""#))
            }
            "partitions" => {
                let partition = size.up_to(random, ttl);
                Some(format!(r#""partition": "{partition}ms""#))
            }
            "pauses" => {
                let pause = size.up_to(random, ttl);
                Some(format!(r#""pause": "{pause}ms""#))
            }
            _ => None,
        });
    }
    if bounds
        .iter()
        .any(|it| it.contains("locketC") || it.contains("locketD"))
    {
        let down = size.up_to(random, 3_000);
        bounds.push(format!(r#""locketDowntime": "{down}ms""#));
    }
    bounds.join(", ")
}

/// Some, of up to three clients, which need not be the same with clients in each other's place.
fn states(random: &mut Random) -> VisibleStates {
    let some: Vec<(u64, u64, u64)> = (0..3)
        .map(|_| (random.below(8), random.below(8), random.below(4)))
        .collect();
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
