//! A client of a real Locket, for Rust programs that are compiled to wasm.
//!
//! ```
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use std::time::Duration;
//!
//! use locket_wasm::client::{LocketClient, Outcome};
//! use locket_wasm::proto::{LockRequest, Resource, TypeCode};
//! use locket_wasm::tonic::Code;
//!
//! let locket = LocketClient::new("https://locket.example.org").with_timeout(Duration::from_secs(5));
//! let resource = Resource {
//!     key: "bbs".into(),
//!     owner: "bbs-0".into(),
//!     type_code: TypeCode::Lock.into(),
//!     ..Resource::default()
//! };
//! let lock = LockRequest { resource: Some(resource), ttl_in_seconds: 15 };
//! match locket.lock(lock).await {
//!     Ok(()) => println!("mine for 15 s"),
//!     Err(error) if error.code() == Code::AlreadyExists => println!("somebody else has it"),
//!     Err(error) if error.outcome() == Outcome::Unknown => println!("mine or not: {error}"),
//!     Err(error) => return Err(error.into()),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What a caller can rely on
//!
//! A call ends with the server's answer, or with an error as soon as one is certain or the
//! deadline has passed. No answer of a server makes it panic or hang. No call is repeated, since
//! a second Lock renews the first. Dropping a call's future closes the connection; the server
//! may execute the request all the same.
//!
//! [`crate::transport::grpc_web_client`] says what carries a call. It mends what its carrier
//! crate would get wrong, except for these, in which JavaScript's side of it has no say:
//!
//! * A program that has a `globalThis.fetch` that cannot be replaced (frozen globals) gets
//!   [`Code::Internal`](tonic::Code::Internal), and nothing is sent: for the first, synchronous
//!   part of a call, the global is another one.
//! * Tests that fake `queueMicrotask` stop all Rust futures of a program, and so these calls, until
//!   the fake runs its tasks; wasm-bindgen's own task queue works so. Fake timers do no harm if
//!   they were installed after the module was loaded, or by sinon, vitest or jest.
//! * The target `no-modules` of wasm-bindgen cannot be used, nor `nodejs` before Node 20.19.

mod error;
mod locket_client;
pub(crate) mod request;

pub use error::{CallError, Outcome};
pub use locket_client::LocketClient;
#[cfg(any(feature = "client", feature = "messages"))]
pub(crate) use locket_client::{Method, decode};
