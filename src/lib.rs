//! A lock client and simulator for Locket, Cloud Foundry Diego's lock and presence service.
//!
//! This crate is everything around the rules that touches the outside world; the rules
//! themselves are in [`locket_sim`]. It is compiled to WebAssembly and shipped as the npm
//! package `locket-wasm`; from Rust it offers the [reference server](InProcessServer), natively
//! and in wasm, and, in wasm, a client of a real Locket.
//!
//! Reading order: [`proto`] is the wire contract. [`convert`] is the only place that knows both
//! the wire's types and the rules' types. [`transport`] brings a call to a server. [`driver`] runs
//! the rules' lock and presence runners in production, and
#![cfg_attr(
    target_arch = "wasm32",
    doc = "[`client`] what a program calls that has a real Locket to talk to."
)]
#![cfg_attr(
    not(target_arch = "wasm32"),
    doc = "`client`, which exists in wasm only, what a program calls that has a real Locket."
)]

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
