//! One thing that happened, in words and as bytes for the digest.

use std::fmt;

use super::Names;
use super::digest::{Digest, Encoding};
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::resource::Resource;
use crate::protocol::row::Row;
use crate::protocol::runner::{Event as RunnerEvent, LossCause};
use crate::time::{Duration, Time};
use crate::world::event::{LossReason, What, WorldEvent};
use crate::world::network::NodeId;

/// Something that happened at a point in virtual time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The scenario's author has something to say.
    Noted {
        /// When.
        time: Time,
        /// What.
        text: String,
    },
    /// It happened in the world.
    World(WorldEvent),
}

impl Event {
    /// When it happened.
    pub const fn time(&self) -> Time {
        match self {
            Self::Noted { time, .. } => *time,
            Self::World(event) => event.time,
        }
    }

    /// Where it happened; nowhere for a remark.
    pub const fn node(&self) -> Option<NodeId> {
        match self {
            Self::Noted { .. } => None,
            Self::World(event) => Some(event.node),
        }
    }

    /// The event as one sentence.
    pub fn words(&self, names: &Names) -> String {
        match self {
            Self::Noted { text, .. } => text.clone(),
            Self::World(event) => Sentence { event, names }.to_string(),
        }
    }

    /// Adds the event to a digest. A remark is not part of what happened.
    pub(super) fn add_to(&self, digest: &mut Digest, encoding: &mut Encoding) {
        if let Self::World(event) = self {
            add_to(event, digest, encoding);
        }
    }
}

/// Adds what happened to a digest.
pub(super) fn add_to(event: &WorldEvent, digest: &mut Digest, encoding: &mut Encoding) {
    encoding.clear();
    encoding
        .number(event.time.as_ms())
        .number(event.node.0.into());
    encode_what(&event.what, encoding);
    digest.add(encoding);
}

/// An event in words: `A locks bbs for 15 s`.
struct Sentence<'a> {
    event: &'a WorldEvent,
    names: &'a Names,
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.names.of(self.event.node);
        match &self.event.what {
            What::Answered { request, result } => {
                write!(f, "{who} {}: {}", asks(request), answers(request, result))
            }
            What::Called {
                request,
                deadline: None,
            } => write!(f, "{who} {}, without a deadline", asks(request)),
            What::Called {
                request,
                deadline: Some(deadline),
            } => {
                let patience = Seconds(deadline.since(self.event.time));
                write!(f, "{who} {} and waits at most {patience}", asks(request))
            }
            What::Crashed => write!(f, "{who} crashes: what it knew is gone"),
            What::Expired { key, owner } => {
                write!(
                    f,
                    "{key} expires: {owner} has not renewed it within its TTL"
                )
            }
            What::FailedOver { commits: 1 } => {
                f.write_str("the database fails over and has lost its last commit")
            }
            What::FailedOver { commits } => {
                write!(
                    f,
                    "the database fails over and has lost its last {commits} commits"
                )
            }
            What::Handled {
                client,
                request,
                result,
            } => {
                let client = self.names.of(*client);
                write!(
                    f,
                    "{who} answers {client}, which {}: {}",
                    asks(request),
                    answers(request, result)
                )
            }
            What::MessageLost {
                to,
                why: LossReason::Link,
            } => {
                write!(f, "a message from {who} to {} is lost", self.names.of(*to))
            }
            What::MessageLost {
                to,
                why: LossReason::NodeDown,
            } => {
                write!(f, "a message from {who} finds {} down", self.names.of(*to))
            }
            What::Paused => write!(f, "{who} stands still"),
            What::Resumed => write!(f, "{who} goes on"),
            What::RowDeleted { path } => write!(f, "the row of {path} is gone"),
            What::RowWritten(row) => write!(f, "row {row}"),
            What::Runner(event) => write!(f, "{who} {}", RunnerWords(event)),
            What::Stalled { duration } => {
                write!(f, "the database answers nothing for {}", Seconds(*duration))
            }
            What::Started => write!(f, "{who} starts"),
            What::TableDropped => f.write_str("the table is dropped, with all its rows"),
        }
    }
}

/// What became of a runner, after its name.
struct RunnerWords<'a>(&'a RunnerEvent);

impl fmt::Display for RunnerWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RunnerEvent::Acquired => f.write_str("acts as the owner from here on"),
            RunnerEvent::Exited(Ok(())) => f.write_str("ends"),
            RunnerEvent::Exited(Err(error)) => write!(f, "ends: {error}"),
            RunnerEvent::Lost(LossCause::LeaseEnded) => f.write_str(
                "stops acting: no renewal has succeeded, and its lease could end for Locket",
            ),
            RunnerEvent::Lost(LossCause::AttemptFailed { error, .. }) => {
                write!(
                    f,
                    "stops acting: its renewal failed with {}",
                    error.message()
                )
            }
            RunnerEvent::Ready => f.write_str("is ready"),
            RunnerEvent::Released(Ok(())) => f.write_str("has released it"),
            RunnerEvent::Released(Err(error)) => {
                write!(f, "could not release it: {}", error.message())
            }
            RunnerEvent::Renewed => f.write_str("has renewed it"),
            RunnerEvent::Retrying { cause, owner: None } => {
                write!(f, "will try again: {}", cause.message())
            }
            RunnerEvent::Retrying {
                cause,
                owner: Some(owner),
            } => {
                write!(f, "will try again: {}, {owner} holds it", cause.message())
            }
            RunnerEvent::Signalled => f.write_str("is told to stop, and acts no more"),
        }
    }
}

/// A length of time for people: `15 s`, `0.25 s`.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_ms();
        let fraction = format!("{:03}", ms % 1000);
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{} s", ms / 1000),
            digits => write!(f, "{}.{digits} s", ms / 1000),
        }
    }
}

/// What a client asks, in words: `locks bbs for 15 s`.
pub fn asks(request: &Request) -> String {
    match request {
        Request::Fetch { key } => format!("asks who holds {key}"),
        Request::FetchAll {
            type_name,
            type_code,
        } => {
            format!(
                "lists everything of type {}",
                type_code.name().unwrap_or(type_name)
            )
        }
        Request::Lock { ttl_in_seconds, .. } => {
            format!("locks {} for {ttl_in_seconds} s", request.key())
        }
        Request::Release { .. } => format!("releases {}", request.key()),
    }
}

/// What Locket answers, in words: `bbs-0 holds it`.
pub fn answers(request: &Request, answer: &Result<Response, LockError>) -> String {
    match answer {
        Ok(Response::Lock) => format!("{} holds it", request.owner()),
        Ok(Response::Release) => "done".to_owned(),
        Ok(Response::Fetch(resource)) => resource.owner.clone(),
        Ok(Response::FetchAll(resources)) if resources.is_empty() => "nothing".to_owned(),
        Ok(Response::FetchAll(resources)) => {
            let holders: Vec<String> = resources
                .iter()
                .map(|resource| format!("{} ({})", resource.key, resource.owner))
                .collect();
            holders.join(", ")
        }
        Err(error) => format!("{} ({})", error.message(), error.code().name()),
    }
}

fn encode_what(what: &What, encoding: &mut Encoding) {
    match what {
        What::Answered { request, result } => {
            encoding.tag(1);
            encode_request(request, encoding);
            encode_answer(result, encoding);
        }
        What::Called { request, deadline } => {
            encoding
                .tag(2)
                .optional_number(deadline.map(|deadline| deadline.as_ms().cast_signed()));
            encode_request(request, encoding);
        }
        What::Crashed => {
            encoding.tag(3);
        }
        What::Expired { key, owner } => {
            encoding.tag(4).text(key).text(owner);
        }
        What::FailedOver { commits } => {
            encoding.tag(5).number(*commits as u64);
        }
        What::Handled {
            client,
            request,
            result,
        } => {
            encoding.tag(6).number(client.0.into());
            encode_request(request, encoding);
            encode_answer(result, encoding);
        }
        What::MessageLost { to, why } => {
            encoding.tag(7).number(to.0.into()).tag(*why as u8);
        }
        What::Paused => {
            encoding.tag(8);
        }
        What::Resumed => {
            encoding.tag(9);
        }
        What::RowDeleted { path } => {
            encoding.tag(10).text(path);
        }
        What::RowWritten(row) => {
            encoding.tag(11);
            encode_row(row, encoding);
        }
        // The words name all that there is to a runner's event.
        What::Runner(event) => {
            encoding.tag(12).text(&RunnerWords(event).to_string());
        }
        What::Stalled { duration } => {
            encoding.tag(13).number(duration.as_ms());
        }
        What::Started => {
            encoding.tag(14);
        }
        What::TableDropped => {
            encoding.tag(15);
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
                .text(error.message());
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
