//! One unary request, judged as grpc-go judges it, whatever carries it.
//!
//! The common parts of plain gRPC and gRPC-Web: the call's name, the one message in its frame, and
//! grpc-go's errors for both. Knows HTTP messages as values.

use bytes::Bytes;
use futures::FutureExt as _;
use http::header::CONTENT_TYPE;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri};
use http_body_util::{BodyExt as _, Collected};
use locket_sim::time::Duration;
use tonic::Status;
use tonic::body::Body;

use super::in_process::{MESSAGE_SIZE_MAX, too_large};
use super::request_message::rewritten;
use super::{deadline, message_header};

/// A flag byte and the message's length.
const FRAME_HEADER_SIZE: usize = 5;

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

/// A request that reaches no handler: an HTTP status, and a gRPC status in the headers.
pub(super) struct Refusal(pub(super) StatusCode, pub(super) Status);

impl Refusal {
    pub(super) const fn ok(status: Status) -> Self {
        Self(StatusCode::OK, status)
    }

    pub(super) fn bug() -> Self {
        let message = "bug in locket-wasm: an in-process call waited; please report it";
        Self::ok(Status::internal(message))
    }

    /// A request that is no gRPC passes Envoy's filter unchanged, and so does grpc-go's answer to
    /// it.
    pub(super) fn into_answer(self, content_type: HeaderValue) -> Answer {
        let content_type = match self.0 {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => HeaderValue::from_static("application/grpc"),
            _ => content_type,
        };
        let mut response = self.1.into_http::<Bytes>();
        *response.status_mut() = self.0;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, content_type);
        message_header::write_as_go(headers);
        Answer {
            response,
            trailers: HeaderMap::new(),
            after: Duration::ZERO,
        }
    }
}

/// Takes the body of a response that is there already.
pub(super) fn collect(response: Response<Body>) -> Option<Response<Collected<Bytes>>> {
    let (mut parts, body) = response.into_parts();
    message_header::write_as_go(&mut parts.headers);
    let body = body.collect().now_or_never()?.ok()?;
    Some(Response::from_parts(parts, body))
}

pub(super) fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

pub(super) fn check_content_type(is_known: bool, content_type: &str) -> Result<(), Refusal> {
    if is_known {
        return Ok(());
    }
    let message = format!("invalid gRPC request content-type {content_type:?}");
    Err(Refusal(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Status::invalid_argument(message),
    ))
}

pub(super) fn check_timeout(headers: &HeaderMap) -> Result<(), Refusal> {
    match deadline::malformed(headers) {
        Some(message) => Err(Refusal(StatusCode::BAD_REQUEST, Status::internal(message))),
        None => Ok(()),
    }
}

pub(super) fn check_method(method: &Method) -> Result<(), Refusal> {
    if method == Method::POST {
        return Ok(());
    }
    let message =
        format!("Received a HEADERS frame with :method \"{method}\" which should be POST");
    Err(Refusal(
        StatusCode::METHOD_NOT_ALLOWED,
        Status::internal(message),
    ))
}

/// Gives the method's name. A query is a part of it, as of any other name.
pub(super) fn check_path(uri: &Uri) -> Result<&str, Refusal> {
    let path = uri.path_and_query().map_or("", PathAndQuery::as_str);
    let name = path.strip_prefix('/').unwrap_or(path);
    let Some((service, method)) = name.rsplit_once('/') else {
        let message = format!("malformed method name: {path:?}");
        return Err(Refusal::ok(Status::unimplemented(message)));
    };
    if service != "models.Locket" {
        return Err(Refusal::ok(Status::unimplemented(format!(
            "unknown service {service}"
        ))));
    }
    if !matches!(method, "Lock" | "Release" | "Fetch" | "FetchAll") {
        let message = format!("unknown method {method} for service {service}");
        return Err(Refusal::ok(Status::unimplemented(message)));
    }
    Ok(method)
}

/// Locket has no compression built in.
pub(super) fn check_encoding(headers: &HeaderMap) -> Result<(), Refusal> {
    let encoding = header_text(headers, "grpc-encoding");
    if matches!(encoding, "" | "identity") {
        return Ok(());
    }
    let message = format!("grpc: Decompressor is not installed for grpc-encoding {encoding:?}");
    Err(Refusal::ok(Status::unimplemented(message)))
}

/// The first frame, with a request of this method; more frames are ignored, as Envoy and grpc-go
/// do. There is no body if the request ended with its headers.
pub(super) fn first_frame(method: &str, body: Option<&Bytes>) -> Result<Bytes, Refusal> {
    let Some(body) = body else {
        // The real server never answers this, and no promise may hang here.
        let message =
            "a unary call without a message is never answered by the real Locket; send one";
        return Err(Refusal::ok(Status::internal(message)));
    };
    if body.is_empty() {
        return Err(Refusal::ok(Status::unknown("EOF")));
    }
    let Some((header, rest)) = body.split_first_chunk::<FRAME_HEADER_SIZE>() else {
        return Err(Refusal::ok(Status::unknown("unexpected EOF")));
    };
    let [flags, length @ ..] = *header;
    if flags & 1 != 0 {
        let message = "grpc: compressed flag set with identity or empty encoding";
        return Err(Refusal::ok(Status::internal(message)));
    }
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > MESSAGE_SIZE_MAX {
        return Err(Refusal::ok(too_large(length)));
    }
    let message = rest
        .get(..length)
        .ok_or_else(|| Refusal::ok(Status::unknown("unexpected EOF")))?;
    let message = rewritten(method, message).map_err(|fault| {
        let message = format!("grpc: error unmarshalling request: {fault}");
        Refusal::ok(Status::internal(message))
    })?;
    Ok(framed(&message))
}

fn framed(message: &[u8]) -> Bytes {
    // No more than four times what was allowed in.
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    [&[0], &length.to_be_bytes()[..], message].concat().into()
}
