//! The wasm module's face to JavaScript: convert, call, convert.
//!
//! Not for users: the hand-written entry points in `src/js` are, and they alone call this.
//! So names may change at will, arguments are plain, and each call is synchronous: a promise
//! is made in JavaScript, where no fake timer can freeze it.

// `#[wasm_bindgen]` needs `pub`, and nothing outside the crate can name these modules.
#![allow(unreachable_pub, unnameable_types)]

mod driver;
mod duration;
mod failure;
mod network;
mod panics;
mod request;
mod views;

#[cfg(feature = "simulator")]
mod bosh;
#[cfg(feature = "simulator")]
mod explore;
#[cfg(feature = "simulator")]
mod memory;
#[cfg(feature = "simulator")]
mod scenario;
#[cfg(feature = "simulator")]
mod server;
#[cfg(feature = "simulator")]
mod simulation;
#[cfg(feature = "simulator")]
mod table;
