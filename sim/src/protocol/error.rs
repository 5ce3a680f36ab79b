//! The errors of Locket: a gRPC code and a message.
//!
//! These are refusals, hence values; the simulator itself does not fail. Codes and strings
//! are those of the real server, as recorded from it.

use std::borrow::Cow;
use std::fmt;

/// Declares the codes with their numbers on the wire.
macro_rules! codes {
    ($( #[doc = $doc:literal] $code:ident = $number:literal, )*) => {
        /// gRPC status codes. Locket answers with few of them; proxies between may add any.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Code { $( #[doc = $doc] $code = $number, )* }

        impl Code {
            /// The code of a number on the wire; 0, which is success, and unknown numbers are Unknown.
            pub const fn from_number(number: i32) -> Self {
                match number {
                    $( $number => Self::$code, )*
                    _ => Self::Unknown,
                }
            }

            /// The name as Go prints it: `AlreadyExists`.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$code => stringify!($code), )*
                }
            }
        }
    };
}

codes! {
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
    /// 7: a proxy refuses the caller.
    PermissionDenied = 7,
    /// 8: a message is too large, or a proxy has had enough.
    ResourceExhausted = 8,
    /// 9: not in the state that the call needs.
    FailedPrecondition = 9,
    /// 10: given up in favour of something else.
    Aborted = 10,
    /// 11: past the end of something.
    OutOfRange = 11,
    /// 12: no such call there.
    Unimplemented = 12,
    /// 13: the message could not be read, or the server is broken.
    Internal = 13,
    /// 14: no server reached.
    Unavailable = 14,
    /// 15: something is lost for good.
    DataLoss = 15,
    /// 16: a proxy does not know the caller.
    Unauthenticated = 16,
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
    /// No owner holds the key.
    ResourceNotFound,
    /// A message of a proxy or of the carrier, and not of Locket.
    Status(Code, Cow<'static, str>),
    /// No process is there to answer.
    Unavailable,
}

/// The effect of a request without a resource on its server.
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
            Self::Status(code, _) => *code,
            Self::Unavailable => Code::Unavailable,
        }
    }

    /// The message that crosses the wire, exactly.
    pub fn message(&self) -> &str {
        match self {
            Self::DeadlineExceeded => "context deadline exceeded",
            Self::Database(text) | Self::Status(_, text) => text,
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
            Self::Unavailable => "no Locket process answered; call again, or start one",
        }
    }

    /// The error that crossed the wire as this code and message.
    pub fn from_wire(code: Code, message: String) -> Self {
        let own = [
            Self::DeadlineExceeded,
            Self::InvalidKey,
            Self::InvalidOwner,
            Self::InvalidResource(MissingResource::Refused),
            Self::InvalidTtl,
            Self::InvalidType(code),
            Self::LockCollision,
            Self::ResourceNotFound,
            Self::Unavailable,
        ];
        let same = |error: &Self| error.code() == code && error.message() == message;
        match own.into_iter().find(same) {
            Some(error) => error,
            None if code == Code::Unknown => Self::Database(message.into()),
            None => Self::Status(code, message.into()),
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
        write!(f, "rpc error: code = {} desc = {}", self.code().name(), self.message())
    }
}

impl std::error::Error for LockError {}

/// A value does not fit its column.
pub(crate) const SQL_BAD_REQUEST: LockError = LockError::database("sql-bad-request");
/// Nothing there, in the wording of the SQL layer before 2019.
pub(crate) const SQL_RESOURCE_NOT_FOUND: LockError = LockError::database("sql-resource-not-found");
/// The table does not exist; a server that finds this stops.
pub(crate) const SQL_UNRECOVERABLE: LockError = LockError::database("sql-unrecoverable");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_crossed_the_wire_is_the_same_again() {
        let errors = [
            LockError::LockCollision,
            LockError::InvalidType(Code::NotFound),
            SQL_BAD_REQUEST,
            LockError::Status(Code::PermissionDenied, "RBAC: access denied".into()),
        ];
        for error in errors {
            let (code, message) = (error.code(), error.message().to_owned());
            assert_eq!(LockError::from_wire(code, message), error);
        }
    }
}
