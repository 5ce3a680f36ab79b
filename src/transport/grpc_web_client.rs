//! Calls to a real Locket behind a gRPC-Web proxy, over `fetch`.

use std::cell::Cell;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{BufMut as _, Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::{BodyExt as _, Full};
use js_sys::{Object, Reflect};
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};
use tonic_web_wasm_client::{Client, Error};
use tower_service::Service;
use wasm_bindgen::{JsCast as _, JsValue};

use super::deadline;
use super::fetch::{Answer, Call, with_fetch};

/// The name under which an answer's headers say whether a call that failed had an effect.
pub(crate) const OUTCOME: &str = "locket-wasm-outcome";

/// Carries calls to one base URL, such as `https://locket.example.org`; every browser, worker
/// and Node.js is a place for it.
///
/// A tower service: [`LocketClient`](crate::proto::locket_client::LocketClient) is generic over
/// it, and any other generated client too. Most programs want [`crate::client`] instead, which
/// adds request ids and errors that tell refused from unknown.
///
/// * The answer is read whole before it is judged; it may arrive in any pieces.
/// * A `grpc-timeout` header ([`tonic::Request::set_timeout`]) is enforced here too.
/// * Dropping a call's future closes its connection.
/// * HTTP statuses and broken connections become statuses by gRPC's table.
///
/// A status's metadata are the answer's headers and trailers together, repeated ones joined by
/// commas as `fetch` does; HTTP's own are left out.
#[derive(Clone, Debug)]
pub struct GrpcWeb {
    base_url: String,
    client: Client,
    call: Option<JsValue>,
    message_bytes_max: Option<u32>,
}

impl GrpcWeb {
    /// Calls go to this base URL with the service's path appended.
    pub fn new(base_url: impl Into<String>) -> Self {
        let mut base_url = base_url.into();
        base_url.truncate(base_url.trim_end_matches('/').len());
        Self {
            client: Client::new(base_url.clone()),
            base_url,
            call: None,
            message_bytes_max: None,
        }
    }

    /// Where calls go, without a slash at the end.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Accepts messages of up to this many bytes instead of gRPC's default of 4 MiB.
    #[must_use]
    pub fn with_max_message_bytes(mut self, bytes: u32) -> Self {
        self.message_bytes_max = Some(bytes);
        self
    }

    /// For one call, described by a JavaScript object as `fetch/exchange.js` takes it.
    #[cfg(any(feature = "client", feature = "messages"))]
    pub(crate) fn for_call(base_url: String, call: JsValue) -> Self {
        Self {
            client: Client::new(base_url.clone()),
            base_url,
            call: Some(call),
            message_bytes_max: None,
        }
    }
}

impl Service<http::Request<Body>> for GrpcWeb {
    type Response = http::Response<Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.client.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        // JavaScript reads the metadata of its calls itself.
        let keeps_metadata = self.call.is_none();
        let call = self.call.clone();
        let message_bytes_max = self.message_bytes_max;
        let call = call
            .unwrap_or_else(|| describe(deadline::timeout(request.headers()), message_bytes_max));
        let mut inner = self.client.call(request);
        let sent = Cell::new(false);
        Box::pin(poll_fn(move |context| {
            let mut result = Poll::Pending;
            if sent.get() {
                result = inner.as_mut().poll(context);
            } else {
                match with_fetch(&call, &mut || result = inner.as_mut().poll(context)) {
                    Ok(now_sent) => sent.set(now_sent),
                    Err(thrown) => return Poll::Ready(Err(Error::JsError(format!("{thrown:?}")))),
                }
            }
            result.map(|result| match call.unchecked_ref::<Call>().answer() {
                Some(answer) => Ok(response(&answer, keeps_metadata)),
                // Nothing was sent: the crate could not make the request.
                None => Err(result.err().unwrap_or(Error::MissingResponseBody)),
            })
        }))
    }
}

/// The HTTP response of an answer that was judged already: a message and trailers, or only a
/// status.
fn response(answer: &Answer, keeps_metadata: bool) -> http::Response<Body> {
    let mut metadata = HeaderMap::new();
    if keeps_metadata {
        let entries = Object::entries(&answer.metadata());
        metadata.extend(entries.iter().filter_map(|entry| header(&entry)));
        let outcome = answer.outcome().and_then(|outcome| outcome.parse().ok());
        metadata.extend(outcome.map(|outcome| (HeaderName::from_static(OUTCOME), outcome)));
    }
    let code = Code::from_i32(answer.code());
    if code != Code::Ok {
        let metadata = MetadataMap::from_headers(metadata);
        return Status::with_metadata(code, answer.message(), metadata).into_http();
    }
    let trailers = HeaderMap::from_iter([(Status::GRPC_STATUS, HeaderValue::from_static("0"))]);
    let message = Full::new(framed(&answer.data().unwrap_or_default()));
    let body = message.with_trailers(ready(Some(Ok(trailers))));
    let mut response = http::Response::new(Body::new(body));
    *response.headers_mut() = metadata;
    response
}

/// A message as gRPC has it in a body: not compressed, its length, its bytes.
fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(5 + message.len());
    frame.put_u8(0);
    // An answer of more than 4 MiB was refused.
    frame.put_u32(u32::try_from(message.len()).expect("a message is smaller than 4 GiB"));
    frame.put_slice(message);
    frame.freeze()
}

/// A name and a value; `None` if Rust's HTTP types do not take them.
fn header(entry: &JsValue) -> Option<(HeaderName, HeaderValue)> {
    let entry: &js_sys::Array = entry.unchecked_ref();
    let name = entry.get(0).as_string()?.parse().ok()?;
    let value = HeaderValue::from_str(&entry.get(1).as_string()?).ok()?;
    Some((name, value))
}

/// The settings of a call that `fetch/exchange.js` gets from Rust.
fn describe(
    timeout: Option<locket_sim::time::Duration>,
    message_bytes_max: Option<u32>,
) -> JsValue {
    let call = Object::new();
    if let Some(timeout) = timeout {
        let ms = timeout.as_ms() as f64;
        // Setting a property of an object that was just made cannot fail.
        let _ = Reflect::set(&call, &"timeoutMs".into(), &ms.into());
    }
    if let Some(bytes) = message_bytes_max {
        let _ = Reflect::set(&call, &"maxMessageBytes".into(), &bytes.into());
    }
    call.into()
}
