//! Between the wire's types and the rules' types.
//!
//! The only file that knows both. Conversions do not judge: a type code outside the enum or a
//! missing resource goes to the rules as it is, since refusing it is theirs.

// The `type` fields are deprecated upstream, and every reply still carries them.
#![allow(deprecated)]

use locket_sim::protocol::error::{self, LockError};
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::resource::Resource;
use prost::Message as _;
use tonic::{Code, Status};

use crate::proto;

impl From<proto::Resource> for Resource {
    fn from(wire: proto::Resource) -> Self {
        Self {
            key: wire.key,
            owner: wire.owner,
            value: wire.value,
            type_name: wire.r#type,
            type_code: wire.type_code.into(),
        }
    }
}

impl From<Resource> for proto::Resource {
    fn from(resource: Resource) -> Self {
        Self {
            key: resource.key,
            owner: resource.owner,
            value: resource.value,
            r#type: resource.type_name,
            type_code: resource.type_code.into(),
        }
    }
}

impl From<proto::LockRequest> for Request {
    fn from(wire: proto::LockRequest) -> Self {
        Self::Lock {
            resource: wire.resource.map(Resource::from),
            ttl_in_seconds: wire.ttl_in_seconds,
        }
    }
}

impl From<proto::ReleaseRequest> for Request {
    fn from(wire: proto::ReleaseRequest) -> Self {
        Self::Release { resource: wire.resource.map(Resource::from) }
    }
}

impl From<proto::FetchRequest> for Request {
    fn from(wire: proto::FetchRequest) -> Self {
        Self::Fetch { key: wire.key }
    }
}

impl From<proto::FetchAllRequest> for Request {
    fn from(wire: proto::FetchAllRequest) -> Self {
        Self::FetchAll { type_name: wire.r#type, type_code: wire.type_code.into() }
    }
}

/// A request as one of the wire's messages.
#[derive(Clone, Debug, PartialEq)]
pub enum WireRequest {
    /// Reads one resource.
    Fetch(proto::FetchRequest),
    /// Lists the resources of one type.
    FetchAll(proto::FetchAllRequest),
    /// Takes or renews a resource.
    Lock(proto::LockRequest),
    /// Gives a resource up.
    Release(proto::ReleaseRequest),
}

impl From<Request> for WireRequest {
    fn from(request: Request) -> Self {
        match request {
            Request::Fetch { key } => Self::Fetch(proto::FetchRequest { key }),
            Request::FetchAll { type_name, type_code } => Self::FetchAll(proto::FetchAllRequest {
                r#type: type_name,
                type_code: type_code.into(),
            }),
            Request::Lock { resource, ttl_in_seconds } => Self::Lock(proto::LockRequest {
                resource: resource.map(Into::into),
                ttl_in_seconds,
            }),
            Request::Release { resource } => {
                Self::Release(proto::ReleaseRequest { resource: resource.map(Into::into) })
            }
        }
    }
}

/// A response on the wire.
pub(crate) fn encoded(response: Response) -> Vec<u8> {
    match response {
        Response::Fetch(resource) => fetched(*resource).encode_to_vec(),
        Response::FetchAll(resources) => listed(resources).encode_to_vec(),
        Response::Lock | Response::Release => Vec::new(),
    }
}

fn fetched(resource: Resource) -> proto::FetchResponse {
    proto::FetchResponse { resource: Some(resource.into()) }
}

fn listed(resources: Vec<Resource>) -> proto::FetchAllResponse {
    proto::FetchAllResponse {
        resources: resources.into_iter().map(proto::Resource::from).collect(),
    }
}

/// A response that is not the one of its request: a bug of ours, answered as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongResponse;

impl From<WrongResponse> for Status {
    fn from(_: WrongResponse) -> Self {
        Self::internal("bug in locket-wasm: the answer is not one to this call; please report it")
    }
}

impl TryFrom<Response> for proto::LockResponse {
    type Error = WrongResponse;

    fn try_from(response: Response) -> Result<Self, WrongResponse> {
        if response == Response::Lock { Ok(Self {}) } else { Err(WrongResponse) }
    }
}

impl TryFrom<Response> for proto::ReleaseResponse {
    type Error = WrongResponse;

    fn try_from(response: Response) -> Result<Self, WrongResponse> {
        if response == Response::Release { Ok(Self {}) } else { Err(WrongResponse) }
    }
}

impl TryFrom<Response> for proto::FetchResponse {
    type Error = WrongResponse;

    fn try_from(response: Response) -> Result<Self, WrongResponse> {
        let Response::Fetch(resource) = response else {
            return Err(WrongResponse);
        };
        Ok(fetched(*resource))
    }
}

impl TryFrom<Response> for proto::FetchAllResponse {
    type Error = WrongResponse;

    fn try_from(response: Response) -> Result<Self, WrongResponse> {
        let Response::FetchAll(resources) = response else {
            return Err(WrongResponse);
        };
        Ok(listed(resources))
    }
}

impl From<proto::LockResponse> for Response {
    fn from(_: proto::LockResponse) -> Self {
        Self::Lock
    }
}

impl From<proto::ReleaseResponse> for Response {
    fn from(_: proto::ReleaseResponse) -> Self {
        Self::Release
    }
}

impl From<proto::FetchResponse> for Response {
    fn from(wire: proto::FetchResponse) -> Self {
        // Left out, a message is one with nothing in it.
        Self::Fetch(Box::new(wire.resource.unwrap_or_default().into()))
    }
}

impl From<proto::FetchAllResponse> for Response {
    fn from(wire: proto::FetchAllResponse) -> Self {
        Self::FetchAll(wire.resources.into_iter().map(Resource::from).collect())
    }
}

/// The gRPC status that a refusal crosses the wire as.
pub fn status(error: &LockError) -> Status {
    Status::new(Code::from_i32(error.code() as i32), error.message())
}

/// The refusal that crossed the wire as a gRPC status.
pub fn lock_error(status: &Status) -> LockError {
    let code = error::Code::from_number(status.code().into());
    LockError::from_wire(code, status.message().to_owned())
}
