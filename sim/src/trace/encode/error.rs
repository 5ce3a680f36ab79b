//! Errors as bytes. Of those that have a text of their own, the text; the sentences of the others
//! may change.

use crate::protocol::error::{LockError, MissingResource};
use crate::protocol::runner::{LossCause, RunnerError};
use crate::trace::digest::Encoding;

pub(super) fn encode_error<'a>(error: &LockError, to: &'a mut Encoding) -> &'a mut Encoding {
    match error {
        LockError::DeadlineExceeded => to.tag(1),
        LockError::Database(text) => to.tag(2).text(text),
        LockError::InvalidKey => to.tag(3),
        LockError::InvalidOwner => to.tag(4),
        LockError::InvalidResource(MissingResource::Crashes) => to.tag(5),
        LockError::InvalidResource(MissingResource::Refused) => to.tag(6),
        LockError::InvalidTtl => to.tag(7),
        LockError::InvalidType(code) => to.tag(8).tag(*code as u8),
        LockError::LockCollision => to.tag(9),
        LockError::ResourceNotFound => to.tag(10),
        LockError::Status(code, text) => to.tag(11).tag(*code as u8).text(text),
        LockError::Unavailable => to.tag(12),
    }
}

pub(super) fn encode_result<'a>(
    result: &Result<(), LockError>,
    to: &'a mut Encoding,
) -> &'a mut Encoding {
    match result {
        Ok(()) => to.tag(0),
        Err(error) => encode_error(error, to),
    }
}

pub(super) fn encode_cause<'a>(cause: &LossCause, to: &'a mut Encoding) -> &'a mut Encoding {
    match cause {
        LossCause::AttemptFailed { error, .. } => encode_error(error, to),
        LossCause::LeaseEnded => to.tag(0),
    }
}

pub(super) fn encode_end<'a>(
    end: &Result<(), RunnerError>,
    to: &'a mut Encoding,
) -> &'a mut Encoding {
    match end {
        Ok(()) => to.tag(0),
        Err(RunnerError::LostLock(cause)) => encode_cause(cause, to.tag(1)),
        Err(RunnerError::RequestId(error)) => to.tag(2).text(&error.0),
    }
}
