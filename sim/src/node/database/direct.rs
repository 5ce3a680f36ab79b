//! A database without a way to it: it says at once what comes of a transaction.

use std::convert::Infallible;

use super::Database;
use crate::node::ask::{Ask, TableVersion};
use crate::protocol::error::LockError;
use crate::protocol::log::Log;
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::row::Registration;
use crate::time::Time;

/// A database that answers or refuses everything at once.
#[derive(Debug)]
pub(crate) struct Direct<'a> {
    /// It.
    pub database: &'a mut Database,
    /// The time of its clock.
    pub now: Time,
    /// True if it has run a transaction.
    pub was_asked: bool,
}

impl<'a> Direct<'a> {
    /// A database at this time of its clock.
    pub(crate) const fn new(database: &'a mut Database, now: Time) -> Self {
        Self { database, now, was_asked: false }
    }
}

impl Ask for Direct<'_> {
    type Later = Infallible;

    fn transact(
        &mut self,
        _: u64,
        operation: Operation<'_>,
        log: &mut dyn Log,
    ) -> Result<Result<Outcome, LockError>, Infallible> {
        if self.database.is_down() {
            return Ok(Err(self.database.unreachable()));
        }
        self.was_asked = true;
        Ok(self.database.transact(operation, self.now, log))
    }

    /// A database that is down shows no table.
    fn version(&self) -> Option<TableVersion> {
        (!self.database.is_down()).then(|| self.database.version())
    }

    fn has_stored(&self, registered: &Registration) -> bool {
        self.database.has_stored(registered)
    }

    fn list(
        &mut self,
        _: u64,
    ) -> Result<Result<impl Iterator<Item = Registration>, LockError>, Infallible> {
        Ok(match self.database.is_down() {
            true => Err(self.database.unreachable()),
            false => Ok(self.database.table.registrations()),
        })
    }
}
