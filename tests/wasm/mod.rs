//! Claims about the crate as WebAssembly, on every platform.
//!
//! The rules are tested natively, in `sim/tests`, and through the wire's bytes in `tests/`. Here they
//! run compiled to wasm: runners against the server on its virtual clock, and the client with its
//! `fetch`.

mod client;
mod runners;
