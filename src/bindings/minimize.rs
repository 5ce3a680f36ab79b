//! Minimizes a failing run.

use locket_sim::simulation::Minimizer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::thrown;
use super::views::json;

/// The minimization of a failing run, under way.
#[wasm_bindgen]
pub struct WasmMinimizer(Minimizer);

#[wasm_bindgen]
impl WasmMinimizer {
    /// Of a scenario with this seed, or with what it says itself.
    #[wasm_bindgen(constructor)]
    pub fn new(
        scenario: &str,
        seed: Option<f64>,
        max_runs: f64,
        max_steps: f64,
    ) -> Result<Self, JsValue> {
        let seed = seed.map(|seed| seed as u64);
        let minimizer = Minimizer::new(scenario, seed, max_runs as u64, max_steps as u64);
        minimizer.map(Self).map_err(thrown)
    }

    /// Tries up to `budget` runs more. Whether it is done.
    pub fn run(&mut self, budget: u32) -> bool {
        self.0.run(budget.into())
    }

    /// How many runs were tried.
    pub fn runs(&self) -> f64 {
        self.0.runs() as f64
    }

    /// How many decisions are left.
    pub fn left(&self) -> usize {
        self.0.left().0
    }

    /// The smallest failing run so far, as JSON.
    pub fn minimized(&self) -> String {
        json(&self.0.minimized())
    }
}
