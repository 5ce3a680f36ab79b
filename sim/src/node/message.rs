//! The messages between nodes, as values.
//!
//! A client and a process are named by number, and a life of theirs by how often they were
//! started; what is on its way to an earlier life is not for this one. A session of a client ends
//! with its life, or with its connection.

use std::sync::Arc;

use super::ask::TableVersion;
use super::unseen::Unseen;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Registration;
use crate::protocol::runner::CallId;

/// A call as its process knows it: what is asked, and whom to answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IncomingCall {
    /// The client that calls.
    pub client: u32,
    /// The session of the client in which it calls.
    pub session: u32,
    /// Which of the client's calls it is.
    pub call: CallId,
    /// The request.
    pub request: Arc<Request>,
}

/// An answer to a client's call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reply {
    /// The session of the client in which it called.
    pub session: u32,
    /// Which of its calls is answered.
    pub call: CallId,
    /// The answer.
    pub result: Result<Response, LockError>,
    /// The process that answers; `None` if the client's own connection does.
    pub from: Option<u16>,
}

/// A transaction of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Query {
    /// The process that asks.
    pub process: u16,
    /// Its token, which the process never uses again, not even after a restart.
    pub token: u64,
    /// The request.
    pub transaction: Transaction,
}

/// A transaction, or a list of all rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Transaction {
    /// The request of a call, validated by the process.
    Call {
        /// The call's request, shared with it.
        request: Arc<Request>,
        /// The type of the rows that a list shows; empty for other calls.
        type_filter: &'static str,
    },
    /// Delete the row if it still is this one.
    CompareAndDelete(Box<Registration>),
    /// List all rows.
    Poll,
}

/// An answer of the database to what a process has asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DatabaseAnswer {
    /// The process that asked.
    pub process: u16,
    /// The process's name of its question.
    pub token: u64,
    /// The answer.
    pub answer: Answer,
    /// True if it may be lost on its way: it says what came of a transaction.
    pub can_be_lost: bool,
}

/// An answer of the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Answer {
    /// To a transaction. After a write also the version of the table since, if the outcome says all of
    /// it that a process registers.
    Outcome(Result<Outcome, LockError>, Unseen<Option<TableVersion>>),
    /// To a poll.
    Rows(Result<Vec<Registration>, LockError>),
}

impl Answer {
    /// To a transaction that has written nothing.
    pub(crate) const fn unwritten(result: Result<Outcome, LockError>) -> Self {
        Self::Outcome(result, Unseen(None))
    }
}

impl Transaction {
    /// The transaction as the table takes it; `None` for a poll, which is no transaction.
    pub(crate) fn operation(&self) -> Option<Operation<'_>> {
        match self {
            Self::Call { request, type_filter } => Some(operation(request, type_filter)),
            Self::CompareAndDelete(registration) => Some(Operation::CompareAndDelete(registration)),
            Self::Poll => None,
        }
    }

    /// The answer that says that nothing came of it.
    pub(crate) const fn failed(&self, error: LockError) -> Answer {
        match self {
            Self::Call { .. } | Self::CompareAndDelete(_) => Answer::unwritten(Err(error)),
            Self::Poll => Answer::Rows(Err(error)),
        }
    }
}

/// The operation of a request that a process has validated.
fn operation<'a>(request: &'a Request, type_filter: &'a str) -> Operation<'a> {
    const VALIDATED: &str = "a process asks the database for valid requests only";
    match request {
        Request::Fetch { key } => Operation::Fetch { key },
        Request::FetchAll { .. } => Operation::FetchAll { type_filter },
        Request::Lock { resource, ttl_in_seconds } => Operation::Lock {
            resource: resource.as_ref().expect(VALIDATED),
            ttl_in_seconds: *ttl_in_seconds,
        },
        Request::Release { resource } => {
            let resource = resource.as_ref().expect(VALIDATED);
            Operation::Release { key: &resource.key, owner: &resource.owner }
        }
    }
}
