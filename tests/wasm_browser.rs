//! The claims of `wasm/` about the module as wasm, in a browser: `wasm-pack test --headless
//! --chrome`.

#![cfg(target_arch = "wasm32")]

#[path = "wasm/mod.rs"]
mod claims;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
