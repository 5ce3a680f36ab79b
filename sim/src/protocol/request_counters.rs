//! How many requests a process has seen, by call (B24…B26, B85).

use super::message::Method;
use crate::time::Duration;

/// The counters of one call's name; all but `in_flight` only grow until a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MethodCounters {
    /// Requests received (`RequestsStarted`).
    pub started: u64,
    /// Requests answered without error **or with a lock collision** (`RequestsSucceeded`).
    pub succeeded: u64,
    /// Requests answered with any other error (`RequestsFailed`).
    pub failed: u64,
    /// Requests begun and not yet answered (`RequestsInFlight`).
    pub in_flight: u64,
    /// Requests whose caller had given up by the time of the answer (`RequestsCancelled`).
    pub cancelled: u64,
    /// The longest time from request to answer (`RequestLatencyMax`).
    pub latency_max: Duration,
}

/// The counters of all calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RequestCounters {
    by_method: [MethodCounters; Method::ALL.len()],
}

impl RequestCounters {
    /// The counters of one call.
    pub const fn of(&self, method: Method) -> &MethodCounters {
        &self.by_method[method as usize]
    }

    pub(super) const fn of_mut(&mut self, method: Method) -> &mut MethodCounters {
        &mut self.by_method[method as usize]
    }

    /// Adds another process's counters to these; latencies do not add, the longest stays.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, part) in self.by_method.iter_mut().zip(&other.by_method) {
            sum.started += part.started;
            sum.succeeded += part.succeeded;
            sum.failed += part.failed;
            sum.in_flight += part.in_flight;
            sum.cancelled += part.cancelled;
            sum.latency_max = sum.latency_max.max(part.latency_max);
        }
    }
}
