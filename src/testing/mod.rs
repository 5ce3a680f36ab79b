//! A Locket for tests: calls are answered at once, and time passes only when the test says so.
//!
//! ```
//! use locket_wasm::testing::{DurationExt as _, LockSettings, Reason, ReferenceServer};
//!
//! let server = ReferenceServer::new();
//! let (a, b) = (server.client("a"), server.client("b"));
//!
//! a.lock("bbs", 15.seconds())?;
//! let refused = b.lock("bbs", 15.seconds()).unwrap_err();
//! assert_eq!(refused.reason(), Some(Reason::LockCollision));
//!
//! server.advance(15.seconds());
//! b.lock("bbs", 15.seconds())?;
//! server.assert_held("bbs", "b");
//!
//! // A runner keeps its presence for as long as it can reach Locket.
//! let cell = server.keep(LockSettings::presence("cell-7", "cell-7"));
//! server.advance(10.minutes());
//! assert!(cell.held());
//! # Ok::<(), locket_wasm::testing::Error>(())
//! ```
//!
//! The same test runs natively and in WebAssembly, in Node and in a browser, if it is marked by
//! `#[wasm_bindgen_test(unsupported = test)]`.
//!
//! A [`Scenario`](crate::sim::scenario::Scenario) is a run with a network and faults, and
//! [`assert_safe`] asks whether settings are safe in every schedule.

mod check;
mod client;
mod error;
mod every_fault;
mod kept;
mod server;
mod state;
mod trace;

pub use check::{assert_safe, explore};
pub use client::Client;
pub use error::{Error, Reason};
pub use kept::Kept;
pub use server::{Builder, ReferenceServer};
pub use trace::Record;

pub use locket_sim::check::Fault;
pub use locket_sim::protocol::profile::Profile;
pub use locket_sim::protocol::resource::{Resource, TypeCode};
pub use locket_sim::protocol::row::Row;
pub use locket_sim::protocol::runner::Event;
pub use locket_sim::settings::LockSettings;
pub use locket_sim::time::{Duration, DurationExt, Time};
