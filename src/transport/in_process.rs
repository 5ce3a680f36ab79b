//! The reference server in this process: the generated server over the rules, called directly
//! by the generated client.
//!
//! Real messages, encoded and decoded, and real status mapping, without a socket. A call is
//! answered at once, at the time that the owner of the server has set. It waits only if the
//! database [stalls](Cluster::stall_database) or [loses answers](Cluster::lose_answers).
//! [`Answered::after`] is the time that a real server's
//! answer would still need: the latency that was set, or the caller's deadline if that comes
//! first. Deadlines are enforced here, on the virtual clock, since tonic enforces them only in
//! servers with a socket.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures::channel::oneshot;
use futures::future::{BoxFuture, Either};
use locket_sim::cluster::{Cluster, Handled};
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::log::Log;
use locket_sim::protocol::message;
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::server::{Caller, Patience};
use locket_sim::time::{Duration, Time};
use tonic::body::Body;
use tonic::{Request, Response, Status};
use tower_service::Service;

use super::deadline::timeout;
use super::direct::{Called, DirectClient};
use super::waiting::{Ended, Waiting};
use crate::convert::{self, WrongResponse};
use crate::proto;
use crate::proto::locket_client::LocketClient;
use crate::proto::locket_server::{Locket, LocketServer};

/// The largest message, in bytes, that gRPC accepts by default: Locket and its clients (B6).
/// Neither checks its requests.
pub const MESSAGE_SIZE_MAX: usize = 4 * 1024 * 1024;

/// Locket in this process, on a clock that only its user moves.
///
/// Clones are handles to the same server.
///
/// ```
/// use futures::FutureExt as _;
/// use locket_wasm::proto::{FetchRequest, LockRequest, Resource, TypeCode};
/// use locket_wasm::sim::protocol::profile::Profile;
/// use locket_wasm::sim::time::Time;
/// use locket_wasm::transport::in_process::InProcessServer;
///
/// let server = InProcessServer::new(Profile::DOCUMENTED, 1);
/// let mut client = server.grpc_client();
/// let resource = Resource {
///     key: "bbs".into(),
///     owner: "bbs-0".into(),
///     type_code: TypeCode::Lock.into(),
///     ..Resource::default()
/// };
/// let lock = LockRequest { resource: Some(resource), ttl_in_seconds: 15 };
/// client.lock(lock).now_or_never().expect("nothing waits").expect("the key is free");
///
/// server.advance_to(Time::from_ms(15_000));
/// let fetch = FetchRequest { key: "bbs".into() };
/// let refused = client.fetch(fetch).now_or_never().expect("nothing waits").unwrap_err();
/// assert_eq!(refused.message(), "resource-not-found");
/// ```
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
        let core = Core {
            cluster,
            now: Time::ZERO,
            latency: Duration::ZERO,
            waiting: Waiting::default(),
        };
        Self {
            core: Arc::new(Mutex::new(core)),
        }
    }

    /// The generated client of the first process.
    pub fn grpc_client(&self) -> LocketClient<Carrier> {
        self.client_of(0)
    }

    /// A client of process number `process`; if there is none or it is stopped, every call is
    /// answered with Unavailable.
    pub fn client_of(&self, process: usize) -> LocketClient<Carrier> {
        self.client_carrier(process, MESSAGE_SIZE_MAX).into_client()
    }

    /// The carrier of calls to process number `process`, and of answers of any size, as Locket
    /// sends them.
    pub fn carrier(&self, process: usize) -> Carrier {
        self.client_carrier(process, usize::MAX)
    }

    /// A carrier for a client that takes messages of up to `message_size_max` bytes.
    pub fn client_carrier(&self, process: usize, message_size_max: usize) -> Carrier {
        let answered = Answered::default();
        let handler = Handler {
            client: DirectClient::new(self.clone(), process, message_size_max),
            answered: answered.clone(),
        };
        Carrier {
            generated: LocketServer::new(handler).max_decoding_message_size(usize::MAX),
            answered,
        }
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
    pub(super) fn latency(&self) -> Duration {
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
        let patience = match limit {
            Some(limit) if limit.is_missed => Patience::DeadlineExceeded,
            _ => Patience::Waiting,
        };
        let caller = Caller {
            request_id,
            patience,
        };
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

/// When a call's answer reaches its caller, for the code that delivers it.
#[derive(Clone, Debug, Default)]
pub struct Answered(Arc<AtomicU64>);

impl Answered {
    /// How long after the call its answer arrives.
    pub fn after(&self) -> Duration {
        Duration::from_ms(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, after: Duration) {
        self.0.store(after.as_ms(), Ordering::Relaxed);
    }
}

/// Carries calls to one process of a [`InProcessServer`].
///
/// A tower service; [`LocketClient`] is generic over it. Its futures are ready when they are polled
/// first, unless the call [waits](Cluster::calls_wait) for the database.
#[derive(Clone, Debug)]
pub struct Carrier {
    generated: LocketServer<Handler>,
    answered: Answered,
}

impl Carrier {
    /// The generated client over this carrier.
    pub fn into_client(self) -> LocketClient<Self> {
        // Sizes are checked behind the handler, with gRPC's own code and text.
        LocketClient::new(self).max_decoding_message_size(usize::MAX)
    }

    /// Tells about the last call of this carrier and its clones.
    pub fn answered(&self) -> Answered {
        self.answered.clone()
    }
}

impl Service<http::Request<Body>> for Carrier {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        self.generated.call(request)
    }
}

/// How long the caller of a request waits.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    length: Duration,
    /// Whether its answer comes later than that, even if the database answers at once.
    pub(super) is_missed: bool,
}

impl Limit {
    /// A caller's timeout where answers take so long. One at the very instant of the deadline is in
    /// time.
    pub(super) fn new(timeout: Option<Duration>, latency: Duration) -> Option<Self> {
        timeout.map(|length| Self {
            length,
            is_missed: length < latency,
        })
    }

    /// Whether it was over before it began: grpc-go gives up then before it has read the message.
    pub(super) fn is_over(self) -> bool {
        self.length == Duration::ZERO
    }

    /// When the caller gets an answer that is given at once, or gives up on it.
    pub(super) fn after(limit: Option<Self>, latency: Duration) -> Duration {
        let missed = limit.filter(|limit| limit.is_missed);
        missed.map_or(latency, |limit| limit.length)
    }
}

/// The generated server's handler: converts, calls, converts back.
#[derive(Clone, Debug)]
pub struct Handler {
    client: DirectClient,
    answered: Answered,
}

impl Handler {
    async fn answer<Wire, Answer>(&self, request: Request<Wire>) -> Result<Response<Answer>, Status>
    where
        Wire: Into<message::Request>,
        Answer: TryFrom<message::Response, Error = WrongResponse>,
    {
        let (metadata, _, wire) = request.into_parts();
        let id = metadata.get("uuid").and_then(|id| id.to_str().ok());
        let (id, timeout) = (id.unwrap_or_default(), timeout(metadata.as_ref()));
        let Called { result, after } = self.client.call(&wire.into(), id, timeout).await;
        self.answered.set(after);
        let answer = result.map_err(|error| convert::status(&error))?;
        Ok(Response::new(Answer::try_from(answer)?))
    }
}

/// The error of a call whose server was closed while it waited.
pub(super) const fn closed() -> LockError {
    LockError::Status(Code::Canceled, Cow::Borrowed("the server was closed"))
}

/// The error of a request over the limit, in grpc-go's words.
pub(super) fn too_large(size: usize) -> LockError {
    exhausted(format!(
        "grpc: received message larger than max ({size} vs. {MESSAGE_SIZE_MAX})"
    ))
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

#[tonic::async_trait]
impl Locket for Handler {
    async fn lock(
        &self,
        request: Request<proto::LockRequest>,
    ) -> Result<Response<proto::LockResponse>, Status> {
        self.answer(request).await
    }

    async fn fetch(
        &self,
        request: Request<proto::FetchRequest>,
    ) -> Result<Response<proto::FetchResponse>, Status> {
        self.answer(request).await
    }

    async fn release(
        &self,
        request: Request<proto::ReleaseRequest>,
    ) -> Result<Response<proto::ReleaseResponse>, Status> {
        self.answer(request).await
    }

    async fn fetch_all(
        &self,
        request: Request<proto::FetchAllRequest>,
    ) -> Result<Response<proto::FetchAllResponse>, Status> {
        self.answer(request).await
    }
}
