//! The connection of a client breaks while Locket is up: what is on its way over it is lost, and
//! the client knows it at once.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.disconnect",
    nouns: ("broken connection", "broken connections"),
    happens: "the connection of a client breaks",
    extent: Extent::Same,
    action: Some((ActionKind::Disconnect, On::Client)),
    begins: Begins::WhileConnected,
    does: &[Does::GrowsWithProcesses],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
