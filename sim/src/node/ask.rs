//! How a process asks the database: at once, or by a query that travels.

use std::convert::Infallible;
use std::iter;
use std::num::NonZeroU64;

use crate::protocol::error::LockError;
use crate::protocol::log::Log;
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Registration;

/// Names a state of the table: no other has the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableVersion(NonZeroU64);

/// The bits of the number of writes: a run has fewer.
const WRITES_BITS: u32 = 40;

impl TableVersion {
    /// The table after so many writes. A failover goes back to an earlier table, so that writes alone
    /// do not name it.
    pub(super) const fn new(failovers: u32, writes: u64) -> Self {
        debug_assert!(writes >> WRITES_BITS == 0, "a run has fewer writes");
        Self(NonZeroU64::MIN.saturating_add((failovers as u64) << WRITES_BITS | writes))
    }

    /// The one before the last write.
    pub(super) const fn before(self) -> Option<Self> {
        match NonZeroU64::new(self.0.get() - 1) {
            Some(before) => Some(Self(before)),
            None => None,
        }
    }
}

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

    /// The version of the table, where all answers are there at once.
    fn version(&self) -> Option<TableVersion> {
        None
    }

    /// True if the last write stored just what is registered for it (B36, B37).
    fn has_stored(&self, _: &Registration) -> bool {
        false
    }

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
