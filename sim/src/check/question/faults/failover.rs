//! The database fails over to a replica that has not seen the last commits.

use super::{Among, Begins, ByRows, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.failover",
    nouns: ("failover", "failovers"),
    happens: "the database fails over",
    extent: Extent::Loses,
    action: None,
    begins: Begins::AtAnyTime,
    makes_send: false,
    // Nothing of it grows.
    without_limit: |_| true,
    grows_with_processes: false,
    among_others: Among::Commits,
    by_rows: ByRows::NotAsked,
};
