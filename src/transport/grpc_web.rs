//! Raw gRPC-Web requests, answered by the reference server as a real Locket behind Envoy answers
//! them.
//!
//! Knows HTTP messages as values, no network.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE, ORIGIN,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use locket_sim::protocol::error::Code;
use locket_sim::protocol::message;
use locket_sim::time::Duration;

use super::in_process::InProcessServer;
use super::raw_call::{Answer, Form, RawCall, WEB, WEB_TEXT, answer, with_origin};
use super::unary::{
    Refusal, check_content_type, check_encoding, check_metadata, check_method, check_path,
    first_message, header_text, raw_call,
};

/// Answers one gRPC-Web request at process number `process`.
pub fn handle(
    server: &InProcessServer,
    process: usize,
    request: Request<Bytes>,
) -> impl Future<Output = Answer> + use<> {
    answer(server, process, read(request))
}

/// The call that a request makes, or the answer to a malformed one and to a question of CORS.
#[expect(clippy::result_large_err, reason = "neither result is rare")]
pub(crate) fn read(request: Request<Bytes>) -> Result<RawCall, Answer> {
    let headers = request.headers();
    let origin = headers.get(ORIGIN).cloned();
    if is_preflight(&request) {
        return Err(with_origin(preflight(), origin));
    }
    match check(&request) {
        Ok(message) => {
            let wants_text = header_text(headers, ACCEPT.as_str())
                .to_ascii_lowercase()
                .contains("grpc-web-text");
            let content_type = HeaderValue::from_static(if wants_text { WEB_TEXT } else { WEB });
            let form = Form { content_type, origin };
            Ok(raw_call(message, headers, form))
        }
        Err(refusal) => {
            let answer = refusal.into_answer(HeaderValue::from_static(WEB));
            Err(with_origin(answer, origin))
        }
    }
}

fn check(request: &Request<Bytes>) -> Result<message::Request, Refusal> {
    let (headers, body) = (request.headers(), request.body());
    let content_type = header_text(headers, CONTENT_TYPE.as_str());
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_text = matches!(media_type.as_str(), "application/grpc-web-text" | WEB_TEXT);
    let is_binary = matches!(media_type.as_str(), "application/grpc-web" | WEB);
    check_content_type(is_text || is_binary, content_type)?;
    check_metadata(headers)?;
    check_method(request.method())?;
    let method = check_path(request.uri())?;
    check_encoding(headers)?;
    let body = match is_text {
        true => decode_text(body)?,
        false => body.clone(),
    };
    // Without a body Envoy ends the request with its headers.
    first_message(method, Some(&body).filter(|body| !body.is_empty()))
}

/// Text mode may be several base64 texts one after another, each with its padding.
fn decode_text(body: &[u8]) -> Result<Bytes, Refusal> {
    let engine = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
    );
    let invalid = |_| {
        let message = "Bad gRPC-web request, invalid base64 data.".to_owned();
        Refusal::http(StatusCode::BAD_REQUEST, Code::Internal, message)
    };
    let mut decoded = Vec::with_capacity(body.len());
    for group in padded_texts(body) {
        engine.decode_vec(group, &mut decoded).map_err(invalid)?;
    }
    Ok(decoded.into())
}

/// Splits after each group of four that ends in padding.
fn padded_texts(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let padded = rest.chunks(4).position(|group| group.last() == Some(&b'='));
        let end = padded.map_or(rest.len(), |groups| ((groups + 1) * 4).min(rest.len()));
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(text)
    })
}

fn is_preflight(request: &Request<Bytes>) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(ORIGIN)
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The headers of Envoy with the CORS policy of its gRPC-Web example.
fn preflight() -> Answer {
    let mut response = Response::new(Bytes::new());
    let headers = response.headers_mut();
    headers.insert(
        ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static("GET, PUT, DELETE, POST, OPTIONS"),
    );
    headers.insert(
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("keep-alive,user-agent,cache-control,content-type,content-transfer-encoding,uuid,x-accept-content-transfer-encoding,x-accept-response-streaming,x-user-agent,x-grpc-web,grpc-timeout"),
    );
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("1728000"));
    Answer { response, trailers: HeaderMap::new(), after: Duration::ZERO }
}
