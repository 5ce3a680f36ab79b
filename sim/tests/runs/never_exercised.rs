//! Claims about expectations that a run never put to the test: they are no success.

use locket_sim::scenario;
use locket_sim::simulation::{Minimizer, Simulation};
use locket_sim::time::Time;

/// Two clients that want 'k', and one that wants another key; with a runner or without.
fn text(runner: &str, actions: &str, expect: &str) -> String {
    let client =
        |name: &str, key: &str| format!(r#"{{ "name": "{name}", "key": "{key}"{runner} }}"#);
    let clients = [client("a", "k"), client("b", "k"), client("c", "alone")].join(", ");
    format!(
        r#"{{ "name": "tried", "until": "30s", "storage": {{ "guard": "token" }},
            "clients": [{clients}], "actions": [{actions}], "expect": [{expect}] }}"#
    )
}

const IDLE: &str = "";
const SAFE: &str = r#", "runner": "safe""#;

fn failures(runner: &str, actions: &str, expect: &str) -> Vec<String> {
    scenario::run_text(&text(runner, actions, expect)).expect("it is valid").failures
}

const WRITES: &str =
    r#"{ "at": "8s", "do": "write", "node": "a" }, { "at": "9s", "do": "write", "node": "b" }"#;
const TOKEN: &str = r#"{ "at": "1s", "do": "take-token", "node": "a" }, "#;

/// Each expectation, with what it takes to try it.
const CASES: [(&str, &str, &str); 7] = [
    (r#"{ "key": "k", "twoOwnersFor": "0s" }"#, "", "no client ever held 'k'"),
    (r#"{ "key": "k", "noRowFor": "1s" }"#, "", "no row was ever there of 'k'"),
    (r#"{ "key": "k", "noClientActsFor": "1s" }"#, "", "no client ever acted on 'k'"),
    (r#"{ "wrongWrites": 0 }"#, TOKEN, "no write reached the storage"),
    (r#"{ "refusedWrites": 0 }"#, TOKEN, "no write reached the storage"),
    (r#"{ "noEvent": "crashes" }"#, "", "the run has no events"),
    (r#"{ "event": "crashes", "count": 0 }"#, "", "the run has no events"),
];

#[test]
fn an_expectation_that_a_run_never_tried_fails_and_says_what_was_missing() {
    for (expect, needs, why) in CASES {
        let untried = [format!("never exercised: {why}")];
        assert_eq!(failures(IDLE, "", expect), untried, "{expect}");
        if !needs.is_empty() {
            assert_eq!(failures(SAFE, WRITES, expect), untried, "nothing is written: {expect}");
        }
        assert_eq!(failures(SAFE, &format!("{needs}{WRITES}"), expect), [""; 0], "{expect}");
    }
}

#[test]
fn an_expectation_about_a_key_that_no_two_clients_or_none_want_fails() {
    for (expect, why) in [
        (r#"{ "key": "alone", "twoOwnersFor": "0s" }"#, "no two clients want 'alone'"),
        (r#"{ "key": "kk", "twoOwnersFor": "0s" }"#, "no two clients want 'kk'"),
        (r#"{ "key": "kk", "noRowFor": "9s" }"#, "no row was ever there of 'kk'"),
        (r#"{ "key": "kk", "noClientActsFor": "9s" }"#, "no client ever acted on 'kk'"),
        (r#"{ "key": "kk", "at": "5s", "owner": null }"#, "no client wants 'kk'"),
        (r#"{ "key": "kk", "at": "5s", "believers": [] }"#, "no client wants 'kk'"),
    ] {
        assert_eq!(failures(SAFE, "", expect), [format!("never exercised: {why}")], "{expect}");
    }
}

/// What is to come may still try it, and nothing that happens breaks it.
#[test]
fn only_a_whole_run_says_that_an_expectation_was_never_tried_and_it_has_no_smallest_run() {
    let text = text(IDLE, "", CASES[0].0);
    let mut simulation = Simulation::from_json(&text).expect("it is valid");
    assert_eq!(simulation.failures(), [""; 0]);
    simulation.run_until(Time::from_ms(30_000)).expect("it is short");
    assert_eq!(simulation.failures(), ["never exercised: no client ever held 'k'"]);
    let error = Minimizer::new(&text, None, 10, 1_000).expect_err("there is nothing to do");
    assert!(error.to_string().contains("never exercised"), "{error}");
}
