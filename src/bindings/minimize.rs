//! Minimizes a failing run.

use locket_sim::simulation::Minimizer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::thrown;
use super::views::json;
use super::work::{Slices, Work};

/// So many visits of states take as long as a run.
const VISITS_OF_RUN: u64 = 64;

/// The minimization of a scenario with this seed, or with what it says itself.
#[wasm_bindgen]
pub fn minimizer(
    scenario: &str,
    seed: Option<f64>,
    max_runs: f64,
    max_steps: f64,
) -> Result<Work, JsValue> {
    let seed = seed.map(|seed| seed as u64);
    let minimizer = Minimizer::new(scenario, seed, max_runs as u64, max_steps as u64);
    minimizer.map(Work::of).map_err(thrown)
}

impl Slices for Minimizer {
    fn run(&mut self, budget: u64) -> Result<bool, JsValue> {
        Ok(self.run(budget.div_ceil(VISITS_OF_RUN)))
    }

    fn progress(&self) -> String {
        format!(r#"{{"runs":{},"left":{}}}"#, self.runs(), self.left().0)
    }

    fn result(&self) -> Result<String, JsValue> {
        Ok(json(&self.minimized()))
    }
}
