//! The claims of `wasm/` about the module as wasm, in Node: `wasm-pack test --node`.

#![cfg(target_arch = "wasm32")]

#[path = "wasm/mod.rs"]
mod claims;
