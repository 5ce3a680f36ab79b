//! What links of a scenario do.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::share::Share;
use crate::time::Duration;
use crate::world::network::LinkRule;

/// What the links between clients and Locket processes do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NetworkRules {
    /// How long a message takes.
    #[serde(default)]
    pub latency: Latency,
    /// How many messages are lost in a random run.
    #[serde(default)]
    pub loss: Share,
    /// How many messages arrive twice in a random run.
    #[serde(default)]
    pub duplicates: Share,
}

/// What the link to the database does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DatabaseRules {
    /// How long a query or its answer takes.
    #[serde(default)]
    pub latency: Latency,
    /// How many replies are lost after the commit in a random run.
    #[serde(default)]
    pub reply_loss: Share,
}

/// How long a message takes: `"10ms"`, or a range `{"min": "10ms", "max": "2s", "step": "10ms"}`,
/// of which a plain run takes the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// The least.
    pub min: Duration,
    /// The most.
    pub max: Duration,
    /// The grain of what lies between; 1 ms if left out.
    pub step: Duration,
}

impl NetworkRules {
    pub(super) const fn link_rule(&self) -> LinkRule {
        LinkRule {
            loss_per_mille: self.loss.per_mille(),
            duplicates_per_mille: self.duplicates.per_mille(),
            ..self.latency.link_rule()
        }
    }

    /// What is wrong with it: the field and a message.
    pub(super) fn validation_error(&self) -> Option<(&'static str, String)> {
        let latency = self.latency.validation_error();
        latency.map(|message| ("latency", message))
    }
}

impl Latency {
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

/// A range, all of it optional but `max`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    #[serde(default)]
    min: Duration,
    max: Duration,
    #[serde(default)]
    step: Duration,
}

struct LatencyVisitor;

impl LatencyVisitor {
    const fn fixed(duration: Duration) -> Latency {
        Latency {
            min: duration,
            max: duration,
            step: Duration::ZERO,
        }
    }
}

impl<'de> Visitor<'de> for LatencyVisitor {
    type Value = Latency;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration with its unit, such as \"10ms\", or a range with min and max")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Latency, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Latency, E> {
        text.parse().map(Self::fixed).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Latency, A::Error> {
        let Range { min, max, step } = Range::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Latency { min, max, step })
    }
}
