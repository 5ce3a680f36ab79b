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
    /// `15.000 s  bbs expires: a has not renewed it within its TTL`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s  {}", self.at, self.words)
    }
}

/// The records that a panic shows: the last ones, each line that repeats an earlier one left out.
pub(super) fn shown(trace: &[Record]) -> Vec<&Record> {
    let mut shown: Vec<&Record> = Vec::new();
    for record in trace.iter().rev() {
        if shown.len() == SHOWN_MAX {
            break;
        }
        let mut earlier = trace.iter().take_while(|it| !std::ptr::eq(*it, record));
        if !earlier.any(|it| it.words == record.words) {
            shown.push(record);
        }
    }
    shown.reverse();
    shown
}

const SHOWN_MAX: usize = 30;
