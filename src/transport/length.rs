//! How many bytes a message of `proto/locket.proto` takes on the wire, without making one.
//!
//! Its limit counts for calls that are never encoded, too. The tests compare it with the generated
//! messages.

use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::resource::{Resource, TypeCode};

pub(super) fn of_request(request: &Request) -> usize {
    match request {
        Request::Fetch { key } => text(key),
        Request::FetchAll { type_name, type_code } => text(type_name) + code(*type_code),
        Request::Lock { resource, ttl_in_seconds } => {
            resource.as_ref().map_or(0, resource_field) + number(*ttl_in_seconds)
        }
        Request::Release { resource } => resource.as_ref().map_or(0, resource_field),
    }
}

pub(super) fn of_response(response: &Response) -> usize {
    match response {
        Response::Lock | Response::Release => 0,
        Response::Fetch(resource) => resource_field(resource),
        Response::FetchAll(resources) => resources.iter().map(resource_field).sum(),
    }
}

/// Each field has a tag of one byte. A text or message has its length besides, and is left out if
/// it is a text without letters; so is a number that is 0.
fn resource_field(resource: &Resource) -> usize {
    let Resource { key, owner, value, type_name, type_code } = resource;
    let texts: usize = [key, owner, value, type_name].map(|it| text(it)).iter().sum();
    with_length(texts + code(*type_code))
}

const fn text(text: &str) -> usize {
    match text.len() {
        0 => 0,
        length => with_length(length),
    }
}

fn code(code: TypeCode) -> usize {
    number(i32::from(code).into())
}

const fn number(number: i64) -> usize {
    match number {
        0 => 0,
        number => 1 + varint(number.cast_unsigned()),
    }
}

const fn with_length(length: usize) -> usize {
    1 + varint(length as u64) + length
}

/// Seven bits a byte.
const fn varint(number: u64) -> usize {
    (u64::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize
}

#[cfg(all(test, feature = "grpc"))]
mod tests {
    use super::*;
    use crate::convert::{WireRequest, encoded};
    use prost::Message as _;

    /// Texts around each length that takes a byte more, and numbers of every width.
    fn resources() -> Vec<Resource> {
        let lengths = [0, 1, 127, 128, 16_383, 16_384, 2_097_152];
        let codes = [0, 1, 2, 127, 128, -7, i32::MIN, i32::MAX];
        let pairs = lengths.iter().flat_map(|it| codes.map(|code| (*it, code)));
        pairs
            .map(|(length, code)| Resource {
                key: "k".into(),
                owner: "o".repeat(length % 1000),
                value: "v".repeat(length),
                type_name: "t".repeat(length / 7),
                type_code: code.into(),
            })
            .collect()
    }

    fn encoded_request(request: Request) -> usize {
        match WireRequest::from(request) {
            WireRequest::Fetch(wire) => wire.encoded_len(),
            WireRequest::FetchAll(wire) => wire.encoded_len(),
            WireRequest::Lock(wire) => wire.encoded_len(),
            WireRequest::Release(wire) => wire.encoded_len(),
        }
    }

    #[test]
    fn a_request_is_as_long_as_the_generated_message() {
        let mut ttls = [0, 1, 127, 128, -1, i64::MIN, i64::MAX].into_iter().cycle();
        for resource in resources() {
            let requests = [
                Request::Fetch { key: resource.value.clone() },
                Request::FetchAll {
                    type_name: resource.type_name.clone(),
                    type_code: resource.type_code,
                },
                Request::Lock {
                    resource: Some(resource.clone()),
                    ttl_in_seconds: ttls.next().unwrap_or_default(),
                },
                Request::Release { resource: Some(resource) },
                Request::Release { resource: None },
            ];
            for request in requests {
                assert_eq!(of_request(&request), encoded_request(request));
            }
        }
    }

    #[test]
    fn an_answer_is_as_long_as_the_generated_message() {
        let one = resources().into_iter().map(|it| Response::Fetch(it.into()));
        let all = Response::FetchAll(resources());
        for response in one.chain([all, Response::Lock, Response::FetchAll(Vec::new())]) {
            assert_eq!(of_response(&response), encoded(response).len());
        }
    }
}
