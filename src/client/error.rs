//! How a call fails.

use std::error::Error;
use std::fmt;

use tonic::metadata::MetadataMap;
use tonic::{Code, Status};

use super::locket_client::Method;
use crate::transport::grpc_web_client::OUTCOME;

/// The outcome of a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It certainly changed nothing, and Locket did not refuse it. It was given up before it was
    /// sent, no server listens at that address, or it only reads and its answer did not come.
    NoEffect,
    /// Certainly nothing: Locket or a proxy said no.
    Refused,
    /// It may have been executed or not. The caller may hold the lock, until its TTL ends.
    Unknown,
}

/// A call failed. Its [outcome](Self::outcome) tells "certainly not executed" from "unknown".
#[derive(Clone, Debug)]
pub struct CallError {
    status: Status,
    outcome: Outcome,
    request_id: String,
}

impl CallError {
    pub(super) fn new(mut status: Status) -> Self {
        let own = status.metadata_mut().remove(OUTCOME);
        let outcome = match own.as_ref().and_then(|value| value.to_str().ok()) {
            Some("no-effect") => Outcome::NoEffect,
            Some("refused") => Outcome::Refused,
            // Without one, the failure is of this side of the answer.
            Some(_) | None => Outcome::Unknown,
        };
        // HTTP's, which only the carrier needs.
        status.metadata_mut().remove("content-type");
        if is_of_carrier(&status) {
            let text = format!("bug in locket-wasm, please report it: {}", status.message());
            status = Status::internal(text);
        }
        Self { status, outcome, request_id: String::new() }
    }

    /// The error of a call of this method. A call that only reads has no effect, however it ended.
    pub(super) fn of(self, method: Method) -> Self {
        let is_read = matches!(method, Method::Fetch | Method::FetchAll);
        let outcome = match self.outcome {
            Outcome::Unknown if is_read => Outcome::NoEffect,
            Outcome::Refused | Outcome::Unknown | Outcome::NoEffect => self.outcome,
        };
        Self { outcome, ..self }
    }

    pub(super) fn with_request_id(self, request_id: String) -> Self {
        Self { request_id, ..self }
    }

    /// The gRPC status code.
    pub fn code(&self) -> Code {
        self.status.code()
    }

    /// The gRPC message, as it arrived: `lock-collision`, `resource-not-found` …
    pub fn message(&self) -> &str {
        self.status.message()
    }

    /// The effect of the call: certainly none, or unknown.
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The `uuid` that the request carried; the server's log names it too.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Headers and trailers of the answer, without HTTP's own.
    pub fn metadata(&self) -> &MetadataMap {
        self.status.metadata()
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({:?})", self.message(), self.code())
    }
}

impl Error for CallError {}

/// True if the status is none of an answer, but the carrier crate's: what comes to it is made
/// so that it has nothing to complain of.
fn is_of_carrier(status: &Status) -> bool {
    status.source().is_some_and(|source| source.is::<tonic_web_wasm_client::Error>())
}
