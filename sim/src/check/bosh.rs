//! The settings of Cloud Foundry's own jobs, by the names that BOSH manifests give them.
//!
//! Most of these jobs have their lease and retry interval in their program or template, where no
//! manifest reaches them. This module knows the properties that have an effect, and those that have
//! none. The jobs and their numbers come from the components' sources of 2025 and 2026. The
//! properties are those of the public releases:
//!
//! * routing-release, `jobs/routing-api/spec`: `routing_api.lock_retry_interval`, by default 5s,
//!   and `routing_api.lock_ttl`, by default 10s, which the program ignores since it uses Locket;
//! * diego-release, `jobs/{auctioneer,bbs,route_emitter}`: none, the numbers are the template's or
//!   the program's; pull request 1183 made the auctioneer's retry interval 5s instead of 1s;
//! * diego-release, `jobs/rep`: the lease is a property since pull request 1180 of July 2026. That
//!   spec was not at hand, so `lock_ttl` counts beside `locket.api_location` and one level above;
//! * capi-release, `jobs/{cc_deployment_updater,tps}`, and cf-networking-release,
//!   `jobs/policy-server-asg-syncer`: none.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::amounts::Seconds;
use crate::check::question::{ClientQuestion, Property, Question, QuestionError};
use crate::protocol::profile::Profile;
use crate::scenario::{ClientKind, RunnerKind};
use crate::time::Duration;

/// A job that keeps a lock or a presence in Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshJob {
    /// Its name in manifests.
    pub name: &'static str,
    /// The release that has it.
    pub release: &'static str,
    /// Whether it keeps a lock or a presence.
    pub kind: ClientKind,
    /// Which runner it does that with.
    pub runner: RunnerKind,
    /// Its lease.
    pub ttl: BoshSetting,
    /// Its retry interval.
    pub retry_interval: BoshSetting,
    /// A property, and the value with which the job keeps nothing in Locket.
    pub off: Option<(&'static str, &'static str)>,
}

/// A setting of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoshSetting {
    /// The default value.
    pub default: Duration,
    /// The properties that set it, the first that is given; none if it is fixed in the job.
    pub properties: &'static [&'static str],
    /// Properties that look as if they did, and that nothing reads.
    pub ignored: &'static [&'static str],
}

/// The settings of a job with a manifest's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoshSettings {
    /// The job.
    pub job: BoshJob,
    /// Its lease, whole seconds.
    pub ttl: Duration,
    /// Its retry interval.
    pub retry_interval: Duration,
    /// The properties that were given in vain.
    pub ignored: Vec<&'static str>,
}

/// The resource that a job keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum BoshKind {
    /// A lock.
    Lock,
    /// A presence.
    Presence,
}

/// A job that keeps a lock or a presence in Locket, with its default settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "BoshJob")
)]
pub struct BoshJobView {
    /// The name of the job.
    pub job: &'static str,
    /// Its BOSH release.
    pub release: &'static str,
    /// Whether it keeps a lock or a presence.
    pub kind: BoshKind,
    /// The runner that does so.
    pub runner: RunnerKind,
    /// Its lease.
    #[serde(rename = "ttlMs")]
    pub ttl: Duration,
    /// Its retry interval.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Duration,
    /// The properties that affect the settings, or seem to.
    pub properties: Vec<&'static str>,
}

/// A job's settings, as its manifest sets them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "BoshSettings")
)]
pub struct BoshSettingsView<'a> {
    /// The name of the job.
    pub job: &'static str,
    /// Its BOSH release.
    pub release: &'static str,
    /// Whether it keeps a lock or a presence.
    pub kind: BoshKind,
    /// The runner that does so.
    pub runner: RunnerKind,
    /// Its lease.
    #[serde(rename = "ttlMs")]
    pub ttl: Duration,
    /// Its retry interval.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Duration,
    /// Whether no property sets the lease.
    pub is_ttl_fixed: bool,
    /// Whether no property sets the retry interval.
    pub is_retry_interval_fixed: bool,
    /// The given properties that have no effect.
    pub ignored: &'a [&'static str],
    /// A description, as a sentence.
    pub summary: String,
    /// The number of clients of the question about the settings.
    pub clients: usize,
    /// Whether that question is about the time without a row.
    pub is_about_gap: bool,
}

/// The jobs whose settings are known, by name.
pub const BOSH_JOBS: [BoshJob; 9] = [
    lock("auctioneer", DIEGO, FIVE),
    lock("bbs", DIEGO, FIVE),
    BoshJob {
        runner: RunnerKind::CloudController,
        ..lock("cc_deployment_updater", CAPI, ONE)
    },
    BoshJob {
        off: Some(("disable", "true")),
        ..lock("policy-server-asg-syncer", "cf-networking", FIVE)
    },
    rep("rep"),
    rep("rep_windows"),
    // On cells it works without a lock.
    BoshJob {
        off: Some(("diego.route_emitter.local_mode", "true")),
        ..lock("route_emitter", DIEGO, ONE)
    },
    BoshJob {
        ttl: BoshSetting {
            ignored: &["routing_api.lock_ttl"],
            ..TTL
        },
        retry_interval: BoshSetting {
            properties: &["routing_api.lock_retry_interval"],
            ..FIVE
        },
        ..lock("routing-api", "routing", FIVE)
    },
    lock("tps", CAPI, FIVE),
];

const CAPI: &str = "capi";
const DIEGO: &str = "diego";
const TTL: BoshSetting = fixed(15);
const ONE: BoshSetting = fixed(1);
const FIVE: BoshSetting = fixed(5);

const fn fixed(seconds: u64) -> BoshSetting {
    BoshSetting {
        default: Duration::from_seconds(seconds),
        properties: &[],
        ignored: &[],
    }
}

const fn lock(name: &'static str, release: &'static str, retry_interval: BoshSetting) -> BoshJob {
    BoshJob {
        name,
        release,
        kind: ClientKind::Lock,
        runner: RunnerKind::Upstream,
        ttl: TTL,
        retry_interval,
        off: None,
    }
}

const fn rep(name: &'static str) -> BoshJob {
    BoshJob {
        kind: ClientKind::Presence,
        ttl: BoshSetting {
            properties: &["diego.rep.locket.lock_ttl", "diego.rep.lock_ttl"],
            ..TTL
        },
        off: Some(("cell_registrations.locket.enabled", "false")),
        ..lock(name, DIEGO, FIVE)
    }
}

impl BoshJob {
    /// The job of this name, if its settings are known.
    pub fn named(name: &str) -> Option<&'static Self> {
        BOSH_JOBS.iter().find(|job| job.name == name)
    }

    /// The settings with these properties, by their full names; others than the job's do not
    /// matter. `None` if with them the job keeps nothing in Locket.
    ///
    /// # Errors
    ///
    /// If a value is no duration, as Go writes them, or one that Locket or the runner refuses.
    pub fn settings(
        &self,
        properties: &BTreeMap<String, String>,
    ) -> Result<Option<BoshSettings>, QuestionError> {
        let is_off =
            |(name, value): (&str, &str)| properties.get(name).is_some_and(|it| it == value);
        if self.off.is_some_and(is_off) {
            return Ok(None);
        }
        // Programs cut their configuration off to whole seconds.
        let ttl = self
            .ttl
            .value(properties, |ttl| ttl.as_ms() / 1000 * 1000)?;
        let retry_interval = self.retry_interval.value(properties, Duration::as_ms)?;
        let ignored = self.ttl.ignored.iter().chain(self.retry_interval.ignored);
        Ok(Some(BoshSettings {
            job: *self,
            ttl,
            retry_interval,
            ignored: ignored
                .filter(|&&name| properties.contains_key(name))
                .copied()
                .collect(),
        }))
    }
}

impl BoshSetting {
    /// Whether no property sets it.
    pub const fn is_fixed(&self) -> bool {
        self.properties.is_empty()
    }

    fn value(
        &self,
        properties: &BTreeMap<String, String>,
        whole_ms: impl Fn(Duration) -> u64,
    ) -> Result<Duration, QuestionError> {
        let given = |&name: &&'static str| Some((name, properties.get(name)?));
        let Some((name, text)) = self.properties.iter().find_map(given) else {
            return Ok(self.default);
        };
        let ms = go_duration(text).map(whole_ms);
        ms.filter(|&ms| ms > 0)
            .map(Duration::from_ms)
            .ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                let message =
                    format!("expected a duration of at least 1s, such as 15s, not {shown:?}");
                QuestionError::new(&format!("properties.{name}"), &message)
            })
    }
}

/// A duration as Go writes it: numbers, each with its unit.
fn go_duration(text: &str) -> Option<Duration> {
    let is_number = |c: char| c == '.' || c.is_ascii_digit();
    let (mut rest, mut sum) = (text, 0_u64);
    if text.contains(char::is_whitespace) {
        return None;
    }
    while !rest.is_empty() {
        let unit_at = rest.find(|c| !is_number(c))?;
        let end = rest[unit_at..].find(is_number);
        let (piece, others) = rest.split_at(end.map_or(rest.len(), |end| unit_at + end));
        sum = sum.checked_add(piece.parse::<Duration>().ok()?.as_ms())?;
        rest = others;
    }
    Some(Duration::from_ms(sum))
}

impl BoshSettings {
    /// The question about such settings, without faults: of a lock, whether it has two owners;
    /// of a presence, whether it ever has no row.
    pub fn question(&self) -> Question {
        let client = ClientQuestion {
            kind: self.job.kind,
            ..ClientQuestion::new(self.job.runner, self.ttl, self.retry_interval)
        };
        // A deployment's Locket is the one that ships.
        let question = Question {
            profile: Profile::UPSTREAM,
            ..Question::one_owner(client.clone())
        };
        if self.job.kind != ClientKind::Presence {
            return question;
        }
        Question {
            clients: vec![client],
            property: Property::PresenceGap {
                allow: Duration::ZERO,
            },
            ..question
        }
    }

    /// The settings as they are written.
    // Compiled by its caller, as what serde derives: the wasm crate is compiled for size.
    #[inline]
    pub fn view(&self) -> BoshSettingsView<'_> {
        let question = self.question();
        BoshSettingsView {
            job: self.job.name,
            release: self.job.release,
            kind: self.job.kind.into(),
            runner: self.job.runner,
            ttl: self.ttl,
            retry_interval: self.retry_interval,
            is_ttl_fixed: self.job.ttl.is_fixed(),
            is_retry_interval_fixed: self.job.retry_interval.is_fixed(),
            ignored: &self.ignored,
            summary: self.to_string(),
            clients: question.clients.len(),
            is_about_gap: matches!(question.property, Property::PresenceGap { .. }),
        }
    }
}

impl BoshJob {
    /// The job as it is written.
    // Compiled by its caller, as what serde derives: the wasm crate is compiled for size.
    #[inline]
    pub fn view(&self) -> BoshJobView {
        let (ttl, retry) = (self.ttl, self.retry_interval);
        let named = [ttl.properties, ttl.ignored, retry.properties, retry.ignored];
        let mut properties = named.concat();
        properties.extend(self.off.map(|(name, _)| name));
        BoshJobView {
            job: self.name,
            release: self.release,
            kind: self.kind.into(),
            runner: self.runner,
            ttl: self.ttl.default,
            retry_interval: self.retry_interval.default,
            properties,
        }
    }
}

impl From<ClientKind> for BoshKind {
    fn from(kind: ClientKind) -> Self {
        match kind {
            ClientKind::Joint | ClientKind::Lock => Self::Lock,
            ClientKind::Presence => Self::Presence,
        }
    }
}

impl fmt::Display for BoshSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            job,
            ttl,
            retry_interval,
            ..
        } = self;
        let (ttl, retry_interval) = (Seconds(*ttl), Seconds(*retry_interval));
        let fixed = |setting: BoshSetting| {
            let is_fixed = setting.is_fixed();
            if is_fixed { ", fixed in the job" } else { "" }
        };
        let (name, kind, runner) = (job.name, job.kind.name(), job.runner.name());
        let (ttl_fixed, retry_fixed) = (fixed(job.ttl), fixed(job.retry_interval));
        write!(
            f,
            "{name} keeps a {kind} with the {runner} runner: TTL {ttl}{ttl_fixed}; retry {retry_interval}{retry_fixed}"
        )?;
        for name in &self.ignored {
            write!(f, "; {name} has no effect")?;
        }
        Ok(())
    }
}
