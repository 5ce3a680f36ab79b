//! How a call in a test fails.

use std::fmt;

use locket_sim::protocol::error::{Code, LockError};

/// A call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Locket refused, and nothing changed.
    Refused {
        /// Why.
        reason: Reason,
        /// The gRPC message: `lock-collision`.
        message: String,
    },
    /// There is no usable answer. The call may have been done.
    Unknown {
        /// The gRPC code.
        code: Code,
        /// The gRPC message.
        message: String,
    },
}

/// Why Locket refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The database refused, for instance a text that is too long for its column.
    Database,
    /// The key is empty.
    InvalidKey,
    /// The owner is empty.
    InvalidOwner,
    /// The request has no resource.
    InvalidResource,
    /// The TTL is not greater than 0.
    InvalidTtl,
    /// The call does not accept this type.
    InvalidType,
    /// Another owner holds the key.
    LockCollision,
    /// The key has no owner.
    ResourceNotFound,
}

impl Error {
    /// Why Locket refused; `None` if the outcome is unknown.
    pub const fn reason(&self) -> Option<Reason> {
        match self {
            Self::Refused { reason, .. } => Some(*reason),
            Self::Unknown { .. } => None,
        }
    }

    /// The gRPC message, as Locket sends it.
    pub fn message(&self) -> &str {
        match self {
            Self::Refused { message, .. } | Self::Unknown { message, .. } => message,
        }
    }
}

impl From<LockError> for Error {
    fn from(error: LockError) -> Self {
        let message = error.message().to_owned();
        match reason(&error) {
            Some(reason) => Self::Refused { reason, message },
            None => Self::Unknown { code: error.code(), message },
        }
    }
}

fn reason(error: &LockError) -> Option<Reason> {
    Some(match error {
        LockError::InvalidKey => Reason::InvalidKey,
        LockError::InvalidOwner => Reason::InvalidOwner,
        LockError::InvalidResource(_) => Reason::InvalidResource,
        LockError::InvalidTtl => Reason::InvalidTtl,
        LockError::InvalidType(_) => Reason::InvalidType,
        LockError::LockCollision => Reason::LockCollision,
        LockError::ResourceNotFound => Reason::ResourceNotFound,
        LockError::Database(text) if is_refusal(text) => Reason::Database,
        LockError::Database(_)
        | LockError::DeadlineExceeded
        | LockError::Status(..)
        | LockError::Unavailable => return None,
    })
}

/// True if the database rolled the transaction back. `src/js/base/errors.ts` has the same rule.
fn is_refusal(text: &str) -> bool {
    let text = text.strip_prefix("sql-");
    text.is_some_and(|it| !it.starts_with("unknown") || it.starts_with("unknown, error code: 22"))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { message, .. } => write!(f, "Locket refused: {message}"),
            Self::Unknown { code, message } => {
                write!(f, "the outcome is unknown: {message} ({})", code.name())
            }
        }
    }
}

impl std::error::Error for Error {}
