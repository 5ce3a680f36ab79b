//! Locket's rules and a deterministic simulation of them.
//!
//! Everything here is **sans-I/O**: it gets the time and an input, and gives outputs and
//! the next deadline. Nothing reads a clock, randomness, the environment, a file or the
//! network, and nothing knows protobuf, JavaScript or HTTP. The same scenario and seed give
//! the same trace on every platform.
//!
//! For users: [`scenario`] and [`simulation`] have runs, [`check`] has questions about settings, and
//! [`settings`] has settings for both. The feature `schema` makes JSON Schemas of the texts that are
//! read; only this project needs it.
//!
//! Reading order: [`protocol::lock_table`] holds the rules of the `locks` table,
//! [`protocol::server`] a Locket process, [`cluster`] one database with its
//! processes. [`scenario`] is a run as data, [`simulation`] a run in steps,
//! [`trace`] the events of a run, and [`check`] the search of all schedules.

mod amounts;
mod by_name;
mod json;
#[cfg(feature = "schema")]
pub mod schema;
mod sorted;
pub mod time;
mod unit_text;

pub mod protocol;

pub mod node;

mod environment;

pub mod cluster;

pub mod world;

pub mod scenario;
pub mod simulation;
pub mod trace;

pub mod check;
pub mod settings;

/// The README's example runs with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
