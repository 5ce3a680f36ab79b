//! Events as bytes, and the digest of all events of a run.
//!
//! The encoding is a promise: another encoding gives every scenario another digest.

mod error;
mod runner;

use std::sync::Arc;

use self::error::encode_error;
use self::runner::{RENEWED, encode_runner};
use super::digest::{Digest, Encoding};
use super::event::Stored;
use crate::protocol::error::LockError;
use crate::protocol::id_source::ModifiedId;
use crate::protocol::message::{Request, Response};
use crate::protocol::resource::Resource;
use crate::protocol::row::{Row, WrittenRow};
use crate::time::Time;
use crate::world::DATABASE;
use crate::world::event::{Seen, WholeRenewal, WorldEvent};
use crate::world::network::NodeId;

/// Rolls the digest of a run.
#[derive(Clone, Default)]
pub(crate) struct RollingDigest {
    encoding: Encoding,
    requests: Requests,
}

impl RollingDigest {
    /// Adds an event of the world.
    pub(super) fn add(&mut self, event: &WorldEvent<Seen<'_>>) {
        encode(event, &mut self.requests, &mut self.encoding);
    }

    /// Adds the events of a renewal, which are most of a long run: as [`add`](Self::add) adds each.
    pub(super) fn add_renewal(&mut self, round: &WholeRenewal<'_>) {
        let WholeRenewal { time, client, process, deadline, row, .. } = *round;
        let to = &mut self.encoding;
        encode_called(to.begin(time, client, CALLED), deadline);
        self.requests.encode(client, round.request, to);
        encode_written(row, to.begin(time, DATABASE, ROW_WRITTEN));
        // The same request as in the call.
        to.begin(time, process, HANDLED).node(client).tag(AGAIN);
        to.tag(LOCKED);
        to.begin(time, client, ANSWERED).tag(AGAIN).tag(LOCKED);
        to.begin(time, client, RUNNER).tag(RENEWED);
    }

    /// Adds an event between a client and a storage.
    pub(super) fn add_stored(&mut self, time: Time, client: NodeId, what: Stored) {
        let to = self.encoding.begin(time, client, 21);
        match what {
            Stored::Arrives { is_taken, after } => {
                to.tag(is_taken.into()).optional_number(after.map(|it| it.0.into()))
            }
            Stored::Asks => to.tag(2),
            Stored::Idle => to.tag(3),
            Stored::Token(token) => to.tag(4).number(token),
            Stored::Writes { is_held } => to.tag(5 + u8::from(is_held)),
        };
    }

    /// The digest so far.
    pub(crate) fn digest(&self) -> Digest {
        self.encoding.digest()
    }
}

/// The last request of each client. A request appears in three events, and a runner sends the same
/// one again and again: it is encoded once.
#[derive(Clone, Default)]
struct Requests(Vec<Option<Arc<Request>>>);

/// The tag of the request that was the client's last one.
const AGAIN: u8 = 0;

impl Requests {
    fn encode(&mut self, client: NodeId, request: &Arc<Request>, to: &mut Encoding) {
        let client = client.index();
        if self.0.len() <= client {
            self.0.resize(client + 1, None);
        }
        let last = &mut self.0[client];
        // Requests of a run and of its copy lie in other places, so their content is compared.
        if last.as_ref() == Some(request) {
            to.tag(AGAIN);
            return;
        }
        encode_request(request, to);
        *last = Some(Arc::clone(request));
    }
}

/// The tags of the events of a renewal.
const ANSWERED: u8 = 1;
const CALLED: u8 = 2;
const HANDLED: u8 = 6;
const ROW_WRITTEN: u8 = 11;
const RUNNER: u8 = 12;
/// The tag of a Lock's success.
const LOCKED: u8 = 1;

fn encode_called(to: &mut Encoding, deadline: Option<Time>) {
    to.optional_number(deadline.map(|deadline| deadline.as_ms().cast_signed()));
}

fn encode(event: &WorldEvent<Seen<'_>>, requests: &mut Requests, encoding: &mut Encoding) {
    let (time, node) = (event.time, event.node);
    match &event.what {
        Seen::Answered { request, result } => {
            let to = encoding.begin(time, node, ANSWERED);
            requests.encode(node, request, to);
            encode_answer(result, to);
        }
        Seen::Called { request, deadline } => {
            let to = encoding.begin(time, node, CALLED);
            encode_called(to, *deadline);
            requests.encode(node, request, to);
        }
        Seen::Crashed => {
            encoding.begin(time, node, 3);
        }
        Seen::Expired { key, owner } => {
            encoding.begin(time, node, 4).text(key).text(owner);
        }
        Seen::FailedOver { commits } => {
            encoding.begin(time, node, 5).number(*commits as u64);
        }
        Seen::Handled { client, request, result } => {
            let to = encoding.begin(time, node, HANDLED).node(*client);
            requests.encode(*client, request, to);
            encode_answer(result, to);
        }
        Seen::MessageLost { to, why } => {
            encoding.begin(time, node, 7).node(*to).tag(*why as u8);
        }
        Seen::Paused { .. } => {
            encoding.begin(time, node, 8);
        }
        Seen::Resumed => {
            encoding.begin(time, node, 9);
        }
        Seen::RowDeleted { path } => {
            encoding.begin(time, node, 10).text(path);
        }
        Seen::RowWritten(row) => {
            encode_written(row, encoding.begin(time, node, ROW_WRITTEN));
        }
        Seen::Runner(event) => {
            encode_runner(event, encoding.begin(time, node, RUNNER));
        }
        Seen::Stalled { duration } => {
            encoding.begin(time, node, 13).number(duration.as_ms());
        }
        Seen::Started => {
            encoding.begin(time, node, 14);
        }
        Seen::TableDropped => {
            encoding.begin(time, node, 15);
        }
        Seen::Draining => {
            encoding.begin(time, node, 18);
        }
        Seen::Stopped => {
            encoding.begin(time, node, 19);
        }
        Seen::Disconnected { from } => {
            encoding.begin(time, node, 20).node(*from);
        }
    }
}

fn encode_request(request: &Request, encoding: &mut Encoding) {
    match request {
        Request::Fetch { key } => {
            encoding.tag(1).text(key);
        }
        Request::FetchAll { type_name, type_code } => {
            encoding.tag(2).text(type_name).optional_number(Some(i32::from(*type_code).into()));
        }
        Request::Lock { resource, ttl_in_seconds } => {
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
            encoding.tag(LOCKED);
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
            encode_error(error, encoding.tag(0));
        }
    }
}

fn encode_resource(resource: Option<&Resource>, encoding: &mut Encoding) {
    let Some(resource) = resource else {
        encoding.tag(0);
        return;
    };
    let Resource { key, owner, value, type_name, type_code } = resource;
    encoding.tag(1).text(key).text(owner).text(value).text(type_name);
    encoding.optional_number(Some(i32::from(*type_code).into()));
}

fn encode_written(row: &WrittenRow, encoding: &mut Encoding) {
    if let Some(row) = &row.nulls {
        return encode_row(row, encoding.tag(0));
    }
    encoding.tag(1).text(&row.path).text(&row.owner).text(&row.value).text(row.row_type.name());
    match &row.modified_id {
        ModifiedId::Guid(id) => encoding.tag(0).bytes(id.as_bytes()),
        ModifiedId::Text(text) => encoding.tag(1).text(text),
    }
    .number(row.ttl.cast_unsigned())
    .number(row.modified_index.cast_unsigned());
}

fn encode_row(row: &Row, encoding: &mut Encoding) {
    let Row { path, owner, value, type_name, ttl, modified_id, modified_index } = row;
    encoding.text(path);
    for text in [owner, value, type_name, modified_id] {
        encoding.optional_text(text.as_deref());
    }
    encoding.optional_number(*ttl).optional_number(*modified_index);
}
