//! A Locket process crashes. It loses its timers, and its connections break.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.locketCrash",
    nouns: ("Locket crash", "Locket crashes"),
    happens: "a Locket process crashes",
    extent: Extent::Down,
    action: Some((ActionKind::Crash, On::Locket)),
    begins: Begins::AtAnyTime,
    does: &[
        Does::EndsProcess,
        Does::GrowsWithProcesses,
        Does::MakesSend,
        Does::PreventsConnections,
    ],
    // Lives are not counted.
    without_limit: |_| true,
    // A process that is paused or down executes no query of others.
    among_others: Among::All,
    by_rows: ByRows::Calls,
};
