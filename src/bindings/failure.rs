//! The exceptions of bindings: plain objects, which the entry points turn into error classes.

use serde::Serialize;
use wasm_bindgen::JsValue;

use super::views::to_js;

/// An argument that cannot be taken.
#[derive(Serialize)]
pub struct ArgumentFailure {
    /// The argument's name, with the path into it.
    field: String,
    /// The message: what is wrong, and what was expected.
    message: String,
}

impl ArgumentFailure {
    /// An argument whose value is refused.
    pub fn throw(field: &str, message: String) -> JsValue {
        to_js(&Self { field: field.to_owned(), message })
    }
}
