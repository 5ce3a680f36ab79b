//! The database crashes: it refuses every query until it starts again, with the rows that it had.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.databaseCrash",
    nouns: ("database crash", "database crashes"),
    happens: "the database crashes",
    extent: Extent::Down,
    action: Some((ActionKind::Crash, On::Database)),
    begins: Begins::WithBusiness,
    does: &[Does::GrowsWithProcesses, Does::PreventsConnections],
    // One may begin as another ends.
    without_limit: |_| true,
    // A process that is paused or down executes no query of others.
    among_others: Among::All,
    by_rows: ByRows::Calls,
};
