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
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::reply::{ErrorView, Reply};
use super::views::to_js;
use crate::client::request::with_options;
use crate::client::{CallError, LocketClient, Method, decode};
use crate::proto;
use crate::transport::grpc_web_client::GrpcWeb;

/// Makes a call. Fields that a method lacks are not sent.
#[expect(clippy::too_many_arguments, reason = "plain arguments cross the border fastest")]
#[wasm_bindgen]
pub fn send(
    base_url: String,
    method: &str,
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
    let resource = proto::Resource { key, owner, value, r#type: type_name, type_code };
    let (method, message) = match method {
        "fetch" => (Method::Fetch, encode(&proto::FetchRequest { key: resource.key })),
        "fetchAll" => {
            let request = proto::FetchAllRequest { r#type: resource.r#type, type_code };
            (Method::FetchAll, encode(&request))
        }
        "lock" => {
            let ttl_in_seconds = ttl_in_seconds as i64;
            let request = proto::LockRequest { resource: Some(resource), ttl_in_seconds };
            (Method::Lock, encode(&request))
        }
        _ => (Method::Release, encode(&proto::ReleaseRequest { resource: Some(resource) })),
    };
    let timeout = timeout_ms.map(|ms| Duration::from_millis(ms as u64));
    let client = LocketClient::over(GrpcWeb::for_call(base_url, call));
    let answer = client.send(method, with_options(message, request_id, timeout));
    future_to_promise(async move {
        let reply = answer.await.and_then(|answer| read(method, answer));
        Ok(to_js(&reply.unwrap_or_else(|error| Reply {
            error: Some(ErrorView::new(error.code().into(), error.message())),
            ..Reply::default()
        })))
    })
}

fn read(method: Method, answer: Bytes) -> Result<Reply, CallError> {
    let mut reply = Reply::default();
    match method {
        Method::Fetch => {
            let proto::FetchResponse { resource } = decode(answer)?;
            // Left out, a message is one with nothing in it.
            reply.resource = Some(resource.unwrap_or_default().into());
        }
        Method::FetchAll => {
            let proto::FetchAllResponse { resources } = decode(answer)?;
            reply.resources = Some(resources.into_iter().map(Into::into).collect());
        }
        Method::Lock => decode(answer).map(|proto::LockResponse {}| ())?,
        Method::Release => decode(answer).map(|proto::ReleaseResponse {}| ())?,
    }
    Ok(reply)
}

fn encode(message: &impl Message) -> Bytes {
    message.encode_to_vec().into()
}
