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
    makes_send: false,
    // Nothing of it grows.
    without_limit: |_| true,
    grows_with_processes: false,
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
