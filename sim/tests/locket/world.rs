//! Claims about the simulated world: what its network, clocks, pauses, crashes and database do,
//! and that a run is decided by its choices alone.
//!
//! T = 15 s, r = 5 s, the upstream profile and messages that take no time, unless a test says
//! otherwise. `S…`, `B…` and `C…` are explained in `common`.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "a question is about one kind of event")]

mod clocks;
mod connections;
mod database;
mod draining;
mod giving_up;
mod messages;
mod pauses;
mod restarts;
mod rig;
mod row_queues;
mod seeds;
