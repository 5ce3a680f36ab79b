//! Keeps the text of the last panic, since a trap reaches JavaScript without one.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs when the module is loaded.
#[wasm_bindgen(start)]
pub fn keep_panic_messages() {
    std::panic::set_hook(Box::new(|panic| {
        LAST_PANIC.with(|last| *last.borrow_mut() = panic.to_string());
    }));
}

/// The text of the last panic, empty if there was none.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> String {
    LAST_PANIC.with(|last| last.borrow().clone())
}
