//! The safety margin of a run.

use locket_sim::simulation::{MarginQuestion, NodeFault, SafetyMarginSearch, Simulation};
use locket_sim::time::Duration;
use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::thrown;
use super::views::json;
use super::work::{Slices, Work};

/// The search for the safety margin of a scenario, or of the run that a link leads to; with a node, of
/// its faults alone. The lengths are in milliseconds.
#[expect(clippy::too_many_arguments, reason = "plain arguments cross the border fastest")]
#[wasm_bindgen(js_name = safetyMargin)]
pub fn safety_margin(
    run: &str,
    is_link: bool,
    max_steps: f64,
    fault: &str,
    longest: f64,
    grain: f64,
    step: f64,
    node: Option<String>,
) -> Result<Work, JsValue> {
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
    Ok(Work::of(match node {
        Some(node) => search.of_node(&node).map_err(thrown)?,
        None => search,
    }))
}

impl Slices for SafetyMarginSearch {
    fn run(&mut self, budget: u64) -> Result<bool, JsValue> {
        self.run(budget).map_err(thrown)
    }

    fn progress(&self) -> String {
        format!(r#"{{"moments":{},"total":{}}}"#, self.known(), self.moments())
    }

    fn result(&self) -> Result<String, JsValue> {
        let profile = self.profile();
        Ok(json(&(profile, profile.to_string())))
    }
}

/// JavaScript has checked that it is a whole number.
fn duration(ms: f64) -> Duration {
    Duration::from_ms(ms as u64)
}
