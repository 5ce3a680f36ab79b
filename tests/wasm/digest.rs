//! The same scenario gives the same digest natively, in Node, in Chromium and in Firefox.
//!
//! All of them are held to `sim/scenarios/digests.json`: the native one by `sim/tests/runs/digests.rs`,
//! and the module in Node and in Chromium by these tests, which run in both. The npm package is held
//! to it by `tests/node/simulation/scenario.test.mjs` in Node, and by `tests/browsers` in browsers.

use locket_wasm::sim::scenario::{Scenario, run_text};
use locket_wasm::sim::simulation::Simulation;
use wasm_bindgen_test::wasm_bindgen_test;

const DIGESTS: &str = include_str!("../../sim/scenarios/digests.json");
const FIRST_LOOK: &str = include_str!("../../sim/scenarios/first-look.json");
const FAULTY: &str = include_str!("../../sim/tests/data/faulty.json");
const FAULTY_DIGEST: &str = include_str!("../../sim/tests/data/faulty.digest");

macro_rules! scenarios {
    ($($name:literal,)*) => {
        /// Every shipped scenario; a file cannot be looked for in a browser.
        const SCENARIOS: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../sim/scenarios/", $name, ".json"))),)*
        ];
    };
}

scenarios![
    "all-locket-processes-are-down",
    "all-locket-processes-restart",
    "attempt-waits-for-locket-to-come-back",
    "cloud-controller-runs-twice",
    "collision-while-the-holder-renews",
    "database-hangs",
    "database-unreachable",
    "dead-connection-noticed-after-the-lease",
    "empty-owner-and-zero-ttl",
    "failover-brings-a-released-lock-back",
    "failover-loses-the-insert",
    "failover-loses-three-renewals",
    "failover-loses-two-renewals-and-a-waiter-is-quick",
    "failover-loses-two-renewals",
    "first-attempt-has-no-deadline",
    "first-look",
    "holder-crashes",
    "holder-cut-off-from-locket-before-october-2025",
    "holder-cut-off-from-locket",
    "holder-hands-over-cleanly",
    "holder-paused-longer-than-its-lease",
    "incident-lossy-zone",
    "incident-rolling-restart-and-failover",
    "incident-vm-suspended",
    "late-release-after-a-restart",
    "lock-lost-and-taken-again-unnoticed",
    "lock-that-nobody-renews-expires",
    "locket-process-stopped-longer-than-the-ttl",
    "machine-suspended-longer-than-its-lease",
    "malformed-request-kills-locket",
    "modified-index-is-no-token",
    "one-error-ends-a-lock",
    "one-lost-renewal-before-october-2025",
    "one-lost-renewal-today",
    "operator-claims-the-lock-for-an-hour",
    "operator-empties-the-owner",
    "operator-evicts-the-holder",
    "presence-comes-back-after-a-gap",
    "process-that-handled-the-renewal-dies",
    "quick-restart-with-a-new-owner",
    "quick-restart-with-the-same-owner",
    "release-hangs-at-shutdown",
    "renewal-at-the-instant-of-expiry-expiry-first",
    "renewal-at-the-instant-of-expiry-renewal-first",
    "replies-do-not-arrive",
    "reply-lost-after-the-commit",
    "reply-lost-then-a-restart-with-the-same-owner",
    "retry-storm",
    "rolling-restart-catches-a-renewal",
    "safe-runner-gives-its-first-attempt-up",
    "safe-runner-paused-longer-than-its-lease",
    "slow-clock-of-the-holder",
    "slow-commits-before-april-2026",
    "slow-commits-today",
    "slow-locket-while-others-are-healthy",
    "slow-reply-then-a-lost-renewal",
    "table-dropped",
    "thundering-herd",
    "ttl-below-the-poll-interval",
    "ttl-that-overflows",
    "two-owners-insert-one-key",
    "two-processes-with-one-owner",
    "value-too-long",
    "waiters-keep-their-phase",
    "wall-clock-an-hour-ahead",
];

#[wasm_bindgen_test]
fn every_shipped_scenario_gives_the_digest_that_it_gives_natively() {
    assert_eq!(DIGESTS.matches(".json\"").count(), SCENARIOS.len());
    for (name, text) in SCENARIOS {
        let run = run_text(text).expect("the scenario is right");

        let recorded = format!("\"{name}.json\": \"{}\"", run.digest);
        assert!(DIGESTS.contains(&recorded), "{recorded} is not recorded");
    }
}

#[wasm_bindgen_test]
fn a_scenario_that_is_stepped_to_and_fro_gives_the_digest_that_it_gives_natively() {
    let mut simulation = Simulation::from_json(FIRST_LOOK).expect("the scenario is right");
    while simulation.step().unwrap() {}
    while simulation.step_back() {}
    simulation.run_to_end().unwrap();
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

#[wasm_bindgen_test]
fn a_digest_tells_scenarios_apart_that_differ_in_one_second_of_a_ttl() {
    let changed = FIRST_LOOK.replacen("\"ttl\": \"15s\"", "\"ttl\": \"14s\"", 1);
    assert_ne!(changed, FIRST_LOOK);

    let digests = [FIRST_LOOK, &changed].map(|text| run_text(text).expect("it is right").digest);

    assert_ne!(digests[0], digests[1]);
}
