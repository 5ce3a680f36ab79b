//! What a scenario expects of its run.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::beliefs::Beliefs;
use super::heard::HeardTexts;
use super::nodes::{Node, Nodes};
use crate::sorted::sorted;
use crate::time::{Duration, Time};
use crate::trace::Names;
use crate::world::World;

/// What must hold at a moment, or in the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        rename = "ScenarioExpectation",
        transform = crate::schema::without_null,
        extend(
            "anyOf" = [
                { "required": ["owner"] },
                { "required": ["believers"] },
                { "required": ["twoOwnersFor"] },
                { "required": ["event"] },
                { "required": ["noEvent"] },
            ],
            "dependentRequired" = {
                "owner": ["key", "at"],
                "believers": ["key", "at"],
                "twoOwnersFor": ["key"],
            },
        )
    )
)]
pub struct Expectation {
    /// The moment, after all its events.
    pub at: Option<Duration>,
    /// The key that `owner`, `believers` and `twoOwnersFor` are about.
    pub key: Option<String>,
    /// The owner of the key's row at that moment; `null` for no row.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "owner_schema"))]
    pub owner: Option<Option<String>>,
    /// The clients that believe at that moment that they hold the key. A joint lock does so once
    /// it holds all its keys.
    pub believers: Option<Vec<String>>,
    /// How long in the whole run two or more clients believed so at the same time.
    pub two_owners_for: Option<Duration>,
    /// A text that an event must contain: an event at that moment, or any event without `at`.
    pub event: Option<String>,
    /// A text that no event may contain.
    pub no_event: Option<String>,
}

/// The only member that may be `null`.
#[cfg(feature = "schema")]
fn owner_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "oneOf": [{ "type": "string" }, { "type": "null" }] })
}

/// Tells `null` from what is left out.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl Expectation {
    /// What is wrong with it: the field and a message.
    pub(super) fn mistake(&self, nodes: &Nodes) -> Option<(&'static str, String)> {
        let wrong = |field, message: &str| Some((field, message.to_owned()));
        let about_key =
            self.owner.is_some() || self.believers.is_some() || self.two_owners_for.is_some();
        if !about_key && self.event.is_none() && self.no_event.is_none() {
            return wrong(
                "at",
                "expects nothing; give owner, believers, twoOwnersFor, event or noEvent",
            );
        }
        if about_key != self.key.is_some() {
            return wrong(
                "key",
                "owner, believers and twoOwnersFor need the key they are about, and nothing else has one",
            );
        }
        if self.at.is_none() && (self.owner.is_some() || self.believers.is_some()) {
            return wrong("at", "owner and believers need the moment they are about");
        }
        if self.at.is_some() && (self.two_owners_for.is_some() || self.no_event.is_some()) {
            return wrong("at", "twoOwnersFor and noEvent are about the whole run");
        }
        let unknown = self
            .believers
            .iter()
            .flatten()
            .find(|name| nodes.client(name).is_none());
        unknown.map(|name| {
            (
                "believers",
                format!("no client is named {name:?}; there are {}", nodes.names()),
            )
        })
    }

    /// What is expected, a sentence.
    pub fn words(&self) -> String {
        let key = self.key.as_deref().unwrap_or_default();
        let at = self
            .at
            .map(|at| format!("at {} ", Time::ZERO + at))
            .unwrap_or_default();
        let mut parts = Vec::new();
        if let Some(owner) = &self.owner {
            parts.push(format!("{at}the owner of {key} is {}", or_nobody(owner)));
        }
        if let Some(believers) = &self.believers {
            let believers = believers.join(", ");
            parts.push(format!(
                "{at}those who believe to hold {key} are [{believers}]"
            ));
        }
        if let Some(duration) = self.two_owners_for {
            parts.push(format!("two owners of {key} act at once for {duration}"));
        }
        if let Some(event) = &self.event {
            parts.push(format!("{at}an event says {event:?}"));
        }
        if let Some(event) = &self.no_event {
            parts.push(format!("no event says {event:?}"));
        }
        parts.join(", and ")
    }

    /// What does not hold at its moment.
    pub(super) fn check_now(
        &self,
        world: &World,
        clients: &BTreeMap<String, Vec<usize>>,
        names: &Names,
    ) -> Vec<String> {
        let (Some(key), now) = (&self.key, world.now()) else {
            return Vec::new();
        };
        let mut failures = Vec::new();
        if let Some(expected) = &self.owner {
            let actual = world.row(key).and_then(|row| row.owner);
            if actual != *expected {
                failures.push(format!(
                    "at {now} the owner of {key} is {}, not {}",
                    or_nobody(&actual),
                    or_nobody(expected)
                ));
            }
        }
        if let Some(expected) = &self.believers {
            let of_key = clients.get(key).into_iter().flatten();
            let actual: Vec<&str> = of_key
                .filter(|client| world.believes_held(**client))
                .map(|client| names.of(Node::Client(*client).id(world.processes())))
                .collect();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            let (actual, expected) = (sorted(actual), sorted(expected));
            if actual != expected {
                failures.push(format!(
                    "at {now} those who believe to hold {key} are {actual:?}, not {expected:?}"
                ));
            }
        }
        failures
    }

    /// What does not hold at the end.
    pub(super) fn check_end(&self, heard: HeardTexts, beliefs: &Beliefs) -> Vec<String> {
        let mut failures = Vec::new();
        if let (Some(key), Some(expected)) = (&self.key, self.two_owners_for) {
            let actual = beliefs.two_owners_for(key);
            if actual != expected {
                failures.push(format!(
                    "two owners of {key} acted at once for {actual}, not for {expected}"
                ));
            }
        }
        let at = self.at.map(|at| Time::ZERO + at);
        let when = at.map_or_else(|| "ever".to_owned(), |at| format!("at {at}"));
        if let Some(text) = self.event.as_ref().filter(|_| !heard.event) {
            failures.push(format!("no event {when} says {text:?}"));
        }
        if let Some(text) = self.no_event.as_ref().filter(|_| heard.no_event) {
            failures.push(format!("an event says {text:?}, and none should"));
        }
        failures
    }
}

fn or_nobody(owner: &Option<String>) -> &str {
    owner.as_deref().unwrap_or("nobody")
}
