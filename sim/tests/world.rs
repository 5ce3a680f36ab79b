//! Claims about the simulated world: what its network, clocks, pauses, crashes and database do,
//! and that a run is decided by its choices alone.
//!
//! T = 15 s, r = 5 s, the upstream profile and messages that take no time, unless a test says
//! otherwise. `S…`, `B…` and `C…` are explained in `common`.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a question is about one kind of event"
)]

#[path = "world/clocks.rs"]
mod clocks;
#[path = "world/connections.rs"]
mod connections;
#[path = "world/database.rs"]
mod database;
#[path = "world/draining.rs"]
mod draining;
#[path = "world/giving_up.rs"]
mod giving_up;
#[path = "world/messages.rs"]
mod messages;
#[path = "world/operators.rs"]
mod operators;
#[path = "world/pauses.rs"]
mod pauses;
#[path = "world/restarts.rs"]
mod restarts;
#[path = "world/rig.rs"]
mod rig;
#[path = "world/seeds.rs"]
mod seeds;
