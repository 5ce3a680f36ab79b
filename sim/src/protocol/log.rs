//! The log records of a Locket process or a client.
//!
//! Records are borrowed and handed to a sink as they occur, so a sink that drops them costs
//! nothing. Message texts are upstream's.

use super::message::Method;
use crate::time::Duration;

/// How important a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For developers of Locket.
    Debug,
    /// Normal events.
    Info,
    /// Something failed; not always a reason to worry (B69).
    Error,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogRecord<'a> {
    /// How important it is.
    pub level: Level,
    /// The event, in upstream's words: `acquired-lock`, `lock-expired`, ….
    pub message: &'static str,
    /// The error's text, where there is one.
    pub error: Option<&'a str>,
    /// The resource's key, empty where it does not matter.
    pub key: &'a str,
    /// The resource's owner, empty where it does not matter.
    pub owner: &'a str,
    /// The resource's type string, empty where it does not matter.
    pub type_name: &'a str,
    /// The `uuid` that the caller sent, where the record belongs to a call.
    pub request_id: Option<&'a str>,
    /// The call, where the record belongs to one.
    pub method: Option<Method>,
    /// How long the call took, where a client says so.
    pub duration: Option<Duration>,
    /// Who holds the resource that a client failed to get, where it found out.
    pub lock_owner: Option<&'a str>,
}

impl<'a> LogRecord<'a> {
    pub(super) const fn new(level: Level, message: &'static str) -> Self {
        Self {
            level,
            message,
            error: None,
            key: "",
            owner: "",
            type_name: "",
            request_id: None,
            method: None,
            duration: None,
            lock_owner: None,
        }
    }

    pub(super) const fn about(self, key: &'a str, owner: &'a str, type_name: &'a str) -> Self {
        Self { key, owner, type_name, ..self }
    }

    pub(super) const fn because(self, error: &'a str) -> Self {
        Self { error: Some(error), ..self }
    }

    pub(super) const fn in_call(self, method: Method, request_id: &'a str) -> Self {
        Self { method: Some(method), request_id: Some(request_id), ..self }
    }
}

/// Takes log records as they occur.
pub trait Log {
    /// One more record.
    fn record(&mut self, record: &LogRecord<'_>);

    /// True if records are of any use.
    fn is_read(&self) -> bool {
        true
    }
}

/// Drops all records.
impl Log for () {
    fn record(&mut self, _: &LogRecord<'_>) {}

    fn is_read(&self) -> bool {
        false
    }
}

impl<F: FnMut(&LogRecord<'_>)> Log for F {
    fn record(&mut self, record: &LogRecord<'_>) {
        self(record);
    }
}
