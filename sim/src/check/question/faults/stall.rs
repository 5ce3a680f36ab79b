//! The database stalls: it answers nothing for a while, and then everything.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.stall",
    nouns: ("database stall", "database stalls"),
    happens: "the database stalls",
    extent: Extent::Lasts,
    action: Some((ActionKind::Stall, On::Database)),
    begins: Begins::WithAQuery,
    does: &[Does::GrowsWithProcesses, Does::HoldsUpAnswers],
    // The next one begins after all that has waited is done.
    without_limit: |_| true,
    among_others: Among::Queries,
    by_rows: ByRows::Calls,
};
