//! The storage of a question about wrong writes.

use std::fmt;

use serde::{Deserialize, Deserializer};

use super::count::ANY;
use super::{Question, QuestionError};
use crate::amounts::Seconds;
use crate::scenario::{Guard, Storage};
use crate::time::Duration;

/// How long a write may take where a question does not say.
const LATENCY_DEFAULT: Duration = Duration::from_seconds(1);

/// The storage that holders write to. Each of them may decide on a write at any instant at which it
/// acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "QuestionStorage"))]
pub struct StorageQuestion {
    /// The condition under which it takes a write.
    pub guard: Guard,
    /// The longest that a write takes from when its client decides on it, 1 s by default, or `any`. A
    /// pause of the client in between is not counted.
    #[serde(default)]
    pub write_latency: WriteLatency,
}

/// The longest time of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteLatency {
    /// It may take any time.
    Any,
    /// At most so long.
    UpTo(Duration),
}

impl WriteLatency {
    /// The longest time, if there is one.
    pub const fn limit(self) -> Option<Duration> {
        match self {
            Self::Any => None,
            Self::UpTo(longest) => Some(longest),
        }
    }
}

impl Default for WriteLatency {
    fn default() -> Self {
        Self::UpTo(LATENCY_DEFAULT)
    }
}

impl fmt::Display for WriteLatency {
    /// The bound in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("writes of any latency"),
            Self::UpTo(Duration::ZERO) => f.write_str("writes take no time"),
            Self::UpTo(longest) => write!(f, "writes ≤ {}", Seconds(*longest)),
        }
    }
}

impl<'de> Deserialize<'de> for WriteLatency {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(from)?;
        match text {
            ANY => Ok(Self::Any),
            longest => longest.parse().map(Self::UpTo).map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for WriteLatency {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "WriteLatency".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "anyOf": [generator.subschema_for::<Duration>(), { "const": ANY }],
        })
    }

    fn inline_schema() -> bool {
        true
    }
}

impl From<Storage> for StorageQuestion {
    fn from(storage: Storage) -> Self {
        Self { guard: storage.guard, write_latency: WriteLatency::UpTo(storage.write_latency) }
    }
}

impl Question {
    /// The storage, if the property is about it.
    pub(in crate::check) fn asked_storage(&self) -> Option<StorageQuestion> {
        self.storage.filter(|_| self.property.is_about_storage())
    }

    /// The longest that a write may take, if that has a limit.
    pub(super) fn write_latency(&self) -> Option<Duration> {
        self.asked_storage()?.write_latency.limit()
    }

    /// The first thing that is wrong with the storage, where the property is about one.
    pub(super) fn check_storage(&self) -> Result<(), QuestionError> {
        if !self.property.is_about_storage() {
            return Ok(());
        }
        let wrong = |field: &str, message: &str| Err(QuestionError::new(field, message));
        if self.storage.is_none() {
            let message =
                "missing; no-wrong-write is about a storage, such as one with the guard owner";
            return wrong("storage", message);
        }
        if self.owners().are_shared() {
            let message = "expected clients with different owner strings: of those with one, Locket \
                does not say which holds the lock";
            return wrong("storage", message);
        }
        Ok(())
    }
}
