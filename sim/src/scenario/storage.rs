//! The storage that lock holders write to, as a scenario describes it.

use serde::Deserialize;

use crate::by_name::read_by_name;
use crate::time::Duration;

/// The storage that lock holders write to. Locket does not know about it. Each key has its own part.
///
/// A client is the holder from when its Lock takes the row until another client's does; after a
/// restart it counts as a later holder. A write is wrong if the storage accepts it after one of a
/// later holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ScenarioStorage", transform = crate::schema::without_null))]
pub struct Storage {
    /// The condition under which it takes a write.
    pub guard: Guard,
    /// How long a write takes to arrive, and a request for a token.
    #[serde(default)]
    pub write_latency: Duration,
    /// How often each client that acts decides on a write; by default only the actions `write` do.
    pub write_interval: Option<Duration>,
}

/// The condition under which a storage takes a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, rename_all = "kebab-case"))]
pub enum Guard {
    /// Takes a write if the row's `modified_index`, when the client decided on the write, is at least
    /// that of every earlier write.
    ModifiedIndex,
    /// Takes every write.
    None,
    /// Takes a write if the row has the client's owner string at that moment.
    Owner,
    /// Takes a write with the newest token of a counter. A client asks for a token once it has the
    /// lock, and uses it after a renewal that it sends with the token in hand.
    RenewedToken,
    /// The same, but the token is used at once.
    Token,
}

read_by_name!(pub Guard: ModifiedIndex None Owner RenewedToken Token);

impl Guard {
    /// True if clients take tokens.
    pub(crate) const fn has_tokens(self) -> bool {
        matches!(self, Self::RenewedToken | Self::Token)
    }
}

impl Storage {
    /// The first thing that is wrong with it: the field and a message.
    pub(super) fn validation_error(&self) -> Option<(&'static str, String)> {
        let is_zero = self.write_interval == Some(Duration::ZERO);
        is_zero.then(|| ("writeInterval", "expected more than 0".to_owned()))
    }
}
