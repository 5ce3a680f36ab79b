//! Fuzzing of what comes over the wire: messages, frames, HTTP requests.
//!
//! Whatever the bytes, nothing panics and every request has an answer with a gRPC status, in words
//! that are not those of a bug; the same request to the same server has the same answer. A short
//! round runs with every test, a long one by `make fuzz`.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]
// The `type` fields are deprecated upstream.
#![allow(deprecated)]

#[path = "../sim/tests/fuzz/round.rs"]
mod round;

mod fuzz {
    mod answers;
    mod frames;
    mod messages;
    mod requests;
}
