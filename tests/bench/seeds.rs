//! Random runs of two clients, five minutes and many faults, natively. `seeds.mjs` does the same
//! through the npm package.
//!
//!     cargo bench --bench seeds

#![allow(clippy::print_stdout, reason = "figures are for the person who runs this")]
#![allow(missing_docs, reason = "a program, not an interface")]

use std::time::Instant;

use locket_wasm::sim::scenario::{STEPS_DEFAULT, Scenario, Sweep};

const SEEDS: u64 = 10_000;
const FAULTY: &str = include_str!("../../sim/tests/data/faulty.json");

fn main() {
    let scenario = Scenario::from_json(FAULTY).expect("the scenario is right");
    let started = Instant::now();
    let sweep = Sweep::new(scenario, STEPS_DEFAULT);
    for seed in 0..SEEDS {
        std::hint::black_box(sweep.run(seed).expect("the run takes few steps").digest);
    }
    let rate = SEEDS as f64 / started.elapsed().as_secs_f64();
    println!("seeds {rate:.1} runs/s");
}
