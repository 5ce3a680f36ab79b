//! The settings of a lock, in place of your own program.

use std::time::Duration;

/// The key of the lock.
pub const KEY: &str = "bbs";

/// The TTL.
pub const TTL: Duration = Duration::from_secs(15);

/// The time between two attempts to take or renew the lock.
pub const RETRY_INTERVAL: Duration = Duration::from_secs(5);
