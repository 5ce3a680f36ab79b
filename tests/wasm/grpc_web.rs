//! Raw gRPC-Web bytes, answered in wasm.

use bytes::Bytes;
use futures::FutureExt as _;
use http::Request;
use locket_wasm::proto::{FetchRequest, FetchResponse, LockResponse, ReleaseResponse};
use locket_wasm::transport::grpc_web;
use locket_wasm::transport::raw_call::Answer;
use prost::Message;
use wasm_bindgen_test::wasm_bindgen_test;

use super::support::{LOCK, World, lock_request};

const TRAILERS: &[u8] = b"\x80\0\0\0\x1egrpc-status:0\r\ngrpc-message:\r\n";

#[wasm_bindgen_test]
fn a_lock_and_a_fetch_go_through_as_bytes() {
    let world = World::new();

    let locked = post(&world, "Lock", &lock_request("bbs", "bbs-0", LOCK));
    let fetched = post(&world, "Fetch", &FetchRequest { key: "bbs".into() });

    let _: LockResponse = message_of(&locked);
    let response: FetchResponse = message_of(&fetched);
    assert_eq!(response.resource.map(|resource| resource.owner), Some("bbs-0".into()));
}

#[wasm_bindgen_test]
fn a_refusal_is_headers_only() {
    let world = World::new();

    let answer = post(&world, "Fetch", &FetchRequest { key: "bbs".into() });

    let headers = answer.response.headers();
    assert_eq!(
        (&headers["grpc-status"], &headers["grpc-message"]),
        (&"5".parse().unwrap(), &"resource-not-found".parse().unwrap())
    );
    assert!(answer.response.body().is_empty());
}

#[wasm_bindgen_test]
fn bytes_that_are_no_message_are_refused_and_the_server_goes_on() {
    let world = World::new();
    for garbage in [&b""[..], b"\0", b"\0\0\0\0\x05a", b"\0\0\0\0\x01\xff", b"\xff\xff\xff\xff\xff"]
    {
        let answer = send(&world, "Lock", Bytes::from_static(garbage));
        assert!(answer.response.headers().contains_key("grpc-status"), "{garbage:?}");
    }

    let answer = post(&world, "Lock", &lock_request("bbs", "bbs-0", LOCK));

    let _: LockResponse = message_of(&answer);
}

#[wasm_bindgen_test]
fn a_text_that_is_not_utf_8_matters_only_where_it_is_stored() {
    let world = World::new();
    let ignored = send(
        &world,
        "Release",
        Bytes::from_static(b"\0\0\0\0\x0a\x0a\x08\x0a\x01k\x1a\x03\xff\xff\xff"),
    );
    let stored = send(
        &world,
        "Lock",
        Bytes::from_static(b"\0\0\0\0\x0c\x0a\x08\x0a\x01k\x12\x01\xff\x28\x01\x10\x05"),
    );

    let _: ReleaseResponse = message_of(&ignored);
    let message = "sql-unknown, error code: 22021, flavor: postgres";
    assert_eq!(stored.response.headers()["grpc-message"], message);
}

fn post(world: &World, method: &str, message: &impl Message) -> Answer {
    let bytes = message.encode_to_vec();
    let length = u32::try_from(bytes.len()).expect("the message is small");
    let frame = [&[0][..], &length.to_be_bytes(), &bytes].concat();
    send(world, method, frame.into())
}

fn send(world: &World, method: &str, body: Bytes) -> Answer {
    let request = Request::post(format!("/models.Locket/{method}"))
        .header("content-type", "application/grpc-web+proto")
        .body(body)
        .expect("every part is valid");
    let answer = grpc_web::handle(&world.server, 0, request);
    answer.now_or_never().expect("nothing waits")
}

/// The message of an answer that is one message frame and the trailer frame of a success.
fn message_of<M: Message + Default>(answer: &Answer) -> M {
    let frame = answer.response.body().strip_suffix(TRAILERS);
    let frame = frame.expect("the answer ends in the trailers of a success");
    M::decode(&frame[5..]).expect("the answer is the call's message")
}
