//! The state of all nodes, relative to now.

use crate::protocol::runner::CanonicalRunner;

/// How things stand: the same in a world and in a search that have done the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Canonical {
    /// The runner of each client, if it has one.
    pub(crate) runners: Vec<Option<CanonicalRunner>>,
    /// True if the database answers, the rows, and the timers of each process that have not fired. A
    /// search drops [waits](super::happening::Wait) that mean nothing, so those of timers that have
    /// fired may differ.
    pub(crate) locket: Vec<u64>,
    /// True if each of the acts that were asked about is possible.
    pub(crate) possible: Vec<bool>,
}
