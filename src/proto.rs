//! The wire contract of `proto/locket.proto`, as generated: messages, client and server.

#![allow(missing_docs, unreachable_pub, unused_qualifications, clippy::all, clippy::restriction)]
// The `type` fields are deprecated upstream, and every reply still carries them.
#![allow(deprecated)]

tonic::include_proto!("models");
