//! Texts that come from JavaScript, and what is wrong with them.

use locket_sim::scenario::{ScenarioError, StepsExceeded};
use locket_sim::simulation::SimulationError;
#[cfg(feature = "simulator")]
use locket_sim::{protocol::profile::Profile, scenario};
use wasm_bindgen::JsValue;

use super::failure::ArgumentFailure;
use super::views::object;

/// Reads JSON as the argument `profile`.
#[cfg(feature = "simulator")]
pub fn read_profile(json: &str) -> Result<Profile, JsValue> {
    scenario::read_profile(json).map_err(|error| argument_error("profile", error))
}

/// An error in the argument `field`. A program wrote the JSON, so its line and column say nothing.
#[cfg(feature = "simulator")]
fn argument_error(field: &str, ScenarioError { path, message, .. }: ScenarioError) -> JsValue {
    let field = match path.as_str() {
        "" => field.to_owned(),
        path => format!("{field}.{path}"),
    };
    ArgumentFailure::throw(&field, message)
}

/// A validation error of a scenario.
pub fn scenario_error_to_js(error: ScenarioError) -> JsValue {
    object([
        ("line", (error.line as f64).into()),
        ("column", (error.column as f64).into()),
        ("path", error.path.into()),
        ("message", error.message.into()),
    ])
}

/// A run that takes more steps than it may.
pub fn exceeded_to_js(exceeded: StepsExceeded) -> JsValue {
    object([
        ("maxSteps", (exceeded.max_steps as f64).into()),
        ("reachedMs", (exceeded.reached.as_ms() as f64).into()),
        ("untilMs", (exceeded.until.as_ms() as f64).into()),
    ])
}

/// Why a run cannot be made, or go on.
pub fn thrown(error: SimulationError) -> JsValue {
    match error {
        SimulationError::Argument { field, message } => ArgumentFailure::throw(&field, message),
        SimulationError::Link(message) => ArgumentFailure::throw("link", message),
        SimulationError::Scenario(error) => scenario_error_to_js(error),
        SimulationError::Steps(exceeded) => exceeded_to_js(exceeded),
    }
}
