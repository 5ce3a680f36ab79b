//! The bounds of a search.

use super::count::Count;
use crate::protocol::server::OPERATION_TIMEOUT;
use crate::time::Duration;

/// The largest number and length of each fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How long a message may take; each takes any time up to that. No fault.
    pub latency: Duration,
    /// How many messages may be lost.
    pub lost_messages: Count,
    /// How many messages may arrive twice, the second time as late as a message may.
    pub duplicates: Count,
    /// How often the link between a client and a Locket process may be cut, in one direction or
    /// in both: what is sent meanwhile is lost.
    pub partitions: Count,
    /// How long each may last.
    pub partition: Duration,
    /// How often the connection of a client may break while Locket is up: what is on its way over
    /// it is lost, and the client knows it at once.
    pub disconnects: Count,
    /// How many pauses of clients there may be.
    pub pauses: Count,
    /// How long each may last.
    pub pause: Duration,
    /// How often the machine of a client may be suspended: a pause in which its clock is frozen.
    pub suspends: Count,
    /// How long each may last.
    pub suspend: Duration,
    /// How often a client may crash.
    pub crashes: Count,
    /// How often a client that is down or has ended may start again, with the same owner.
    pub restarts: Count,
    /// How often a client may receive the stop signal.
    pub stops: Count,
    /// How often a Locket process may crash.
    pub locket_crashes: Count,
    /// How often a Locket process may drain, as in a rolling deploy: it finishes its calls, accepts
    /// no connection, stops and starts again. The first process drains first, then the next; each
    /// once the one before it runs again.
    pub locket_drains: Count,
    /// How long a Locket process is down after a crash or a drain, at most.
    pub locket_downtime: Duration,
    /// How often a Locket process may be paused.
    pub locket_pauses: Count,
    /// How long each may last.
    pub locket_pause: Duration,
    /// How long a query of a Locket process to the database may take, and so the answer; each takes
    /// any time up to that. No fault.
    pub database_latency: Duration,
    /// How often the database may stall: it answers nothing for a while, and then everything.
    pub stalls: Count,
    /// How long each may last.
    pub stall: Duration,
    /// How often the database may crash: it refuses every query until it starts again, with the rows
    /// that it had.
    pub database_crashes: Count,
    /// How long it is down, at most.
    pub database_downtime: Duration,
    /// How many answers of the database to a process may be lost.
    pub lost_replies: Count,
    /// How often the database may fail over.
    pub failovers: Count,
    /// How many commits it loses each time.
    pub lost_commits: u8,
    /// How often an operator may delete the row.
    pub row_deletions: Count,
}

impl Bounds {
    /// The bounds that are times, with the names of their fields.
    pub(in crate::check) const fn times(&self) -> [(&'static str, Duration); 9] {
        [
            ("bounds.latency", self.latency),
            ("bounds.partition", self.partition),
            ("bounds.pause", self.pause),
            ("bounds.suspend", self.suspend),
            ("bounds.locketDowntime", self.locket_downtime),
            ("bounds.locketPause", self.locket_pause),
            ("bounds.databaseLatency", self.database_latency),
            ("bounds.stall", self.stall),
            ("bounds.databaseDowntime", self.database_downtime),
        ]
    }

    /// Whether a Locket process may end.
    pub(in crate::check) const fn end_processes(&self) -> bool {
        !self.locket_crashes.is_never() || !self.locket_drains.is_never()
    }

    /// Whether the messages between a process and the database take time.
    pub(in crate::check) const fn slow_database(&self) -> bool {
        self.database_latency.as_ms() > 0
    }

    /// Whether a process can wait for an answer of the database for so long that it gives up.
    pub(in crate::check) const fn exceed_operation_timeout(&self) -> bool {
        let longest = 2 * self.database_latency.as_ms();
        self.hold_up_answers() || longest >= OPERATION_TIMEOUT.as_ms()
    }

    /// Whether something can come between a transaction of a process and its answer.
    pub(in crate::check) const fn part_process_and_database(&self) -> bool {
        self.hold_up_answers() || self.slow_database() || !self.database_crashes.is_never()
    }

    const fn hold_up_answers(&self) -> bool {
        !self.locket_pauses.is_never() || !self.stalls.is_never() || !self.lost_replies.is_never()
    }
}
