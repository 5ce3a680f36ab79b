//! Machines on nodes: what a client, a Locket process and the database do with what reaches them.
//!
//! Each takes an input and the time of its own clock, and gives outputs; it says when it has
//! something to do by itself. None of them knows the network, other nodes, or that it is paused:
//! their environment does that, such as [`cluster`](crate::cluster) and
//! [`world`](crate::world).

pub mod clock;

pub mod message;

pub mod ask;
mod commit_history;
pub mod database;
pub mod locket_process;

pub mod canonical;
pub mod client;
pub mod connection;
