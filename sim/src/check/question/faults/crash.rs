//! A client crashes. Its row stays until the TTL ends.

use super::{Among, Begins, ByRows, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.crash",
    nouns: ("crash", "crashes"),
    happens: "a client crashes",
    extent: Extent::Same,
    action: Some((ActionKind::Crash, On::Client)),
    begins: Begins::WhileActive,
    does: &[],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
