//! Whole HTTP requests, plain gRPC and gRPC-Web: any method, path, headers and body.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Request};
use locket_wasm::transport::{grpc, grpc_web};
use proptest::prelude::*;

use super::answers::{answer, at_once, status_of};
use super::frames::body;
use crate::round::fuzz;

const NAMES: &[&str] = &[
    "content-type",
    "content-type",
    "grpc-timeout",
    "grpc-encoding",
    "grpc-accept-encoding",
    "accept",
    "te",
    "origin",
    "access-control-request-method",
    "x-grpc-web",
    "uuid",
    "content-length",
    "host",
];
const VALUES: &[&str] = &[
    "application/grpc",
    "application/grpc+proto",
    "application/grpc+json",
    "application/grpc;a=b",
    "application/grpc-web",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc-web-text+proto; charset=utf-8",
    "application/json",
    "text/html",
    "identity",
    "gzip",
    "1S",
    "0n",
    "99999999H",
    "5x",
    "-1S",
    "100000000S",
    "null",
    "https://a.test",
    "POST",
    "",
];

#[test]
fn grpc_requests() {
    fuzz("grpc_requests", 500, &request("application/grpc"), |request| {
        let has_body = !request.body().is_empty();
        let answer = answer(|server| {
            let request = request.clone().map(|body| has_body.then_some(body));
            at_once(grpc::handle(server, 0, request))
        })?;
        status_of(&answer).map(drop).ok_or_else(|| format!("there is no status in {answer:?}"))
    });
}

#[test]
fn grpc_web_requests() {
    let text = request("application/grpc-web-text");
    let requests = prop_oneof![request("application/grpc-web+proto"), text];
    fuzz("grpc_web_requests", 500, &requests, |request| {
        let answer = answer(|server| at_once(grpc_web::handle(server, 0, request.clone())))?;
        let status = answer.response.status().as_u16();
        match [200, 400, 405, 415].contains(&status) {
            true => Ok(()),
            false => Err(format!("the answer's status is {status}")),
        }
    });
}

/// Mostly such that it gets as far as its body.
fn request(content_type: &'static str) -> impl Strategy<Value = Request<Bytes>> {
    let method = prop_oneof![
        9 => Just(Method::POST),
        1 => prop::sample::select(vec![Method::GET, Method::OPTIONS, Method::HEAD, Method::PUT]),
    ];
    let path = prop_oneof![
        9 => "/models\\.Locket/(Lock|Fetch|Release|FetchAll)",
        1 => "/[a-zA-Z./?=%]{0,20}",
    ];
    let headers = prop::collection::vec((prop::sample::select(NAMES), value()), 0..3);
    (method, path, headers, body()).prop_map(move |(method, path, headers, body)| {
        let mut request = Request::new(Bytes::from(body));
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap();
        let map = request.headers_mut();
        map.insert("content-type", HeaderValue::from_static(content_type));
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), value);
        }
        request
    })
}

fn value() -> impl Strategy<Value = HeaderValue> {
    prop_oneof![
        6 => prop::sample::select(VALUES).prop_map(HeaderValue::from_static),
        1 => prop::collection::vec(any::<u8>(), 0..12)
            .prop_filter_map("no value of a header", |it| HeaderValue::from_bytes(&it).ok()),
        1 => "[0-9]{1,9}[HMSmun]".prop_map(|it| HeaderValue::try_from(it).unwrap()),
    ]
}
