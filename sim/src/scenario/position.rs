//! A place in a run.

use serde::Serialize;

use crate::time::Time;

/// A place in a run: a time, and how many things had been done at that very time.
///
/// Counted within its instant, a place stays the same place when something changes at another
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// The time.
    #[serde(rename = "timeMs")]
    pub time: Time,
    /// The number of actions at that very time.
    pub count: u32,
}

impl Position {
    /// Before anything has happened.
    pub const START: Self = Self { time: Time::ZERO, count: 0 };
}
