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
use crate::protocol::runner as of_runner;
use crate::time::Time;
use crate::world::DATABASE;
use crate::world::event::{Round, Seen, WorldEvent};
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
        encode(event, &mut self.requests, &mut self.encoding);
        self.digest.add(&self.encoding);
    }

    /// Adds the events of a renewal, which are most of a long run: as [`add`](Self::add) adds each.
    pub(super) fn add_round(&mut self, round: &Round<'_>) {
        let Round {
            time,
            client,
            process,
            deadline,
            row,
            ..
        } = *round;
        let request = self.requests.encoding(client, round.request);
        let (digest, encoding) = (&mut self.digest, &mut self.encoding);
        encode_called(encoding.begin(time, client, CALLED), deadline, request);
        digest.add(encoding);
        encode_written(row, encoding.begin(time, DATABASE, ROW_WRITTEN));
        digest.add(encoding);
        encode_handled(encoding.begin(time, process, HANDLED), client, request).tag(LOCKED);
        digest.add(encoding);
        encoding
            .begin(time, client, ANSWERED)
            .append(request)
            .tag(LOCKED);
        digest.add(encoding);
        encode_runner(
            &of_runner::Event::Renewed,
            encoding.begin(time, client, RUNNER),
        );
        digest.add(encoding);
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
    fn encoding(&mut self, client: NodeId, request: &Arc<Request>) -> &Encoding {
        let client = client.index();
        if self.0.len() <= client {
            self.0.resize_with(client + 1, || None);
        }
        let known = &mut self.0[client];
        if known
            .as_ref()
            .is_none_or(|(of, _)| !Arc::ptr_eq(of, request))
        {
            *known = None;
        }
        let (_, bytes) = known.get_or_insert_with(|| {
            let mut bytes = Encoding::default();
            encode_request(request, &mut bytes);
            bytes.shrink();
            (Arc::clone(request), bytes)
        });
        bytes
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

fn encode_called(encoding: &mut Encoding, deadline: Option<Time>, request: &Encoding) {
    encoding
        .optional_number(deadline.map(|deadline| deadline.as_ms().cast_signed()))
        .append(request);
}

fn encode_handled<'a>(
    encoding: &'a mut Encoding,
    client: NodeId,
    request: &Encoding,
) -> &'a mut Encoding {
    encoding.number(client.0.into()).append(request)
}

fn encode(event: &WorldEvent<Seen<'_>>, requests: &mut Requests, encoding: &mut Encoding) {
    let (time, node) = (event.time, event.node);
    match &event.what {
        Seen::Answered { request, result } => {
            let request = requests.encoding(event.node, request);
            let encoding = encoding.begin(time, node, ANSWERED);
            encode_answer(result, encoding.append(request));
        }
        Seen::Called { request, deadline } => {
            let request = requests.encoding(event.node, request);
            encode_called(encoding.begin(time, node, CALLED), *deadline, request);
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
        Seen::Handled {
            client,
            request,
            result,
        } => {
            let request = requests.encoding(*client, request);
            encode_answer(
                result,
                encode_handled(encoding.begin(time, node, HANDLED), *client, request),
            );
        }
        Seen::MessageLost { to, why } => {
            encoding
                .begin(time, node, 7)
                .number(to.0.into())
                .tag(*why as u8);
        }
        Seen::Paused => {
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
        Seen::Joint(event) => {
            encoding.begin(time, node, 16);
            encode_joint(event, encoding);
        }
        Seen::Member { key, event } => {
            encoding.begin(time, node, 17).text(key);
            encode_member(event, encoding);
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
            encoding.begin(time, node, 20).number(from.0.into());
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
