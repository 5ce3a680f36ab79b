//! Locket's rules and a deterministic simulation of them.
//!
//! Everything here is **sans-I/O**: told the time and the input, asked for the outputs and
//! the next deadline. Nothing reads a clock, randomness, the environment, a file or the
//! network, and nothing knows protobuf, JavaScript or HTTP. The same scenario and seed give
//! the same trace on every platform.
//!
//! Reading order: [`protocol::lock_table`] holds the rules of the `locks` table,
//! [`protocol::server`] a Locket process, [`cluster`] one database with its
//! processes, [`scenario`] a run as data, [`simulation`] one that is stepped through,
//! [`trace`] what happened in it, and [`check`] what can happen at all.

mod json;
#[cfg(feature = "schema")]
pub mod schema;
mod sorted;
pub mod time;

pub mod protocol;

pub mod node;

pub mod cluster;

pub mod world;

pub mod scenario;
pub mod simulation;
pub mod trace;

pub mod check;

/// The README's example runs with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
