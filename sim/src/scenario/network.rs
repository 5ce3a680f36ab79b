//! The links of a scenario: latency, losses and duplicates.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::share::Share;
use crate::time::{Duration, without_unit};
use crate::world::network::LinkRule;

/// The links between clients and Locket processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScenarioNetwork"))]
pub struct NetworkRules {
    /// How long a request or a reply takes.
    #[serde(default)]
    pub latency: Latency,
    /// The share of messages that are lost in a random run.
    #[serde(default)]
    pub loss: Share,
    /// The share of messages that arrive twice in a random run.
    #[serde(default)]
    pub duplicates: Share,
}

/// The link between Locket processes and their database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScenarioDatabase"))]
pub struct DatabaseRules {
    /// How long a query or its reply takes.
    #[serde(default)]
    pub latency: Latency,
    /// How long a transaction holds its row, from its statement until it commits. Other transactions
    /// on the same key wait behind it, in order. By default it takes no time.
    #[serde(default)]
    pub transaction_time: Latency,
    /// The share of replies that are lost after the commit in a random run.
    #[serde(default)]
    pub reply_loss: Share,
}

/// How long a message takes: `"10ms"`, or a range `{"min": "10ms", "max": "2s", "step": "10ms"}`,
/// of which a plain run takes the minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// The minimum.
    pub min: Duration,
    /// The maximum.
    pub max: Duration,
    /// The step between the values of the range; 1 ms if it is 0.
    pub step: Duration,
}

impl DatabaseRules {
    /// Its validation error, if it has one: the field and a message.
    pub(super) fn validation_error(&self) -> Option<(&'static str, String)> {
        let times = [("latency", self.latency), ("transactionTime", self.transaction_time)];
        let mut times = times.into_iter();
        times.find_map(|(field, it)| Some((field, it.validation_error()?)))
    }
}

impl NetworkRules {
    pub(super) const fn link_rule(&self) -> LinkRule {
        LinkRule {
            loss_per_mille: self.loss.per_mille(),
            duplicates_per_mille: self.duplicates.per_mille(),
            ..self.latency.link_rule()
        }
    }

    /// Its validation error, if it has one: the field and a message.
    pub(super) fn validation_error(&self) -> Option<(&'static str, String)> {
        let latency = self.latency.validation_error();
        latency.map(|message| ("latency", message))
    }
}

impl Latency {
    pub(super) const fn fixed(duration: Duration) -> Self {
        Self { min: duration, max: duration, step: Duration::ZERO }
    }

    pub(super) const fn link_rule(&self) -> LinkRule {
        LinkRule {
            latency_min: self.min,
            latency_max: self.max,
            latency_step: self.step,
            loss_per_mille: 0,
            duplicates_per_mille: 0,
        }
    }

    pub(super) fn validation_error(&self) -> Option<String> {
        (self.max < self.min).then(|| "expected a max that is not less than min".into())
    }
}

impl<'de> Deserialize<'de> for Latency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LatencyVisitor)
    }
}

/// From a minimum to a maximum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct LatencyRange {
    /// The minimum.
    #[serde(default)]
    min: Duration,
    /// The maximum.
    max: Duration,
    /// The step between the values of the range; 1 ms if it is 0.
    #[serde(default)]
    step: Duration,
}

struct LatencyVisitor;

impl<'de> Visitor<'de> for LatencyVisitor {
    type Value = Latency;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration with its unit, such as \"10ms\", or a range with min and max")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Latency, E> {
        Err(E::custom(without_unit(number)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Latency, E> {
        text.parse().map(Latency::fixed).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Latency, A::Error> {
        let LatencyRange { min, max, step } =
            LatencyRange::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Latency { min, max, step })
    }
}
