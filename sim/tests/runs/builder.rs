//! Claims about scenarios that are made in Rust.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use locket_sim::scenario::{
    Action, BuildError, Client, Expectation, RunnerKind, Scenario, ScenarioBuilder,
};
use locket_sim::settings::LockSettings;
use locket_sim::time::DurationExt as _;
use locket_sim::trace::Run;

fn two_owners() -> ScenarioBuilder {
    let bbs = LockSettings::new("bbs", "a").runner(RunnerKind::Upstream);
    Scenario::builder("a pause")
        .until(1.minutes())
        .clients([bbs.clone(), bbs.owner("b")])
        .at(7.seconds(), Action::pause("a", 30.seconds()))
}

fn error_of(builder: ScenarioBuilder) -> String {
    builder.build().map(drop).unwrap_err().to_string()
}

fn panic_text(run: &Run) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| run.assert_passed())).expect_err("it fails");
    *panic.downcast::<String>().unwrap()
}

#[test]
fn a_scenario_in_rust_runs_as_its_text_does() {
    let text = r#"{
        "name": "a scenario",
        "until": "1m",
        "clients": [
            { "name": "a", "key": "bbs", "ttl": "30s", "retryInterval": "2s", "runner": "upstream" },
            { "name": "b", "key": "bbs" }
        ],
        "network": { "latency": "10ms" },
        "actions": [
            { "at": "5s", "node": "b", "do": "lock" },
            { "at": "7s", "node": "a", "do": "crash" },
            { "at": "8s", "from": "b", "to": "locket-0", "do": "cut", "for": "5s" },
            { "at": "50s", "node": "b", "do": "lock" }
        ],
        "expect": [{ "at": "50s", "key": "bbs", "owner": "b" }]
    }"#;
    let a = LockSettings::new("bbs", "a")
        .runner(RunnerKind::Upstream)
        .ttl(30.seconds())
        .retry_interval(2.seconds());
    let built = Scenario::builder("a scenario")
        .until(1.minutes())
        .client(a)
        .client(Client::new("b", "bbs"))
        .latency(10.millis())
        .at(5.seconds(), Action::lock("b"))
        .at(7.seconds(), Action::crash("a"))
        .at(8.seconds(), Action::cut("b", "locket-0", 5.seconds()))
        .at(50.seconds(), Action::lock("b"))
        .expect(Expectation::held_at(50.seconds(), "bbs", "b"))
        .build();

    assert_eq!(built, Ok(Scenario::from_json(text).unwrap()));
}

#[test]
fn a_validation_error_names_its_place() {
    let unknown = two_owners().at(1.seconds(), Action::crash("c"));
    assert_eq!(
        unknown.build().map(drop),
        Err(BuildError {
            path: "actions[1].node".to_owned(),
            message: "no node is named \"c\"; there are a, b, database, locket, locket-0"
                .to_owned(),
        })
    );
    let fraction = LockSettings::new("bbs", "c").ttl(1_500.millis());
    let error = error_of(two_owners().client(fraction));
    assert!(error.starts_with("clients[2].ttl: expected whole seconds"), "{error}");
}

#[test]
fn a_run_that_fails_shows_failures_and_events() {
    let run = two_owners().expect(Expectation::one_owner("bbs")).build().unwrap().run();

    let text = panic_text(&run);

    assert!(text.starts_with("the scenario 'a pause' failed:\n  two owners of 'bbs'"), "{text}");
    assert!(text.contains("7.000 s  a is paused"), "{text}");
    let renewals = text.matches("b has renewed the lock").count();
    assert_eq!(renewals, 2, "the first and the last:\n{text}");
}

#[test]
fn a_run_that_expects_nothing_does_not_pass() {
    let text = panic_text(&two_owners().build().unwrap().run());

    assert_eq!(text, "the scenario 'a pause' expects nothing; add an expectation");
}

#[test]
fn a_presence_in_a_scenario_comes_back_after_a_loss() {
    let run = Scenario::builder("a presence")
        .client(LockSettings::presence("cell-7", "cell-7"))
        .at(2.seconds(), Action::cut("cell-7", "locket-0", 30.seconds()))
        .expect(Expectation::free_at(30.seconds(), "cell-7"))
        .expect(Expectation::held_at(50.seconds(), "cell-7", "cell-7"))
        .expect(Expectation::no_row_for(30.seconds(), "cell-7"))
        .build()
        .unwrap()
        .run();

    run.assert_passed();
}

#[test]
fn settings_ask_their_question() {
    let question = LockSettings::new("bbs", "a").ttl(30.seconds()).question();

    assert_eq!(question.clients.len(), 2);
    assert_eq!(question.clients[0].ttl, 30.seconds());
    assert_eq!(question.clients[0].retry_interval, 5.seconds());
}
