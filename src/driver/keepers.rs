//! The guard that every runner of a Rust program passes: one owner keeps a key once.
//!
//! For Locket two keepers with the same owner are one. The release of either ends both, and the
//! other still believes that it holds the key. The npm package has the same rule for its own doors.

use std::fmt;

use locket_sim::protocol::resource::Resource;
use locket_sim::protocol::runner::Runner;

/// A runner that has not ended keeps the same key as the same owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlreadyKept {
    /// The key.
    pub key: String,
    /// Its owner.
    pub owner: String,
}

impl fmt::Display for AlreadyKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, owner } = self;
        write!(
            f,
            "owner: a runner already keeps '{key}' as '{owner}'; use it, stop it and let it \
             release, or pass another owner"
        )
    }
}

impl std::error::Error for AlreadyKept {}

/// Refuses a runner if one that has not ended, or has yet to release, keeps the same.
pub(super) fn check<'a>(
    runner: &Runner,
    others: impl Iterator<Item = &'a Runner>,
) -> Result<(), AlreadyKept> {
    let Resource { key, owner, .. } = runner.resource();
    let mut keepers = others.filter(|it| it.exited().is_none()).map(Runner::resource);
    match keepers.any(|it| it.key == *key && it.owner == *owner) {
        true => Err(AlreadyKept { key: key.clone(), owner: owner.clone() }),
        false => Ok(()),
    }
}
