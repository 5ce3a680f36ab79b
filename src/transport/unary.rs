//! One unary request, judged as grpc-go judges it, whatever carries it.
//!
//! The common parts of plain gRPC and gRPC-Web: the call's name, the one message in its frame, and
//! grpc-go's errors for both. Knows HTTP messages as values.

use std::borrow::Cow;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message;

use super::deadline;
use super::in_process::{MESSAGE_SIZE_MAX, too_large};
use super::metadata;
use super::raw_call::{Answer, Form, RawCall, refusal};
use super::request_message::read;

/// A flag byte and the message's length.
const FRAME_HEADER_SIZE: usize = 5;

/// A request that reaches no handler: an HTTP status, and a gRPC status in the headers.
pub(super) struct Refusal(pub(super) StatusCode, pub(super) LockError);

impl Refusal {
    /// A refusal that HTTP does not see.
    pub(super) fn ok(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self(StatusCode::OK, LockError::Status(code, message.into()))
    }

    /// The same with another HTTP status.
    pub(super) fn http(status: StatusCode, code: Code, message: String) -> Self {
        Self(status, LockError::Status(code, message.into()))
    }

    /// A request that is no gRPC passes Envoy's filter unchanged, and so does grpc-go's answer to
    /// it.
    pub(super) fn into_answer(self, content_type: HeaderValue) -> Answer {
        let Self(status, error) = self;
        let content_type = match status {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => HeaderValue::from_static("application/grpc"),
            _ => content_type,
        };
        refusal(status, &error, content_type)
    }
}

/// The call of a request whose message was read.
pub(super) fn raw_call(request: message::Request, headers: &HeaderMap, form: Form) -> RawCall {
    RawCall {
        request,
        request_id: header_text(headers, "uuid").to_owned(),
        timeout: deadline::timeout(headers),
        form,
    }
}

pub(super) fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

pub(super) fn check_content_type(is_known: bool, content_type: &str) -> Result<(), Refusal> {
    if is_known {
        return Ok(());
    }
    let message = format!("invalid gRPC request content-type {content_type:?}");
    Err(Refusal::http(StatusCode::UNSUPPORTED_MEDIA_TYPE, Code::InvalidArgument, message))
}

pub(super) fn check_metadata(headers: &HeaderMap) -> Result<(), Refusal> {
    match metadata::malformed(headers) {
        Some(message) => Err(Refusal::http(StatusCode::BAD_REQUEST, Code::Internal, message)),
        None => Ok(()),
    }
}

pub(super) fn check_method(method: &Method) -> Result<(), Refusal> {
    if method == Method::POST {
        return Ok(());
    }
    let message =
        format!("Received a HEADERS frame with :method \"{method}\" which should be POST");
    Err(Refusal::http(StatusCode::METHOD_NOT_ALLOWED, Code::Internal, message))
}

/// Gives the method's name. A query is a part of it, as of any other name.
pub(super) fn check_path(uri: &Uri) -> Result<&str, Refusal> {
    let path = uri.path_and_query().map_or("", PathAndQuery::as_str);
    let name = path.strip_prefix('/').unwrap_or(path);
    let Some((service, method)) = name.rsplit_once('/') else {
        let message = format!("malformed method name: {path:?}");
        return Err(Refusal::ok(Code::Unimplemented, message));
    };
    if service != "models.Locket" {
        let message = format!("unknown service {service}");
        return Err(Refusal::ok(Code::Unimplemented, message));
    }
    if !matches!(method, "Lock" | "Release" | "Fetch" | "FetchAll") {
        let message = format!("unknown method {method} for service {service}");
        return Err(Refusal::ok(Code::Unimplemented, message));
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
    Err(Refusal::ok(Code::Unimplemented, message))
}

/// The request of this method in the first frame; more frames are ignored, as Envoy and grpc-go do.
/// There is no body if the request ended with its headers.
pub(super) fn first_message(
    method: &str,
    body: Option<&Bytes>,
) -> Result<message::Request, Refusal> {
    let Some(body) = body else {
        // The real server never answers this, and no promise may hang here.
        let message =
            "a unary call without a message is never answered by the real Locket; send one";
        return Err(Refusal::ok(Code::Internal, message));
    };
    if body.is_empty() {
        return Err(Refusal::ok(Code::Unknown, "EOF"));
    }
    let Some((header, rest)) = body.split_first_chunk::<FRAME_HEADER_SIZE>() else {
        return Err(Refusal::ok(Code::Unknown, "unexpected EOF"));
    };
    let [format, length @ ..] = *header;
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > MESSAGE_SIZE_MAX {
        return Err(Refusal(StatusCode::OK, too_large(length)));
    }
    let message = rest.get(..length).ok_or_else(|| Refusal::ok(Code::Unknown, "unexpected EOF"))?;
    check_format(format)?;
    read(method, message).map_err(|fault| {
        let message = format!("grpc: error unmarshalling request: {fault}");
        Refusal::ok(Code::Internal, message)
    })
}

/// The first byte of a frame tells whether the message is compressed.
fn check_format(format: u8) -> Result<(), Refusal> {
    let message: Cow<'static, str> = match format {
        0 => return Ok(()),
        1 => "grpc: compressed flag set with identity or empty encoding".into(),
        _ => format!("grpc: received unexpected payload format {format}").into(),
    };
    Err(Refusal::ok(Code::Internal, message))
}
