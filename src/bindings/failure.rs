//! What bindings throw: plain objects, which the entry points turn into error classes.

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
        let mut deserializer = serde_json::Deserializer::from_str(json);
        serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
            let path = error.path().to_string();
            let field = if path == "." {
                field.to_owned()
            } else {
                format!("{field}.{path}")
            };
            // The place in the JSON, which nobody wrote, says nothing.
            let message = error.into_inner().to_string();
            let message = message
                .rsplit_once(" at line ")
                .map_or(&*message, |(what, _)| what);
            Self::throw(&field, message.to_owned())
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
