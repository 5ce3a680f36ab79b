//! The reference server in this process: a cluster with a clock that its user moves.
//!
//! A call is answered at once, at the time that the owner of the server has set. It waits only if
//! the database [stalls](Cluster::stall_database) or [loses answers](Cluster::lose_answers).

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::channel::oneshot;
use futures::future::Either;
use locket_sim::cluster::{Cluster, Handled};
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::log::Log;
use locket_sim::protocol::message;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::server::{Caller, CallerState};
use locket_sim::time::{Duration, Time};

use super::waiting::{Ended, Waiting};

/// The largest message, in bytes, that gRPC accepts by default: Locket and its clients (B6).
/// Neither checks its requests.
pub const MESSAGE_SIZE_MAX: usize = 4 * 1024 * 1024;

/// Locket in this process, on a clock that only its user moves.
///
/// Clones are handles to the same server.
///
/// `direct` has its clients, and `carrier` those that send messages.
#[derive(Clone, Debug)]
pub struct InProcessServer {
    core: Arc<Mutex<Core>>,
}

#[derive(Debug)]
struct Core {
    cluster: Cluster,
    now: Time,
    latency: Duration,
    waiting: Waiting,
}

impl Core {
    /// Tells those who wait what has become of their calls.
    fn settle(&mut self) {
        let finished = self.cluster.take_finished();
        self.waiting.settle(finished, self.latency, self.now);
    }
}

impl InProcessServer {
    /// A server with an empty table and one process, at time zero. The same `seed` gives the
    /// same modified ids.
    pub fn new(profile: Profile, seed: u64) -> Self {
        let cluster = Cluster::new(profile, seed);
        let core =
            Core { cluster, now: Time::ZERO, latency: Duration::ZERO, waiting: Waiting::default() };
        Self { core: Arc::new(Mutex::new(core)) }
    }

    /// Moves the clock to `now` and lets everything happen that is due by then. The clock does
    /// not go back.
    pub fn advance_to(&self, now: Time) {
        self.advance_with_log(now, &mut ());
    }

    /// As [`advance_to`](Self::advance_to), with the log records of the processes.
    pub fn advance_with_log(&self, now: Time, log: &mut dyn Log) {
        let mut core = self.core();
        core.now = core.now.max(now);
        let now = core.now;
        core.cluster.handle_timeout(now, log);
        core.settle();
    }

    /// When something happens next by itself, if anything does.
    pub fn deadline(&self) -> Option<Time> {
        let mut core = self.core();
        let given_up = core.waiting.deadline();
        core.cluster.deadline().into_iter().chain(given_up).min()
    }

    /// Ends the calls that wait, with Canceled.
    pub fn close(&self) {
        self.core().waiting = Waiting::default();
    }

    /// Sets how long an answer takes to reach the caller, from now on.
    pub fn set_latency(&self, latency: Duration) {
        self.core().latency = latency;
    }

    /// Looks at or changes the database and its processes, at the server's time.
    pub fn with_cluster<T>(&self, use_it: impl FnOnce(&mut Cluster, Time) -> T) -> T {
        let mut core = self.core();
        let now = core.now;
        let result = use_it(&mut core.cluster, now);
        core.settle();
        result
    }

    /// How long an answer takes to reach the caller.
    pub(crate) fn latency(&self) -> Duration {
        self.core().latency
    }

    /// Makes a call whose caller waits for so long.
    pub(super) fn begin(
        &self,
        process: usize,
        request: &message::Request,
        request_id: &str,
        limit: Option<Limit>,
    ) -> Either<Result<message::Response, LockError>, oneshot::Receiver<Ended>> {
        let state = match limit {
            Some(limit) if limit.is_missed => CallerState::DeadlineExceeded,
            _ => CallerState::Waiting,
        };
        let caller = Caller { request_id, state };
        let mut core = self.core();
        let now = core.now;
        match core.cluster.handle(process, request, caller, now, &mut ()) {
            Handled::Answered(result) => {
                core.settle();
                Either::Left(result)
            }
            Handled::Waits(call) => {
                let deadline = limit.map(|limit| now + limit.length);
                Either::Right(core.waiting.wait(call, deadline))
            }
        }
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        // A poisoned lock still guards a whole value: nothing in here is left half done.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long the caller of a request waits.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    length: Duration,
    /// True if its answer comes later than that, even if the database answers at once.
    pub(super) is_missed: bool,
}

impl Limit {
    /// A caller's timeout where answers take so long. One at the very instant of the deadline is in
    /// time.
    pub(super) fn new(timeout: Option<Duration>, latency: Duration) -> Option<Self> {
        timeout.map(|length| Self { length, is_missed: length < latency })
    }

    /// True if it was over before it began: grpc-go gives up then before it has read the message.
    pub(super) fn is_over(self) -> bool {
        self.length == Duration::ZERO
    }

    /// When the caller gets an answer that is given at once, or gives up on it.
    pub(super) fn after(limit: Option<Self>, latency: Duration) -> Duration {
        let missed = limit.filter(|limit| limit.is_missed);
        missed.map_or(latency, |limit| limit.length)
    }
}

/// The error of a call whose server was closed while it waited.
pub(super) const fn closed() -> LockError {
    LockError::Status(Code::Canceled, Cow::Borrowed("the server was closed"))
}

/// The error of a request over the limit, in grpc-go's words.
pub(super) fn too_large(size: usize) -> LockError {
    exhausted(format!("grpc: received message larger than max ({size} vs. {MESSAGE_SIZE_MAX})"))
}

/// The same of an answer, where the client can do something about it; `fetch/failure.js` has it for
/// what comes over the network.
pub(super) fn answer_too_large(size: usize, max: usize) -> LockError {
    exhausted(format!(
        "grpc: received message larger than max ({size} vs. {max}); raise the client's maxMessageBytes"
    ))
}

fn exhausted(message: String) -> LockError {
    LockError::Status(Code::ResourceExhausted, message.into())
}
