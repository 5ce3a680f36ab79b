//! Calls of the client of a real Locket.
//!
//! `base_url` has no slash at its end. `call` is what `src/transport/fetch/exchange.js` takes. Each
//! promise is fulfilled with a reply. Nothing is kept between two calls.

// The `type` fields are deprecated upstream.
#![allow(deprecated)]

use std::time::Duration;

use bytes::Bytes;
use js_sys::Promise;
use js_sys::futures::future_to_promise;
use prost::Message;
use tonic::Request;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::reply::{ErrorView, Reply};
use super::views::to_js;
use crate::client::request::with_options;
use crate::client::{CallError, LocketClient, Method, decode};
use crate::proto;
use crate::transport::grpc_web_client::GrpcWeb;

/// A reply with nothing in it, or an error.
#[expect(clippy::too_many_arguments, reason = "plain arguments cross the border fastest")]
#[wasm_bindgen(js_name = sendLock)]
pub fn send_lock(
    base_url: String,
    key: String,
    owner: String,
    value: String,
    type_name: String,
    type_code: i32,
    ttl_in_seconds: f64,
    request_id: &str,
    timeout_ms: Option<f64>,
    call: JsValue,
) -> Promise {
    let resource = Some(proto::Resource { key, owner, value, r#type: type_name, type_code });
    let request = proto::LockRequest { resource, ttl_in_seconds: ttl_in_seconds as i64 };
    let request = with_options(encode(&request), request_id, timeout(timeout_ms));
    send(base_url, Method::Lock, request, call, |answer| {
        decode(answer).map(|proto::LockResponse {}| Reply::default())
    })
}

/// A reply with nothing in it, or an error.
#[wasm_bindgen(js_name = sendRelease)]
pub fn send_release(
    base_url: String,
    key: String,
    owner: String,
    request_id: &str,
    timeout_ms: Option<f64>,
    call: JsValue,
) -> Promise {
    let resource = Some(proto::Resource { key, owner, ..proto::Resource::default() });
    let request = encode(&proto::ReleaseRequest { resource });
    let request = with_options(request, request_id, timeout(timeout_ms));
    send(base_url, Method::Release, request, call, |answer| {
        decode(answer).map(|proto::ReleaseResponse {}| Reply::default())
    })
}

/// A resource or an error.
#[wasm_bindgen(js_name = sendFetch)]
pub fn send_fetch(
    base_url: String,
    key: String,
    request_id: &str,
    timeout_ms: Option<f64>,
    call: JsValue,
) -> Promise {
    let request = encode(&proto::FetchRequest { key });
    let request = with_options(request, request_id, timeout(timeout_ms));
    send(base_url, Method::Fetch, request, call, |answer| {
        let proto::FetchResponse { resource } = decode(answer)?;
        Ok(Reply {
            // Left out, a message is one with nothing in it.
            resource: Some(resource.unwrap_or_default().into()),
            ..Reply::default()
        })
    })
}

/// Resources or an error.
#[wasm_bindgen(js_name = sendFetchAll)]
pub fn send_fetch_all(
    base_url: String,
    type_name: String,
    type_code: i32,
    request_id: &str,
    timeout_ms: Option<f64>,
    call: JsValue,
) -> Promise {
    let request = proto::FetchAllRequest { r#type: type_name, type_code };
    let request = with_options(encode(&request), request_id, timeout(timeout_ms));
    send(base_url, Method::FetchAll, request, call, |answer| {
        let proto::FetchAllResponse { resources } = decode(answer)?;
        Ok(Reply {
            resources: Some(resources.into_iter().map(Into::into).collect()),
            ..Reply::default()
        })
    })
}

fn send(
    base_url: String,
    method: Method,
    request: Request<Bytes>,
    call: JsValue,
    read: fn(Bytes) -> Result<Reply, CallError>,
) -> Promise {
    let client = LocketClient::over(GrpcWeb::for_call(base_url, call));
    let answer = client.send(method, request);
    future_to_promise(async move {
        let reply = answer.await.and_then(read).unwrap_or_else(|error| Reply {
            error: Some(ErrorView::new(error.code().into(), error.message())),
            ..Reply::default()
        });
        Ok(to_js(&reply))
    })
}

fn encode(message: &impl Message) -> Bytes {
    message.encode_to_vec().into()
}

fn timeout(ms: Option<f64>) -> Option<Duration> {
    ms.map(|ms| Duration::from_millis(ms as u64))
}
