//! A message between a client and a Locket process is lost.

use super::{Among, Begins, ByRows, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.lostMessage",
    nouns: ("message", "messages"),
    happens: "a message is lost",
    extent: Extent::Lost,
    action: None,
    begins: Begins::WithAnother,
    makes_send: false,
    // Nothing of it grows.
    without_limit: |_| true,
    grows_with_processes: false,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
