//! The reference server of a test.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use locket_sim::cluster::Cluster;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::row::Row;
use locket_sim::settings::LockSettings;
use locket_sim::time::{Duration, Time};
use locket_sim::trace::excerpt;

use super::client::Client;
use super::kept::Kept;
use super::state::State;
use super::trace::Record;
use crate::driver::settings::check;
#[cfg(feature = "grpc")]
use crate::proto::locket_client::LocketClient;
#[cfg(feature = "grpc")]
use crate::transport::carrier::Carrier;
use crate::transport::in_process::InProcessServer;

/// Locket in this process, on a clock that only the test moves.
///
/// Clones are handles to the same server.
///
/// ```
/// use locket_wasm::testing::{DurationExt as _, LockSettings, Profile, ReferenceServer};
///
/// let server = ReferenceServer::builder().profile(Profile::UPSTREAM).processes(2).build();
/// let active = server.keep(LockSettings::new("bbs", "bbs-0"));
/// let standby = server.keep(LockSettings::new("bbs", "bbs-1"));
///
/// active.stop();
/// server.advance(5.seconds());
/// assert!(standby.held());
/// server.assert_held("bbs", "bbs-1");
/// ```
#[derive(Clone, Debug)]
pub struct ReferenceServer {
    pub(super) state: Rc<RefCell<State>>,
}

/// Makes a [`ReferenceServer`] with settings other than the default.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Builder {
    profile: Profile,
    seed: u64,
    processes: usize,
}

impl Builder {
    /// The Locket that it behaves as; by default that of the documents.
    pub const fn profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// The seed of its ids; 0 by default.
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How many Locket processes share its database; 1 by default.
    pub const fn processes(self, processes: usize) -> Self {
        Self { processes, ..self }
    }

    /// The server, at time zero, with an empty table.
    pub fn build(self) -> ReferenceServer {
        let server = InProcessServer::new(self.profile, self.seed);
        server.with_cluster(|cluster, now| {
            for _ in 1..self.processes {
                cluster.add_process(now, &mut ());
            }
        });
        let state = State::new(server, self.seed);
        ReferenceServer { state: Rc::new(RefCell::new(state)) }
    }
}

impl Default for ReferenceServer {
    fn default() -> Self {
        Self::new()
    }
}

/// Clients, runners and time.
impl ReferenceServer {
    /// A server as documented, with one process, at time zero.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A server with settings other than the default.
    pub const fn builder() -> Builder {
        Builder { profile: Profile::DOCUMENTED, seed: 0, processes: 1 }
    }

    /// A client with this name, which is the owner of all that it takes.
    pub fn client(&self, name: &str) -> Client {
        Client::new(Rc::clone(&self.state), name)
    }

    /// tonic's generated client, over real messages, for code that takes one. Its futures are ready
    /// at once. The trace does not have its calls. With the feature `grpc`.
    #[cfg(feature = "grpc")]
    pub fn grpc_client(&self) -> LocketClient<Carrier> {
        self.state.borrow().world.server().grpc_client()
    }

    /// Starts a runner, which keeps its lock or presence whenever time passes.
    ///
    /// # Panics
    ///
    /// If Locket would refuse these settings forever, or the lease would end before each renewal.
    /// Also if a runner already keeps the key as this owner: for Locket the two are one, and the
    /// release of either would end the other.
    #[track_caller]
    pub fn keep(&self, settings: LockSettings) -> Kept {
        let settings = settings.runner_settings();
        if let Err(error) = check(&settings) {
            panic!("{:?}: {}", error.setting, error.problem);
        }
        let runner = self.state.borrow_mut().keep(settings);
        let runner = runner.unwrap_or_else(|error| panic!("{error}"));
        Kept::new(Rc::clone(&self.state), runner)
    }

    /// The time on the server's clock.
    pub fn now(&self) -> Time {
        self.state.borrow().now()
    }

    /// Lets time pass, with everything that is due.
    pub fn advance(&self, by: impl Into<Duration>) {
        let target = self.now() + by.into();
        self.advance_to(target);
    }

    /// Lets time pass to a moment. The clock does not go back.
    pub fn advance_to(&self, time: Time) {
        self.state.borrow_mut().advance_to(time);
    }

    /// Sets how long each answer takes from now on. The time of a call passes on the server's
    /// clock.
    pub fn set_latency(&self, latency: impl Into<Duration>) {
        self.state.borrow().world.server().set_latency(latency.into());
    }
}

/// Processes and database.
impl ReferenceServer {
    /// Stops a Locket process as a crash does; says whether it ran. The rows stay.
    pub fn stop(&self, process: usize) -> bool {
        self.change(process, "stops", |cluster, _| cluster.stop(process))
    }

    /// Starts a Locket process that is stopped; says whether it was. Every row gets its full TTL
    /// again, as far as this process is concerned.
    pub fn start(&self, process: usize) -> bool {
        self.change(process, "starts", |cluster, now| cluster.start(process, now, &mut ()))
    }

    /// Stops a Locket process and starts it at once.
    pub fn restart(&self, process: usize) -> bool {
        self.change(process, "restarts", |cluster, now| cluster.restart(process, now, &mut ()))
    }

    /// Looks at or changes the database and its processes: [`Cluster`] has its faults, such as
    /// [`stall_database`](Cluster::stall_database). The trace does not have these changes.
    pub fn with_cluster<T>(&self, change: impl FnOnce(&mut Cluster, Time) -> T) -> T {
        self.state.borrow_mut().change(change)
    }

    /// The rows of the table, by key.
    pub fn table(&self) -> Vec<Row> {
        let state = self.state.borrow();
        let server = state.world.server();
        server.with_cluster(|cluster, now| cluster.table(now, &mut ()).rows())
    }

    fn change(
        &self,
        process: usize,
        words: &str,
        change: impl FnOnce(&mut Cluster, Time) -> bool,
    ) -> bool {
        let mut state = self.state.borrow_mut();
        let done = state.change(change);
        if done {
            state.record(format!("locket-{process} {words}"));
        }
        done
    }
}

/// Trace and assertions.
impl ReferenceServer {
    /// The events so far: calls of clients, expiries, processes that stop and start, and events of
    /// runners.
    pub fn trace(&self) -> Vec<Record> {
        self.state.borrow().trace.clone()
    }

    /// This owner holds the key now.
    ///
    /// # Panics
    ///
    /// With the table and the trace, if another owner or none does.
    #[track_caller]
    pub fn assert_held(&self, key: &str, owner: &str) {
        self.assert_owner(key, Some(owner), &format!("to be held by '{owner}'"));
    }

    /// The key has no owner now.
    ///
    /// # Panics
    ///
    /// With the table and the trace, if it has one.
    #[track_caller]
    pub fn assert_free(&self, key: &str) {
        self.assert_owner(key, None, "to have no owner");
    }

    #[track_caller]
    fn assert_owner(&self, key: &str, expected: Option<&str>, claim: &str) {
        let row = self.table().into_iter().find(|row| row.path == key);
        let owner = row.and_then(|row| row.owner);
        let truth = match &owner {
            Some(owner) => format!("'{owner}' holds it"),
            None => "it has no owner".to_owned(),
        };
        let is_so = owner.as_deref() == expected;
        assert!(is_so, "expected '{key}' {claim}, but {truth}\n{}", self.report());
    }

    fn report(&self) -> String {
        let mut report = format!("table at {} s:\n", self.now());
        for row in self.table() {
            let _ = writeln!(report, "  {row}");
        }
        let trace = self.trace().into_iter();
        report + &excerpt("trace", trace.map(|Record { at, words }| (at, words)))
    }
}
