//! Links to moments of scenarios.

use locket_sim::simulation::Simulation;
use locket_sim::time::Time;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::thrown;
use super::views::object;

/// A link to a moment of a scenario, by default to its end, and the scenario's name.
#[wasm_bindgen(js_name = linkTo)]
pub fn link_to(scenario: &str, ms: Option<f64>) -> Result<JsValue, JsValue> {
    let mut simulation = Simulation::from_json(scenario).map_err(thrown)?;
    let moment = ms.map_or_else(|| simulation.end(), |ms| Time::from_ms(ms as u64));
    simulation.seek_time(moment).map_err(thrown)?;
    Ok(object([
        ("link", simulation.link_without_acts().into()),
        ("name", (&simulation.scenario().name).into()),
    ]))
}
