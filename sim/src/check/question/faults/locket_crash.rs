//! A Locket process crashes. It loses its timers, and its connections break.

use super::{Among, Begins, ByRows, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    count: bound!("bounds.locketCrashes", locket_crashes),
    nouns: ("Locket crash", "Locket crashes"),
    happens: "a Locket process crashes",
    extent: Extent::Down(bound!("bounds.locketDowntime", locket_downtime)),
    action: Some((ActionKind::Crash, On::Locket)),
    begins: Begins::AtAnyTime,
    makes_send: true,
    // Lives are not counted.
    without_limit: |_| true,
    grows_with_processes: true,
    // A process that is paused or down executes no query of others.
    among_others: Among::All,
    by_rows: ByRows::Calls,
};
