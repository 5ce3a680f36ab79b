//! Each node's step from a state of its own, computed once by the shipped machines of
//! [`node`](crate::node) and then looked up by the numbers of states.
//!
//! Knows no schedule: a node takes an input and returns outputs.

pub(super) mod back_end;
pub(super) mod clients;
pub(super) mod clock;
pub(super) mod interned;
pub(super) mod replies;
