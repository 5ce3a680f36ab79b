//! A client is cut off from all Locket processes at once, so that none is left to connect to.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.isolation",
    nouns: ("isolation", "isolations"),
    happens: "a client is cut off from all Locket processes",
    extent: Extent::Lasts,
    action: Some((ActionKind::Cut, On::Client)),
    begins: Begins::WithAMessage,
    does: &[
        Does::FailsPings,
        Does::GrowsWithProcesses,
        Does::LosesCalls,
        Does::PreventsConnections,
    ],
    // One may begin as another ends.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
