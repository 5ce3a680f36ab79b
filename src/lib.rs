//! A Locket for tests in Rust, and a lock client for Rust programs in WebAssembly.
//!
//! Locket is the lock and presence service of Cloud Foundry Diego. This crate is everything around
//! its rules that touches the outside world. The rules, the simulation and the checker are in
//! [`locket_sim`], here as [`sim`].
//!
//! ```
//! use locket_wasm::testing::{DurationExt as _, ReferenceServer};
//!
//! let server = ReferenceServer::new();
//! server.client("bbs-0").lock("bbs", 15.seconds())?;
//! server.advance(15.seconds());
//! server.assert_free("bbs");
//! # Ok::<(), locket_wasm::testing::Error>(())
//! ```
//!
//! * [`testing`] has all that a test needs, natively and in WebAssembly.
#![cfg_attr(
    target_arch = "wasm32",
    doc = "* [`client`] calls a real Locket from a page or from Node."
)]
#![cfg_attr(
    not(target_arch = "wasm32"),
    doc = "* `client`, in WebAssembly only, calls a real Locket from a page or from Node."
)]
//! * [`proto`] is the wire contract. [`convert`] is the only place that knows both the wire's types
//!   and the rules' types. [`transport`] brings a call to a server, and [`driver`] runs the rules'
//!   runners in production.
//!
//! # Features
//!
//! All are on by default, since they make the npm package `locket-wasm`. They only export functions
//! to JavaScript. A Rust program needs none of them; in WebAssembly it gets a smaller module
//! without them, by `default-features = false`.
//!
//! * `simulator`: server, runners and simulation.
//! * `messages`: messages in both directions for a program that has `simulator`. They are those of
//!   the client of a real Locket, and of raw requests to the server.
//! * `checker`: questions about settings.
//! * `client`: the client of a real Locket and its runners, without a server.

#[cfg(target_arch = "wasm32")]
pub mod client;
pub mod convert;
pub mod driver;
pub mod proto;
pub mod testing;
pub mod transport;

#[cfg(target_arch = "wasm32")]
mod bindings;

pub use locket_sim as sim;
pub use tonic;
pub use transport::in_process::InProcessServer;
