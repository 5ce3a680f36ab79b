//! The contents of a row of the table: how a job keeps its lock from one version of its release on.

use super::value::truth;
use super::version::BoshVersion;
use crate::scenario::{ClientKind, RunnerKind};
use crate::time::Duration;

/// A job that keeps a lock or a presence in Locket, with its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshJob {
    /// Its name in manifests.
    pub name: &'static str,
    /// The release that has it.
    pub release: &'static str,
    /// Whether it keeps a lock or a presence.
    pub kind: ClientKind,
    /// The facts by version: the oldest row is the first with Locket.
    pub rows: &'static [BoshRow],
    /// Properties that look as if they decided something, and that no version reads for Locket.
    pub unread: &'static [&'static str],
}

/// The facts from one version of a release on, until the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshRow {
    /// The first version.
    pub since: BoshVersion,
    /// The day on which that version, or a deployment with it, was published.
    pub date: &'static str,
    /// Where this is written: a repository of the organisation `cloudfoundry`, its file, and the
    /// commit or tag.
    pub source: &'static str,
    /// Whether the first version follows only from dates: the change is certain, its first version
    /// is not.
    pub is_assumed: bool,
    /// The facts.
    pub state: BoshState,
}

/// The facts of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoshState {
    /// How the job keeps its lock or presence.
    Known(BoshFacts),
    /// Something that decides is not known: which.
    Unknown(&'static str),
}

/// How a job keeps its lock or presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshFacts {
    /// Which runner it has.
    pub runner: RunnerKind,
    /// Its lease.
    pub ttl: BoshSetting,
    /// Its retry interval.
    pub retry_interval: BoshSetting,
    /// The properties with which it keeps nothing in Locket.
    pub switches: [Option<BoshSwitch>; 2],
    /// The property that, unless it is true, makes the job take a lock in Consul, too.
    pub skip_consul: Option<&'static str>,
    /// The properties of the time between two pings and of the wait for an answer, in seconds.
    pub keepalive: Option<[&'static str; 2]>,
}

/// A setting of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshSetting {
    /// The default value.
    pub default: Duration,
    /// The properties that set it, the first that is given; none if it is fixed in the job.
    pub properties: &'static [&'static str],
}

/// A property that turns the lock or presence of a job off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshSwitch {
    /// Its name.
    pub property: &'static str,
    /// With which values the job keeps nothing.
    pub off: BoshOff,
}

/// With which values of a property a job keeps nothing in Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoshOff {
    /// With false.
    IfFalse,
    /// With true.
    IfTrue,
    /// Without a value.
    UnlessGiven,
    /// With anything but true.
    UnlessTrue,
}

impl BoshJob {
    /// The row in force: that of the version, or the newest without one. `None` before Locket.
    #[inline]
    pub fn row(&self, version: Option<BoshVersion>) -> Option<&'static BoshRow> {
        let is_in_force = |row: &&BoshRow| version.is_none_or(|version| row.since <= version);
        self.rows.iter().rev().find(is_in_force)
    }

    /// The facts of all rows that have some.
    pub(super) fn known_rows(&self) -> impl Iterator<Item = &'static BoshFacts> + use<> {
        self.rows.iter().filter_map(BoshRow::known)
    }

    /// Every property that any version reads, and those that none reads.
    #[inline]
    pub fn properties(&self) -> Vec<&'static str> {
        let mut all = self.unread.to_vec();
        for facts in self.known_rows() {
            facts.add_properties(&mut all);
        }
        all
    }
}

impl BoshRow {
    /// The facts, if they are known.
    pub const fn known(&self) -> Option<&BoshFacts> {
        match &self.state {
            BoshState::Known(facts) => Some(facts),
            BoshState::Unknown(_) => None,
        }
    }
}

impl BoshFacts {
    /// Adds the properties that decide something.
    #[inline]
    fn add_properties(&self, all: &mut Vec<&'static str>) {
        for setting in [&self.ttl, &self.retry_interval] {
            setting.properties.iter().for_each(|name| add(all, name));
        }
        for switch in self.switches.iter().flatten() {
            add(all, switch.property);
        }
        let pings = self.keepalive.iter().flatten().copied();
        self.skip_consul.into_iter().chain(pings).for_each(|name| add(all, name));
    }

    /// The properties that decide something.
    #[inline]
    pub(super) fn properties(&self) -> Vec<&'static str> {
        let mut all = Vec::new();
        self.add_properties(&mut all);
        all
    }
}

impl BoshSetting {
    /// Whether no property sets it.
    pub const fn is_fixed(&self) -> bool {
        self.properties.is_empty()
    }
}

impl BoshOff {
    /// Why nothing is kept with this value, if so.
    #[inline]
    pub(super) fn reason(self, value: Option<&str>) -> Option<&'static str> {
        match (self, value.and_then(truth), value) {
            (Self::IfFalse, Some(false), _) => Some("is false"),
            (Self::IfTrue, Some(true), _) => Some("is true"),
            (Self::UnlessGiven, _, None | Some("")) => Some("is not set"),
            (Self::UnlessTrue, None | Some(false), _) => Some("is not true"),
            (Self::IfFalse | Self::IfTrue | Self::UnlessGiven | Self::UnlessTrue, _, _) => None,
        }
    }
}

/// Adds a name once. The lists are short, and a set is more code.
#[inline(never)]
fn add(all: &mut Vec<&'static str>, name: &'static str) {
    if !all.contains(&name) {
        all.push(name);
    }
}
