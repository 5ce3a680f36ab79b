//! A value that only saves work: a node with another one gives the same outputs.

use std::hash::{Hash, Hasher};

/// Counts neither in a comparison nor in a hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unseen<T>(pub T);

impl<T> PartialEq for Unseen<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Unseen<T> {}

impl<T> Hash for Unseen<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
