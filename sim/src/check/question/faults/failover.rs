//! The database fails over to a replica that has not seen the last commits.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.failover",
    nouns: ("failover", "failovers"),
    happens: "the database fails over",
    extent: Extent::Loses,
    action: Some((ActionKind::FailOver, On::Database)),
    begins: Begins::AtAnyTime,
    does: &[Does::ChangesRows],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::Commits,
    by_rows: ByRows::NotAsked,
};
