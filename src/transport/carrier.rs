//! The generated client of tonic over the reference server in this process.
//!
//! Real messages, encoded and decoded, and real status mapping, without a socket.
//! [`Answered::after`] is the time that a real server's answer would still need: the latency that
//! was set, or the caller's deadline if that comes first. Deadlines are enforced on the virtual
//! clock, since tonic enforces them only in servers with a socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use locket_sim::protocol::message;
use locket_sim::time::Duration;
use tonic::body::Body;
use tonic::{Request, Response, Status};
use tower_service::Service;

use super::deadline::timeout;
use super::direct::{Called, DirectClient};
use super::in_process::{InProcessServer, MESSAGE_SIZE_MAX};
use crate::convert::{self, WrongResponse};
use crate::proto;
use crate::proto::locket_client::LocketClient;
use crate::proto::locket_server::{Locket, LocketServer};

/// ```
/// use futures::FutureExt as _;
/// use locket_wasm::proto::{FetchRequest, LockRequest, Resource, TypeCode};
/// use locket_wasm::sim::protocol::profile::Profile;
/// use locket_wasm::sim::time::Time;
/// use locket_wasm::InProcessServer;
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
impl InProcessServer {
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
/// first, unless the call [waits](locket_sim::cluster::Cluster::calls_wait) for the database.
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
