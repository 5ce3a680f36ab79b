//! The clients of a question as JSON: a list of what differs, or any number of equal ones.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::ClientQuestion;
use super::count::ANY;
use super::preset::RunnerText;
use crate::node::ConnectionKind;
use crate::scenario::{ClientKind, RUNNER_DEFAULT, RunnerKind, TTL_DEFAULT};
use crate::time::Duration;

/// The settings of one client that differ from those of the question.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "QuestionClient", transform = crate::schema::without_null))]
pub(super) struct ClientText {
    /// Its runner: a name, a rule, or a job of a release such as `diego-bbs@2.102.0`.
    pub(super) runner: Option<RunnerText>,
    /// The kind of resource that it takes.
    pub(super) kind: Option<ClientKind>,
    /// Its TTL.
    pub(super) ttl: Option<Duration>,
    /// Its retry interval.
    pub(super) retry_interval: Option<Duration>,
    /// How long before the row can expire a safe runner stops.
    pub(super) margin: Option<Duration>,
    /// True if the first attempt has a deadline.
    pub(super) first_attempt_deadline: Option<bool>,
    /// How it connects.
    pub(super) connection: Option<ConnectionKind>,
    /// How many microseconds its clock gains each second.
    pub(super) rate_ppm: Option<i32>,
}

/// The clients of a question.
pub(super) enum ClientsText {
    /// Any number of equal ones.
    Any,
    Listed(Vec<ClientText>),
}

impl<'de> Deserialize<'de> for ClientsText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ClientsVisitor)
    }
}

struct ClientsVisitor;

impl<'de> Visitor<'de> for ClientsVisitor {
    type Value = ClientsText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of clients, or \"any\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ClientsText, E> {
        match text {
            ANY => Ok(ClientsText::Any),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, clients: A) -> Result<ClientsText, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(clients)).map(ClientsText::Listed)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ClientsText {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "QuestionClients".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "anyOf": [
                { "type": "array", "items": generator.subschema_for::<ClientText>() },
                { "const": ANY },
            ],
        })
    }

    fn inline_schema() -> bool {
        true
    }
}

impl ClientText {
    /// The job of a release that is its runner, if it names one.
    pub(super) const fn preset(&self) -> Option<&ClientQuestion> {
        match &self.runner {
            Some(RunnerText::Preset(job)) if !matches!(job.runner, RunnerKind::Rule(_)) => {
                Some(job)
            }
            _ => None,
        }
    }

    /// The client, with what it does not say taken from `shared`, and then from the job of a release
    /// that is its runner.
    pub(super) fn client(&self, shared: &Self) -> ClientQuestion {
        let (runner, job) = match self.runner.as_ref().or(shared.runner.as_ref()) {
            None => (RUNNER_DEFAULT, None),
            Some(RunnerText::Kind(runner)) => (runner.clone(), None),
            Some(RunnerText::Preset(job)) => (job.runner.clone(), Some(job)),
        };
        let kind = self.kind.or(shared.kind).or_else(|| job.map(|it| it.kind));
        let ttl = self.ttl.or(shared.ttl).or_else(|| job.map(|it| it.ttl)).unwrap_or(TTL_DEFAULT);
        let margin = self.margin.or(shared.margin);
        let retry_interval = self.retry_interval.or(shared.retry_interval);
        let retry_interval = retry_interval.or_else(|| job.map(|it| it.retry_interval));
        ClientQuestion {
            retry_interval: retry_interval
                .unwrap_or_else(|| runner.rule().default_retry_interval(ttl, margin)),
            runner,
            kind: kind.unwrap_or_default(),
            owner: None,
            ttl,
            margin,
            first_attempt_deadline: self
                .first_attempt_deadline
                .or(shared.first_attempt_deadline)
                .unwrap_or_default(),
            connection: self.connection.or(shared.connection),
            rate_ppm: self.rate_ppm.or(shared.rate_ppm).unwrap_or_default(),
        }
    }
}
