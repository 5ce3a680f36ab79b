//! Claims about minimizing: what of a failing run's chance is needed for it to fail.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::collections::BTreeMap;

use locket_sim::scenario::{STEPS_DEFAULT, Scenario};
use locket_sim::simulation::{Minimized, Minimizer, Simulation, SimulationError};
use locket_sim::world::choice::{Site, SiteKind};

/// Before October 2025 one lost renewal gave two owners; everything else that happens here is
/// harmless.
const ONE_LOSS: &str = r#"{
    "random": true, "name": "planted", "profile": "upstream", "until": "2m",
    "network": {
        "latency": { "min": "10ms", "max": "200ms", "step": "10ms" },
        "loss": "4%", "duplicates": "2%"
    },
    "overrides": {},
    "clients": [
        { "name": "a", "key": "k", "ttl": "15s", "retryInterval": "5s", "runner": "upstream-before-2025-10" },
        { "name": "b", "key": "k", "ttl": "15s", "retryInterval": "5s", "runner": "upstream-before-2025-10", "startAt": "1s" }
    ],
    "expect": [
        { "noEvent": "nobody ever says this" },
        { "key": "k", "twoOwnersFor": "0s" }
    ]
}"#;

/// Upstream's runner waits for its first answer as long as it takes, and that may be too long.
const SLOW: &str = r#"{
    "name": "slow", "profile": "upstream", "until": "1m", "random": true,
    "network": { "latency": { "min": "0s", "max": "20s", "step": "100ms" } },
    "clients": [
        { "name": "a", "key": "k", "ttl": "15s", "retryInterval": "5s", "runner": "upstream" },
        { "name": "b", "key": "k", "ttl": "15s", "retryInterval": "5s", "runner": "upstream", "startAt": "1s" }
    ],
    "expect": [{ "key": "k", "twoOwnersFor": "0s" }]
}"#;

fn minimizer(text: &str, seed: u64) -> Result<Minimizer, SimulationError> {
    Minimizer::new(text, Some(seed), 10_000, STEPS_DEFAULT)
}

/// The first seeds with which a scenario fails.
fn failing(text: &str, count: usize) -> Vec<u64> {
    let fails = |seed: &u64| minimizer(text, *seed).is_ok();
    let seeds: Vec<u64> = (0..500).filter(fails).take(count).collect();
    assert_eq!(seeds.len(), count);
    seeds
}

fn minimized(text: &str, seed: u64) -> Minimized {
    let mut minimizer = minimizer(text, seed).unwrap();
    assert!(minimizer.run(u64::MAX));
    let minimized = minimizer.minimized();
    assert!(minimized.is_complete);
    minimized
}

/// The failed expectations of a run with these overrides, by number.
fn failures(minimized: &Minimized, overrides: &BTreeMap<Site, u32>) -> Vec<usize> {
    let mut scenario = Scenario::from_json(&minimized.scenario).unwrap();
    assert!(!scenario.random);
    scenario.overrides = Some(overrides.clone());
    let checks = scenario.run().checks.into_iter().enumerate();
    let failed = checks.filter(|(_, check)| !check.failures.is_empty());
    failed.map(|(index, _)| index).collect()
}

#[test]
fn of_all_that_a_seed_decides_the_one_that_matters_is_left() {
    let mut decisions = 0;
    for seed in failing(ONE_LOSS, 5) {
        let minimized = minimized(ONE_LOSS, seed);
        decisions += minimized.decisions;
        let kinds: Vec<_> = minimized.overrides.keys().map(|site| site.kind).collect();
        assert_eq!(kinds, [SiteKind::Loss], "{seed}");
        assert_eq!(minimized.expectation, 1);
    }
    assert!(decisions > 100, "{decisions}");
}

#[test]
fn what_is_left_fails_in_the_same_way_and_without_chance() {
    for (text, expectation) in [(ONE_LOSS, 1), (SLOW, 0)] {
        for seed in failing(text, 3) {
            let minimized = minimized(text, seed);
            assert_eq!(failures(&minimized, &minimized.overrides), [expectation]);
            let scenario = Scenario::from_json(&minimized.scenario).unwrap();
            assert_eq!(scenario.overrides.as_ref(), Some(&minimized.overrides));
            assert_eq!(scenario.seed, seed);
        }
    }
}

#[test]
fn nothing_more_can_be_left_out_and_no_delay_be_less() {
    for seed in failing(SLOW, 5) {
        let minimized = minimized(SLOW, seed);
        for (site, picked) in &minimized.overrides {
            let mut fewer = minimized.overrides.clone();
            fewer.remove(site);
            assert!(failures(&minimized, &fewer).is_empty(), "{seed} without {site}");
            let mut less = minimized.overrides.clone();
            less.insert(*site, picked - 1);
            assert!(failures(&minimized, &less).is_empty(), "{seed} with less of {site}");
        }
    }
}

#[test]
fn minimizing_twice_gives_the_same_and_a_minimized_run_stays_as_it_is() {
    let seed = failing(SLOW, 1)[0];
    let once = minimized(SLOW, seed);
    assert_eq!(minimized(SLOW, seed), once);
    let mut again = Minimizer::new(&once.scenario, None, 10_000, STEPS_DEFAULT).unwrap();
    again.run(u64::MAX);
    assert_eq!(again.minimized().overrides, once.overrides);
    assert_eq!(again.minimized().scenario, once.scenario);
}

#[test]
fn slices_change_nothing() {
    let seed = failing(ONE_LOSS, 1)[0];
    let mut sliced = minimizer(ONE_LOSS, seed).unwrap();
    let mut left = vec![sliced.left().0];
    while !sliced.run(1) {
        left.push(sliced.left().0);
    }
    assert!(left.is_sorted_by(|before, after| before >= after), "{left:?}");
    assert_eq!(sliced.minimized(), minimized(ONE_LOSS, seed));
}

#[test]
fn with_too_few_runs_it_says_so_and_what_it_has_fails_all_the_same() {
    let seed = failing(SLOW, 1)[0];
    let mut minimizer = Minimizer::new(SLOW, Some(seed), 5, STEPS_DEFAULT).unwrap();
    assert!(minimizer.run(u64::MAX));
    let minimized = minimizer.minimized();
    assert!(!minimized.is_complete);
    assert_eq!(minimized.runs, 5);
    assert_eq!(failures(&minimized, &minimized.overrides), [0]);
}

#[test]
fn each_decision_is_told_in_words_at_its_time() {
    let seed = failing(ONE_LOSS, 1)[0];
    let minimized = minimized(ONE_LOSS, seed);
    let [sentence] = &minimized.story[..] else {
        panic!("{:?}", minimized.story);
    };
    let simulation = Simulation::from_json(&minimized.scenario).unwrap();
    let messages = simulation.timeline().unwrap().messages;
    let mut lost = messages.iter().filter(|it| it.arrives.is_none());
    let message = lost.next().unwrap();
    let (time, words) = sentence.split_once(" s: message ").unwrap();
    assert_eq!(time, message.sent.to_string());
    let link = format!(" from {} to {} is lost", message.from, message.to);
    assert!(words.ends_with(&link), "{words}");
}

#[test]
fn a_run_that_does_not_fail_cannot_be_minimized() {
    let seed = failing(ONE_LOSS, 1)[0];
    let fine = (0..).find(|seed| minimizer(ONE_LOSS, *seed).is_err()).unwrap();
    assert_ne!(fine, seed);
    let error = minimizer(ONE_LOSS, fine).unwrap_err();
    assert!(error.to_string().starts_with("scenario: every expectation holds"));
    assert!(matches!(minimizer("{}", 0).unwrap_err(), SimulationError::Scenario(_)));
}
