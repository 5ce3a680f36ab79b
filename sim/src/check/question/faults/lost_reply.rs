//! An answer of the database to a transaction is lost, although that is committed.

use super::{Among, Begins, ByRows, Does, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.lostReply",
    nouns: ("lost database reply", "lost database replies"),
    happens: "an answer of the database is lost",
    extent: Extent::Same,
    action: None,
    begins: Begins::WithAMessage,
    does: &[Does::GrowsWithProcesses, Does::HoldsUpAnswers],
    // Nothing of it grows.
    without_limit: |_| true,
    // Calls of others that wait for it are those that keep a process from ending its drain.
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
