//! The database stalls: it answers nothing for a while, and then everything.

use super::{Among, Begins, ByRows, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.stall",
    nouns: ("database stall", "database stalls"),
    happens: "the database stalls",
    extent: Extent::Lasts,
    action: None,
    begins: Begins::WithAnother,
    makes_send: false,
    // The next one begins after all that has waited is done.
    without_limit: |_| true,
    grows_with_processes: true,
    among_others: Among::Queries,
    by_rows: ByRows::Calls,
};
