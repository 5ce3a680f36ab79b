//! Compiles `proto/locket.proto` into the messages, client and server of `src/proto.rs`.
//!
//! protox is a protobuf compiler in Rust, so no `protoc` has to be installed. Without the feature
//! `grpc` there are no messages, and neither compiler is built.

#[cfg(feature = "grpc")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto/locket.proto");
    let descriptors = protox::compile(["proto/locket.proto"], ["proto"])?;
    tonic_prost_build::configure()
        .build_transport(false)
        .build_client(true)
        .build_server(true)
        .compile_fds(descriptors)?;
    Ok(())
}

#[cfg(not(feature = "grpc"))]
fn main() {}
