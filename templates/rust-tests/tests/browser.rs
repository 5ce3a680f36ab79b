//! The tests of the other files in a browser: `wasm-pack test --headless --chrome`. Without this
//! file, that command skips all tests and ends without an error.

#![cfg(target_arch = "wasm32")]

mod exported;
mod locks;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
