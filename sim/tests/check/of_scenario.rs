//! A scenario asks a question about its own settings, and what a search cannot take into account is
//! an error with its place.

use locket_sim::check::{Bounds, Question, Verdict};
use locket_sim::scenario::RunnerKind;

use super::rig::{delays, s, two, verdict};

/// Two runners in a scenario's text, with more said about the second and the whole.
fn scenario(of_second: &str, of_whole: &str) -> String {
    format!(
        r#"{{"name": "two", "profile": "upstream", "seed": 7, "until": "60s",
"clients": [
{{"name": "a", "key": "k", "ttl": "6s", "retryInterval": "2s", "runner": "safe"}},
{{"name": "b", "key": "k", "ttl": "6s", "retryInterval": "2s", "runner": "safe", "value": "x"{of_second}}}
]{of_whole}}}"#
    )
}

#[test]
fn it_is_the_question_about_the_same_settings() {
    let text = scenario("", "");
    let asked = Question::of_scenario(&text).expect("it makes sense");
    assert_eq!(asked, two(RunnerKind::Safe, 6, 2, Bounds::default()));
    let text = scenario(
        r#", "margin": "1s", "clock": {"ratePpm": -1000}"#,
        r#", "network": {"latency": {"min": "0s", "max": "2s"}}, "expect": [{"key": "k", "twoOwnersFor": "0s"}]"#,
    );
    let asked = Question::of_scenario(&text).expect("it makes sense");
    let second = &asked.clients[1];
    assert_eq!((second.margin, second.rate_ppm), (Some(s(1)), -1000));
    assert_eq!(asked.bounds, delays(2));
}

#[test]
fn bounds_are_added_to_what_the_scenario_says() {
    let text = scenario(
        "",
        r#", "network": {"latency": {"min": "0s", "max": "1s"}}"#,
    );
    let asked = |bounds: &str| {
        let text = serde_json::Value::from(text.as_str());
        Question::from_json(&format!(r#"{{"scenario": {text}, "bounds": {bounds}}}"#))
    };
    let more = asked(r#"{"pause": "9s"}"#).expect("it makes sense").bounds;
    assert_eq!((more.latency, more.pauses, more.pause), (s(1), 1, s(9)));
    let other = asked(r#"{"latency": "0s"}"#)
        .expect("it makes sense")
        .bounds;
    assert_eq!(other, Bounds::default());
    let proved = asked(r#"{"pause": "9s"}"#).expect("it makes sense");
    assert_eq!(verdict(proved), Verdict::Safe);
}

#[test]
fn a_slow_database_of_a_scenario_is_a_bound() {
    let text = scenario("", r#", "database": {"latency": {"max": "2s"}}"#);
    let asked = Question::of_scenario(&text).expect("it makes sense");
    let slow = Bounds {
        database_latency: s(2),
        ..Bounds::default()
    };
    assert_eq!(asked.bounds, slow);
    let text = serde_json::Value::from(text.as_str());
    let bounds = r#"{"databaseLatency": "3s"}"#;
    let text = format!(r#"{{"scenario": {text}, "bounds": {bounds}}}"#);
    let asked = Question::from_json(&text).expect("it makes sense");
    assert_eq!(asked.bounds.database_latency, s(3));
}

#[test]
fn what_the_scenario_says_is_not_said_again() {
    let text = serde_json::Value::from(scenario("", "").as_str());
    for field in ["ttl", "retryInterval"] {
        let asked = Question::from_json(&format!(r#"{{"scenario": {text}, "{field}": "9s"}}"#));
        assert_eq!(asked.expect_err("it is said twice").field, field);
    }
}

#[test]
fn clients_of_a_scenario_with_one_owner_string_are_one_owner_to_a_search() {
    let asked = |of_second| Question::of_scenario(&scenario(of_second, "")).expect("it is asked");
    let owners = |of_second| asked(of_second).clients.into_iter().map(|it| it.owner);
    let shared = Some("a".to_owned());
    assert!(owners(r#", "owner": "a""#).eq([shared.clone(), shared]));
    // A name that no other client has changes no answer.
    assert!(owners(r#", "owner": "c""#).eq([None, None]));
}

#[test]
fn what_a_search_cannot_take_into_account_is_an_error_with_its_place() {
    for (of_second, of_whole, line, path) in [
        (r#", "key2": 1"#, "", 4, "clients[1].key2"),
        (r#", "startAt": "1s""#, "", 4, "clients[1].startAt"),
        (r#", "kind": "presence""#, "", 2, "clients"),
        ("", r#", "overrides": {"l3.0": 1}"#, 5, "overrides"),
        ("", r#", "processes": 9"#, 5, "processes"),
        ("", r#", "processes": 2"#, 4, "clients[1]"),
        (
            "",
            r#", "network": {"latency": "2s"}"#,
            5,
            "network.latency",
        ),
        ("", r#", "network": {"loss": "0.1%"}"#, 5, "network.loss"),
        (
            "",
            r#", "network": {"duplicates": "0.1%"}"#,
            5,
            "network.duplicates",
        ),
        (
            "",
            r#", "database": {"latency": "1s"}"#,
            5,
            "database.latency",
        ),
        (
            "",
            r#", "database": {"replyLoss": "0.1%"}"#,
            5,
            "database.replyLoss",
        ),
        (
            "",
            r#", "expect": [{"at": "0s", "key": "k", "owner": null}]"#,
            5,
            "expect[0]",
        ),
        (
            "",
            r#", "actions": [{"at": "0s", "do": "crash", "node": "a"}]"#,
            5,
            "actions",
        ),
    ] {
        let text = scenario(of_second, of_whole);
        let error = Question::of_scenario(&text).expect_err(&text);
        assert_eq!((error.line, error.path.as_str()), (line, path), "{error}");
        assert!(error.column > 0 && !error.message.is_empty(), "{error}");
    }
    let manual = r#"{"name": "m", "clients": [{"name": "a", "key": "k"}]}"#;
    let error = Question::of_scenario(manual).expect_err("no client is a runner");
    assert_eq!(error.path, "clients[0]");
    let mixed = r#"{"name": "m", "profile": {"base": "upstream", "poll": false}, "clients": []}"#;
    assert!(Question::of_scenario(mixed).is_err());
}
