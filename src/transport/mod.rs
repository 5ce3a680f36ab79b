//! How a call reaches a server.

pub mod direct;
pub mod in_process;
mod length;
mod waiting;

#[cfg(feature = "grpc")]
pub mod carrier;
#[cfg(feature = "grpc")]
mod deadline;
#[cfg(feature = "grpc")]
pub mod grpc;
#[cfg(feature = "grpc")]
pub mod grpc_web;
#[cfg(feature = "grpc")]
mod message_header;
#[cfg(feature = "grpc")]
mod metadata;
#[cfg(feature = "grpc")]
pub mod raw_call;
#[cfg(feature = "grpc")]
mod request_message;
#[cfg(feature = "grpc")]
mod unary;

#[cfg(all(target_arch = "wasm32", feature = "grpc"))]
pub(crate) mod encoded;
#[cfg(all(target_arch = "wasm32", feature = "grpc"))]
pub(crate) mod fetch;
#[cfg(all(target_arch = "wasm32", feature = "grpc"))]
pub mod grpc_web_client;
