//! One event of a run, and its sentence.

use std::fmt;

use super::Names;
use crate::amounts::Seconds;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{Event as RunnerEvent, LossCause};
use crate::time::Time;
use crate::world::event::{LossReason, What, WorldEvent};
use crate::world::network::NodeId;

/// An event at a point in virtual time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A note of the scenario's author.
    Noted {
        /// When the note is shown.
        time: Time,
        /// The note.
        text: String,
    },
    /// A client and the storage that it writes to.
    Stored {
        /// When it happens.
        time: Time,
        /// The client.
        client: NodeId,
        /// The event.
        what: Stored,
    },
    /// An event of the simulated world.
    World(WorldEvent),
}

/// An event between a client and a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// A write arrives.
    Arrives {
        /// True if the storage takes it.
        is_taken: bool,
        /// The later holder that has written before, if one has.
        after: Option<NodeId>,
    },
    /// The client asks for a token.
    Asks,
    /// The client was to write or ask, and does not act or has no token.
    Idle,
    /// The client is given a token.
    Token(u64),
    /// The client decides on a write.
    Writes {
        /// True if a pause that has begun holds it up.
        is_held: bool,
    },
}

impl Event {
    /// When it happened.
    pub const fn time(&self) -> Time {
        match self {
            Self::Noted { time, .. } | Self::Stored { time, .. } => *time,
            Self::World(event) => event.time,
        }
    }

    /// The node it happened at; `None` for a note.
    pub const fn node(&self) -> Option<NodeId> {
        match self {
            Self::Noted { .. } => None,
            Self::Stored { client, .. } => Some(*client),
            Self::World(event) => Some(event.node),
        }
    }

    /// The event as one sentence.
    pub fn words(&self, names: &Names) -> String {
        match self {
            Self::Noted { text, .. } => text.clone(),
            Self::Stored { client, what, .. } => what.words(names.of(*client), names),
            Self::World(event) => Sentence { event, names }.to_string(),
        }
    }
}

impl Stored {
    fn words(self, client: &str, names: &Names) -> String {
        match self {
            Self::Arrives { is_taken, after } => match (is_taken, after) {
                (true, None) => format!("the storage takes a write of {client}"),
                (true, Some(after)) => {
                    let after = names.of(after);
                    format!(
                        "the storage takes a late write of {client} after one of {after}: wrong"
                    )
                }
                (false, None) => format!(
                    "the storage refuses a write of {client}, although no later holder has written"
                ),
                (false, Some(_)) => format!("the storage refuses a late write of {client}"),
            },
            Self::Asks => format!("{client} asks the storage for a token"),
            Self::Idle => {
                format!("{client} writes nothing: it does not act, or has no token to use")
            }
            Self::Token(token) => format!("{client} gets token {token} from the storage"),
            Self::Writes { is_held: false } => format!("{client} decides on a write"),
            Self::Writes { is_held: true } => {
                format!("{client} has decided on a write, which its pause holds up")
            }
        }
    }
}

/// An event in words: `A locks 'bbs' for 15 s`.
struct Sentence<'a> {
    event: &'a WorldEvent,
    names: &'a Names,
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.names.of(self.event.node);
        let thing = self.names.thing(self.event.node);
        match &self.event.what {
            What::Answered { request, result } => {
                write!(f, "{who} {}: {}", asks(request), answers(request, result))
            }
            What::Called { request, deadline: None } => {
                write!(f, "{who} {}, without a deadline", asks(request))
            }
            What::Called { request, deadline: Some(deadline) } => {
                let timeout = Seconds(deadline.since(self.event.time));
                write!(f, "{who} {} and waits at most {timeout}", asks(request))
            }
            What::Crashed => write!(f, "{who} crashes"),
            What::Disconnected { from } => {
                write!(f, "{who}'s connection to {} breaks", self.names.of(*from))
            }
            What::Draining => write!(f, "{who} finishes its calls and accepts no connection"),
            What::Expired { key, owner } => {
                write!(f, "'{key}' expires: {owner} has not renewed it within its TTL")
            }
            What::FailedOver { commits: 1 } => {
                f.write_str("the database fails over and loses its last commit")
            }
            What::FailedOver { commits } => {
                write!(f, "the database fails over and loses its last {commits} commits")
            }
            What::Handled { client, request, result } => {
                let client = self.names.of(*client);
                write!(
                    f,
                    "{who} answers {client}, which {}: {}",
                    asks(request),
                    answers(request, result)
                )
            }
            What::MessageLost { to, why: LossReason::Link } => {
                write!(f, "a message from {who} to {} is lost", self.names.of(*to))
            }
            What::MessageLost { to, why: LossReason::Disconnected } => {
                let to = self.names.of(*to);
                write!(f, "a message from {who} to {to} is lost with its connection")
            }
            What::MessageLost { to, why: LossReason::NodeDown } => {
                write!(f, "a message from {who} is lost: {} is down", self.names.of(*to))
            }
            What::Paused { suspended: false } => write!(f, "{who} is paused"),
            What::Paused { suspended: true } => write!(f, "{who} is suspended"),
            What::Resumed => write!(f, "{who} resumes"),
            What::RowDeleted { path } => write!(f, "the row of '{path}' is deleted"),
            What::RowWritten(row) => write!(f, "row {row}"),
            What::Runner(event) => {
                write!(f, "{who} {}", RunnerWords { event, thing })
            }
            What::Stalled { duration } => {
                write!(f, "the database stalls for {}", Seconds(*duration))
            }
            What::Started => write!(f, "{who} starts"),
            What::Stopped => write!(f, "{who} stops"),
            What::TableDropped => f.write_str("the table is dropped, with all its rows"),
        }
    }
}

/// An event of a runner, after the name of its client: `believes it holds the lock`.
struct RunnerWords<'a> {
    event: &'a RunnerEvent,
    /// `lock` or `presence`.
    thing: &'static str,
}

impl fmt::Display for RunnerWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thing = self.thing;
        match self.event {
            RunnerEvent::Acquired => write!(f, "believes it holds the {thing}"),
            RunnerEvent::Exited(Ok(())) => f.write_str("ends"),
            RunnerEvent::Exited(Err(error)) => write!(f, "ends: {error}"),
            RunnerEvent::Lost(cause) => {
                write!(f, "no longer believes it holds the {thing}: {}", why(cause))
            }
            RunnerEvent::Ready => f.write_str("is ready"),
            RunnerEvent::Released(Ok(())) => write!(f, "has released the {thing}"),
            RunnerEvent::Released(Err(error)) => {
                write!(f, "could not release the {thing}: {}", error.message())
            }
            RunnerEvent::Renewed => write!(f, "has renewed the {thing}"),
            RunnerEvent::Retrying { cause, owner: None } => {
                write!(f, "will try again: {}", cause.message())
            }
            RunnerEvent::Retrying { cause, owner: Some(owner) } => {
                let cause = cause.message();
                write!(f, "will try again: {cause}, {owner} holds the {thing}")
            }
            RunnerEvent::Signalled => f.write_str("receives the stop signal"),
        }
    }
}

/// Why a runner lost its lock.
fn why(cause: &LossCause) -> String {
    match cause {
        LossCause::AttemptFailed { error, .. } => {
            format!("its renewal failed with {}", error.message())
        }
        LossCause::LeaseEnded => "its lease ended before a renewal succeeded".to_owned(),
    }
}

/// An event of a runner as a clause after its owner's name: `believes it holds the lock`.
pub fn runner_words(event: &RunnerEvent, keeps_presence: bool) -> String {
    let thing = if keeps_presence { "presence" } else { "lock" };
    RunnerWords { event, thing }.to_string()
}

/// A request as a clause after the client's name: `locks 'bbs' for 15 s`.
pub fn asks(request: &Request) -> String {
    match request {
        Request::Fetch { key } => format!("asks who holds '{key}'"),
        Request::FetchAll { type_name, type_code } => {
            format!("lists everything of type {}", type_code.name().unwrap_or(type_name))
        }
        Request::Lock { ttl_in_seconds, .. } => {
            format!("locks '{}' for {ttl_in_seconds} s", request.key())
        }
        Request::Release { .. } => format!("releases '{}'", request.key()),
    }
}

/// An answer of Locket as a clause: `bbs-0 holds it`.
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
