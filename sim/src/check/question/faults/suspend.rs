//! The machine of a client is suspended: a pause in which its clock is frozen.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.suspend",
    nouns: ("suspend", "suspends"),
    happens: "the machine of a client is suspended",
    extent: Extent::Lasts,
    action: Some((ActionKind::Suspend, On::Client)),
    begins: Begins::WhileActive,
    does: &[Does::FreezesClock],
    // No step is exact.
    without_limit: |_| false,
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
