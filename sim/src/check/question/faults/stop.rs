//! A client receives the stop signal.

use super::{Among, Begins, ByRows, Does, Extent, Facts, On};
use crate::scenario::ActionKind;

pub(super) static FACTS: Facts = Facts {
    field: "faults.stop",
    nouns: ("stop", "stops"),
    happens: "a client receives the stop signal",
    extent: Extent::Same,
    action: Some((ActionKind::Stop, On::Client)),
    begins: Begins::WhileAlive,
    does: &[Does::MakesSend],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Tried,
};
