//! A message arrives twice, the second time within the longest latency too.

use super::{Among, Begins, ByRows, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.duplicate",
    nouns: ("duplicate message", "duplicate messages"),
    happens: "a message arrives twice",
    extent: Extent::Same,
    action: None,
    begins: Begins::WithAMessage,
    does: &[],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
