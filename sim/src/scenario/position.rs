//! A place in a run.

use crate::time::Time;

/// A place in a run: a time, and how many things had been done at that very time.
///
/// Counted within its instant, a place stays the same place when something changes at another
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The time.
    pub time: Time,
    /// How many things had been done at it.
    pub count: u32,
}

impl Position {
    /// Before anything has happened.
    pub const START: Self = Self {
        time: Time::ZERO,
        count: 0,
    };
}
