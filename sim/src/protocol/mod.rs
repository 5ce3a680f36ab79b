//! Locket's rules: what production code runs too.
//!
//! Nothing in here knows whether it is simulated. A request is answered in one call and
//! nothing waits. Modules in reading order.

pub mod error;
pub mod message;
pub mod resource;

pub mod profile;

pub mod flavor;
pub mod id_source;
pub mod lock_table;
pub mod operation;
pub mod row;

mod agenda;
pub mod expiry;

pub mod log;
pub mod request_counters;
pub mod server;

pub mod runner;
