//! The bounds of a search.

use std::fmt;
use std::ops::{Index, IndexMut};

use super::count::Count;
use super::faults::{Does, FAULTS, Fault};
use crate::protocol::server::OPERATION_TIMEOUT;
use crate::scenario::Share;
use crate::time::Duration;

/// The most that may go wrong in a search: nothing by default, not even latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The longest latency of a message; each takes any time up to it.
    pub latency: Duration,
    /// The longest latency of a query to the database, and of its reply; each takes any time up to
    /// it.
    pub database_latency: Duration,
    /// The longest time of a transaction, from its statement until it commits; each takes any time up
    /// to it. Other transactions on the same key wait behind it, in order.
    pub transaction_time: Duration,
    /// By how much the rate of each clock may differ from that of real time: of clients, processes and
    /// the database, constant or varying.
    pub drift: Share,
    /// The faults.
    pub faults: Faults,
}

/// How often each fault may happen, and how much one may do.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults([FaultBound; FAULTS]);

/// How often a fault may happen, and how much one may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultBound {
    /// How often it may happen.
    pub count: Count,
    /// How long one lasts, or how long what it brings down is down. Faults that bring the same down
    /// share the longest.
    pub length: Duration,
    /// How many commits a failover loses.
    pub lost_commits: u8,
}

impl Index<Fault> for Faults {
    type Output = FaultBound;

    fn index(&self, fault: Fault) -> &FaultBound {
        &self.0[fault as usize]
    }
}

impl IndexMut<Fault> for Faults {
    fn index_mut(&mut self, fault: Fault) -> &mut FaultBound {
        &mut self.0[fault as usize]
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allowed = Fault::ALL.into_iter().map(|it| (it, self[it]));
        let allowed = allowed.filter(|(_, it)| *it != FaultBound::default());
        f.debug_map().entries(allowed).finish()
    }
}

/// ```
/// use locket_sim::check::{Bounds, Count, Fault};
/// use locket_sim::time::Duration;
///
/// let latency = Duration::from_seconds(1);
/// let bounds = Bounds { latency, ..Bounds::default() }
///     .with(Fault::Crash, 1)
///     .with_length(Fault::Pause, Count::Any, Duration::from_seconds(5));
/// assert_eq!(bounds.faults[Fault::Crash].count, 1);
/// ```
impl Bounds {
    /// Allows a fault this many times; a failover loses one commit.
    #[must_use]
    pub fn with(self, fault: Fault, count: impl Into<Count>) -> Self {
        self.with_length(fault, count, Duration::ZERO)
    }

    /// Allows a fault this many times, for up to `length` each time.
    #[must_use]
    pub fn with_length(mut self, fault: Fault, count: impl Into<Count>, length: Duration) -> Self {
        let lost_commits = u8::from(fault == Fault::Failover);
        self.faults[fault] = FaultBound { count: count.into(), length, lost_commits };
        self
    }

    /// The bounds that are times, with the names of their fields. A length that faults share is
    /// there once.
    pub(in crate::check) fn times(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let longest = Fault::ALL.into_iter().filter(|it| it.longest_alike(self) == *it);
        let lengths = longest.map(|it| (it.field(), self.faults[it].length));
        let latencies = [
            ("latency", self.latency),
            ("databaseLatency", self.database_latency),
            ("transactionTime", self.transaction_time),
        ];
        latencies.into_iter().chain(lengths)
    }
}

impl Bounds {
    /// True if a fault may happen.
    pub(in crate::check) fn allow(&self, fault: Fault) -> bool {
        !self.faults[fault].count.is_never()
    }

    /// True if a Locket process may end.
    pub(in crate::check) fn end_processes(&self) -> bool {
        self.allow_any_that(Does::EndsProcess)
    }

    /// True if the messages between a process and the database take time.
    pub(in crate::check) const fn slow_database(&self) -> bool {
        self.database_latency.as_ms() > 0
    }

    /// True if transactions hold their rows for a while, so that others queue behind them.
    pub(in crate::check) const fn hold_rows(&self) -> bool {
        self.transaction_time.as_ms() > 0
    }

    /// True if a process can wait for an answer of the database for so long that it gives up.
    pub(in crate::check) fn exceed_operation_timeout(&self) -> bool {
        let longest = 2 * self.database_latency.as_ms();
        self.hold_rows() || self.hold_up_answers() || longest >= OPERATION_TIMEOUT.as_ms()
    }

    /// True if something can come between a transaction of a process and its answer.
    pub(in crate::check) fn part_process_and_database(&self) -> bool {
        self.hold_up_answers() || self.slow_database() || self.allow(Fault::DatabaseCrash)
    }

    fn hold_up_answers(&self) -> bool {
        self.allow_any_that(Does::HoldsUpAnswers)
    }

    /// True if a fault may happen that does something.
    pub(in crate::check) fn allow_any_that(&self, does: Does) -> bool {
        Fault::that(does).any(|it| self.allow(it))
    }
}
