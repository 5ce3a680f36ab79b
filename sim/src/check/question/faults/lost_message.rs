//! A message between a client and a Locket process is lost.

use super::{Among, Begins, ByRows, Does, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.lostMessage",
    nouns: ("message lost", "messages lost"),
    happens: "a message is lost",
    extent: Extent::Same,
    action: None,
    begins: Begins::WithAMessage,
    does: &[Does::LosesCalls],
    // Nothing of it grows.
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
