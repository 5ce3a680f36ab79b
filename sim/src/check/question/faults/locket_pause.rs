//! A Locket process is paused: its timers do not fire, and what arrives waits.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.locketPause",
    nouns: ("Locket pause", "Locket pauses"),
    happens: "a Locket process is paused",
    extent: Extent::Lasts,
    action: Some((ActionKind::Pause, On::Locket)),
    begins: Begins::WithBusiness,
    does: &[Does::FailsPings, Does::GrowsWithProcesses, Does::HoldsUpAnswers],
    // One may begin as another ends.
    without_limit: |_| true,
    // A process that is paused or down executes no query of others.
    among_others: Among::All,
    by_rows: ByRows::Calls,
};
