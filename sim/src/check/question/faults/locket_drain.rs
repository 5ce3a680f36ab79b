//! A Locket process drains, as in a rolling deploy: it accepts no connection, finishes its calls,
//! stops and starts again.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.locketDrain",
    nouns: ("Locket drain", "Locket drains"),
    happens: "a Locket process drains",
    extent: Extent::Down,
    action: Some((ActionKind::Drain, On::Locket)),
    begins: Begins::InTurn,
    does: &[
        Does::EndsProcess,
        Does::GrowsWithProcesses,
        Does::MakesSend,
        Does::PreventsConnections,
    ],
    // Lives are not counted.
    without_limit: |_| true,
    among_others: Among::Calls,
    by_rows: ByRows::Calls,
};
