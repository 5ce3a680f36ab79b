//! Calls as the rules take them, with the limits and deadlines that gRPC puts around them.
//!
//! Every call to a reference server ends here: those of clients in this process, which encode no
//! message, and those that came as messages. tests/direct.rs and the package's tests compare both.

use std::future::{Ready, ready};

use futures::channel::oneshot::Receiver;
use futures::future::{BoxFuture, Either};
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::time::Duration;

use super::in_process::{
    InProcessServer, Limit, MESSAGE_SIZE_MAX, answer_too_large, closed, too_large,
};
use super::length;
use super::waiting::Ended;

/// A client of one process of a [`InProcessServer`]. Clones are handles to the same server.
#[derive(Clone, Debug)]
pub struct DirectClient {
    pub(crate) server: InProcessServer,
    process: usize,
    answer_size_max: usize,
}

/// The outcome of a call.
#[derive(Debug)]
pub struct Called {
    /// The answer, or the error instead.
    pub result: Result<Response, LockError>,
    /// How long after the call it reaches the caller.
    pub after: Duration,
}

/// The outcome of a call, available at once unless the call waits for the database.
pub type Calling = Either<Ready<Called>, BoxFuture<'static, Called>>;

impl DirectClient {
    /// A client of process number `process`, which takes messages of up to `answer_size_max` bytes.
    pub const fn new(server: InProcessServer, process: usize, answer_size_max: usize) -> Self {
        Self { server, process, answer_size_max }
    }

    /// Makes a call, waits for it no longer than `timeout`, and gives it an id for logs, of which
    /// one that HTTP would not carry counts as none.
    pub fn call(&self, request: &Request, request_id: &str, timeout: Option<Duration>) -> Calling {
        let latency = self.server.latency();
        let limit = Limit::new(timeout, latency);
        if limit.is_some_and(Limit::is_over) {
            return now(Err(LockError::DeadlineExceeded), Duration::ZERO);
        }
        let after = Limit::after(limit, latency);
        let is_missed = limit.is_some_and(|limit| limit.is_missed);
        let begun = match request_too_large(request) {
            Some(error) => Either::Left(Err(error)),
            None => self.begin(request, request_id, limit),
        };
        let answer_size_max = self.answer_size_max;
        match begun {
            // The work is done all the same: the caller does not know (B22).
            Either::Left(_) if is_missed => now(Err(LockError::DeadlineExceeded), after),
            Either::Left(result) => now(check_answer(result, answer_size_max), after),
            Either::Right(ended) => Either::Right(Box::pin(async move {
                let (result, after) = match ended.await {
                    Ok(Ended { result, after }) => (result, after),
                    Err(_) => (Err(closed()), after),
                };
                let result = check_answer(result, answer_size_max);
                Called { result, after }
            })),
        }
    }

    fn begin(
        &self,
        request: &Request,
        request_id: &str,
        limit: Option<Limit>,
    ) -> Either<Result<Response, LockError>, Receiver<Ended>> {
        let can_be_carried = |byte: u8| matches!(byte, b'\t' | b' '..=b'~');
        let id = match request_id.bytes().all(can_be_carried) {
            true => request_id,
            false => "",
        };
        self.server.begin(self.process, request, id, limit)
    }
}

fn now(result: Result<Response, LockError>, after: Duration) -> Calling {
    Either::Left(ready(Called { result, after }))
}

fn request_too_large(request: &Request) -> Option<LockError> {
    let size = length::of_request(request);
    (size > MESSAGE_SIZE_MAX).then(|| too_large(size))
}

fn check_answer(
    result: Result<Response, LockError>,
    size_max: usize,
) -> Result<Response, LockError> {
    let response = result?;
    match length::of_response(&response) {
        size if size > size_max => Err(answer_too_large(size, size_max)),
        _ => Ok(response),
    }
}
