//! Raw gRPC-Web requests, answered by the reference server.
//!
//! tonic-web's server layer does the framing of answers. The code in front of it answers malformed
//! requests as a real Locket behind Envoy does, where tonic-web's answers would differ. Knows HTTP
//! messages as values, no network.

use std::convert::Infallible;
use std::task::{Context, Poll};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use futures::FutureExt as _;
use futures::future::Map;
use http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE, ORIGIN,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Collected, Full};
use locket_sim::time::Duration;
use tonic::Status;
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower_layer::Layer as _;
use tower_service::Service;

use super::in_process::{Carrier, CarrierFuture, InProcessServer};
use super::unary::{
    Answer, Refusal, check_content_type, check_encoding, check_method, check_path, check_timeout,
    collect, first_frame, header_text,
};

const WEB: &str = "application/grpc-web+proto";
const WEB_TEXT: &str = "application/grpc-web-text+proto";

/// Answers one gRPC-Web request at process number `process`.
pub fn handle(
    server: &InProcessServer,
    process: usize,
    request: Request<Bytes>,
) -> impl Future<Output = Answer> + use<> {
    answer(server.carrier(process), request)
}

async fn answer(carrier: Carrier, request: Request<Bytes>) -> Answer {
    let origin = request.headers().get(ORIGIN).cloned();
    let mut answer = if is_preflight(&request) {
        preflight()
    } else {
        match normalize(request) {
            Ok(request) => call(carrier, request).await,
            Err(refusal) => refusal.into_answer(HeaderValue::from_static(WEB)),
        }
    };
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

async fn call(carrier: Carrier, request: Request<Bytes>) -> Answer {
    let answered = carrier.answered();
    let Ok(response) = GrpcWebLayer::new()
        .layer(WithMessage(carrier))
        .call(request.map(Full::new))
        .await;
    match collect(response) {
        Some(response) => Answer {
            response: response.map(Collected::to_bytes),
            trailers: HeaderMap::new(),
            after: answered.after(),
        },
        None => Refusal::bug().into_answer(HeaderValue::from_static(WEB)),
    }
}

/// Has a `grpc-message` in the trailers of every success, as grpc-go does; tonic leaves it out.
#[derive(Clone)]
struct WithMessage(Carrier);

impl Service<Request<Body>> for WithMessage {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Map<CarrierFuture, fn(Called) -> Called>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.0.call(request).map(with_message)
    }
}

type Called = Result<Response<Body>, Infallible>;

fn with_message(called: Called) -> Called {
    let complete = |body: Body| {
        body.map_frame(|mut frame| {
            if let Some(trailers) = frame.trailers_mut() {
                let empty = HeaderValue::from_static("");
                trailers.entry("grpc-message").or_insert(empty);
            }
            frame
        })
    };
    called.map(|response| response.map(|body| Body::new(complete(body))))
}

/// Makes a request of one binary data frame, which tonic-web takes as it should.
fn normalize(request: Request<Bytes>) -> Result<Request<Bytes>, Refusal> {
    let (mut parts, body) = request.into_parts();
    let content_type = header_text(&parts.headers, CONTENT_TYPE.as_str());
    let media_type = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let is_text = matches!(media_type.as_str(), "application/grpc-web-text" | WEB_TEXT);
    let is_binary = matches!(media_type.as_str(), "application/grpc-web" | WEB);
    check_content_type(is_text || is_binary, content_type)?;
    check_timeout(&parts.headers)?;
    check_method(&parts.method)?;
    let method = check_path(&parts.uri)?;
    check_encoding(&parts.headers)?;
    let body = if is_text { decode_text(&body)? } else { body };
    // Without a body Envoy ends the request with its headers.
    let body = first_frame(method, Some(&body).filter(|body| !body.is_empty()))?;
    parts
        .headers
        .insert(CONTENT_TYPE, HeaderValue::from_static(WEB));
    let wants_text = header_text(&parts.headers, ACCEPT.as_str())
        .to_ascii_lowercase()
        .contains("grpc-web-text");
    let accept = if wants_text { WEB_TEXT } else { WEB };
    parts
        .headers
        .insert(ACCEPT, HeaderValue::from_static(accept));
    Ok(Request::from_parts(parts, body))
}

/// Text mode may be several base64 texts one after another, each with its padding.
fn decode_text(body: &[u8]) -> Result<Bytes, Refusal> {
    let engine = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
    );
    let invalid = |_| {
        let status = Status::internal("Bad gRPC-web request, invalid base64 data.");
        Refusal(StatusCode::BAD_REQUEST, status)
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
        && request
            .headers()
            .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
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
    Answer {
        response,
        trailers: HeaderMap::new(),
        after: Duration::ZERO,
    }
}
