//! Claims about Locket as WebAssembly, on every platform.
//!
//! The rules are tested natively, in `sim/tests`. These are the same rules through the generated
//! client and server and the wire's bytes, compiled to wasm: leases on a virtual clock, with
//! production's 15 s and 5 s.

#![allow(clippy::unwrap_used, reason = "a call that is refused fails the claim")]

mod digest;
mod grpc_web;
mod leases;
mod presences;
mod processes;
mod runners;
mod support;
