//! Runners that others ship. `diego-bbs@2.102.0` is a job of Cloud Foundry with the settings that it
//! has in that release. The table is `presets.json`, where each row has its source. A version
//! between its rows, or newer than the last, is refused: no row says anything about it.
//! `consul-lock@14691f7e` is the rule of a library at that commit, of the table `rules.txt`.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{ClientQuestion, QuestionError};
use crate::protocol::runner::Rule;
use crate::scenario::{self, ClientKind, RunnerKind};
use crate::time::Duration;

/// The runner of a question.
#[derive(Clone)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged, inline))]
pub(super) enum RunnerText {
    /// A rule of its own.
    Kind(#[cfg_attr(feature = "schema", schemars(with = "Rule"))] RunnerKind),
    /// A name.
    Preset(#[cfg_attr(feature = "schema", schemars(with = "String"))] ClientQuestion),
}

/// Jobs that keep their locks or presences alike.
#[derive(Deserialize)]
struct Jobs {
    release: &'static str,
    jobs: Vec<&'static str>,
    kind: ClientKind,
    rows: Vec<Row>,
}

/// The settings in the versions from `from` up to and with `to`: `2.143` is every 2.143.x.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    from: &'static str,
    to: &'static str,
    runner: RunnerKind,
    ttl: Duration,
    retry_interval: Duration,
}

/// What libraries do with locks: a line each, with its name, the TTL, and the rule.
const LIBRARIES: &str = include_str!("rules.txt");

impl ClientQuestion {
    /// The runner and the settings of a job of Cloud Foundry in a release, such as
    /// `diego-bbs@2.102.0`, or of a library, such as `consul-lock@14691f7e`.
    ///
    /// # Errors
    ///
    /// If the table has no such job, or no row for that version.
    pub fn preset(name: &str) -> Result<Self, QuestionError> {
        if let Some(library) = Self::library(name) {
            return Ok(library);
        }
        let refused = |message: String| QuestionError::new("runner", &message);
        let table: Vec<Jobs> =
            serde_json::from_str(include_str!("presets.json")).expect("a test reads the table");
        let (job, text) = name.split_once('@').unwrap_or((name, ""));
        let named = |it: &&Jobs| it.names().any(|name| name == job);
        let Some(jobs) = table.iter().find(named) else {
            let libraries = LIBRARIES.lines().filter_map(|line| line.split(' ').next());
            let libraries = libraries.map(str::to_owned);
            let names: Vec<_> = table.iter().flat_map(Jobs::names).chain(libraries).collect();
            let names = names.join(", ");
            return Err(refused(format!(
                "expected a job of a release or a library, one of {names}, not {:?}",
                shown(job)
            )));
        };
        let Some(version) = version(text) else {
            return Err(refused(format!(
                "expected a version such as {job}@2.102.0, not {:?}",
                shown(text)
            )));
        };
        let Some(row) = jobs.rows.iter().find(|row| row.has(&version)) else {
            let known: Vec<_> =
                jobs.rows.iter().map(|row| format!("{} to {}.x", row.from, row.to)).collect();
            let known = known.join(", ");
            return Err(refused(format!(
                "nothing is known of {job} in version {text}; known are {known}; name its runner, \
                 TTL and retry interval instead"
            )));
        };
        let client = Self::new(row.runner.clone(), row.ttl, row.retry_interval);
        Ok(Self { kind: jobs.kind, ..client })
    }

    fn library(name: &str) -> Option<Self> {
        let line = LIBRARIES.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        let (ttl, parts) = line.split_once(' ')?;
        let (ttl, rule) = (ttl.parse().ok()?, Rule::of_parts(parts).ok()?);
        let runner = RunnerKind::Rule(Rule { name: name.to_owned().into(), ..rule }.into());
        Some(Self::new(runner.clone(), ttl, runner.default_retry_interval(ttl, None)))
    }
}

impl Jobs {
    fn names(&self) -> impl Iterator<Item = String> {
        self.jobs.iter().map(|job| format!("{}-{job}", self.release))
    }
}

impl Row {
    fn has(&self, version: &[u32; 3]) -> bool {
        let to: Vec<_> = numbers(self.to).collect();
        numbers(self.from).le(*version) && version[..to.len()] <= to[..]
    }
}

/// The numbers of a version in the table.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split('.').map(|number| number.parse().expect("the table has numbers"))
}

/// A version of two or three numbers, and nothing else: a build or a fork may differ from the release
/// that it is named after.
fn version(text: &str) -> Option<[u32; 3]> {
    let is_plain = text.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    let numbers: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
    match numbers.ok().filter(|_| is_plain)?[..] {
        [major, minor] => Some([major, minor, 0]),
        [major, minor, patch] => Some([major, minor, patch]),
        _ => None,
    }
}

/// The beginning of a text, for an error.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

impl<'de> Deserialize<'de> for RunnerText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(RunnerVisitor)
    }
}

struct RunnerVisitor;

impl<'de> Visitor<'de> for RunnerVisitor {
    type Value = RunnerText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a runner, a job of a release such as \"diego-bbs@2.102.0\", or a rule")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<RunnerText, E> {
        if name.contains('@') {
            let preset = ClientQuestion::preset(name);
            return preset.map(RunnerText::Preset).map_err(|error| E::custom(error.message));
        }
        scenario::RunnerVisitor.visit_str(name).map(RunnerText::Kind)
    }

    fn visit_map<A: MapAccess<'de>>(self, rule: A) -> Result<RunnerText, A::Error> {
        scenario::RunnerVisitor.visit_map(rule).map(RunnerText::Kind)
    }
}
