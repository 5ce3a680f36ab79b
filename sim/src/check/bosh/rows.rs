//! How the table is written: rows, and the facts that most of them share.

use super::facts::{BoshFacts, BoshOff, BoshRow, BoshSetting, BoshState, BoshSwitch};
use super::version::BoshVersion;
use crate::scenario::RunnerKind;
use crate::time::Duration;

const fn fixed(seconds: u64) -> BoshSetting {
    BoshSetting { default: Duration::from_seconds(seconds), properties: &[] }
}

/// The settings of programs without properties: a lease of 15 s, and a fixed retry interval.
pub(super) const fn facts(runner: RunnerKind, retry_seconds: u64) -> BoshFacts {
    BoshFacts {
        runner,
        ttl: fixed(15),
        retry_interval: fixed(retry_seconds),
        switches: [None; 2],
        skip_consul: None,
        keepalive: None,
    }
}

/// A row with facts.
pub(super) const fn known(
    since: [u32; 3],
    date: &'static str,
    source: &'static str,
    facts: BoshFacts,
) -> BoshRow {
    row(since, date, source, BoshState::Known(facts))
}

/// A row whose first version follows only from dates.
pub(super) const fn later(
    since: [u32; 3],
    date: &'static str,
    source: &'static str,
    facts: BoshFacts,
) -> BoshRow {
    BoshRow { is_assumed: true, ..known(since, date, source, facts) }
}

/// A row, from that version on.
pub(super) const fn row(
    [major, minor, patch]: [u32; 3],
    date: &'static str,
    source: &'static str,
    state: BoshState,
) -> BoshRow {
    BoshRow { since: BoshVersion::new(major, minor, patch), date, source, is_assumed: false, state }
}

impl BoshFacts {
    /// The same, unless a property turns it off.
    pub(super) const fn off(mut self, off: BoshOff, property: &'static str) -> Self {
        let index = if self.switches[0].is_none() { 0 } else { 1 };
        self.switches[index] = Some(BoshSwitch { property, off });
        self
    }

    /// The same with a lock in Consul beside it, unless this property is true.
    pub(super) const fn with_consul(mut self, unless: &'static str) -> Self {
        self.skip_consul = Some(unless);
        self
    }

    /// The same with these properties of its pings.
    pub(super) const fn with_pings(mut self, properties: [&'static str; 2]) -> Self {
        self.keepalive = Some(properties);
        self
    }

    /// The same with a retry interval of so many seconds by default, which a property may set.
    pub(super) const fn retrying(
        mut self,
        seconds: u64,
        properties: &'static [&'static str],
    ) -> Self {
        self.retry_interval = BoshSetting { default: Duration::from_seconds(seconds), properties };
        self
    }

    /// The same with properties that set the lease.
    pub(super) const fn leased(mut self, properties: &'static [&'static str]) -> Self {
        self.ttl.properties = properties;
        self
    }
}
