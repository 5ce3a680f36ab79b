//! The outcome of a call, as it crosses to JavaScript. The rules' own types are not serialisable.

// The `type` fields are deprecated upstream, and every reply still carries them.
#![allow(deprecated)]

use locket_sim::protocol::resource::TypeCode;
#[cfg(feature = "simulator")]
use locket_sim::{
    protocol::{error::LockError, message::Response, resource::Resource},
    time::Duration,
};
use serde::Serialize;

#[cfg(any(feature = "client", feature = "messages"))]
use crate::proto;

/// The outcome of a call.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// How long after the call its answer arrives, in milliseconds.
    pub after_ms: f64,
    /// The error that Locket answered.
    pub error: Option<ErrorView>,
    /// Fetch's answer.
    pub resource: Option<ResourceView>,
    /// FetchAll's answer.
    pub resources: Option<Vec<ResourceView>>,
}

#[cfg(feature = "simulator")]
impl Reply {
    /// The reply to a call of the rules, which arrives so long after it.
    pub fn of(result: Result<Response, LockError>, after: Duration) -> Self {
        let mut reply = Self { after_ms: after.as_ms() as f64, ..Self::default() };
        match result {
            Ok(Response::Lock | Response::Release) => {}
            Ok(Response::Fetch(resource)) => reply.resource = Some((*resource).into()),
            Ok(Response::FetchAll(resources)) => {
                reply.resources = Some(resources.into_iter().map(Into::into).collect());
            }
            Err(error) => reply.error = Some(ErrorView::new(error.code() as i32, error.message())),
        }
        reply
    }
}

/// A gRPC status that is not OK.
#[derive(Serialize)]
pub struct ErrorView {
    code: i32,
    message: String,
}

impl ErrorView {
    /// A code other than OK.
    pub fn new(code: i32, message: &str) -> Self {
        Self { code, message: message.to_owned() }
    }
}

/// A resource.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceView {
    key: String,
    owner: String,
    value: String,
    kind: &'static str,
    r#type: String,
    type_code: i32,
}

/// The name of this type code: `lock`, `presence` or `unknown`.
pub fn kind_of(type_code: i32) -> &'static str {
    match TypeCode::from(type_code) {
        TypeCode::Lock => "lock",
        TypeCode::Presence => "presence",
        TypeCode::Unknown | TypeCode::Other(_) => "unknown",
    }
}

#[cfg(any(feature = "client", feature = "messages"))]
impl From<proto::Resource> for ResourceView {
    fn from(wire: proto::Resource) -> Self {
        let proto::Resource { key, owner, value, r#type, type_code } = wire;
        Self { key, owner, value, kind: kind_of(type_code), r#type, type_code }
    }
}

#[cfg(feature = "simulator")]
impl From<Resource> for ResourceView {
    fn from(resource: Resource) -> Self {
        let Resource { key, owner, value, type_name, type_code } = resource;
        Self {
            key,
            owner,
            value,
            kind: kind_of(type_code.into()),
            r#type: type_name,
            type_code: type_code.into(),
        }
    }
}
