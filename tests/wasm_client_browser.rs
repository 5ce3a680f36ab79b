//! The claims of `wasm_client.rs` in Chromium:
//! `wasm-pack test --headless --chrome -- --test wasm_client_browser`.

#![cfg(target_arch = "wasm32")]

#[path = "wasm_client.rs"]
mod claims;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
