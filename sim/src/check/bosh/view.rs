//! The facts about jobs and Locket as they are written.

use serde::Serialize;

use super::facts::{BoshJob, BoshRow, BoshState};
use super::locket::BoshLocket;
use super::settings::{BoshAbsence, BoshSettings, BoshUse, BoshWhy};
use crate::check::question::Property;
use crate::scenario::{ClientKind, RunnerKind};
use crate::time::Duration;

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

/// The effect of a manifest's release and properties on a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum BoshStateView {
    /// The release is from before Locket.
    BeforeLocket,
    /// It keeps a lock or presence.
    Kept,
    /// A property turns the lock or presence off.
    Off,
    /// It is not known how this version keeps it.
    Unknown,
}

/// A job that keeps a lock or a presence in Locket, with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BoshJob"))]
pub struct BoshJobView {
    /// The name of the job.
    pub job: &'static str,
    /// Its BOSH release.
    pub release: &'static str,
    /// Whether it keeps a lock or a presence.
    pub kind: BoshKind,
    /// The properties that affect the settings in some version, or seem to.
    pub properties: Vec<&'static str>,
    /// The facts by version, the oldest first.
    pub rows: Vec<BoshRowView>,
}

/// The facts about a job from one version of its release on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BoshRow"))]
pub struct BoshRowView {
    /// The first version.
    pub since: String,
    /// The day on which that version, or a deployment with it, was published.
    pub date: &'static str,
    /// Where this is written: a repository of the organisation `cloudfoundry`, its file, and the
    /// commit or tag.
    pub source: &'static str,
    /// Whether the first version follows only from dates.
    pub is_assumed: bool,
    /// The runner; `null` if something that decides is not known.
    pub runner: Option<RunnerKind>,
    /// The default lease; `null` if something that decides is not known.
    #[serde(rename = "ttlMs")]
    pub ttl: Option<Duration>,
    /// The default retry interval; `null` if something that decides is not known.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Option<Duration>,
    /// The fact that is not known; otherwise `null`.
    pub unknown: Option<&'static str>,
}

/// A job's settings, as its manifest sets them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BoshSettings"))]
pub struct BoshSettingsView<'a> {
    /// It keeps a lock or presence.
    pub state: BoshStateView,
    /// The name of the job.
    pub job: &'static str,
    /// Its BOSH release.
    pub release: &'static str,
    /// The version of that release; `null` if the newest is assumed.
    pub version: Option<String>,
    /// The row of facts in force.
    pub row: BoshRowView,
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
    /// Which facts these are, and what no question covers, as sentences.
    pub notes: Vec<String>,
    /// The number of clients of the question about the settings.
    pub clients: usize,
    /// Whether that question is about the time without a row.
    pub is_about_gap: bool,
}

/// A job without settings to ask about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BoshAbsence"))]
pub struct BoshAbsenceView {
    /// Why there are none.
    pub state: BoshStateView,
    /// The name of the job.
    pub job: &'static str,
    /// Its BOSH release.
    pub release: &'static str,
    /// The version of that release; `null` if the newest is assumed.
    pub version: Option<String>,
    /// The property that turns the lock or presence off; otherwise `null`.
    pub property: Option<&'static str>,
    /// The reason, as a sentence.
    pub summary: String,
}

/// The settings of a job or their absence, as they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum BoshUseView<'a> {
    /// Its settings.
    Kept(BoshSettingsView<'a>),
    /// Why it has none.
    Not(BoshAbsenceView),
}

/// Locket in a version of diego, which has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BoshLocket"))]
pub struct BoshLocketView {
    /// The version; `null` if the newest is assumed.
    pub version: Option<String>,
    /// Whether that version has Locket.
    pub is_there: bool,
    /// Whether it undoes the work of a call whose caller gave up; `null` if that is not known.
    pub cancels: Option<bool>,
    /// The facts as a sentence.
    pub summary: String,
}

// The functions below are compiled by their callers, as what serde derives: the wasm crate is
// compiled for size.

impl BoshJob {
    /// The job as it is written.
    #[inline]
    pub fn view(&self) -> BoshJobView {
        BoshJobView {
            job: self.name,
            release: self.release,
            kind: self.kind.into(),
            properties: self.properties(),
            rows: self.rows.iter().map(BoshRow::view).collect(),
        }
    }
}

impl BoshRow {
    /// The row as it is written.
    #[inline]
    pub fn view(&self) -> BoshRowView {
        let known = self.known();
        BoshRowView {
            since: self.since.to_string(),
            date: self.date,
            source: self.source,
            is_assumed: self.is_assumed,
            runner: known.map(|it| it.runner),
            ttl: known.map(|it| it.ttl.default),
            retry_interval: known.map(|it| it.retry_interval.default),
            unknown: match self.state {
                BoshState::Known(_) => None,
                BoshState::Unknown(what) => Some(what),
            },
        }
    }
}

impl BoshUse {
    /// The settings or their absence, as they are written.
    #[inline]
    pub fn view(&self) -> BoshUseView<'_> {
        match self {
            Self::Kept(settings) => BoshUseView::Kept(settings.view()),
            Self::Not(absence) => BoshUseView::Not(absence.view()),
        }
    }
}

impl BoshSettings {
    /// The settings as they are written.
    #[inline]
    pub fn view(&self) -> BoshSettingsView<'_> {
        let question = self.question();
        BoshSettingsView {
            state: BoshStateView::Kept,
            job: self.job.name,
            release: self.job.release,
            version: self.version.map(|it| it.to_string()),
            row: self.row.view(),
            kind: self.job.kind.into(),
            runner: self.facts.runner,
            ttl: self.ttl,
            retry_interval: self.retry_interval,
            is_ttl_fixed: self.facts.ttl.is_fixed(),
            is_retry_interval_fixed: self.facts.retry_interval.is_fixed(),
            ignored: &self.ignored,
            summary: self.to_string(),
            notes: self.notes(),
            clients: question.clients.len(),
            is_about_gap: matches!(question.property, Property::PresenceGap { .. }),
        }
    }
}

impl BoshAbsence {
    /// The absence as it is written.
    #[inline]
    pub fn view(&self) -> BoshAbsenceView {
        let (state, property) = match self.why {
            BoshWhy::BeforeLocket => (BoshStateView::BeforeLocket, None),
            BoshWhy::Off { property, .. } => (BoshStateView::Off, Some(property)),
            BoshWhy::Unknown { .. } => (BoshStateView::Unknown, None),
        };
        BoshAbsenceView {
            state,
            job: self.job.name,
            release: self.job.release,
            version: self.version.map(|it| it.to_string()),
            property,
            summary: self.to_string(),
        }
    }
}

impl BoshLocket {
    /// Locket as it is written.
    #[inline]
    pub fn view(&self) -> BoshLocketView {
        BoshLocketView {
            version: self.version.map(|it| it.to_string()),
            is_there: self.row.is_some(),
            cancels: self.row.and_then(|row| row.cancels),
            summary: self.to_string(),
        }
    }
}

impl From<ClientKind> for BoshKind {
    fn from(kind: ClientKind) -> Self {
        match kind {
            ClientKind::Lock => Self::Lock,
            ClientKind::Presence => Self::Presence,
        }
    }
}
