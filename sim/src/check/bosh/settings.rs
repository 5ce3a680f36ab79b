//! The settings of a job in a manifest, or the reason why it keeps nothing in Locket.

use super::facts::{BoshFacts, BoshJob, BoshRow, BoshSetting, BoshState, BoshSwitch};
use super::keepalive::Keepalive;
use super::value::{Properties, go_duration, refused, truth, value_of};
use super::version::BoshVersion;
use crate::check::question::{ClientQuestion, Property, Question, QuestionError};
use crate::protocol::profile::Profile;
use crate::scenario::ClientKind;
use crate::time::Duration;

/// The effect of a manifest's release and properties on a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoshUse {
    /// It keeps a lock or presence.
    Kept(BoshSettings),
    /// It keeps none, or it is not known how.
    Not(BoshAbsence),
}

/// The settings of a job with a manifest's release and properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoshSettings {
    /// The job.
    pub job: &'static BoshJob,
    /// The version of its release; without one, the newest is assumed.
    pub version: Option<BoshVersion>,
    /// The row of the table in force.
    pub row: &'static BoshRow,
    /// The facts of that row.
    pub facts: &'static BoshFacts,
    /// Its lease, whole seconds.
    pub ttl: Duration,
    /// Its retry interval.
    pub retry_interval: Duration,
    /// The properties that were given in vain.
    pub ignored: Vec<&'static str>,
    /// Whether it takes a lock in Consul, too.
    pub is_in_consul: bool,
    /// Its pings, if properties set them.
    pub keepalive: Option<Keepalive>,
}

/// A job that keeps nothing in Locket, or of which it is not known how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshAbsence {
    /// The job.
    pub job: &'static BoshJob,
    /// The version of its release; without one, the newest is assumed.
    pub version: Option<BoshVersion>,
    /// Why.
    pub why: BoshWhy,
}

/// Why a job has no settings to ask about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoshWhy {
    /// The version is from before Locket.
    BeforeLocket,
    /// A property turns the lock or presence off.
    Off {
        /// Its name.
        property: &'static str,
        /// The state of its value that does so, such as `is false`.
        reason: &'static str,
    },
    /// The table does not say how it is kept.
    Unknown {
        /// The row in force.
        row: &'static BoshRow,
        /// The fact that is not known.
        what: &'static str,
    },
}

impl BoshJob {
    /// The settings in this version of its release, or in the newest without one, with these
    /// properties, by their full names; others than the job's do not matter.
    ///
    /// # Errors
    ///
    /// If a value is no duration, as Go writes them, or one that Locket, the runner or the job's
    /// template refuses.
    #[inline]
    pub fn settings(
        &'static self,
        version: Option<BoshVersion>,
        properties: &Properties,
    ) -> Result<BoshUse, QuestionError> {
        let not = |why| {
            let job = self;
            Ok(BoshUse::Not(BoshAbsence { job, version, why }))
        };
        let Some(row) = self.row(version) else {
            return not(BoshWhy::BeforeLocket);
        };
        let facts = match &row.state {
            BoshState::Known(facts) => facts,
            BoshState::Unknown(what) => return not(BoshWhy::Unknown { row, what }),
        };
        if let Some((property, reason)) = facts.switched_off(properties) {
            return not(BoshWhy::Off { property, reason });
        }
        let is_true = |name| value_of(properties, name).and_then(truth) == Some(true);
        // Programs cut their leases off to whole seconds.
        let ttl = facts.ttl.value(properties, 1000)?.as_ms() / 1000 * 1000;
        Ok(BoshUse::Kept(BoshSettings {
            job: self,
            version,
            row,
            facts,
            ttl: Duration::from_ms(ttl),
            retry_interval: facts.retry_interval.value(properties, 1)?,
            ignored: self.ignored(facts, properties),
            is_in_consul: facts.skip_consul.is_some_and(|name| !is_true(name)),
            keepalive: Keepalive::of(facts, properties)?,
        }))
    }

    /// The given properties that nothing reads: those that never are, and those of other versions
    /// that would matter in them.
    #[inline]
    fn ignored(&self, facts: &BoshFacts, properties: &Properties) -> Vec<&'static str> {
        let read = facts.properties();
        let mut ignored = self.properties();
        ignored.retain(|name| {
            value_of(properties, name).is_some()
                && !read.contains(name)
                && self.matters(name, properties)
        });
        ignored
    }

    /// Whether in any version a value of this property would matter as it is.
    #[inline]
    fn matters(&self, name: &str, properties: &Properties) -> bool {
        self.known_rows().all(|facts| {
            facts.skip_consul != Some(name)
                && facts
                    .switches
                    .iter()
                    .flatten()
                    .all(|switch| switch.property != name || switch.is_off(properties).is_some())
        })
    }
}

impl BoshFacts {
    #[inline]
    fn switched_off(&self, properties: &Properties) -> Option<(&'static str, &'static str)> {
        let mut switches = self.switches.iter().flatten();
        switches.find_map(|switch| Some((switch.property, switch.is_off(properties)?)))
    }
}

impl BoshSwitch {
    /// Why nothing is kept, if so.
    #[inline]
    fn is_off(&self, properties: &Properties) -> Option<&'static str> {
        self.off.reason(value_of(properties, self.property))
    }
}

impl BoshSetting {
    /// The value, at least so many milliseconds.
    #[inline]
    fn value(&self, properties: &Properties, least_ms: u64) -> Result<Duration, QuestionError> {
        let given = |&name: &&'static str| Some((name, value_of(properties, name)?));
        let Some((name, text)) = self.properties.iter().find_map(given) else {
            return Ok(self.default);
        };
        go_duration(text)
            .filter(|it| it.as_ms() >= least_ms)
            .ok_or_else(|| refused(name, "a duration of at least 1s, such as 15s", text))
    }
}

impl BoshUse {
    /// The settings, if it keeps something.
    pub fn kept(self) -> Option<BoshSettings> {
        match self {
            Self::Kept(settings) => Some(settings),
            Self::Not(_) => None,
        }
    }
}

impl BoshSettings {
    /// The question about such settings, without faults: of a lock, whether it has two owners;
    /// of a presence, whether it ever has no row.
    pub fn question(&self) -> Question {
        let client = ClientQuestion {
            kind: self.job.kind,
            ..ClientQuestion::new(self.facts.runner, self.ttl, self.retry_interval)
        };
        // A deployment's Locket is the one that ships.
        let question =
            Question { profile: Profile::UPSTREAM, ..Question::one_owner(client.clone()) };
        if self.job.kind != ClientKind::Presence {
            return question;
        }
        Question {
            clients: vec![client],
            property: Property::PresenceGap { allow: Duration::ZERO },
            ..question
        }
    }
}
