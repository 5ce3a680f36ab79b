//! How a process asks the database: at once, or by a query that travels.

use std::convert::Infallible;
use std::iter;

use crate::protocol::error::LockError;
use crate::protocol::log::Log;
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Registration;

/// Executes the transactions of a process, or has them executed.
///
/// The answer is either there at once, or it comes [later](Self::Later), and then the process is
/// gets an input with the token.
pub(crate) trait Ask {
    /// The token of an answer that comes later: [`Infallible`] where all come at once.
    type Later;

    /// Runs a transaction.
    ///
    /// # Errors
    ///
    /// The answer comes later.
    fn transact(
        &mut self,
        token: u64,
        operation: Operation<'_>,
        log: &mut dyn Log,
    ) -> Result<Result<Outcome, LockError>, Self::Later>;

    /// Lists all rows, oldest write first.
    ///
    /// # Errors
    ///
    /// The answer comes later.
    fn list(
        &mut self,
        token: u64,
    ) -> Result<Result<impl Iterator<Item = Registration>, LockError>, Self::Later>;
}

/// A database that answers everything at once, with this error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failing(pub LockError);

impl Ask for Failing {
    type Later = Infallible;

    fn transact(
        &mut self,
        _: u64,
        _: Operation<'_>,
        _: &mut dyn Log,
    ) -> Result<Result<Outcome, LockError>, Infallible> {
        Ok(Err(self.0.clone()))
    }

    fn list(
        &mut self,
        _: u64,
    ) -> Result<Result<impl Iterator<Item = Registration>, LockError>, Infallible> {
        Ok(Err::<iter::Empty<_>, _>(self.0.clone()))
    }
}
