//! The answers of the real Locket to requests that no client library sends.
//!
//! Texts and what is accepted are those of the decoder that gogo/protobuf generated for it, and of
//! grpc-go, as seen from outside. Those to random messages are in `fuzz/messages.rs`.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use bytes::Bytes;
use futures::FutureExt as _;
use http::Request;
use http::header::CONTENT_TYPE;
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::transport::in_process::InProcessServer;
use locket_wasm::transport::raw_call::Answer;
use locket_wasm::transport::{grpc, grpc_web};
use tonic::{Code, Status};

/// Key and owner "k", type code 1.
const RESOURCE: &[u8] = b"\x0a\x01k\x12\x01k\x28\x01";

fn upstream() -> InProcessServer {
    InProcessServer::new(Profile::UPSTREAM, 1)
}

fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap();
    [&[0], &length.to_be_bytes()[..], message].concat()
}

fn post(path: &str) -> http::request::Builder {
    Request::post(path).header(CONTENT_TYPE, "application/grpc")
}

fn call(server: &InProcessServer, method: &str, message: &[u8]) -> Answer {
    let request = post(&format!("/models.Locket/{method}")).body(Bytes::from(framed(message)));
    at_once(grpc::handle(server, 0, request.unwrap()))
}

fn at_once(answer: impl Future<Output = Answer>) -> Answer {
    answer.now_or_never().expect("nothing waits")
}

fn status_of(answer: &Answer) -> Status {
    let in_headers = Status::from_header_map(answer.response.headers());
    in_headers.or_else(|| Status::from_header_map(&answer.trailers)).unwrap()
}

/// The error for a message that cannot be read; empty if it can be.
fn fault(method: &str, message: &[u8]) -> String {
    let status = status_of(&call(&upstream(), method, message));
    match status.message().split_once("error unmarshalling request: ") {
        Some((_, fault)) if status.code() == Code::Internal => fault.to_owned(),
        _ => String::new(),
    }
}

/// A LockRequest with these bytes in its resource.
fn lock_of(resource: &[u8]) -> Vec<u8> {
    let length = u8::try_from(resource.len()).unwrap();
    [&[0x0a, length], resource, &[0x10, 15]].concat()
}

fn owner_of(server: &InProcessServer, key: &str) -> Option<String> {
    server.with_cluster(|cluster, _| cluster.row(key).and_then(|row| row.owner))
}

#[test]
fn a_message_that_cannot_be_read_has_the_error_that_it_has_in_go() {
    for (method, message, expected) in [
        // A wire type that does not exist is illegal in unknown fields and wrong in known ones.
        ("Fetch", &b"\x7e"[..], "proto: illegal wireType 6"),
        ("Fetch", b"\x7f", "proto: illegal wireType 7"),
        ("Fetch", b"\x7b\x0e", "proto: illegal wireType 6"),
        ("Fetch", b"\x0e", "proto: wrong wireType = 6 for field Key"),
        ("Fetch", b"\x08\x01", "proto: wrong wireType = 0 for field Key"),
        ("FetchAll", b"\x08\x01", "proto: wrong wireType = 0 for field Type"),
        ("FetchAll", b"\x12\0", "proto: wrong wireType = 2 for field TypeCode"),
        ("Lock", b"\x0d", "proto: wrong wireType = 5 for field Resource"),
        ("Lock", b"\x11", "proto: wrong wireType = 1 for field TtlInSeconds"),
        ("Release", &lock_of(b"\x20\x01"), "proto: wrong wireType = 0 for field Type"),
        ("Lock", &lock_of(b"\x2b"), "proto: wrong wireType = 3 for field TypeCode"),
        // A field number that is not positive.
        ("Fetch", b"\0\0", "proto: FetchRequest: illegal tag 0 (wire type 0)"),
        ("FetchAll", b"\x02", "proto: FetchAllRequest: illegal tag 0 (wire type 2)"),
        ("Release", b"\x05", "proto: ReleaseRequest: illegal tag 0 (wire type 5)"),
        ("Lock", &lock_of(b"\0\0"), "proto: Resource: illegal tag 0 (wire type 0)"),
        // A tag of 35 bits, of which the sign is one.
        (
            "Lock",
            b"\x80\x80\x80\x80\x40",
            "proto: LockRequest: illegal tag -2147483648 (wire type 17179869184)",
        ),
        // The end of a group that did not begin.
        ("Lock", b"\x0c", "proto: LockRequest: wiretype end group for non-group"),
        ("Release", b"\x7c", "proto: ReleaseRequest: wiretype end group for non-group"),
        ("Fetch", b"\x04", "proto: FetchRequest: wiretype end group for non-group"),
        ("FetchAll", b"\x0c", "proto: FetchAllRequest: wiretype end group for non-group"),
        ("Lock", &lock_of(b"\x0c"), "proto: Resource: wiretype end group for non-group"),
        ("Fetch", b"\x0a\x05a", "unexpected EOF"),
        ("Fetch", b"\x0a", "unexpected EOF"),
        ("Fetch", b"\xff", "unexpected EOF"),
        ("Fetch", b"\x0a\xff", "unexpected EOF"),
        ("Fetch", b"\x79\0\0", "unexpected EOF"),
        ("Fetch", b"\x7d\0", "unexpected EOF"),
        ("Fetch", b"\x7b", "unexpected EOF"),
        ("Fetch", b"\x7b\x0a\x05a", "unexpected EOF"),
        ("Fetch", b"\x7a\xff\xff\xff\xff\xff\x01", "unexpected EOF"),
    ] {
        assert_eq!(fault(method, message), expected, "{method} {message:02x?}");
    }
}

#[test]
fn a_number_of_more_than_ten_bytes_overflows_wherever_it_stands() {
    let long = [0x80; 10];
    for before in [&b""[..], b"\x10", b"\x0a", b"\x78", b"\x7a", b"\x7b"] {
        let message = [before, &long].concat();
        assert_eq!(fault("Lock", &message), "proto: integer overflow", "{before:?}");
    }
}

#[test]
fn a_length_of_more_than_63_bits_is_negative() {
    let negative = "proto: negative length found during unmarshaling";
    for tag in [0x0a, 0x7a] {
        let largest = b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
        let too_large = b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        for length in [&largest[..], too_large] {
            assert_eq!(fault("Fetch", &[&[tag], length].concat()), negative, "{tag} {length:?}");
        }
    }
    // In a group, what goes beyond the end is looked at later than the sum.
    assert_eq!(fault("Fetch", b"\x7b\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), negative);
}

#[test]
fn more_than_64_bits_and_tags_of_more_than_32_are_cut() {
    let server = upstream();
    // The tenth byte is 3: of its bits one counts. It is a negative TTL.
    let wide = [&lock_of(RESOURCE)[..11], b"\x81\x80\x80\x80\x80\x80\x80\x80\x80\x03"].concat();
    assert_eq!(status_of(&call(&server, "Lock", &wide)).message(), "invalid-ttl");
    // 2 to the 36th plus the tag of the owner; and that of a field that there is not.
    let cut = lock_of(b"\x0a\x01k\x92\x80\x80\x80\x80\x02\x01o\x28\x01\xf8\x80\x80\x80\x80\x02\0");
    assert_eq!(status_of(&call(&server, "Lock", &cut)).code(), Code::Ok);
    assert_eq!(owner_of(&server, "k").as_deref(), Some("o"));
}

#[test]
fn a_group_that_no_message_has_may_hold_and_end_with_anything() {
    let nested = [&[0x7b; 150][..], &[0x0c; 150], &[0x0a, 1, b'k']].concat();
    for message in [&b"\x7b\x0c\x0a\x01k"[..], b"\x7b\x02\0\0\0\x04\x0a\x01k", &nested] {
        let status = status_of(&call(&upstream(), "Fetch", message));
        assert_eq!(status.message(), "resource-not-found", "{message:?}");
    }
}

#[test]
fn a_string_that_is_not_utf_8_is_an_error_of_the_database_after_all_others() {
    let refused = |method, message: &[u8]| status_of(&call(&upstream(), method, message));
    let not_text = "sql-unknown, error code: 22021, flavor: postgres";
    assert_eq!(refused("Fetch", b"\x0a\x01\xff").message(), not_text);
    let owner = lock_of(b"\x0a\x01k\x12\x02\xff\xfe\x28\x01");
    assert_eq!(refused("Lock", &owner).message(), not_text);
    let no_type = lock_of(b"\x0a\x01k\x12\x02\xff\xfe");
    assert_eq!(refused("Lock", &no_type).message(), "invalid-type");
    // A field that is not read may hold anything.
    assert_eq!(refused("FetchAll", b"\x0a\x01\xff\x10\x01").code(), Code::Ok);
}

#[test]
fn a_deadline_of_nothing_is_over_before_the_request_is_read() {
    let server = upstream();
    let lock = post("/models.Locket/Lock")
        .header("grpc-timeout", "0S")
        .body(Bytes::from(framed(&lock_of(RESOURCE))));
    let status = status_of(&at_once(grpc::handle(&server, 0, lock.unwrap())));
    assert_eq!(
        (status.code(), status.message()),
        (Code::DeadlineExceeded, "context deadline exceeded")
    );
    assert_eq!(owner_of(&server, "k"), None);
}

#[test]
fn an_empty_body_ends_where_a_message_should_begin() {
    let request = post("/models.Locket/Lock").body(Bytes::new()).unwrap();
    let status = status_of(&at_once(grpc::handle(&upstream(), 0, request)));
    assert_eq!((status.code(), status.message()), (Code::Unknown, "EOF"));
}

#[test]
fn a_query_is_a_part_of_the_name() {
    for (path, message) in [
        ("/models.Locket/Lock?x=1", "unknown method Lock?x=1 for service models.Locket"),
        ("/models.Locket/Lock?x=/1", "unknown service models.Locket/Lock?x="),
    ] {
        let server = upstream();
        let body = || Bytes::from(framed(&lock_of(RESOURCE)));
        let plain = at_once(grpc::handle(&server, 0, post(path).body(body()).unwrap()));
        let web = Request::post(path).header(CONTENT_TYPE, "application/grpc-web+proto");
        let web = at_once(grpc_web::handle(&server, 0, web.body(body()).unwrap()));
        for answer in [plain, web] {
            let status = status_of(&answer);
            assert_eq!((status.code(), status.message()), (Code::Unimplemented, message));
        }
        assert_eq!(owner_of(&server, "k"), None);
    }
}

#[test]
fn what_is_not_grpc_is_answered_as_grpc_also_behind_the_proxy() {
    let json = || Request::post("/models.Locket/Lock").header(CONTENT_TYPE, "application/json");
    let server = upstream();
    for answer in [
        at_once(grpc_web::handle(&server, 0, json().body(Bytes::new()).unwrap())),
        at_once(grpc::handle(&server, 0, json().body(Bytes::new()).unwrap())),
    ] {
        let headers = answer.response.headers();
        assert_eq!(
            (answer.response.status().as_u16(), &headers[CONTENT_TYPE]),
            (415, &"application/grpc".parse().unwrap())
        );
    }
}
