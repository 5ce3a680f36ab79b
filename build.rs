//! Compiles `proto/locket.proto` into the messages, client and server of `src/proto.rs`.
//!
//! protox is a protobuf compiler in Rust, so no `protoc` has to be installed.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto/locket.proto");
    let descriptors = protox::compile(["proto/locket.proto"], ["proto"])?;
    tonic_prost_build::configure()
        .build_transport(false)
        .build_client(true)
        .build_server(true)
        .compile_fds(descriptors)?;
    Ok(())
}
