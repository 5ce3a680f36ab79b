//! Tests of a lock: against a server whose calls answer at once, in a scenario with faults, and in
//! every schedule.

use lock_tests::{KEY, RETRY_INTERVAL, TTL};
use locket_wasm::sim::scenario::Scenario;
use locket_wasm::testing::{
    DurationExt as _, Fault, LockSettings, Reason, ReferenceServer, assert_safe,
};
use wasm_bindgen_test::wasm_bindgen_test;

fn settings(owner: &str) -> LockSettings {
    LockSettings::new(KEY, owner)
        .ttl(TTL)
        .retry_interval(RETRY_INTERVAL)
}

#[wasm_bindgen_test(unsupported = test)]
fn a_lock_expires_with_its_ttl() {
    let server = ReferenceServer::new();
    server.client("a").lock(KEY, TTL).unwrap();

    server.advance(TTL);

    server.assert_free(KEY);
}

#[wasm_bindgen_test(unsupported = test)]
fn a_second_owner_gets_a_collision() {
    let server = ReferenceServer::new();
    server.client("a").lock(KEY, TTL).unwrap();

    let refused = server.client("b").lock(KEY, TTL).unwrap_err();

    assert_eq!(refused.reason(), Some(Reason::LockCollision));
    server.assert_held(KEY, "a");
}

#[wasm_bindgen_test(unsupported = test)]
fn a_standby_takes_over_when_the_owner_stops() {
    let server = ReferenceServer::new();
    let active = server.keep(settings("a"));
    let standby = server.keep(settings("b"));

    active.stop();
    server.advance(RETRY_INTERVAL);

    assert!(standby.held());
    server.assert_held(KEY, "b");
}

#[wasm_bindgen_test(unsupported = test)]
fn a_presence_comes_back_after_locket_was_down() {
    let server = ReferenceServer::new();
    let cell = server.keep(LockSettings::presence("cell-7", "cell-7").ttl(TTL));

    server.stop(0);
    server.advance(1.minutes());
    assert!(!cell.held());
    server.start(0);
    server.advance(5.seconds());

    assert!(cell.held());
    server.assert_held("cell-7", "cell-7");
}

#[wasm_bindgen_test(unsupported = test)]
fn a_paused_owner_stops_before_another_begins() {
    let run = Scenario::from_json(
        r#"{
            "name": "the owner is paused",
            "until": "1m",
            "clients": [{ "name": "bbs-{i}", "count": 2, "key": "bbs", "runner": "safe" }],
            "actions": [{ "at": "7s", "do": "pause", "node": "bbs-0", "for": "20s" }],
            "expect": [{ "key": "bbs", "twoOwnersFor": "0s" }, { "at": "30s", "key": "bbs", "owner": "bbs-1" }]
        }"#,
    );
    run.unwrap().run().assert_passed();
}

#[wasm_bindgen_test(unsupported = test)]
fn no_schedule_has_two_owners() {
    let mut question = settings("a").question();
    question.bounds.latency = 2.seconds();
    question.bounds = question.bounds.with_length(Fault::Pause, 1, 20.seconds());

    assert_safe(question);
}
