//! A client that is down or has ended starts again, with the same owner.

use super::{Among, Begins, ByRows, Does, Extent, Facts, Fault, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.restart",
    nouns: ("restart", "restarts"),
    happens: "a client starts again",
    extent: Extent::Same,
    action: Some((ActionKind::Start, On::Client)),
    begins: Begins::WhileEnded,
    does: &[Does::GrowsWithProcesses, Does::MakesSend],
    // Late calls of all lives count, which help only their client where no commit can be lost.
    without_limit: |it| {
        Fault::Failover.allowed(&it.bounds).is_never() && it.property.asks_for_last_owner()
    },
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
