//! The call that a raw request makes, and its answer in the form that the request asked for.
//!
//! Reading a call, making it and writing its answer are apart: the npm package reads and writes in
//! another wasm module than the one that has the server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{BufMut as _, Bytes, BytesMut};
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message;
use locket_sim::time::Duration;

use super::direct::{Called, DirectClient};
use super::in_process::InProcessServer;
use super::message_header::percent_encoded;
use crate::convert;

/// The content type of gRPC-Web, and of its text mode.
pub(super) const WEB: &str = "application/grpc-web+proto";
pub(super) const WEB_TEXT: &str = "application/grpc-web-text+proto";

/// A call that came as a message.
#[derive(Clone, Debug)]
pub(crate) struct RawCall {
    /// The request.
    pub(crate) request: message::Request,
    /// Its `uuid` header; empty without one.
    pub(crate) request_id: String,
    /// How long the caller waits.
    pub(crate) timeout: Option<Duration>,
    /// How to write the answer.
    pub(crate) form: Form,
}

/// The answer of process number `process` to a request that was read.
pub(super) fn answer(
    server: &InProcessServer,
    process: usize,
    read: Result<RawCall, Answer>,
) -> impl Future<Output = Answer> + use<> {
    let client = DirectClient::new(server.clone(), process, usize::MAX);
    async move {
        match read {
            Ok(RawCall { request, request_id, timeout, form }) => {
                form.write(client.call(&request, &request_id, timeout).await)
            }
            Err(answer) => answer,
        }
    }
}

/// A whole answer and when it arrives.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Status, headers and body.
    pub response: Response<Bytes>,
    /// The trailers of HTTP/2; always empty for gRPC-Web, which has them in the body.
    pub trailers: HeaderMap,
    /// How long after the request it arrives.
    pub after: Duration,
}

/// How the answer to a call is written.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// Its content type, which tells the protocols apart.
    pub(crate) content_type: HeaderValue,
    /// The page that asks, for CORS.
    pub(crate) origin: Option<HeaderValue>,
}

impl Form {
    /// Writes the outcome of the call.
    pub(crate) fn write(self, Called { result, after }: Called) -> Answer {
        let Self { content_type, origin } = self;
        let answer = match result {
            Ok(response) => success(content_type, &convert::encoded(response)),
            Err(error) => refusal(StatusCode::OK, &error, content_type),
        };
        with_origin(Answer { after, ..answer }, origin)
    }
}

fn success(content_type: HeaderValue, message: &[u8]) -> Answer {
    let frame = framed(0, message);
    let is_text = content_type == WEB_TEXT;
    if !is_text && content_type != WEB {
        let mut trailers = HeaderMap::new();
        trailers.insert(GRPC_STATUS, HeaderValue::from_static("0"));
        trailers.insert(GRPC_MESSAGE, HeaderValue::from_static(""));
        return of_headers(StatusCode::OK, content_type, frame, trailers);
    }
    let trailers = framed(0x80, b"grpc-status:0\r\ngrpc-message:\r\n");
    // Each with a padding of its own, as proxies send them.
    let body = match is_text {
        true => [STANDARD.encode(frame), STANDARD.encode(trailers)].concat().into(),
        false => [frame, trailers].concat().into(),
    };
    of_headers(StatusCode::OK, content_type, body, HeaderMap::new())
}

/// An error: headers without a body.
pub(super) fn refusal(http: StatusCode, error: &LockError, content_type: HeaderValue) -> Answer {
    let mut answer = of_headers(http, content_type, Bytes::new(), HeaderMap::new());
    let headers = answer.response.headers_mut();
    headers.insert(GRPC_STATUS, HeaderValue::from(error.code() as u16));
    if !error.message().is_empty()
        && let Ok(message) = HeaderValue::try_from(percent_encoded(error.message()))
    {
        headers.insert(GRPC_MESSAGE, message);
    }
    answer
}

fn of_headers(
    http: StatusCode,
    content_type: HeaderValue,
    body: Bytes,
    trailers: HeaderMap,
) -> Answer {
    let mut response = Response::new(body);
    *response.status_mut() = http;
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    Answer { response, trailers, after: Duration::ZERO }
}

/// Lets the page that asked read the answer.
pub(super) fn with_origin(mut answer: Answer, origin: Option<HeaderValue>) -> Answer {
    if let Some(origin) = origin {
        let headers = answer.response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        // Without this a page cannot see a refusal: it arrives as headers.
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("grpc-status,grpc-message"),
        );
    }
    answer
}

const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");
const GRPC_MESSAGE: HeaderName = HeaderName::from_static("grpc-message");

/// A flag byte, the message's length, the message.
fn framed(flags: u8, message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(5 + message.len());
    frame.put_u8(flags);
    // Of the whole table it is far less than 4 GiB.
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}
