//! Runners that others ship. `diego-bbs@2.102.0` is a job of Cloud Foundry with the settings that it
//! has in that release. The table is `presets.json`; the source of each row, and what else only pages
//! and manifests need, is in `releases.json`, which no module contains. A version between rows, or
//! newer than the last, is refused: no row says anything about it.
//! `consul-lock@14691f7e` is the rule of a library at that commit, of the table `rules.txt`.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{ClientQuestion, QuestionError};
use crate::scenario::{self, ClientKind, RunnerKind};

/// The runner of a question.
#[derive(Clone)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged, inline))]
pub(super) enum RunnerText {
    /// A rule of its own.
    Kind(
        #[cfg_attr(feature = "schema", schemars(with = "crate::protocol::runner::Rule"))]
        RunnerKind,
    ),
    /// A name.
    Preset(#[cfg_attr(feature = "schema", schemars(with = "String"))] ClientQuestion),
}

/// Jobs that keep their locks or presences alike, and the settings that they have in the versions from
/// `from` up to and with `to`: `2.143` is every 2.143.x. The first line says whose they are, each other
/// one has a row. They are read as text, since serde's reader of them would weigh a multiple.
const JOBS: &str = include_str!("presets.json");

/// What libraries do with locks: a line each, with the TTL and the rule.
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
        let (job, text) = name.split_once('@').unwrap_or((name, ""));
        let Some(jobs) = tables().find(|table| names(table).any(|name| name == job)) else {
            let libraries = LIBRARIES.lines().map(|line| member(line, "name").to_owned());
            let names: Vec<_> = tables().flat_map(names).chain(libraries).collect();
            let names = names.join(", ");
            return Err(refused(format!(
                "expected a job of a release or a library, one of {names}, not {:?}",
                shown(name)
            )));
        };
        let Some(version) = version(text) else {
            return Err(refused(format!(
                "expected a version such as {job}@2.102.0, not {:?}",
                shown(text)
            )));
        };
        let rows = || jobs.lines().skip(1).filter(|line| line.contains("\"from\""));
        let Some(row) = rows().find(|row| has(row, &version)) else {
            let range = |row| format!("{} to {}.x", member(row, "from"), member(row, "to"));
            let known = rows().map(range).collect::<Vec<_>>().join(", ");
            return Err(refused(format!(
                "nothing is known of {job} in version {text}; known are {known}; name its runner, \
                 TTL and retry interval instead"
            )));
        };
        let time = |name| member(row, name).parse().expect("the table has times");
        let runner = RunnerKind::named(member(row, "runner")).expect("the table names runners");
        let kind =
            if member(jobs, "kind") == "lock" { ClientKind::Lock } else { ClientKind::Presence };
        Ok(Self { kind, ..Self::new(runner, time("ttl"), time("retryInterval")) })
    }

    fn library(name: &str) -> Option<Self> {
        let line = LIBRARIES.lines().find(|line| member(line, "name") == name)?;
        let (ttl, rule) = line.split_once(' ')?;
        let (ttl, runner): (_, RunnerKind) = (ttl.parse().ok()?, serde_json::from_str(rule).ok()?);
        Some(Self::new(runner.clone(), ttl, runner.rule().default_retry_interval(ttl, None)))
    }
}

fn tables() -> impl Iterator<Item = &'static str> {
    JOBS.split("\n  {").skip(1)
}

/// The text of a member, in a table or a row.
fn member(text: &'static str, name: &str) -> &'static str {
    let value = text.split_once(&format!("\"{name}\": \"")).unwrap_or_default().1;
    value.split('"').next().unwrap_or_default()
}

fn names(table: &'static str) -> impl Iterator<Item = String> {
    let jobs = table.split(['[', ']']).nth(1).unwrap_or_default();
    jobs.split(", ")
        .map(move |job| format!("{}-{}", member(table, "release"), job.trim_matches('"')))
}

fn has(row: &'static str, version: &[u32]) -> bool {
    let [from, to] = ["from", "to"].map(|end| numbers(member(row, end)).unwrap_or_default());
    *from <= *version && version[..to.len()] <= to[..]
}

/// The numbers of a version.
fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|number| number.parse().ok()).collect()
}

/// A version of two or three numbers, and nothing else: a build or a fork may differ from the release
/// that it is named after.
fn version(text: &str) -> Option<Vec<u32>> {
    let is_plain = text.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    let mut numbers = numbers(text).filter(|it| is_plain && matches!(it.len(), 2 | 3))?;
    numbers.resize(3, 0);
    Some(numbers)
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
