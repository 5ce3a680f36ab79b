//! Why a group ended, and how each of its members did.

use std::fmt;

use super::timeout_runner::TimeoutError;

/// Why a [`JointLock`](super::JointLock) ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JointLockError<E> {
    /// Two members share this name; none was started.
    DuplicateName(String),
    /// At least one member ended with an error. All that were started, in the order in which
    /// they ended.
    Members(Vec<MemberExit<E>>),
}

/// How one member ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemberExit<E> {
    /// Its name.
    pub name: String,
    /// Its end.
    pub result: Result<(), TimeoutError<E>>,
}

impl<E: fmt::Display> fmt::Display for JointLockError<E> {
    /// As upstream words it, a line for each member (C21).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exits = match self {
            Self::DuplicateName(name) => return write!(f, "Duplicate member name: {name}"),
            Self::Members(exits) => exits,
        };
        f.write_str("Exit trace for group:\n")?;
        for MemberExit { name, result } in exits {
            match result {
                Ok(()) => writeln!(f, "{name} exited with nil")?,
                Err(error) => writeln!(f, "{name} exited with error: {error}")?,
            }
        }
        Ok(())
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for JointLockError<E> {}
