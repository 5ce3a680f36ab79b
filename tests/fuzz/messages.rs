//! Protobuf messages: random fields, good and bad. Unknown fields change nothing.

use bytes::Bytes;
use http::Request;
use http::header::CONTENT_TYPE;
use locket_wasm::proto::{FetchAllRequest, FetchRequest, LockRequest, ReleaseRequest, Resource};
use locket_wasm::transport::grpc;
use locket_wasm::transport::in_process::InProcessServer;
use locket_wasm::transport::raw_call::Answer;
use proptest::prelude::*;
use prost::Message;
use tonic::Code;

use super::answers::{answer, at_once, server, status_of};
use crate::round::fuzz;

const METHODS: [&str; 4] = ["Fetch", "FetchAll", "Lock", "Release"];

/// What the real server says of a message that it cannot read.
const FAULTS: [&str; 7] = [
    "proto: illegal wireType ",
    "proto: integer overflow",
    "proto: negative length found during unmarshaling",
    "proto: wrong wireType = ",
    "unexpected EOF",
    ": illegal tag ",
    ": wiretype end group for non-group",
];
/// What it says of one that it has read, but for a request on which it crashes.
const REASONS: [&str; 9] = [
    "",
    "a request without a resource crashes the real Locket process; set the resource",
    "invalid-owner",
    "invalid-ttl",
    "invalid-type",
    "lock-collision",
    "resource-not-found",
    "sql-bad-request",
    "sql-unknown, error code: 22021, flavor: postgres",
];

#[test]
fn messages() {
    let inputs = (prop::sample::select(&METHODS[..]), message(2));
    fuzz("messages", 1_000, &inputs, |(method, message)| {
        let answer = answer(|server| call(server, method, &message))?;
        let status = status_of(&answer).ok_or("there is no status")?;
        let text = status.message();
        let is_known = match text.strip_prefix("grpc: error unmarshalling request: ") {
            Some(fault) => FAULTS.iter().any(|known| fault.contains(known)),
            None => REASONS.contains(&text) && text.is_empty() == (status.code() == Code::Ok),
        };
        match is_known {
            true => Ok(()),
            false => Err(format!("the real server never says {text:?}")),
        }
    });
}

#[test]
fn good_messages() {
    let inputs = (request(), prop::collection::vec((0_u32..4, unknown()), 0..3));
    fuzz("good_messages", 500, &inputs, |((method, message), extras)| {
        let mut longer = message.clone();
        for (_, field) in &extras {
            longer.extend_from_slice(field);
        }
        let plain = call(&server(), method, &message);
        let other = answer(|server| call(server, method, &longer))?;
        match format!("{plain:?}") == format!("{other:?}") {
            true => Ok(()),
            false => Err(format!("unknown fields change {plain:?} into {other:?}")),
        }
    });
}

pub(super) fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap();
    [&[0], &length.to_be_bytes()[..], message].concat()
}

fn call(server: &InProcessServer, method: &str, message: &[u8]) -> Answer {
    let request = Request::post(format!("/models.Locket/{method}"));
    let request = request.header(CONTENT_TYPE, "application/grpc");
    let request = request.body(Bytes::from(framed(message))).unwrap();
    at_once(grpc::handle(server, 0, request))
}

/// Fields of few numbers, so that they meet those which there are; some have a message inside.
pub(super) fn message(depth: u32) -> BoxedStrategy<Vec<u8>> {
    let inner = match depth {
        0 => prop::collection::vec(any::<u8>(), 0..8).boxed(),
        _ => message(depth - 1),
    };
    let field = prop_oneof![
        4 => (1_u64..7, varint()).prop_map(|(number, value)| [tag(number, 0), value].concat()),
        8 => (1_u64..7, inner).prop_map(|(number, value)| delimited(number, &value)),
        4 => (1_u64..7, text()).prop_map(|(number, value)| delimited(number, value.as_bytes())),
        2 => unknown(),
        1 => prop::collection::vec(any::<u8>(), 0..12),
        1 => (any::<u64>(), varint()).prop_map(|(tag, value)| [written(tag), value].concat()),
    ];
    prop::collection::vec(field, 0..5).prop_map(|fields| fields.concat()).boxed()
}

/// A field that no message has: a number of every wire type, also a group.
fn unknown() -> BoxedStrategy<Vec<u8>> {
    let number = 7_u64..20;
    prop_oneof![
        (number.clone(), any::<u64>()).prop_map(|(n, value)| [tag(n, 0), written(value)].concat()),
        (number.clone(), any::<u64>())
            .prop_map(|(n, it)| [tag(n, 1), it.to_le_bytes().into()].concat()),
        (number.clone(), prop::collection::vec(any::<u8>(), 0..20))
            .prop_map(|(n, it)| delimited(n, &it)),
        (number.clone(), any::<u32>())
            .prop_map(|(n, it)| [tag(n, 5), it.to_le_bytes().into()].concat()),
        (number, any::<u64>())
            .prop_map(|(n, it)| { [tag(n, 3), tag(1, 0), written(it), tag(n, 4)].concat() }),
    ]
    .boxed()
}

/// A request as a library writes it.
fn request() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let ttl = prop_oneof![Just(15), -1_i64..20, any::<i64>()];
    let code = prop_oneof![8 => 0..3, 1 => any::<i32>()];
    let inputs = (resource(), ttl, code, prop::sample::select(&METHODS[..]));
    inputs.prop_map(|(resource, ttl_in_seconds, type_code, method)| {
        let message = match method {
            "Fetch" => FetchRequest { key: resource.key }.encode_to_vec(),
            "FetchAll" => FetchAllRequest { r#type: resource.r#type, type_code }.encode_to_vec(),
            "Lock" => LockRequest { resource: Some(resource), ttl_in_seconds }.encode_to_vec(),
            _ => ReleaseRequest { resource: Some(resource) }.encode_to_vec(),
        };
        (method, message)
    })
}

fn resource() -> impl Strategy<Value = Resource> {
    let code = prop_oneof![8 => 0..3, 1 => any::<i32>()];
    (text(), text(), text(), text(), code).prop_map(|(key, owner, value, r#type, type_code)| {
        Resource { key, owner, value, r#type, type_code }
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(&["k", "o", "lock", "presence", ""][..]).prop_map(str::to_owned),
        2 => "\\PC{0,6}",
        1 => Just("\0".to_owned()),
        1 => (250_usize..260).prop_map(|length| "x".repeat(length)),
        1 => (4_090_usize..4_100).prop_map(|length| "é".repeat(length)),
    ]
}

/// A number, also one of more bytes than it takes, or of too many.
fn varint() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => prop_oneof![0_u64..20, any::<u64>()].prop_map(written),
        1 => prop::collection::vec(0x80_u8.., 0..11),
    ]
}

fn delimited(number: u64, bytes: &[u8]) -> Vec<u8> {
    [tag(number, 2), written(bytes.len() as u64), bytes.to_vec()].concat()
}

fn tag(number: u64, wire_type: u64) -> Vec<u8> {
    written(number << 3 | wire_type)
}

fn written(value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    prost::encoding::encode_varint(value, &mut bytes);
    bytes
}
