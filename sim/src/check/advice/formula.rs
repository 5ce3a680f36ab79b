//! When two upstream runners can be owners at the same time, as a formula.
//!
//! It is for one Locket process, requests and replies that take up to `d` each, and one pause of up
//! to `P`. Attempts have a deadline of `r`, of which the first may have none. The formula explains
//! why settings are unsafe. The search decides it; a test compares both over a whole grid.

use std::fmt;

use crate::time::Duration;

/// The numbers of the formula, which speaks of whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// T: how long the row lives.
    pub ttl: Duration,
    /// r: how long a runner waits between attempts, and for a reply to each but the first.
    pub retry_interval: Duration,
    /// Whether the first attempt has a deadline too, as upstream's has not.
    pub first_attempt_deadline: bool,
    /// d: how long a message takes at most.
    pub latency: Duration,
    /// P: the longest pause of a runner.
    pub pause: Duration,
    /// The grain of what times may be.
    pub grid: Duration,
}

impl Formula {
    /// Whether there can be two owners: for some q and s up to d the row has expired when the
    /// next attempt is answered, and the runner believes beyond that.
    pub fn two_owners(&self) -> bool {
        self.witness().is_some()
    }

    /// The smallest q and s with which there are two owners.
    fn witness(&self) -> Option<(u64, u64)> {
        let [ttl, r, d, p] =
            [self.ttl, self.retry_interval, self.latency, self.pause].map(Duration::as_ms);
        let grid = self.grid.as_ms().max(1);
        let known_after = self.longest_reply().as_ms() + p;
        let delays = (0..=d / grid).map(|steps| steps * grid);
        let pairs = delays.clone().flat_map(|q| delays.clone().map(move |s| (q, s)));
        let breaks = |&(q, s): &(u64, u64)| {
            let believes_until = (known_after + 2 * r).min(known_after + r + q + s);
            known_after + r + q >= ttl && believes_until > ttl
        };
        let mut pairs = pairs;
        pairs.find(breaks)
    }

    /// How long after the commit a runner can learn of it: a reply to an attempt with a
    /// deadline comes before that, or never.
    fn longest_reply(&self) -> Duration {
        if self.first_attempt_deadline {
            self.latency.min(self.retry_interval)
        } else {
            self.latency
        }
    }

    /// The shortest pause that gives two owners, if it differs from the formula's.
    pub fn smallest_pause(&self) -> Duration {
        let grid = self.grid.as_ms().max(1);
        let pauses = (0..).map(|steps| Duration::from_ms(steps * grid));
        let breaks = |&pause: &Duration| Self { pause, ..*self }.two_owners();
        // A pause of a whole TTL always breaks it.
        let mut pauses = pauses;
        pauses.find(breaks).unwrap_or(self.ttl)
    }
}

impl fmt::Display for Formula {
    /// The formula with its numbers filled in.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ttl, retry_interval: r, latency: d, pause: p, .. } = self;
        let known = self.longest_reply();
        write!(
            f,
            "two owners if, for some q and s up to {d}: {known} + {p} + {r} + q ≥ {ttl} and min({known} + {p} + 2 × {r}, {known} + {p} + {r} + q + s) > {ttl}: "
        )?;
        match self.witness() {
            Some((q, s)) => {
                let [q, s] = [q, s].map(Duration::from_ms);
                write!(f, "so with q = {q}, s = {s}")
            }
            None => f.write_str("never so"),
        }
    }
}
