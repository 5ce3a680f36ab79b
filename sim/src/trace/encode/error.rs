//! The texts of errors as bytes of the digest; as those of [runners](super::runner), they stay
//! when the sentences for readers change.

use crate::protocol::error::LockError;

/// The text that stood for `Unavailable` when digests were first recorded.
const UNAVAILABLE: &str = "no Locket process is running; start one";

/// The message of an error.
pub(super) fn recorded(error: &LockError) -> &str {
    if *error == LockError::Unavailable {
        return UNAVAILABLE;
    }
    error.message()
}

/// A text that may have an error's message in it.
pub(super) fn recorded_text(text: &str) -> String {
    text.replace(LockError::Unavailable.message(), UNAVAILABLE)
}
