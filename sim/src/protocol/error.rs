//! What Locket answers instead of a result: a gRPC code and a message string.
//!
//! These are refusals, hence values; the simulator itself does not fail. Codes and strings
//! are those of the real server, as recorded from it.

use std::borrow::Cow;
use std::fmt;

/// gRPC status codes that Locket or its carrier answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Code {
    /// 1: the caller gave up.
    Canceled = 1,
    /// 2: any error of the database, with its text.
    Unknown = 2,
    /// 3: the request can never succeed as it is.
    InvalidArgument = 3,
    /// 4: no answer in time; the work may have been done all the same.
    DeadlineExceeded = 4,
    /// 5: nothing there, or an invalid type.
    NotFound = 5,
    /// 6: held by another owner.
    AlreadyExists = 6,
    /// 13: the message could not be read, or the server is broken.
    Internal = 13,
    /// 14: no server reached.
    Unavailable = 14,
}

impl Code {
    /// The name as Go prints it: `AlreadyExists`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Canceled => "Canceled",
            Self::Unknown => "Unknown",
            Self::InvalidArgument => "InvalidArgument",
            Self::DeadlineExceeded => "DeadlineExceeded",
            Self::NotFound => "NotFound",
            Self::AlreadyExists => "AlreadyExists",
            Self::Internal => "Internal",
            Self::Unavailable => "Unavailable",
        }
    }
}

/// A refusal or failure of one call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LockError {
    /// The caller's deadline passed before the answer.
    DeadlineExceeded,
    /// The database failed with this text, which reaches the client verbatim.
    Database(Cow<'static, str>),
    /// The key is empty although the profile requires one.
    InvalidKey,
    /// The owner is empty although the call requires one.
    InvalidOwner,
    /// The request carries no resource.
    InvalidResource(MissingResource),
    /// The TTL is not greater than 0.
    InvalidTtl,
    /// The type is not one that the call accepts; carries the code, since the documents and
    /// the shipped server may disagree about it.
    InvalidType(Code),
    /// Another owner holds the key.
    LockCollision,
    /// Nobody holds the key.
    ResourceNotFound,
    /// No process is there to answer.
    Unavailable,
}

/// What a request without a resource does to the server that receives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingResource {
    /// It kills the process: upstream dereferences nil and has nothing to recover with.
    Crashes,
    /// It is refused.
    Refused,
}

impl LockError {
    /// The gRPC code that crosses the wire.
    pub const fn code(&self) -> Code {
        match self {
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::Database(_) => Code::Unknown,
            Self::InvalidKey | Self::InvalidOwner | Self::InvalidTtl => Code::InvalidArgument,
            Self::InvalidResource(MissingResource::Refused) => Code::InvalidArgument,
            Self::InvalidResource(MissingResource::Crashes) => Code::Internal,
            Self::InvalidType(code) => *code,
            Self::LockCollision => Code::AlreadyExists,
            Self::ResourceNotFound => Code::NotFound,
            Self::Unavailable => Code::Unavailable,
        }
    }

    /// The message that crosses the wire, exactly.
    pub fn message(&self) -> &str {
        match self {
            Self::DeadlineExceeded => "context deadline exceeded",
            Self::Database(text) => text,
            Self::InvalidKey => "invalid-key",
            Self::InvalidOwner => "invalid-owner",
            Self::InvalidResource(MissingResource::Refused) => "invalid-resource",
            Self::InvalidResource(MissingResource::Crashes) => {
                "a request without a resource crashes the real Locket process; set the resource"
            }
            Self::InvalidTtl => "invalid-ttl",
            Self::InvalidType(_) => "invalid-type",
            Self::LockCollision => "lock-collision",
            Self::ResourceNotFound => "resource-not-found",
            Self::Unavailable => "no Locket process is running; start one",
        }
    }

    /// The database's own texts, as the SQL layer of the real server words them.
    pub(crate) const fn database(text: &'static str) -> Self {
        Self::Database(Cow::Borrowed(text))
    }
}

impl fmt::Display for LockError {
    /// As Go prints a status: `rpc error: code = AlreadyExists desc = lock-collision`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rpc error: code = {} desc = {}",
            self.code().name(),
            self.message()
        )
    }
}

impl std::error::Error for LockError {}

/// A value does not fit its column.
pub(crate) const SQL_BAD_REQUEST: LockError = LockError::database("sql-bad-request");
/// PostgreSQL refuses a NUL byte in text.
pub(crate) const SQL_NUL_BYTE: LockError =
    LockError::database("sql-unknown, error code: 22021, flavor: postgres");
/// The key is there already.
pub(crate) const SQL_RESOURCE_EXISTS: LockError = LockError::database("sql-resource-exists");
/// Nothing there, in the wording of the SQL layer before 2019.
pub(crate) const SQL_RESOURCE_NOT_FOUND: LockError = LockError::database("sql-resource-not-found");
/// The table is gone; the server that sees this stops.
pub(crate) const SQL_UNRECOVERABLE: LockError = LockError::database("sql-unrecoverable");
