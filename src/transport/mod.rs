//! How a call reaches a server.

pub(crate) mod deadline;
pub mod direct;
#[cfg(target_arch = "wasm32")]
pub(crate) mod encoded;
#[cfg(target_arch = "wasm32")]
pub(crate) mod fetch;
pub mod grpc;
pub mod grpc_web;
#[cfg(target_arch = "wasm32")]
pub mod grpc_web_client;
pub mod in_process;
mod message_header;
mod metadata;
pub mod raw_call;
mod request_message;
mod unary;
mod waiting;
