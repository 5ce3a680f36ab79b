//! The answer to a call where no event can come between process and database, though it may be lost.

use std::convert::Infallible;

use super::Reception;
use crate::node::ask::Ask;
use crate::node::database::Direct;
use crate::node::locket_process::{LocketProcess, Progress};
use crate::protocol::error::LockError;
use crate::protocol::log::Log;
use crate::protocol::message::{Request, Response};
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Registration;
use crate::protocol::server::Caller;

/// The answer of a running process to a request.
pub(super) fn ask(
    process: &mut LocketProcess,
    request: &Request,
    mut database: Direct<'_>,
    reception: Reception,
) -> Option<Result<Response, LockError>> {
    process.life()?;
    let now = database.now;
    let progress = if reception == Reception::AnswerLost {
        let mut database = Unheard(database);
        process.begin_call(request, Caller::default(), now, &mut database, &mut ())
    } else {
        process.begin_call(request, Caller::default(), now, &mut database, &mut ())
    };
    let Progress::Answered(answer) = progress;
    Some(answer)
}

/// A database whose answer to a call is lost. The process says that when it gives up, which it
/// does later; until then nothing that it does depends on this call.
struct Unheard<'a>(Direct<'a>);

impl Ask for Unheard<'_> {
    type Later = Infallible;

    fn transact(
        &mut self,
        token: u64,
        operation: Operation<'_>,
        log: &mut dyn Log,
    ) -> Result<Result<Outcome, LockError>, Infallible> {
        // Whatever it was.
        let _ = self.0.transact(token, operation, log)?;
        Ok(Err(LockError::DeadlineExceeded))
    }

    fn list(
        &mut self,
        token: u64,
    ) -> Result<Result<impl Iterator<Item = Registration>, LockError>, Infallible> {
        self.0.list(token)
    }
}
