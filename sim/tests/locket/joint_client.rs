//! Claims about joint locks in a scenario: clients that want several keys together.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use locket_sim::scenario::{Scenario, run_text};
use locket_sim::simulation::{NodeKind, Simulation};
use locket_sim::time::{Duration, Time};
use locket_sim::trace::{Kind, Run};

/// A scenario of a joint lock `a` on the keys `x` and `y` and another client, `b`, that is called
/// by hand for `y`, with some more members of `a`.
fn scenario(more: &str, actions: &str) -> String {
    format!(
        r#"{{"name": "n", "profile": "upstream", "until": "30s",
"clients": [
{{"name": "a", "kind": "joint", "keys": ["x", "y"]{more}}},
{{"name": "b", "key": "y", "ttl": "60s"}}
],
"actions": [{actions}]}}"#
    )
}

fn run(more: &str, actions: &str) -> Run {
    run_text(&scenario(more, actions)).unwrap()
}

/// The sentences of the events at a moment, without calls and rows.
fn said(run: &Run, at_ms: u64) -> Vec<String> {
    let at = Time::from_ms(at_ms);
    let events = run.events.iter().filter(|event| event.time() == at);
    let told = events.filter(|event| matches!(event.kind(), Kind::Joint | Kind::Runner));
    told.map(|event| event.words(&run.names)).collect()
}

fn check_error(client: &str, message: &str) {
    let text = format!("{{\"name\": \"n\", \"clients\": [\n{client}\n]}}");
    let error = Scenario::from_json(&text).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn it_takes_its_keys_one_after_another_and_acts_with_the_last() {
    let run = run("", "");

    let said = said(&run, 0);

    assert_eq!(
        said,
        [
            "a's runner for x has acquired the lock",
            "a's runner for x is ready",
            "a's runner for y has acquired the lock",
            "a's runner for y is ready",
            "a believes it holds all its keys",
        ]
    );
    let keys: Vec<_> = run.table.iter().map(|row| &*row.path).collect();
    assert_eq!(keys, ["x", "y"]);
}

#[test]
fn it_acts_no_more_before_it_releases_anything() {
    let run = run("", r#"{"at": "12s", "do": "stop", "node": "a"}"#);

    assert_eq!(
        said(&run, 12_000),
        [
            "a no longer believes it holds all its keys",
            "a's runner for y receives the stop signal",
            "a's runner for y has released the lock",
            "a's runner for y ends",
            "a's runner for x receives the stop signal",
            "a's runner for x has released the lock",
            "a's runner for x ends",
            "a ends",
        ]
    );
    assert!(run.table.is_empty());
}

#[test]
fn what_led_to_a_loss_is_told_before_what_follows() {
    let run = run(
        "",
        r#"{"at": "6s", "do": "delete-row", "key": "y"}, {"at": "7s", "do": "lock", "node": "b"}"#,
    );

    let said = said(&run, 10_000);
    let without_ends: Vec<_> = said.iter().filter(|it| !it.contains(" ends")).collect();
    assert_eq!(
        without_ends[1..4],
        [
            "a's runner for y has lost the lock: its renewal failed with lock-collision",
            "a no longer believes it holds all its keys",
            "a's runner for x receives the stop signal",
        ]
    );
}

#[test]
fn the_safe_one_leaves_no_runner_behind_when_a_key_is_late() {
    let late = r#"{"at": "0s", "after": 0, "do": "lock", "node": "b"},
        {"at": "20s", "do": "release", "node": "b"}"#;
    let upstream = run(r#", "keyTimeout": "12s""#, late);
    let safe = run(r#", "keyTimeout": "12s", "runner": "safe""#, late);

    let rows =
        |run: &Run| -> Vec<String> { run.table.iter().map(|row| row.path.clone()).collect() };
    assert_eq!(rows(&upstream), ["y"], "kept by a runner without a stop signal");
    assert!(rows(&safe).is_empty());
}

#[test]
fn the_timeout_is_the_ttl_unless_given() {
    let run = run("", r#"{"at": "0s", "after": 0, "do": "lock", "node": "b"}"#);

    let last = said(&run, 15_000).pop();

    let trace = "a ends: Exit trace for group: y exited with error: y: failed to start in time; x exited with nil";
    assert_eq!(last.as_deref(), Some(trace));
}

#[test]
fn calls_of_several_runners_wait_beside_each_other() {
    // Both renewals of 5 s are on their way when the process dies; both clients learn it.
    let run = run(
        r#", "runner": "safe""#,
        r#"{"at": "4s", "do": "stall", "for": "20s"},
           {"at": "6s", "do": "restart", "node": "locket-0"}"#,
    );

    let answered = run
        .events
        .iter()
        .filter(|event| event.kind() == Kind::Answered && event.time() == Time::from_ms(6_000));

    let words: Vec<_> = answered.map(|event| event.words(&run.names)).collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0].contains("locks x") && words[1].contains("locks y"), "{words:?}");
}

#[test]
fn a_restart_may_give_it_another_owner_for_all_its_keys() {
    let run = run("", r#"{"at": "3s", "do": "restart", "node": "a", "owner": "a2"}"#);

    let owners: Vec<_> = run.table.iter().map(|row| row.owner.as_deref()).collect();

    assert_eq!(owners, [Some("a2"), Some("a2")]);
}

#[test]
fn two_joint_locks_that_act_at_once_do_so_for_each_key() {
    // The holder is paused with a belief that outlives its rows.
    let text = r#"{"name": "n", "profile": "upstream", "until": "30s",
        "clients": [
            {"name": "a", "kind": "joint", "runner": "upstream", "keys": ["x", "y"]},
            {"name": "b", "kind": "joint", "runner": "upstream", "keys": ["x", "y"], "startAt": "1s"}
        ],
        "actions": [{"at": "6s", "do": "pause", "node": "a", "for": "20s"}],
        "expect": [
            {"at": "21s", "key": "x", "owner": "b", "believers": ["a", "b"]},
            {"at": "21s", "key": "y", "owner": "b", "believers": ["a", "b"]},
            {"key": "x", "twoOwnersFor": "5s"},
            {"key": "y", "twoOwnersFor": "5s"}
        ]}"#;

    let run = run_text(text).unwrap();

    assert_eq!(run.failures, Vec::<String>::new());
}

#[test]
fn a_simulation_shows_all_its_keys() {
    let mut simulation = Simulation::from_json(&scenario("", "")).unwrap();
    simulation.run_until(Time::ZERO + Duration::from_seconds(1)).unwrap();

    let state = simulation.state();

    let a = state.nodes.iter().find(|node| node.name == "a").unwrap();
    assert_eq!(a.kind, NodeKind::Joint);
    assert_eq!(a.keys, ["x", "y"]);
    assert!(a.believes);
}

#[test]
fn it_needs_further_keys_all_of_them_different() {
    check_error(
        r#"{"name": "a", "kind": "joint", "key": "x"}"#,
        "2:39: clients[0].key: a client of kind joint has `keys` and no `key`",
    );
    check_error(
        r#"{"name": "a", "kind": "joint", "keys": ["x", "y", "x"]}"#,
        r#"2:40: clients[0].keys: the key "x" is listed twice"#,
    );
}

#[test]
fn nobody_else_has_keys_or_a_key_timeout() {
    check_error(
        r#"{"name": "a", "key": "x", "keys": ["x", "y"]}"#,
        "2:35: clients[0].keys: only a client of kind joint has this member",
    );
    check_error(
        r#"{"name": "a", "kind": "presence", "key": "x", "keyTimeout": "1s"}"#,
        "2:61: clients[0].keyTimeout: only a client of kind joint has this member",
    );
}
