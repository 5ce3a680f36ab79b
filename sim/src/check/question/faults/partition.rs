//! The link between a client and a Locket process is cut, in one direction or in both: what is sent
//! meanwhile is lost.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.partition",
    nouns: ("partition", "partitions"),
    happens: "a link is cut",
    extent: Extent::Lasts,
    action: Some((ActionKind::Cut, On::Link)),
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
