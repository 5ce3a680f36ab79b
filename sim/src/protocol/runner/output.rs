//! The outputs of a runner: calls to send, and its events.

use std::fmt;
use std::sync::Arc;

use super::request_id::{RequestId, RequestIdError};
use crate::protocol::error::{Code, LockError};
use crate::protocol::message::{Method, Request};
use crate::time::Time;

/// One thing that a runner gives out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Send this, and hand in the reply. At most one call is under way at a time; a call whose
    /// deadline has passed is over.
    Call(Call),
    /// Something has become of the runner.
    Event(Event),
}

/// A call to send.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The request; all attempts of a runner share one.
    pub request: Arc<Request>,
    /// The `uuid` to send as metadata. A Release carries none (C13).
    pub request_id: Option<RequestId>,
    /// When the caller stops waiting for the reply, to be sent along as the call's timeout. The
    /// runner's own [deadline](super::Runner::deadline) covers it.
    pub deadline: Option<Time>,
    /// True to wait for a connection instead of failing with Unavailable.
    pub wait_for_ready: bool,
}

impl Call {
    /// The id that the reply must name.
    pub fn id(&self) -> CallId {
        CallId { method: self.request.method(), request_id: self.request_id }
    }
}

/// Names a call. A Fetch carries the request id of the attempt before it (C4), so the id alone
/// does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId {
    /// Which call it is.
    pub method: Method,
    /// The request id that it carries.
    pub request_id: Option<RequestId>,
}

/// Something that has become of a runner.
///
/// A lock is held from [`Acquired`](Self::Acquired) until [`Lost`](Self::Lost),
/// [`Signalled`](Self::Signalled) or [`Exited`](Self::Exited), whichever comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The lock is held from here on.
    Acquired,
    /// The runner has ended; nothing follows.
    Exited(Result<(), RunnerError>),
    /// The runner no longer believes it holds the lock, without a signal. Next it exits
    /// or tries again, as the loss policy says.
    Lost(LossCause),
    /// The lock is held for the first time. Never withdrawn (C10).
    Ready,
    /// The Release was answered, or not in time.
    Released(Result<(), LockError>),
    /// A lock that was held already is held on.
    Renewed,
    /// An attempt failed and another one will follow. The lock is as much held as before.
    Retrying {
        /// Why it failed.
        cause: LockError,
        /// Who holds the lock instead, where that was fetched.
        owner: Option<String>,
    },
    /// A signal ends the runner: the lock is not held any more, no attempts follow, and a
    /// Release does if the settings ask for one.
    Signalled,
}

/// How a lock was lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LossCause {
    /// By an attempt to renew it.
    AttemptFailed {
        /// Why the attempt failed.
        error: LockError,
        /// The attempt's id.
        request_id: RequestId,
    },
    /// No attempt to renew it has succeeded in time.
    LeaseEnded,
}

impl fmt::Display for LossCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AttemptFailed { error, .. } => error.fmt(f),
            Self::LeaseEnded => f.write_str("lease ended before a renewal succeeded"),
        }
    }
}

/// Why a runner ended by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RunnerError {
    /// It lost the lock and does not try again.
    LostLock(LossCause),
    /// It got no id for its next request (C16).
    RequestId(RequestIdError),
}

impl fmt::Display for RunnerError {
    /// As upstream words it: timed out if and only if the code is DeadlineExceeded, no matter
    /// which side reported it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LostLock(LossCause::AttemptFailed { error, request_id }) => {
                let timed_out = error.code() == Code::DeadlineExceeded;
                let how = if timed_out { "timed out" } else { "failed" };
                write!(f, "lost lock (request {how}), request-uuid {request_id}: {error}")
            }
            Self::LostLock(LossCause::LeaseEnded) => {
                write!(f, "lost lock ({})", LossCause::LeaseEnded)
            }
            Self::RequestId(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunnerError {}
