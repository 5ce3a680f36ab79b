//! The safety margin of a run.

use locket_sim::simulation::{MarginQuestion, NodeFault, SafetyMarginSearch, Simulation};
use locket_sim::time::Duration;
use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::thrown;
use super::views::{json, object};

/// The search for a safety margin.
#[wasm_bindgen]
pub struct WasmSafetyMargin(SafetyMarginSearch);

#[wasm_bindgen]
impl WasmSafetyMargin {
    /// Of a scenario, or of the run that a link leads to; with a node, of its faults alone. The
    /// lengths are in milliseconds.
    #[expect(clippy::too_many_arguments, reason = "plain arguments cross the border fastest")]
    #[wasm_bindgen(constructor)]
    pub fn new(
        run: &str,
        is_link: bool,
        max_steps: f64,
        fault: &str,
        longest: f64,
        grain: f64,
        step: f64,
        node: Option<String>,
    ) -> Result<Self, JsValue> {
        let simulation = match is_link {
            true => Simulation::from_link_within(run, max_steps as u64),
            false => Simulation::from_json_within(run, max_steps as u64),
        };
        let question = MarginQuestion {
            // JavaScript has checked the name against the list that is made of this type.
            fault: NodeFault::deserialize(StrDeserializer::<Error>::new(fault))
                .unwrap_or(NodeFault::Pause),
            longest: duration(longest),
            grain: duration(grain),
            step: duration(step),
        };
        let search = simulation.map_err(thrown)?.safety_margin(question);
        let search = search.map_err(thrown)?;
        let search = match node {
            Some(node) => search.of_node(&node).map_err(thrown)?,
            None => search,
        };
        Ok(Self(search))
    }

    /// Does about `budget` things more. Whether the profile is done.
    pub fn run(&mut self, budget: u32) -> Result<bool, JsValue> {
        self.0.run(budget.into()).map_err(thrown)
    }

    /// How many moments are known.
    pub fn known(&self) -> usize {
        self.0.known()
    }

    /// Of how many.
    pub fn total(&self) -> f64 {
        self.0.moments() as f64
    }

    /// The result so far: as JSON, and as text for people.
    pub fn profile(&self) -> JsValue {
        let profile = self.0.profile();
        object([("json", json(profile).into()), ("text", profile.to_string().into())])
    }
}

/// JavaScript has checked that it is a whole number.
fn duration(ms: f64) -> Duration {
    Duration::from_ms(ms as u64)
}
