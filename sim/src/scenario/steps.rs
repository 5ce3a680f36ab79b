//! How much a run may do.
//!
//! A short text can ask for years of simulated time, in which Locket processes poll and clients
//! renew. Counted are steps, not time: the same run ends at the same place everywhere.

use std::fmt;

use crate::time::Time;

/// The default limit of a run's steps: some seconds of work.
pub const STEPS_DEFAULT: u64 = 20_000_000;

/// A run took all the steps that it was allowed, and was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepsExceeded {
    /// How many steps were allowed.
    pub max_steps: u64,
    /// How far they led.
    pub reached: Time,
    /// How far they should have led.
    pub until: Time,
}

impl fmt::Display for StepsExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { max_steps, reached, until } = self;
        write!(
            f,
            "the run reached {reached} s of {until} s within its limit of {max_steps} steps; raise the limit, or end the run earlier"
        )
    }
}

impl std::error::Error for StepsExceeded {}
