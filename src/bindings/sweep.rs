//! Runs of a scenario with many seeds.

use locket_sim::scenario::{Scenario, SeedRun, Sweep};
use locket_sim::trace::Digest;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::text::{exceeded_to_js, scenario_error_to_js};
use super::views::json;

/// The failures of many runs, and the sum of the digests of all.
#[derive(Serialize)]
struct Share {
    failed: Vec<FailedSeed>,
    digest: Digest,
}

#[derive(Serialize)]
struct FailedSeed {
    seed: u64,
    failures: Vec<String>,
    digest: Digest,
}

/// Runs a scenario with `count` seeds, from `seed` on in steps of `stride`. Their [`Share`] as JSON.
#[wasm_bindgen(js_name = runSeeds)]
pub fn run_seeds(
    scenario: &str,
    seed: f64,
    stride: f64,
    count: u32,
    max_steps: f64,
) -> Result<String, JsValue> {
    let scenario = Scenario::from_json_of_any_length(scenario).map_err(scenario_error_to_js)?;
    let sweep = Sweep::new(scenario, max_steps as u64);
    let seeds = (0..u64::from(count)).map(|number| seed as u64 + number * stride as u64);
    let runs = seeds.map(|seed| Ok((seed, sweep.run(seed)?)));
    let runs: Vec<_> = runs.collect::<Result<_, _>>().map_err(exceeded_to_js)?;
    let digest = runs.iter().map(|(_, run)| run.digest).sum();
    let failed = runs.into_iter().filter(|(_, run)| !run.failures.is_empty());
    let failed =
        failed.map(|(seed, SeedRun { failures, digest })| FailedSeed { seed, failures, digest });
    let failed = failed.collect();
    Ok(json(&Share { failed, digest }))
}
