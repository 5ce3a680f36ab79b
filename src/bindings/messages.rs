//! Raw requests to a reference server: read here, answered by the rules in another module, and the
//! answers written here.
//!
//! Nothing is kept between the two, so a module that was replaced meanwhile does no harm.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use js_sys::{Array, Uint8Array};
use locket_sim::protocol::error::{Code, LockError};
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::resource::Resource;
use locket_sim::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

use super::views::object;
use crate::transport::direct::Called;
use crate::transport::raw_call::{Answer, Form, RawCall};
use crate::transport::{grpc, grpc_web};

/// Reads a gRPC-Web request. Gives the call that it makes: content type and origin for
/// [`write_answer`], then what `WasmServer.ask` takes from the method on. Gives the answer, as
/// [`write_answer`] does, if there is no call.
#[wasm_bindgen(js_name = readGrpcWeb)]
pub fn read_grpc_web(method: &str, path: &str, headers: Vec<String>, body: Vec<u8>) -> JsValue {
    read_to_js(grpc_web::read(http_request(method, path, &headers, body.into())))
}

/// The same of a plain gRPC request. Without a body it ended with its headers.
#[wasm_bindgen(js_name = readGrpc)]
pub fn read_grpc(method: &str, path: &str, headers: Vec<String>, body: Option<Vec<u8>>) -> JsValue {
    read_to_js(grpc::read(http_request(method, path, &headers, body.map(Bytes::from))))
}

/// Writes the answer to a call: `{status, headers, body, trailers, afterMs}`; headers and trailers
/// are names and values in turn.
#[wasm_bindgen(js_name = writeAnswer)]
pub fn write_answer(
    content_type: &str,
    origin: Option<String>,
    reply: Option<GivenReply>,
) -> JsValue {
    let header = |text: &str| HeaderValue::from_str(text).ok();
    let form = Form {
        // Both were headers when they left.
        content_type: header(content_type).unwrap_or(HeaderValue::from_static("")),
        origin: origin.as_deref().and_then(header),
    };
    answer_to_js(&form.write(called(reply)))
}

#[wasm_bindgen]
extern "C" {
    /// The reply of `WasmServer.ask`; `undefined` stands for a success without anything in it.
    pub type GivenReply;
    #[wasm_bindgen(method, getter, js_name = afterMs)]
    fn after_ms(this: &GivenReply) -> f64;
    #[wasm_bindgen(method, getter)]
    fn error(this: &GivenReply) -> Option<GivenError>;
    #[wasm_bindgen(method, getter)]
    fn resource(this: &GivenReply) -> Option<GivenResource>;
    #[wasm_bindgen(method, getter)]
    fn resources(this: &GivenReply) -> Option<Array>;

    type GivenError;
    #[wasm_bindgen(method, getter)]
    fn code(this: &GivenError) -> i32;
    #[wasm_bindgen(method, getter)]
    fn message(this: &GivenError) -> String;

    type GivenResource;
    #[wasm_bindgen(method, getter)]
    fn key(this: &GivenResource) -> String;
    #[wasm_bindgen(method, getter)]
    fn owner(this: &GivenResource) -> String;
    #[wasm_bindgen(method, getter)]
    fn value(this: &GivenResource) -> String;
    #[wasm_bindgen(method, getter, js_name = type)]
    fn type_name(this: &GivenResource) -> String;
    #[wasm_bindgen(method, getter, js_name = typeCode)]
    fn type_code(this: &GivenResource) -> i32;
}

fn called(reply: Option<GivenReply>) -> Called {
    let Some(reply) = reply else {
        return Called { result: Ok(Response::Lock), after: Duration::ZERO };
    };
    let result = if let Some(error) = reply.error() {
        let code = Code::from_number(error.code());
        Err(LockError::Status(code, error.message().into()))
    } else if let Some(found) = reply.resource() {
        Ok(Response::Fetch(Box::new(resource(&found))))
    } else if let Some(all) = reply.resources() {
        let all = all.iter().map(|it| resource(it.unchecked_ref()));
        Ok(Response::FetchAll(all.collect()))
    } else {
        // On the wire it is the same as that of Release.
        Ok(Response::Lock)
    };
    Called { result, after: Duration::from_ms(reply.after_ms() as u64) }
}

fn resource(given: &GivenResource) -> Resource {
    Resource {
        key: given.key(),
        owner: given.owner(),
        value: given.value(),
        type_name: given.type_name(),
        type_code: given.type_code().into(),
    }
}

fn http_request<B>(method: &str, path: &str, headers: &[String], body: B) -> http::Request<B> {
    let mut request = http::Request::new(body);
    *request.method_mut() = Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET);
    *request.uri_mut() = path.parse().unwrap_or_else(|_| Uri::from_static("/"));
    for pair in headers.chunks_exact(2) {
        // A request that HTTP does not allow did not come over HTTP.
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(pair[0].as_bytes()), HeaderValue::from_str(&pair[1]))
        {
            request.headers_mut().append(name, value);
        }
    }
    request
}

fn read_to_js(read: Result<RawCall, Answer>) -> JsValue {
    match read {
        Ok(call) => call_to_js(call),
        Err(answer) => answer_to_js(&answer),
    }
}

fn call_to_js(call: RawCall) -> JsValue {
    let RawCall { request, request_id, timeout, form } = call;
    let method = match &request {
        Request::Fetch { .. } => "fetch",
        Request::FetchAll { .. } => "fetchAll",
        Request::Lock { .. } => "lock",
        Request::Release { .. } => "release",
    };
    let (resource, ttl_in_seconds) = match request {
        Request::Fetch { key } => (Some(Resource { key, ..Resource::default() }), 0),
        Request::FetchAll { type_name, type_code } => {
            (Some(Resource { type_name, type_code, ..Resource::default() }), 0)
        }
        Request::Lock { resource, ttl_in_seconds } => (resource, ttl_in_seconds),
        Request::Release { resource } => (resource, 0),
    };
    let has_resource = resource.is_some();
    let Resource { key, owner, value, type_name, type_code } = resource.unwrap_or_default();
    // All bytes: what is no ASCII is made a header again.
    let text = |header: &HeaderValue| (&*String::from_utf8_lossy(header.as_bytes())).into();
    let parts: [JsValue; 12] = [
        text(&form.content_type),
        form.origin.as_ref().map_or(JsValue::UNDEFINED, text),
        method.into(),
        has_resource.into(),
        key.into(),
        owner.into(),
        value.into(),
        type_name.into(),
        i32::from(type_code).into(),
        // As a BigInt: a number would lose digits.
        ttl_in_seconds.into(),
        request_id.into(),
        timeout.map_or(JsValue::UNDEFINED, |timeout| (timeout.as_ms() as f64).into()),
    ];
    parts.into_iter().collect::<Array>().into()
}

fn answer_to_js(answer: &Answer) -> JsValue {
    let response = &answer.response;
    object([
        ("status", response.status().as_u16().into()),
        ("headers", headers_to_js(response.headers()).into()),
        ("body", Uint8Array::from(&response.body()[..]).into()),
        ("trailers", headers_to_js(&answer.trailers).into()),
        ("afterMs", (answer.after.as_ms() as f64).into()),
    ])
}

fn headers_to_js(headers: &HeaderMap) -> Array {
    let list = Array::new();
    for (name, value) in headers {
        if let Ok(value) = value.to_str() {
            list.push(&name.as_str().into());
            list.push(&value.into());
        }
    }
    list
}
