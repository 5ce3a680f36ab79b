//! Plain gRPC requests, answered by the reference server as grpc-go answers them.
//!
//! One unary call with its whole body; what carries it brings HTTP/2 along. Knows HTTP messages
//! as values, no network.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Request};
use locket_sim::protocol::message;

use super::in_process::InProcessServer;
use super::raw_call::{Answer, Form, RawCall, answer};
use super::unary::{
    Refusal, check_content_type, check_encoding, check_metadata, check_method, check_path,
    first_message, header_text, raw_call,
};

const GRPC: &str = "application/grpc";

/// Answers one plain gRPC request at process number `process`. Its body is `None` if it ended with
/// its headers, which is something else than an empty body.
///
/// ```
/// use futures::FutureExt as _;
/// use locket_wasm::transport::in_process::InProcessServer;
/// use locket_wasm::sim::protocol::profile::Profile;
/// use locket_wasm::transport::grpc;
///
/// let server = InProcessServer::new(Profile::UPSTREAM, 1);
/// let fetch_nothing = http::Request::post("/models.Locket/Fetch")
///     .header("content-type", "application/grpc")
///     .body(bytes::Bytes::from_static(&[0, 0, 0, 0, 0]))
///     .expect("every part is valid");
/// let answer = grpc::handle(&server, 0, fetch_nothing).now_or_never().expect("nothing waits");
/// assert_eq!(answer.response.headers()["grpc-message"], "resource-not-found");
/// ```
pub fn handle<B: Into<Option<Bytes>>>(
    server: &InProcessServer,
    process: usize,
    request: Request<B>,
) -> impl Future<Output = Answer> + use<B> {
    answer(server, process, read(request))
}

/// The call that a request makes, or the answer to a malformed one.
#[expect(clippy::result_large_err, reason = "neither result is rare")]
pub(crate) fn read<B: Into<Option<Bytes>>>(request: Request<B>) -> Result<RawCall, Answer> {
    let request = request.map(Into::into);
    let content_type = answered_content_type(request.headers());
    match check(&request) {
        Ok(message) => {
            let origin = None;
            let form = Form { content_type, origin };
            Ok(raw_call(message, request.headers(), form))
        }
        Err(refusal) => Err(refusal.into_answer(content_type)),
    }
}

fn check(request: &Request<Option<Bytes>>) -> Result<message::Request, Refusal> {
    let content_type = header_text(request.headers(), CONTENT_TYPE.as_str());
    check_content_type(subtype(content_type).is_some(), content_type)?;
    check_metadata(request.headers())?;
    check_method(request.method())?;
    let method = check_path(request.uri())?;
    check_encoding(request.headers())?;
    first_message(method, request.body().as_ref())
}

/// The rest after `application/grpc`: nothing, or a codec behind `+` or `;`. Any codec is taken for
/// protobuf. `None` if it is not gRPC.
fn subtype(content_type: &str) -> Option<&str> {
    let (prefix, rest) = content_type.split_at_checked(GRPC.len())?;
    if !prefix.eq_ignore_ascii_case(GRPC) {
        return None;
    }
    match rest.as_bytes() {
        [] => Some(""),
        [b'+' | b';', ..] => Some(&rest[1..]),
        _ => None,
    }
}

/// The answer names the request's codec.
fn answered_content_type(headers: &HeaderMap) -> HeaderValue {
    let content_type = header_text(headers, CONTENT_TYPE.as_str());
    let named = match subtype(content_type) {
        None | Some("") => None,
        Some(subtype) => {
            HeaderValue::try_from(format!("{GRPC}+{}", subtype.to_ascii_lowercase())).ok()
        }
    };
    named.unwrap_or(HeaderValue::from_static(GRPC))
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;
    use locket_sim::protocol::profile::Profile;

    fn answer_to(request: http::request::Builder, body: &[u8]) -> Answer {
        let server = InProcessServer::new(Profile::UPSTREAM, 1);
        let request = request.body(Bytes::copy_from_slice(body)).expect("every part is valid");
        handle(&server, 0, request).now_or_never().expect("nothing waits")
    }

    fn lock() -> http::request::Builder {
        Request::post("/models.Locket/Lock").header(CONTENT_TYPE, GRPC)
    }

    /// key and owner "k", type code 1, 15 seconds.
    const LOCK_FRAME: &[u8] = b"\0\0\0\0\x0c\x0a\x08\x0a\x01k\x12\x01k\x28\x01\x10\x0f";

    #[test]
    fn a_refusal_is_headers_only() {
        let answer = answer_to(lock(), b"\0\0\0\0\0");
        assert!(answer.trailers.is_empty() && answer.response.body().is_empty());
        assert!(answer.response.headers().contains_key("grpc-status"));
    }

    #[test]
    fn the_answer_names_the_codec_of_the_request() {
        let request =
            Request::post("/models.Locket/Lock").header(CONTENT_TYPE, "application/grpc+Proto");
        let answer = answer_to(request, LOCK_FRAME);
        assert_eq!(answer.response.headers()[CONTENT_TYPE], "application/grpc+proto");
    }

    #[test]
    fn a_request_that_is_not_right_is_refused_in_the_words_of_grpc_go() {
        let post = |path| Request::post(path).header(CONTENT_TYPE, GRPC);
        let json = Request::post("/").header(CONTENT_TYPE, "application/json");
        let web = Request::post("/").header(CONTENT_TYPE, "application/grpc-web");
        let get = Request::get("/").header(CONTENT_TYPE, GRPC);
        let too_large = b"\0\0\x50\0\0";
        let cases: [(_, &[u8], u16, &str, &str); 17] = [
            (json, b"", 415, "3", "invalid gRPC request content-type \"application/json\""),
            (web, b"", 415, "3", "invalid gRPC request content-type \"application/grpc-web\""),
            (
                get,
                b"",
                405,
                "13",
                "Received a HEADERS frame with :method \"GET\" which should be POST",
            ),
            (
                post("/").header("grpc-timeout", "5x"),
                b"",
                400,
                "13",
                "malformed grpc-timeout: transport: timeout unit is not recognized: \"5x\"",
            ),
            (post("/Lock"), b"", 200, "12", "malformed method name: \"/Lock\""),
            (post("/models.Nope/Lock"), b"", 200, "12", "unknown service models.Nope"),
            (
                post("/models.Locket/Nope"),
                b"",
                200,
                "12",
                "unknown method Nope for service models.Locket",
            ),
            (
                lock().header("grpc-encoding", "gzip"),
                b"",
                200,
                "12",
                "grpc: Decompressor is not installed for grpc-encoding \"gzip\"",
            ),
            (lock(), b"\0\0\0\0\x05a", 200, "2", "unexpected EOF"),
            (
                lock(),
                b"\x01\0\0\0\0",
                200,
                "13",
                "grpc: compressed flag set with identity or empty encoding",
            ),
            (lock(), b"\x02\0\0\0\0", 200, "13", "grpc: received unexpected payload format 2"),
            (lock(), b"\x80\0\0\0\0", 200, "13", "grpc: received unexpected payload format 128"),
            (lock(), b"\x03\0\0\0\0", 200, "13", "grpc: received unexpected payload format 3"),
            (lock(), b"\x02\0\0\0\x05a", 200, "2", "unexpected EOF"),
            (
                lock().header("trace-bin", "%"),
                LOCK_FRAME,
                400,
                "13",
                "malformed binary metadata \"%\" in header \"trace-bin\": illegal base64 data at input byte 0",
            ),
            (
                lock().header("trace-bin", "aGk=").header("grpc-timeout", ""),
                LOCK_FRAME,
                400,
                "13",
                "malformed grpc-timeout: transport: timeout string is too short: \"\"",
            ),
            (
                lock(),
                too_large,
                200,
                "8",
                "grpc: received message larger than max (5242880 vs. 4194304)",
            ),
        ];
        for (request, body, http_status, code, message) in cases {
            let answer = answer_to(request, body);
            let status = tonic::Status::from_header_map(answer.response.headers())
                .expect("there is a gRPC status");
            assert_eq!(
                (
                    answer.response.status().as_u16(),
                    &*(status.code() as i32).to_string(),
                    status.message()
                ),
                (http_status, code, message)
            );
        }
    }
}
