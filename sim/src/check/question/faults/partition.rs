//! The link between a client and a Locket process is cut, in one direction or in both: what is sent
//! meanwhile is lost.

use super::{Among, Begins, ByRows, Extent, Facts};

pub(super) static FACTS: Facts = Facts {
    field: "faults.partition",
    nouns: ("partition", "partitions"),
    happens: "a link is cut",
    extent: Extent::Lasts,
    action: None,
    begins: Begins::WithAnother,
    makes_send: false,
    // One may begin as another ends.
    without_limit: |_| true,
    grows_with_processes: true,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};
