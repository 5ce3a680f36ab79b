//! The wasm module's face to JavaScript: convert, call, convert.
//!
//! Not for users: the hand-written entry points in `src/js` are, and they alone call this.
//! So names may change at will, arguments are plain, and each call is synchronous: a promise
//! is made in JavaScript, where no fake timer can freeze it.

// `#[wasm_bindgen]` needs `pub`, and nothing outside the crate can name these modules.
#![allow(unreachable_pub, unnameable_types)]

mod panics;
mod views;

#[cfg(any(feature = "checker", feature = "client", feature = "simulator"))]
mod failure;

#[cfg(any(feature = "client", feature = "simulator"))]
mod driver;
#[cfg(feature = "messages")]
mod messages;
#[cfg(any(feature = "client", feature = "messages"))]
mod network;
#[cfg(any(feature = "client", feature = "messages", feature = "simulator"))]
mod reply;

#[cfg(any(feature = "checker", feature = "simulator"))]
mod text;

#[cfg(feature = "simulator")]
mod memory;
#[cfg(feature = "simulator")]
mod scenario;
#[cfg(feature = "simulator")]
mod server;
#[cfg(feature = "simulator")]
mod simulation;
#[cfg(feature = "simulator")]
mod sweep;
#[cfg(feature = "simulator")]
mod table;

#[cfg(feature = "checker")]
#[cfg(feature = "checker")]
mod explore;
#[cfg(feature = "checker")]
mod link;
#[cfg(feature = "checker")]
mod minimize;
#[cfg(feature = "checker")]
mod safety_margin;
#[cfg(feature = "checker")]
mod work;
