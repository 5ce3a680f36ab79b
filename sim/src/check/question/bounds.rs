//! The bounds of a search.

use serde::Deserialize;

use super::count::Count;
use crate::protocol::server::OPERATION_TIMEOUT;
use crate::time::Duration;

/// Declares the bounds, and their text, in which each may be left out.
macro_rules! bounds {
    ($( $(#[$doc:meta])* $field:ident: $type:ident $(as $name:literal)? $(, once if $length:ident)?; )*) => {
        /// The largest number and length of each fault. Where a field names a default, that is of a
        /// question as text; here none is allowed by default.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Bounds { $( $(#[$doc])* pub $field: $type, )* }

        /// The most that may go wrong in a search: nothing, but for the latency of messages.
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase", deny_unknown_fields)]
        #[cfg_attr(
            feature = "schema",
            derive(schemars::JsonSchema),
            schemars(rename = "Bounds", transform = crate::schema::without_null)
        )]
        pub(in crate::check) struct BoundsText { $( $(#[$doc])* $field: Option<$type>, )* }

        impl Bounds {
            /// The bounds that are times, with the names of their fields.
            pub(in crate::check) fn times(&self) -> impl Iterator<Item = (&'static str, Duration)> {
                [$( $( ($name, self.$field), )? )*].into_iter()
            }
        }

        // A time without a name would be no multiple of the grid.
        const _: () = {
            $(
                let names: &[&str] = &[$($name)?];
                assert!(names.len() == $type::NAMES);
            )*
        };

        impl BoundsText {
            /// The bounds of a question, or of a scenario, with those that are given instead. A fault
            /// that is given a length may happen once, and a failover loses one commit.
            pub(in crate::check) fn over(self, own: &Bounds) -> Bounds {
                let mut bounds = Bounds { $(
                    $field: self.$field.unwrap_or_else(|| own.$field$(.max(once(self.$length)))?),
                )* };
                if self.lost_commits.is_none() && !bounds.failovers.is_never() {
                    bounds.lost_commits = bounds.lost_commits.max(1);
                }
                bounds
            }
        }
    };
}

bounds! {
    /// The longest latency of a message, 1 s by default; each message takes any time up to it. A
    /// scenario's latency replaces the default.
    latency: Duration as "bounds.latency";
    /// How many messages may be lost.
    lost_messages: Count;
    /// How many messages may arrive twice, the second time within the longest latency too.
    duplicates: Count;
    /// How many times the connection of a client may break while Locket is up: what is on its way
    /// over it is lost, and the client knows it at once.
    disconnects: Count;
    /// How many times the link between a client and a Locket process may be cut, in one direction
    /// or in both; 1 if `partition` is given. A cut link loses its messages.
    partitions: Count, once if partition;
    /// The longest partition.
    partition: Duration as "bounds.partition";
    /// How many times a client may be paused; 1 if `pause` is given.
    pauses: Count, once if pause;
    /// The longest pause of a client, which may believe meanwhile that it holds the lock.
    pause: Duration as "bounds.pause";
    /// How many times the machine of a client may be suspended; 1 if `suspend` is given. Its clock
    /// is frozen meanwhile, so the client does not notice how much time has passed.
    suspends: Count, once if suspend;
    /// The longest suspend of a client's machine.
    suspend: Duration as "bounds.suspend";
    /// How many times a client may crash.
    crashes: Count;
    /// How many times a client that is down or has exited may start again, with the same owner.
    restarts: Count;
    /// How many times a client may be stopped in order.
    stops: Count;
    /// How many times a Locket process may crash.
    locket_crashes: Count;
    /// How many times a Locket process may drain, as in a rolling deploy: it accepts no connection,
    /// finishes its calls, stops and starts again. The first process drains first, then the next;
    /// each once the one before it runs again.
    locket_drains: Count;
    /// The longest downtime of a Locket process after a crash or a drain.
    locket_downtime: Duration as "bounds.locketDowntime";
    /// How many times a Locket process may be paused; 1 if `locketPause` is given.
    locket_pauses: Count, once if locket_pause;
    /// The longest pause of a Locket process.
    locket_pause: Duration as "bounds.locketPause";
    /// The longest latency of a query to the database, and of its reply, none by default; each takes
    /// any time up to it. A scenario's latency of the database replaces the default.
    database_latency: Duration as "bounds.databaseLatency";
    /// How many times the database may stall; 1 if `stall` is given. A database that stalls answers
    /// no query, and afterwards all of them.
    stalls: Count, once if stall;
    /// The longest stall of the database.
    stall: Duration as "bounds.stall";
    /// How many times the database may crash. A database that is down refuses every query, and keeps
    /// its rows.
    database_crashes: Count;
    /// The longest downtime of the database after a crash.
    database_downtime: Duration as "bounds.databaseDowntime";
    /// How many replies of the database to a Locket process may be lost.
    lost_replies: Count;
    /// How many times the database may fail over.
    failovers: Count;
    /// How many commits a failover loses; 1 by default.
    lost_commits: u8;
    /// How many times an operator may delete the row.
    row_deletions: Count;
}

/// The value of a bound.
trait Value {
    /// How many names it needs: a time has one.
    const NAMES: usize;
}

impl Value for Duration {
    const NAMES: usize = 1;
}

impl Value for Count {
    const NAMES: usize = 0;
}

impl Value for u8 {
    const NAMES: usize = 0;
}

/// How often a fault may happen that is only given a length.
fn once(length: Option<Duration>) -> Count {
    let is_long = length.is_some_and(|it| it > Duration::ZERO);
    Count::UpTo(is_long.into())
}

impl Bounds {
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
