//! The fixed part of Locket in a search: its processes, and what clients ask.

use crate::check::question::limits::KEY;
use crate::check::question::owners::Owners;
use crate::protocol::message::{Method, Request};
use crate::protocol::profile::{ExpiryRule, Profile};
use crate::protocol::resource::{Resource, TypeCode};
use crate::scenario::Share;
use crate::time::Duration;

/// The fixed part: the clients and processes.
#[derive(Clone, Debug)]
pub(in crate::check) struct BackEndSettings {
    pub(in crate::check) profile: Profile,
    /// The length of a unit of time.
    pub(in crate::check) unit_ms: u64,
    pub(in crate::check) processes: usize,
    /// The TTL of each client, which is that of its rows.
    pub(in crate::check) ttls_in_seconds: Vec<i64>,
    pub(in crate::check) type_code: TypeCode,
    pub(in crate::check) owners: Owners,
    /// True if processes poll. With one process, an instant database and no faults between
    /// them a poll finds nothing new.
    pub(in crate::check) polls: bool,
    /// True if processes can give up on the database.
    pub(in crate::check) gives_up: bool,
    /// How long a query and its answer may take.
    pub(in crate::check) database_latency: Duration,
    /// How long a transaction may hold its row.
    pub(in crate::check) transaction_time: Duration,
    /// How many commits a failover can lose.
    pub(in crate::check) lost_commits: usize,
    /// How the rows of clients expire by timers of processes.
    pub(in crate::check) timers: Timers,
    /// By how much clocks may drift: by that of its client, a row may go earlier.
    pub(in crate::check) drift: Share,
    /// True if the lives of processes are not counted: no client knows one that has ended.
    pub(in crate::check) forgets_lives: bool,
    /// The pairs of clients that can change places without changing anything.
    pub(in crate::check) swaps: Vec<(u8, u8)>,
}

/// How rows expire by the timers of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Timers {
    /// A process has timers for the rows that it has registered.
    Each,
    /// The same, and the ages of rows count, to compare them with those of a search with `AnyProcess`.
    #[cfg(test)]
    EachWithAges,
    /// A process that there may be has registered each row as it was written, or at any time since.
    /// No process polls, or has timers of its own.
    AnyProcess,
}

impl BackEndSettings {
    /// True if it matters for how long a row stands as it is. The table itself knows that where it
    /// deletes rows.
    pub(super) fn has_ages(&self) -> bool {
        self.timers != Timers::Each && self.profile.expiry == ExpiryRule::UpstreamTimers
    }

    /// The least that the TTL of a client's row is by the clock of the client.
    pub(super) fn ttl(&self, client: u8) -> Duration {
        let ttl = Duration::from_seconds(self.ttls_in_seconds[usize::from(client)] as u64);
        self.drift.shortest(ttl, self.unit_ms)
    }

    pub(super) fn request(&self, client: u8, method: Method) -> Request {
        let resource = Resource {
            key: KEY.to_owned(),
            owner: self.owners.first(client).to_string(),
            type_code: self.type_code,
            ..Resource::default()
        };
        match method {
            Method::Fetch => Request::Fetch { key: resource.key },
            Method::FetchAll => {
                Request::FetchAll { type_name: String::new(), type_code: self.type_code }
            }
            Method::Lock => Request::Lock {
                resource: Some(resource),
                ttl_in_seconds: self.ttls_in_seconds[usize::from(client)],
            },
            Method::Release => Request::Release { resource: Some(resource) },
        }
    }
}
