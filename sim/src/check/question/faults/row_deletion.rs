//! An operator deletes the row.

use super::{Among, Begins, ByRows, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.rowDeletion",
    nouns: ("row deleted", "rows deleted"),
    happens: "an operator deletes the row",
    extent: Extent::Same,
    action: None,
    begins: Begins::WithARow,
    makes_send: false,
    // Nothing of it grows.
    without_limit: |_| true,
    grows_with_processes: false,
    among_others: Among::Row,
    by_rows: ByRows::Tried,
};
