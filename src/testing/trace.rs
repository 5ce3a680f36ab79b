//! The trace of a reference server: calls, expiries, processes that stop and start, and runners.

use std::fmt;

use locket_sim::time::Time;

/// One event at a reference server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it happened.
    pub at: Time,
    /// The event as a sentence.
    pub words: String,
}

impl fmt::Display for Record {
    /// `15.000 s  'bbs' expires: a has not renewed it within its TTL`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s  {}", self.at, self.words)
    }
}
