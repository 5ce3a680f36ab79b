//! The four calls.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::Message;
use tonic::client::Grpc;
use tonic::{IntoRequest, Request, Response, Status};

use super::error::CallError;
use super::request::TIMEOUT_MAX;
use crate::proto;
use crate::transport::encoded::Encoded;
use crate::transport::fetch;
use crate::transport::grpc_web_client::GrpcWeb;

/// Calls Locket through a gRPC-Web proxy. Cheap to clone.
///
/// Each call takes a message, or a [`tonic::Request`] around it that brings metadata or a
/// timeout of its own. Metadata `uuid` is made up unless it is given.
#[derive(Clone, Debug)]
pub struct LocketClient {
    carrier: GrpcWeb,
    timeout: Option<Duration>,
}

impl LocketClient {
    /// A client of the Locket behind this base URL.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self::over(GrpcWeb::new(base_url))
    }

    pub(crate) const fn over(carrier: GrpcWeb) -> Self {
        Self { carrier, timeout: None }
    }

    pub(crate) fn base_url(&self) -> &str {
        self.carrier.base_url()
    }

    /// How long each call waits for its answer, unless it says so itself. There is no limit by
    /// default.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout.min(TIMEOUT_MAX));
        self
    }

    /// Accepts messages of up to this many bytes instead of gRPC's default of 4 MiB, over
    /// which a call fails with `ResourceExhausted`. Only FetchAll's answers come near it.
    #[must_use]
    pub fn with_max_message_bytes(mut self, bytes: u32) -> Self {
        self.carrier = self.carrier.with_max_message_bytes(bytes);
        self
    }

    /// Takes a lock or presence, or renews it if the owner holds it already.
    pub async fn lock(
        &self,
        request: impl IntoRequest<proto::LockRequest>,
    ) -> Result<(), CallError> {
        let call = self.start(Method::Lock, request.into_request());
        call.await.map(|proto::LockResponse {}| ())
    }

    /// Gives a lock or presence up.
    pub async fn release(
        &self,
        request: impl IntoRequest<proto::ReleaseRequest>,
    ) -> Result<(), CallError> {
        let call = self.start(Method::Release, request.into_request());
        call.await.map(|proto::ReleaseResponse {}| ())
    }

    /// Reads who holds a key.
    pub async fn fetch(
        &self,
        request: impl IntoRequest<proto::FetchRequest>,
    ) -> Result<proto::Resource, CallError> {
        let call = self.start(Method::Fetch, request.into_request());
        // Left out, a message is one with nothing in it.
        call.await.map(|response: proto::FetchResponse| response.resource.unwrap_or_default())
    }

    /// Lists all locks, or all presences, in no particular order.
    pub async fn fetch_all(
        &self,
        request: impl IntoRequest<proto::FetchAllRequest>,
    ) -> Result<Vec<proto::Resource>, CallError> {
        let call = self.start(Method::FetchAll, request.into_request());
        call.await.map(|response: proto::FetchAllResponse| response.resources)
    }

    /// Sends a message; resolves with the server's, still encoded.
    pub(crate) fn send(&self, method: Method, mut request: Request<Bytes>) -> Encodeds {
        if let Some(timeout) = self.timeout
            && !request.metadata().contains_key("grpc-timeout")
        {
            request.set_timeout(timeout);
        }
        // The carrier has compared sizes already, and says it in gRPC's own words.
        let mut grpc = Grpc::new(self.carrier.clone()).max_decoding_message_size(usize::MAX);
        let path = PathAndQuery::from_static(method.path());
        Box::pin(async move {
            let answer = grpc.unary(request, path, Encoded).await;
            let answer = answer.map(Response::into_inner);
            answer.map_err(CallError::new)
        })
    }

    async fn start<Wire, Answer>(
        &self,
        method: Method,
        request: Request<Wire>,
    ) -> Result<Answer, CallError>
    where
        Wire: Message,
        Answer: Message + Default,
    {
        let mut request = request.map(|message| message.encode_to_vec().into());
        let id = identify(&mut request);
        let answer = self.send(method, request).await;
        answer.and_then(decode).map_err(|error| error.of(method).with_request_id(id))
    }
}

/// The server's message, still encoded.
pub(crate) type Encodeds = Pin<Box<dyn Future<Output = Result<Bytes, CallError>>>>;

/// The method.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    Fetch,
    FetchAll,
    Lock,
    Release,
}

impl Method {
    const fn path(self) -> &'static str {
        match self {
            Self::Fetch => "/models.Locket/Fetch",
            Self::FetchAll => "/models.Locket/FetchAll",
            Self::Lock => "/models.Locket/Lock",
            Self::Release => "/models.Locket/Release",
        }
    }
}

/// Reads the server's message.
pub(crate) fn decode<Answer: Message + Default>(answer: Bytes) -> Result<Answer, CallError> {
    Answer::decode(answer).map_err(|error| {
        let text = format!("the answer is not the message that belongs there: {error}");
        CallError::new(Status::internal(text))
    })
}

/// The request's id, made up if it has none.
fn identify<T>(request: &mut Request<T>) -> String {
    if let Some(given) = request.metadata().get("uuid") {
        return given.to_str().unwrap_or_default().to_owned();
    }
    let id = fetch::request_id();
    if let Ok(value) = id.parse() {
        request.metadata_mut().insert("uuid", value);
    }
    id
}
