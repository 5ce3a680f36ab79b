//! What nodes say to each other.

use std::sync::Arc;

use slotmap::new_key_type;

use super::Number;
use super::event::{EventId, Flight};
use super::network::NodeId;
use super::node::{ClientCall, Query};
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Registration;
use crate::time::Time;

/// A message on its way. It moves several times, so it is small: large things in it are behind pointers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Message {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// How many messages its link had carried before; what a node tells itself has no number.
    pub(super) number: u32,
    /// The event that sent it.
    pub(super) cause: Option<EventId>,
    pub(super) body: Body,
}

new_key_type! {
    /// Names a message on its way.
    pub(super) struct MessageId;
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    /// The database's answer to a process.
    Answer {
        process: Number,
        life: u32,
        token: u64,
        answer: Answer,
    },
    /// A process asks the database.
    Query(Query),
    /// A process, or a connection, answers a client.
    Reply {
        client: Number,
        life: u32,
        call: ClientCall,
        result: Result<Response, LockError>,
    },
    /// A client calls a process.
    Request {
        client: Number,
        client_life: u32,
        call: ClientCall,
        request: Arc<Request>,
        /// The process's life that the connection was made in.
        process_life: u32,
    },
    /// A client's runner is told to stop, by its own machine.
    Signal { client: Number, life: u32 },
}

impl Body {
    /// The message as a [`Flight`]; `None` for a poll and its answer and for what a node tells itself, which nobody wants
    /// to see.
    pub(super) fn flight(
        &self,
        from: NodeId,
        to: NodeId,
        sent: Time,
        arrives: Option<Time>,
        cause: Option<EventId>,
    ) -> Option<Flight> {
        let is_answer = match self {
            Self::Signal { .. } => return None,
            Self::Answer {
                answer: Answer::Rows(_),
                ..
            } => return None,
            Self::Query(query) if matches!(query.transaction, Transaction::Poll) => return None,
            Self::Answer { .. } | Self::Reply { .. } => true,
            Self::Query(_) | Self::Request { .. } => false,
        };
        Some(Flight {
            from,
            to,
            sent,
            arrives,
            cause,
            is_answer,
        })
    }
}

/// What a process asks the database, as a value that can travel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Transaction {
    /// A validated call; a list with its filter.
    Call {
        request: Arc<Request>,
        type_filter: &'static str,
    },
    /// Delete the row if it still is this one.
    CompareAndDelete(Box<Registration>),
    /// List all rows.
    Poll,
}

/// What the database answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Answer {
    /// To a poll.
    Rows(Result<Vec<Registration>, LockError>),
    /// To anything else.
    Outcome(Result<Outcome, LockError>),
}

impl Transaction {
    /// What the table is asked; `None` for a poll, which only reads.
    pub(super) fn operation(&self) -> Option<Operation<'_>> {
        match self {
            Self::Call {
                request,
                type_filter,
            } => request_operation(request, type_filter),
            Self::CompareAndDelete(registration) => Some(Operation::CompareAndDelete(registration)),
            Self::Poll => None,
        }
    }
}

/// The operation of a request that a process has validated.
fn request_operation<'a>(request: &'a Request, type_filter: &'a str) -> Option<Operation<'a>> {
    Some(match request {
        Request::Fetch { key } => Operation::Fetch { key },
        Request::FetchAll { .. } => Operation::FetchAll { type_filter },
        Request::Lock {
            resource,
            ttl_in_seconds,
        } => Operation::Lock {
            resource: resource.as_ref()?,
            ttl_in_seconds: *ttl_in_seconds,
        },
        Request::Release { resource } => {
            let resource = resource.as_ref()?;
            Operation::Release {
                key: &resource.key,
                owner: &resource.owner,
            }
        }
    })
}
