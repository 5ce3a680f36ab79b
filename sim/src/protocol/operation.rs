//! The transactions of a Locket process, and their outcomes.
//!
//! Values, not calls: process and database may be on two machines with a faulty network
//! between them, and each gets what arrived.

use super::resource::Resource;
use super::row::Registration;

/// One transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation<'a> {
    /// Delete the row if it still is what a timer remembers (B54).
    CompareAndDelete(&'a Registration),
    /// Read one row.
    Fetch {
        /// Its key.
        key: &'a str,
    },
    /// Read the rows of a type; an empty filter means all types.
    FetchAll {
        /// The type string.
        type_filter: &'a str,
    },
    /// Insert or update a row.
    Lock {
        /// The resource to store; its type follows from [`Resource::stored_type`].
        resource: &'a Resource,
        /// The TTL to store.
        ttl_in_seconds: i64,
    },
    /// Delete a row of its owner.
    Release {
        /// Its key.
        key: &'a str,
        /// Who asks.
        owner: &'a str,
    },
}

impl<'a> Operation<'a> {
    /// The key that it is about; empty for a list.
    pub fn key(&self) -> &'a str {
        match self {
            Self::CompareAndDelete(registration) => &registration.key,
            Self::Fetch { key } | Self::Release { key, .. } => key,
            Self::FetchAll { .. } => "",
            Self::Lock { resource, .. } => &resource.key,
        }
    }

    /// True if its transaction locks the row: all but lists select it for an update (B39, B51, B54).
    pub const fn locks_row(&self) -> bool {
        !matches!(self, Self::FetchAll { .. })
    }

    /// True if it may change the table.
    pub const fn is_write(&self) -> bool {
        match self {
            Self::CompareAndDelete(_) | Self::Lock { .. } | Self::Release { .. } => true,
            Self::Fetch { .. } | Self::FetchAll { .. } => false,
        }
    }
}

/// The outcome of a committed transaction. It travels back to the process, so large parts are
/// boxed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// True if there was a row to delete.
    Deleted(bool),
    /// The row that was read.
    Fetched(Box<Resource>),
    /// The rows that were read.
    FetchedAll(Vec<Resource>),
    /// The row as it was written, to be registered for expiry; `None` where the table sees to
    /// that itself.
    Locked(Option<Box<Registration>>),
    /// Deleted, or there was nothing to delete.
    Released,
}
