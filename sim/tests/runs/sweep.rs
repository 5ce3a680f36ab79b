//! Claims about sweeps: what is made once for all seeds changes no run.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use locket_sim::scenario::{Scenario, Sweep};

/// With some of its seeds another client has the key then, or none.
fn faulty() -> Scenario {
    let text = include_str!("../data/faulty.json");
    let expect = r#""random": true, "expect": [{ "key": "k", "at": "100s", "owner": "a" }],"#;
    Scenario::from_json(&text.replace(r#""random": true,"#, expect)).unwrap()
}

#[test]
fn a_run_of_a_sweep_is_the_one_of_its_seed_alone() {
    let mut scenario = faulty();
    let sweep = Sweep::new(scenario.clone(), u64::MAX);
    let mut failed = 0;
    for seed in (0..100).rev() {
        scenario.seed = seed;
        let (alone, swept) = (scenario.run(), sweep.run(seed).unwrap());
        assert_eq!(swept.digest, alone.digest, "seed {seed}");
        assert_eq!(swept.failures, alone.failures, "seed {seed}");
        failed += usize::from(!swept.failures.is_empty());
    }
    assert!((1..100).contains(&failed), "{failed} runs failed");
}

#[test]
fn a_seed_gives_the_ids_of_a_run_without_chance() {
    let mut scenario = faulty();
    scenario = Scenario {
        random: false,
        network: Default::default(),
        database: Default::default(),
        ..scenario
    };
    let sweep = Sweep::new(scenario.clone(), u64::MAX);
    scenario.seed = 7;
    assert_eq!(sweep.run(7).unwrap().digest, scenario.run().digest);
    assert_ne!(sweep.run(8).unwrap().digest, scenario.run().digest);
}

#[test]
fn a_run_of_a_sweep_that_takes_too_many_steps_is_an_error() {
    assert_eq!(Sweep::new(faulty(), 50).run(1).unwrap_err().max_steps, 50);
}
