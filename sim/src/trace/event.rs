//! One thing that happened, in words and as bytes for the digest.

use std::fmt;

use super::Names;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{Event as RunnerEvent, LossCause};
use crate::time::{Duration, Time};
use crate::world::event::{JointEvent, LossReason, What, WorldEvent};
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
            What::Joint(event) => write!(f, "{who} {}", JointWords(event)),
            What::Member { key, event } => {
                write!(f, "{who}'s runner for {key} {}", MemberWords(event))
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
pub(super) struct RunnerWords<'a>(pub(super) &'a RunnerEvent);

impl RunnerWords<'_> {
    /// The words, where they are always the same.
    pub(super) const fn fixed(&self) -> Option<&'static str> {
        Some(match self.0 {
            RunnerEvent::Acquired => "acts as the owner from here on",
            RunnerEvent::Exited(Ok(())) => "ends",
            RunnerEvent::Lost(LossCause::LeaseEnded) => {
                "stops acting: no renewal has succeeded, and its lease could end for Locket"
            }
            RunnerEvent::Ready => "is ready",
            RunnerEvent::Released(Ok(())) => "has released it",
            RunnerEvent::Renewed => "has renewed it",
            RunnerEvent::Signalled => "is told to stop, and acts no more",
            RunnerEvent::Exited(Err(_))
            | RunnerEvent::Lost(LossCause::AttemptFailed { .. })
            | RunnerEvent::Released(Err(_))
            | RunnerEvent::Retrying { .. } => return None,
        })
    }
}

impl fmt::Display for RunnerWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RunnerEvent::Exited(Err(error)) => write!(f, "ends: {error}"),
            RunnerEvent::Lost(LossCause::AttemptFailed { error, .. }) => {
                write!(
                    f,
                    "stops acting: its renewal failed with {}",
                    error.message()
                )
            }
            RunnerEvent::Released(Err(error)) => {
                write!(f, "could not release it: {}", error.message())
            }
            RunnerEvent::Retrying { cause, owner: None } => {
                write!(f, "will try again: {}", cause.message())
            }
            RunnerEvent::Retrying {
                cause,
                owner: Some(owner),
            } => {
                write!(f, "will try again: {}, {owner} holds it", cause.message())
            }
            RunnerEvent::Acquired
            | RunnerEvent::Exited(Ok(()))
            | RunnerEvent::Lost(LossCause::LeaseEnded)
            | RunnerEvent::Ready
            | RunnerEvent::Released(Ok(()))
            | RunnerEvent::Renewed
            | RunnerEvent::Signalled => f.write_str(self.fixed().unwrap_or_default()),
        }
    }
}

/// What became of a joint lock, after its name.
pub(super) struct JointWords<'a>(pub(super) &'a JointEvent);

impl fmt::Display for JointWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            JointEvent::Acquired => f.write_str("holds all its keys and acts from here on"),
            JointEvent::Exited(Ok(())) => f.write_str("ends"),
            JointEvent::Exited(Err(error)) => {
                // A sentence has one line.
                let trace = error.to_string();
                let lines: Vec<&str> = trace.lines().collect();
                let (first, members) = lines.split_first().unwrap_or((&"", &[]));
                write!(f, "ends: {first} {}", members.join("; "))
            }
            JointEvent::Lost => f.write_str("acts no more"),
        }
    }
}

/// What became of a joint lock's runner, after its name: it alone decides nothing about acting.
pub(super) struct MemberWords<'a>(pub(super) &'a RunnerEvent);

impl fmt::Display for MemberWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RunnerEvent::Acquired => f.write_str("has taken it"),
            RunnerEvent::Lost(LossCause::LeaseEnded) => {
                f.write_str("has lost it: its lease could end for Locket")
            }
            RunnerEvent::Lost(LossCause::AttemptFailed { error, .. }) => {
                let why = error.message();
                write!(f, "has lost it: its renewal failed with {why}")
            }
            RunnerEvent::Signalled => f.write_str("is told to stop"),
            RunnerEvent::Exited(_)
            | RunnerEvent::Ready
            | RunnerEvent::Released(_)
            | RunnerEvent::Renewed
            | RunnerEvent::Retrying { .. } => RunnerWords(self.0).fmt(f),
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
