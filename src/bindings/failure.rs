//! What bindings throw: plain objects, which the entry points turn into error classes.

use locket_sim::scenario::{self, ScenarioError};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use super::views::to_js;

/// An argument that cannot be taken.
#[derive(Serialize)]
pub struct ArgumentFailure {
    /// The argument's name, with the path into it.
    field: String,
    /// What is wrong, and what was expected.
    message: String,
}

impl ArgumentFailure {
    /// Reads JSON as the argument `field`.
    pub fn read_json<'de, T: Deserialize<'de>>(field: &str, json: &'de str) -> Result<T, JsValue> {
        // The line and column in the JSON, which nobody wrote, say nothing.
        scenario::read(json).map_err(|ScenarioError { path, message, .. }| {
            let field = match path.as_str() {
                "" => field.to_owned(),
                path => format!("{field}.{path}"),
            };
            Self::throw(&field, message)
        })
    }

    /// An argument whose value is refused.
    pub fn throw(field: &str, message: String) -> JsValue {
        to_js(&Self {
            field: field.to_owned(),
            message,
        })
    }
}
