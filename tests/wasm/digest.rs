//! A run has the same digest natively and as wasm, in Node and in Chromium.
//!
//! All digests are recorded in `sim/scenarios/digests.json`. The native runs are held to it by
//! `sim/tests/runs/digests.rs`, and the npm package by `tests/node/simulation/scenario.test.mjs` in
//! Node and by `tests/browsers` in browsers.

use locket_wasm::sim::scenario::Scenario;
use locket_wasm::sim::simulation::Simulation;
use wasm_bindgen_test::wasm_bindgen_test;

const DIGESTS: &str = include_str!("../../sim/scenarios/digests.json");
const FIRST_LOOK: &str = include_str!("../../sim/scenarios/first-look.json");
const FAULTY: &str = include_str!("../../sim/tests/data/faulty.json");
const FAULTY_DIGEST: &str = include_str!("../../sim/tests/data/faulty.digest");

#[wasm_bindgen_test]
fn a_scenario_that_is_stepped_to_and_fro_gives_the_digest_that_it_gives_natively() {
    let mut simulation = Simulation::from_json(FIRST_LOOK).expect("the scenario is right");
    while simulation.step().expect("it takes few steps") {}
    while simulation.step_back() {}
    simulation.run_to_end().expect("it takes few steps");
    let linked = Simulation::from_link(&simulation.link()).expect("its own link is right");

    let recorded = format!("\"first-look.json\": \"{}\"", linked.digest());
    assert!(DIGESTS.contains(&recorded), "{recorded} is not recorded");
}

#[wasm_bindgen_test]
fn five_thousand_random_runs_give_the_digests_that_they_give_natively() {
    let mut scenario = Scenario::from_json(FAULTY).expect("the scenario is right");
    let mut all = 0_u64;
    for seed in 0..5_000 {
        scenario.seed = seed;
        let digest = scenario.run().digest.to_string();
        all = all.wrapping_add(u64::from_str_radix(&digest, 16).expect("a digest is a number"));
    }

    assert_eq!(format!("{all:016x}"), FAULTY_DIGEST.trim());
}
