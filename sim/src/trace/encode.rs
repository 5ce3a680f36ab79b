//! Events as bytes, and the digest of all events of a run.
//!
//! The encoding is a promise: another encoding gives every scenario another digest.

mod error;
mod runner;

use std::sync::Arc;

use self::error::recorded;
use self::runner::{encode_joint, encode_member, encode_runner};
use super::digest::{Digest, Encoding};
use super::event::Stored;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::resource::Resource;
use crate::protocol::row::{Row, WrittenRow};
use crate::time::Time;
use crate::world::event::{Seen, WorldEvent};
use crate::world::network::NodeId;

/// Rolls the digest of a run.
#[derive(Clone, Default)]
pub(super) struct RollingDigest {
    digest: Digest,
    encoding: Encoding,
    requests: Requests,
}

impl RollingDigest {
    /// Adds an event of the world.
    pub(super) fn add(&mut self, event: &WorldEvent<Seen<'_>>) {
        self.encoding.clear();
        encode(event, &mut self.requests, &mut self.encoding);
        self.digest.add(&self.encoding);
    }

    /// Adds an event between a client and a storage.
    pub(super) fn add_stored(&mut self, time: Time, client: NodeId, what: Stored) {
        let encoding = &mut self.encoding;
        encoding.clear();
        encoding
            .number(time.as_ms())
            .number(client.0.into())
            .tag(21);
        match what {
            Stored::Arrives { is_taken, after } => encoding
                .tag(is_taken.into())
                .optional_number(after.map(|it| it.0.into())),
            Stored::Asks => encoding.tag(2),
            Stored::Idle => encoding.tag(3),
            Stored::Token(token) => encoding.tag(4).number(token),
            Stored::Writes { is_held } => encoding.tag(5 + u8::from(is_held)),
        };
        self.digest.add(&self.encoding);
    }

    /// The digest so far.
    pub(super) const fn digest(&self) -> Digest {
        self.digest
    }

    /// Sets the digest back to an earlier one.
    pub(super) const fn go_back(&mut self, digest: Digest) {
        self.digest = digest;
    }
}

/// The last request of each client, as bytes. A request appears in three events, and a runner
/// sends the same one again and again.
#[derive(Clone, Default)]
struct Requests(Vec<Option<(Arc<Request>, Encoding)>>);

impl Requests {
    fn encode(&mut self, client: NodeId, request: &Arc<Request>, encoding: &mut Encoding) {
        let client = client.index();
        if self.0.len() <= client {
            self.0.resize_with(client + 1, || None);
        }
        let known = &mut self.0[client];
        if let Some((_, bytes)) = known.as_ref().filter(|(of, _)| Arc::ptr_eq(of, request)) {
            encoding.append(bytes);
            return;
        }
        let mut bytes = Encoding::default();
        encode_request(request, &mut bytes);
        bytes.shrink();
        encoding.append(&bytes);
        *known = Some((Arc::clone(request), bytes));
    }
}

fn encode(event: &WorldEvent<Seen<'_>>, requests: &mut Requests, encoding: &mut Encoding) {
    encoding
        .number(event.time.as_ms())
        .number(event.node.0.into());
    match &event.what {
        Seen::Answered { request, result } => {
            encoding.tag(1);
            requests.encode(event.node, request, encoding);
            encode_answer(result, encoding);
        }
        Seen::Called { request, deadline } => {
            encoding
                .tag(2)
                .optional_number(deadline.map(|deadline| deadline.as_ms().cast_signed()));
            requests.encode(event.node, request, encoding);
        }
        Seen::Crashed => {
            encoding.tag(3);
        }
        Seen::Expired { key, owner } => {
            encoding.tag(4).text(key).text(owner);
        }
        Seen::FailedOver { commits } => {
            encoding.tag(5).number(*commits as u64);
        }
        Seen::Handled {
            client,
            request,
            result,
        } => {
            encoding.tag(6).number(client.0.into());
            requests.encode(*client, request, encoding);
            encode_answer(result, encoding);
        }
        Seen::MessageLost { to, why } => {
            encoding.tag(7).number(to.0.into()).tag(*why as u8);
        }
        Seen::Paused => {
            encoding.tag(8);
        }
        Seen::Resumed => {
            encoding.tag(9);
        }
        Seen::RowDeleted { path } => {
            encoding.tag(10).text(path);
        }
        Seen::RowWritten(row) => {
            encoding.tag(11);
            encode_written(row, encoding);
        }
        Seen::Runner(event) => {
            encoding.tag(12);
            encode_runner(event, encoding);
        }
        Seen::Joint(event) => {
            encoding.tag(16);
            encode_joint(event, encoding);
        }
        Seen::Member { key, event } => {
            encoding.tag(17).text(key);
            encode_member(event, encoding);
        }
        Seen::Stalled { duration } => {
            encoding.tag(13).number(duration.as_ms());
        }
        Seen::Started => {
            encoding.tag(14);
        }
        Seen::TableDropped => {
            encoding.tag(15);
        }
        Seen::Draining => {
            encoding.tag(18);
        }
        Seen::Stopped => {
            encoding.tag(19);
        }
        Seen::Disconnected { from } => {
            encoding.tag(20).number(from.0.into());
        }
    }
}

fn encode_request(request: &Request, encoding: &mut Encoding) {
    match request {
        Request::Fetch { key } => {
            encoding.tag(1).text(key);
        }
        Request::FetchAll {
            type_name,
            type_code,
        } => {
            encoding
                .tag(2)
                .text(type_name)
                .optional_number(Some(i32::from(*type_code).into()));
        }
        Request::Lock {
            resource,
            ttl_in_seconds,
        } => {
            encoding.tag(3).optional_number(Some(*ttl_in_seconds));
            encode_resource(resource.as_ref(), encoding);
        }
        Request::Release { resource } => {
            encoding.tag(4);
            encode_resource(resource.as_ref(), encoding);
        }
    }
}

fn encode_answer(answer: &Result<Response, LockError>, encoding: &mut Encoding) {
    match answer {
        Ok(Response::Lock) => {
            encoding.tag(1);
        }
        Ok(Response::Release) => {
            encoding.tag(2);
        }
        Ok(Response::Fetch(resource)) => {
            encoding.tag(3);
            encode_resource(Some(resource), encoding);
        }
        Ok(Response::FetchAll(resources)) => {
            encoding.tag(4).number(resources.len() as u64);
            for resource in resources {
                encode_resource(Some(resource), encoding);
            }
        }
        Err(error) => {
            encoding
                .tag(0)
                .number(error.code() as u64)
                .text(recorded(error));
        }
    }
}

fn encode_resource(resource: Option<&Resource>, encoding: &mut Encoding) {
    let Some(resource) = resource else {
        encoding.tag(0);
        return;
    };
    let Resource {
        key,
        owner,
        value,
        type_name,
        type_code,
    } = resource;
    encoding
        .tag(1)
        .text(key)
        .text(owner)
        .text(value)
        .text(type_name);
    encoding.optional_number(Some(i32::from(*type_code).into()));
}

fn encode_written(row: &WrittenRow, encoding: &mut Encoding) {
    if let Some(row) = &row.nulls {
        return encode_row(row, encoding);
    }
    encoding.text(&row.path);
    for text in [&*row.owner, &*row.value, row.row_type.name()] {
        encoding.optional_text(Some(text));
    }
    row.modified_id.with_text(|text| {
        encoding.optional_text(Some(text));
    });
    encoding
        .optional_number(Some(row.ttl))
        .optional_number(Some(row.modified_index));
}

fn encode_row(row: &Row, encoding: &mut Encoding) {
    let Row {
        path,
        owner,
        value,
        type_name,
        ttl,
        modified_id,
        modified_index,
    } = row;
    encoding.text(path);
    for text in [owner, value, type_name, modified_id] {
        encoding.optional_text(text.as_deref());
    }
    encoding
        .optional_number(*ttl)
        .optional_number(*modified_index);
}
