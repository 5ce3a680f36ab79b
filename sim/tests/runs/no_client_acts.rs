//! Claims about the time in which no client acts: no client believes that it holds the key and runs.

use super::stories::shipped;
use locket_sim::scenario;
use locket_sim::simulation::Simulation;
use locket_sim::time::Duration;

/// Two upstream runners; something happens to the holder at 10 s.
fn two_runners(action: &str, expect: &str) -> String {
    format!(
        r#"{{ "name": "two", "until": "60s", "profile": "upstream",
            "clients": [
                {{ "name": "a", "key": "k", "runner": "upstream", "ttl": "15s", "retryInterval": "5s" }},
                {{ "name": "b", "key": "k", "runner": "upstream", "ttl": "15s", "retryInterval": "5s", "startAt": "1s" }}
            ],
            "actions": [{action}],
            "expect": [{{ "key": "k", {expect} }}] }}"#
    )
}

fn failures(text: &str) -> Vec<String> {
    scenario::run_text(text).expect("it is valid").failures
}

const CRASH: &str = r#"{ "at": "10s", "do": "crash", "node": "a" }"#;
const PAUSE: &str = r#"{ "at": "6s", "do": "pause", "node": "a", "for": "3s" }"#;

#[test]
fn the_row_of_a_crashed_holder_stays_while_no_client_acts() {
    // The row that a renewed at 10 s expires at 25 s; b, which asks every 5 s, has it at 26 s.
    assert_eq!(failures(&two_runners(CRASH, r#""noRowFor": "1s""#)), [""; 0]);
    assert_eq!(
        failures(&two_runners(CRASH, r#""noClientActsFor": "6s""#)),
        ["no client acted on 'k' for 16 s, from 10.000 s to 26.000 s; expected at most 6 s"]
    );
    assert_eq!(failures(&two_runners(CRASH, r#""noClientActsFor": "16s""#)), [""; 0]);
}

#[test]
fn a_paused_holder_believes_and_does_not_act() {
    let expect = r#""noClientActsFor": "2s", "twoOwnersFor": "0s""#;
    assert_eq!(
        failures(&two_runners(PAUSE, expect)),
        ["no client acted on 'k' for 3 s, from 6.000 s to 9.000 s; expected at most 2 s"]
    );
}

#[test]
fn a_timeline_shows_when_no_client_acted() {
    for (action, expected) in [(CRASH, "10 to 26"), (PAUSE, "6 to 9")] {
        let text = two_runners(action, r#""twoOwnersFor": "0s""#);
        let simulation = Simulation::from_json(&text).expect("it is valid");
        let timeline = simulation.timeline().expect("it takes few steps");
        let spans = timeline.no_client_acts.iter().map(|it| {
            assert_eq!(it.key, "k");
            format!("{} to {}", it.span.from.as_ms() / 1000, it.span.to.as_ms() / 1000)
        });
        assert_eq!(spans.collect::<Vec<_>>(), [expected]);
    }
}

/// The expectation and the timeline count by two ways of their own.
#[test]
fn the_longest_time_of_a_timeline_is_that_of_an_expectation() {
    let mut compared = 0;
    for (name, text) in shipped() {
        let mut value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let simulation = Simulation::from_json(&text).expect("it is valid");
        let timeline = simulation.timeline().expect("it takes few steps");
        let keys = timeline.holders.iter().map(|it| it.key.as_str());
        for key in keys.collect::<std::collections::BTreeSet<_>>() {
            value["expect"] = serde_json::json!([{ "key": key, "noClientActsFor": "0s" }]);
            let of_key = timeline.no_client_acts.iter().filter(|it| it.key == key);
            let longest = of_key.map(|it| it.span.to.since(it.span.from)).max();
            let failed = failures(&value.to_string()).pop();
            let failed = failed.filter(|it| !it.starts_with("never exercised"));
            let told = longest.filter(|it| *it > Duration::ZERO).map(|it| {
                let ms = it.as_ms();
                let fraction = format!(".{:03}", ms % 1000);
                let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
                format!("no client acted on '{key}' for {}{fraction} s,", ms / 1000)
            });
            match (&failed, &told) {
                (Some(failed), Some(told)) => assert!(failed.starts_with(told), "{failed} {told}"),
                (failed, told) => assert_eq!((failed, told), (&None, &None), "{name} {key}"),
            }
            compared += usize::from(told.is_some());
        }
    }
    assert!(compared > 20, "only {compared} were compared");
}
