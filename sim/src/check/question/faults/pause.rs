//! A client is paused, and may believe meanwhile that it holds the lock.

use super::{Among, Begins, ByRows, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.pause",
    nouns: ("pause", "pauses"),
    happens: "a client is paused",
    extent: Extent::Lasts,
    action: Some((ActionKind::Pause, On::Client)),
    begins: Begins::WithBusiness,
    does: &[],
    // The next one begins after all that has waited is done.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
