//! The guard that every runner of a Rust program passes: one owner keeps a key once.
//!
//! For Locket two keepers with the same owner are one. The release of either ends both, and the
//! other still believes that it holds the key. The npm package has the same rule for its own doors.

use std::fmt;

use locket_sim::protocol::resource::Resource;

use super::Machine;

/// A machine that has not ended keeps the same key as the same owner.
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

/// Refuses a machine if one that has not ended, or has yet to release, keeps the same.
pub(super) fn check<'a>(
    machine: &Machine,
    others: impl Iterator<Item = &'a Machine>,
) -> Result<(), AlreadyKept> {
    for other in others.filter(|it| it.exited().is_none()) {
        let shared = kept(machine).find(|own| {
            let mut kept = kept(other);
            kept.any(|it| it.key == own.key && it.owner == own.owner)
        });
        if let Some(Resource { key, owner, .. }) = shared {
            return Err(AlreadyKept { key: key.clone(), owner: owner.clone() });
        }
    }
    Ok(())
}

/// All that a machine keeps.
fn kept(machine: &Machine) -> impl Iterator<Item = &Resource> {
    let members = (0..).map_while(|member| machine.member(member));
    members.map(|runner| runner.resource())
}
