//! An operator deletes the row.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.rowDeletion",
    nouns: ("row deleted", "rows deleted"),
    happens: "an operator deletes the row",
    extent: Extent::Same,
    action: Some((ActionKind::DeleteRow, On::Database)),
    begins: Begins::WithARow,
    does: &[Does::ChangesRows],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::Row,
    by_rows: ByRows::Tried,
};
