//! Claims about the inverse question: which settings survive given outages. Answers are known by hand.

use locket_sim::check::{Count, Fault, Property, Survival, Verdict};
use locket_sim::scenario::{ClientKind, RunnerKind};

use super::rig::{STATES_MAX, delays, s, two, verdict};

fn survival(text: &str) -> Survival {
    let mut survival = Survival::from_json(text, STATES_MAX).expect("it makes sense");
    assert!(survival.run(u64::MAX));
    survival
}

/// The TTLs in seconds, each with its retry interval, and whether all hold for any number of clients and
/// no TTL is shorter.
fn settings(survival: &Survival) -> (Vec<(u64, u64)>, bool) {
    let seconds = |it: locket_sim::time::Duration| it.as_ms() / 1000;
    let view = serde_json::to_value(survival.view()).expect("it can be written");
    let all = view["settings"].as_array().expect("it is a list");
    let is_proved =
        |it: &serde_json::Value| it["isShortest"] == true && it["settings"]["clients"] == "any";
    let found = survival.settings();
    let times =
        found.iter().map(|it| (seconds(it.settings.ttl), seconds(it.settings.retry_interval)));
    (times.collect(), all.iter().all(is_proved))
}

/// An attempt may begin just before Locket is down, and its reply take 2 messages: the lease is 60 s, two
/// retry intervals and a margin of 1 s at least.
#[test]
fn a_lease_that_outlasts_60_s_without_locket_is_longer_than_four_times_the_usual_ttl() {
    let text = r#"{"runner": "safe", "retryInterval": "5s", "profile": "upstream", "faults": {"locketCrash": "60s"}}"#;
    assert_eq!(settings(&survival(text)), (vec![(71, 5)], true));
}

#[test]
fn the_shortest_ttl_is_safe_from_scratch_and_a_second_less_is_not() {
    for (ttl, expected) in [(71, Verdict::Safe), (70, Verdict::Unsafe)] {
        let crash = delays(1).with_length(Fault::LocketCrash, Count::UpTo(1), s(60));
        let mut question = two(RunnerKind::Safe, ttl, 5, crash);
        question.property = Property::FalseLoss;
        assert_eq!(verdict(question), expected, "{ttl}");
    }
}

#[test]
fn no_ttl_keeps_an_upstream_runner_through_a_crash_since_its_first_error_is_a_loss() {
    let text = r#"{"runner": "upstream", "retryInterval": "5s", "profile": "upstream", "faults": {"locketCrash": "60s"}}"#;
    let survival = survival(text);
    assert_eq!(settings(&survival).0, []);
    let text = survival.to_string();
    let reason = "Breaks: upstream runner, TTL 1,800 s, retry 5 s: at 5 s, a no longer believes it holds the lock";
    assert!(text.contains(reason), "{text}");
}

#[test]
fn a_longer_retry_interval_costs_a_longer_ttl_and_fewer_renewals() {
    let text = r#"{"runner": "safe", "profile": "upstream", "faults": {"pause": "10s"}}"#;
    let (times, is_proved) = settings(&survival(text));
    assert_eq!(times, [(21, 5), (26, 10), (27, 13), (29, 15), (44, 30)]);
    assert!(is_proved);
}

#[test]
fn a_presence_survives_with_the_ttl_that_keeps_its_row() {
    let text = r#"{"kind": "presence", "runner": "upstream", "retryInterval": "5s", "profile": "upstream", "faults": {"pause": "10s"}}"#;
    let survival = survival(text);
    let found = survival.settings();
    assert_eq!(found.len(), 1, "{survival}");
    let ttl = found[0].settings.ttl.as_ms() / 1000;
    for (ttl, expected) in [(ttl, Verdict::Safe), (ttl - 1, Verdict::Unsafe)] {
        let pause = delays(1).with_length(Fault::Pause, Count::UpTo(1), s(10));
        let mut question = two(RunnerKind::Upstream, ttl, 5, pause);
        question.clients.truncate(1);
        question.clients[0].kind = ClientKind::Presence;
        question.property = Property::PresenceGap { allow: s(0) };
        assert_eq!(verdict(question), expected, "{ttl}");
    }
}

#[test]
fn a_drain_happens_once_for_each_process() {
    let text = r#"{"runner": "safe", "retryInterval": "5s", "profile": "upstream", "processes": 2, "faults": {"locketDrain": "5s"}}"#;
    let survival = survival(text);
    let text = survival.to_string();
    assert!(text.contains("up to 2 Locket drains (down ≤ 5 s)"), "{text}");
    assert_eq!(settings(&survival), (vec![(8, 5)], true));
}

#[test]
fn a_question_without_an_outage_is_refused() {
    let error = Survival::from_json("{}", STATES_MAX).expect_err("nothing is to be survived");
    assert_eq!(error.field, "faults");
}
