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
    all(target_arch = "wasm32", feature = "grpc"),
    doc = "* [`client`] calls a real Locket from a page or from Node."
)]
#![cfg_attr(
    not(all(target_arch = "wasm32", feature = "grpc")),
    doc = "* `client`, in WebAssembly only, calls a real Locket from a page or from Node."
)]
//! * [`transport`] brings a call to a server, and [`driver`] runs the rules' runners in production.
//! * `proto` is the wire contract. `convert` is the only place that knows both the wire's types and
//!   the rules' types.
//!
//! # Features
//!
//! All are on by default, since they make the npm package `locket-wasm`. A test needs none of them:
//! `default-features = false` has [`testing`], the runners and the server of this process.
//!
//! * `grpc`: messages, with the client and server that tonic generates. In WebAssembly also the
//!   client of a real Locket.
//!
//! The others only export functions to JavaScript:
//!
//! * `simulator`: server, runners and simulation.
//! * `messages`: messages in both directions for a program that has `simulator`. They are those of
//!   the client of a real Locket, and of raw requests to the server.
//! * `checker`: questions about settings.
//! * `client`: the client of a real Locket and its runners, without a server.

#[cfg(all(target_arch = "wasm32", feature = "grpc"))]
pub mod client;
#[cfg(feature = "grpc")]
pub mod convert;
pub mod driver;
#[cfg(feature = "grpc")]
pub mod proto;
pub mod testing;
pub mod transport;

#[cfg(all(target_arch = "wasm32", feature = "grpc"))]
mod bindings;

pub use locket_sim as sim;
#[cfg(feature = "grpc")]
pub use tonic;
pub use transport::in_process::InProcessServer;
