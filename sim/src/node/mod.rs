//! Machines on nodes: what a client, a Locket process and the database do with what reaches them.
//!
//! Each takes an input and the time of its own clock, and gives outputs; it says when it has
//! something to do by itself. None of them knows the network, other nodes, or that it is paused:
//! their environment does that, such as [`cluster`](crate::cluster) and
//! [`world`](crate::world).

pub mod clock;

pub(crate) mod message;
mod unseen;

pub(crate) mod ask;
mod availability;
pub(crate) mod back_end;
mod commit_history;
pub(crate) mod database;
pub(crate) mod locket_process;

pub(crate) mod canonical;
pub(crate) mod client;
pub(crate) mod connection;

pub use connection::ConnectionKind;
