//! The bounds of a search: the one list of all faults.

use crate::amounts::{Seconds, count, up_to};
use crate::protocol::server::OPERATION_TIMEOUT;
use crate::time::Duration;

/// The largest number and length of each fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How long a message may take; each takes any time up to that. No fault.
    pub latency: Duration,
    /// How many messages may be lost.
    pub lost_messages: u8,
    /// How many messages may arrive twice, the second time as late as a message may.
    pub duplicates: u8,
    /// How often the link between a client and a Locket process may be cut, in one direction or
    /// in both: what is sent meanwhile is lost.
    pub partitions: u8,
    /// How long each may last.
    pub partition: Duration,
    /// How often the connection of a client may break while Locket is up: what is on its way over
    /// it is lost, and the client knows it at once.
    pub disconnects: u8,
    /// How many pauses of clients there may be.
    pub pauses: u8,
    /// How long each may last.
    pub pause: Duration,
    /// How often a client may crash.
    pub crashes: u8,
    /// How often a client that is down or has ended may start again, with the same owner.
    pub restarts: u8,
    /// How often a client may receive the stop signal.
    pub stops: u8,
    /// How often a Locket process may crash.
    pub locket_crashes: u8,
    /// How often a Locket process may drain, as in a rolling deploy: it finishes its calls, accepts
    /// no connection, stops and starts again. The first process drains first, then the next; each
    /// once the one before it runs again.
    pub locket_drains: u8,
    /// How long a Locket process is down after a crash or a drain, at most.
    pub locket_downtime: Duration,
    /// How often a Locket process may be paused.
    pub locket_pauses: u8,
    /// How long each may last.
    pub locket_pause: Duration,
    /// How long a query of a Locket process to the database may take, and so the answer; each takes
    /// any time up to that. No fault.
    pub database_latency: Duration,
    /// How often the database may stall: it answers nothing for a while, and then everything.
    pub stalls: u8,
    /// How long each may last.
    pub stall: Duration,
    /// How many answers of the database to a process may be lost.
    pub lost_replies: u8,
    /// How often the database may fail over.
    pub failovers: u8,
    /// How many commits it loses each time.
    pub lost_commits: u8,
    /// How often an operator may delete the row.
    pub row_deletions: u8,
}

/// A fault that may happen so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) enum Fault {
    Crash,
    Disconnect,
    Duplicate,
    RowDeletion,
    Failover,
    LocketCrash,
    LocketDrain,
    LocketPause,
    LostMessage,
    LostReply,
    Partition,
    Pause,
    Restart,
    Stall,
    Stop,
}

/// How many kinds of faults there are.
pub(in crate::check) const FAULTS: usize = Fault::ALL.len();

impl Fault {
    /// All of them, each at the place of its number.
    pub(in crate::check) const ALL: [Self; 15] = [
        Self::Crash,
        Self::Disconnect,
        Self::Duplicate,
        Self::RowDeletion,
        Self::Failover,
        Self::LocketCrash,
        Self::LocketDrain,
        Self::LocketPause,
        Self::LostMessage,
        Self::LostReply,
        Self::Partition,
        Self::Pause,
        Self::Restart,
        Self::Stall,
        Self::Stop,
    ];

    /// How often it may happen.
    pub(in crate::check) const fn allowed(self, bounds: &Bounds) -> u8 {
        match self {
            Self::Crash => bounds.crashes,
            Self::Disconnect => bounds.disconnects,
            Self::Duplicate => bounds.duplicates,
            Self::RowDeletion => bounds.row_deletions,
            Self::Failover => bounds.failovers,
            Self::LocketCrash => bounds.locket_crashes,
            Self::LocketDrain => bounds.locket_drains,
            Self::LocketPause => bounds.locket_pauses,
            Self::LostMessage => bounds.lost_messages,
            Self::LostReply => bounds.lost_replies,
            Self::Partition => bounds.partitions,
            Self::Pause => bounds.pauses,
            Self::Restart => bounds.restarts,
            Self::Stall => bounds.stalls,
            Self::Stop => bounds.stops,
        }
    }

    /// The field of a question that says so.
    pub(in crate::check) const fn field(self) -> &'static str {
        match self {
            Self::Crash => "bounds.crashes",
            Self::Disconnect => "bounds.disconnects",
            Self::Duplicate => "bounds.duplicates",
            Self::RowDeletion => "bounds.rowDeletions",
            Self::Failover => "bounds.failovers",
            Self::LocketCrash => "bounds.locketCrashes",
            Self::LocketDrain => "bounds.locketDrains",
            Self::LocketPause => "bounds.locketPauses",
            Self::LostMessage => "bounds.lostMessages",
            Self::LostReply => "bounds.lostReplies",
            Self::Partition => "bounds.partitions",
            Self::Pause => "bounds.pauses",
            Self::Restart => "bounds.restarts",
            Self::Stall => "bounds.stalls",
            Self::Stop => "bounds.stops",
        }
    }

    /// One of them and several, in words.
    const fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Crash => ("crash", "crashes"),
            Self::Disconnect => ("broken connection", "broken connections"),
            Self::Duplicate => ("duplicate message", "duplicate messages"),
            Self::RowDeletion => ("row deleted", "rows deleted"),
            Self::Failover => ("failover", "failovers"),
            Self::LocketCrash => ("Locket crash", "Locket crashes"),
            Self::LocketDrain => ("Locket drain", "Locket drains"),
            Self::LocketPause => ("Locket pause", "Locket pauses"),
            Self::LostMessage => ("message", "messages"),
            Self::LostReply => ("lost database reply", "lost database replies"),
            Self::Partition => ("partition", "partitions"),
            Self::Pause => ("pause", "pauses"),
            Self::Restart => ("restart", "restarts"),
            Self::Stall => ("database stall", "database stalls"),
            Self::Stop => ("stop", "stops"),
        }
    }

    /// How often it may happen, in words; nothing if never.
    pub(in crate::check) fn words(self, bounds: &Bounds) -> Option<String> {
        let number = self.allowed(bounds);
        let (one, several) = self.nouns();
        let number = (number > 0).then(|| up_to(number, one, several))?;
        let each = match self {
            Self::Failover => format!(" (losing {})", count(bounds.lost_commits.into(), "commit")),
            Self::LocketCrash | Self::LocketDrain => {
                format!(" (down ≤ {})", Seconds(bounds.locket_downtime))
            }
            Self::LocketPause => format!(" (≤ {})", Seconds(bounds.locket_pause)),
            Self::LostMessage => " lost".to_owned(),
            Self::Partition => format!(" (≤ {})", Seconds(bounds.partition)),
            Self::Pause => format!(" (≤ {})", Seconds(bounds.pause)),
            Self::Stall => format!(" (≤ {})", Seconds(bounds.stall)),
            Self::Crash
            | Self::Disconnect
            | Self::Duplicate
            | Self::RowDeletion
            | Self::LostReply
            | Self::Restart
            | Self::Stop => String::new(),
        };
        Some(number + &each)
    }
}

impl Bounds {
    /// The bounds that are times, with the names of their fields.
    pub(in crate::check) const fn times(&self) -> [(&'static str, Duration); 7] {
        [
            ("bounds.latency", self.latency),
            ("bounds.partition", self.partition),
            ("bounds.pause", self.pause),
            ("bounds.locketDowntime", self.locket_downtime),
            ("bounds.locketPause", self.locket_pause),
            ("bounds.databaseLatency", self.database_latency),
            ("bounds.stall", self.stall),
        ]
    }

    /// Whether a Locket process may end.
    pub(in crate::check) const fn end_processes(&self) -> bool {
        self.locket_crashes > 0 || self.locket_drains > 0
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

    /// Whether time can pass between a transaction of a process and its answer, or for ever.
    pub(in crate::check) const fn part_process_and_database(&self) -> bool {
        self.hold_up_answers() || self.slow_database()
    }

    const fn hold_up_answers(&self) -> bool {
        self.locket_pauses > 0 || self.stalls > 0 || self.lost_replies > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_stands_at_the_place_of_its_number() {
        for (number, fault) in Fault::ALL.into_iter().enumerate() {
            assert_eq!(fault as usize, number);
        }
    }
}
