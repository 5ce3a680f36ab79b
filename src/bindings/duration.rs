//! Durations as texts.

use locket_sim::time::Duration;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;

/// Milliseconds of a text such as `15s`.
#[wasm_bindgen(js_name = parseDuration)]
pub fn parse_duration(field: &str, text: &str) -> Result<f64, JsValue> {
    let parsed: Result<Duration, _> = text.parse();
    parsed
        .map(|duration| duration.as_ms() as f64)
        .map_err(|error| ArgumentFailure::throw(field, error.to_string()))
}
