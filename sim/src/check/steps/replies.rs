//! The replies to clients, by number.

use super::interned::NoStep;
use crate::protocol::error::LockError;
use crate::protocol::message::Response;

/// The answers that were seen so far.
#[derive(Clone, Debug)]
pub(in crate::check) struct Replies(Vec<Result<Response, LockError>>);

/// The answer that there is no process.
pub(in crate::check) const UNAVAILABLE: u8 = 0;

impl Default for Replies {
    fn default() -> Self {
        Self(vec![Err(LockError::Unavailable)])
    }
}

impl Replies {
    /// The number of an answer.
    pub(in crate::check) fn number(
        &mut self,
        answer: Result<Response, LockError>,
    ) -> Result<u8, NoStep> {
        let answer = without_rows(answer);
        let known = self.0.iter().position(|known| *known == answer);
        let number = known.unwrap_or(self.0.len());
        if number == self.0.len() {
            self.0.push(answer);
        }
        u8::try_from(number).map_err(|_| NoStep)
    }

    /// The answer of a number.
    pub(in crate::check) fn get(&self, number: u8) -> &Result<Response, LockError> {
        &self.0[usize::from(number)]
    }
}

/// Whose row a Fetch found is repeated in logs and events only.
fn without_rows(answer: Result<Response, LockError>) -> Result<Response, LockError> {
    match answer {
        Ok(Response::Fetch(_)) => Ok(Response::Fetch(Default::default())),
        Ok(Response::FetchAll(_)) => Ok(Response::FetchAll(Vec::new())),
        other => other,
    }
}
