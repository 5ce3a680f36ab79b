//! The outcome of a call, as it crosses to JavaScript. The rules' own types are not serialisable.

// The `type` fields are deprecated upstream, and every reply still carries them.
#![allow(deprecated)]

#[cfg(feature = "simulator")]
use locket_sim::protocol::resource::Resource;
use locket_sim::protocol::resource::TypeCode;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorView>,
    /// Fetch's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceView>,
    /// FetchAll's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<ResourceView>>,
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
