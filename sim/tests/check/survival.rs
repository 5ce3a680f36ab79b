//! Claims about the inverse question: which settings survive given outages. Answers are known by hand.

use locket_sim::check::{Fault, Property, Survival, Verdict};
use locket_sim::scenario::{ClientKind, RunnerKind};

use super::rig::{Changed, STATES_MAX, assert_verdicts, delays, s, two};

/// The settings with the upstream profile that survive some outages, and their TTLs in seconds, each
/// with its retry interval.
fn survival(members: &str) -> (Survival, Vec<(u64, u64)>) {
    let text = format!(r#"{{"profile": "upstream", {members}}}"#);
    let mut survival = Survival::from_json(&text, STATES_MAX).expect("it makes sense");
    assert!(survival.run(u64::MAX));
    let seconds = |it: locket_sim::time::Duration| it.as_ms() / 1000;
    let found = survival.settings().into_iter();
    let found = found.map(|it| (seconds(it.settings.ttl), seconds(it.settings.retry_interval)));
    let found = found.collect();
    (survival, found)
}

/// True if all settings hold for any number of clients, and no TTL is shorter.
fn is_proved(survival: &Survival) -> bool {
    let view = serde_json::to_value(survival.view()).expect("it can be written");
    let mut all = view["settings"].as_array().expect("it is a list").iter();
    all.all(|it| it["isShortest"] == true && it["settings"]["clients"] == "any")
}

#[test]
fn the_shortest_ttls_that_survive_an_outage_are_as_known() {
    for (members, expected) in [
        // An attempt may begin just before Locket is down, the last one that fails just before it is
        // back, and a reply take 2 messages: the lease is 60 s and two retry intervals.
        (
            r#""runner": "safe", "retryInterval": "5s", "faults": {"locketCrash": "60s"}"#,
            vec![(74, 5)],
        ),
        // A longer retry interval costs a longer TTL and fewer renewals.
        (
            r#""runner": "safe", "faults": {"pause": "10s"}"#,
            vec![(21, 5), (26, 10), (27, 13), (29, 15), (44, 30)],
        ),
        (
            r#""runner": "safe", "retryInterval": "5s", "processes": 2, "faults": {"locketDrain": "5s"}"#,
            vec![(8, 5)],
        ),
    ] {
        let (survival, found) = survival(members);
        assert_eq!(found, expected, "{members}");
        assert!(is_proved(&survival), "{survival}");
        // A drain happens once for each process.
        let drains = survival.to_string().contains("up to 2 Locket drains (down ≤ 5 s)");
        assert_eq!(drains, members.contains("locketDrain"), "{survival}");
    }
}

#[test]
fn no_ttl_keeps_an_upstream_runner_through_a_crash_since_its_first_error_is_a_loss() {
    let crash = r#""runner": "upstream", "retryInterval": "5s", "faults": {"locketCrash": "60s"}"#;
    let (survival, found) = survival(crash);
    assert_eq!(found, []);
    let text = survival.to_string();
    let reason = "Breaks: upstream runner, TTL 1,800 s, retry 5 s: at 5 s, a no longer believes it holds the lock";
    assert!(text.contains(reason), "{text}");
}

#[test]
fn a_presence_survives_with_the_ttl_that_keeps_its_row() {
    let pause = r#""kind": "presence", "runner": "upstream", "retryInterval": "5s", "faults": {"pause": "10s"}"#;
    let (survival, found) = survival(pause);
    let [(ttl, _)] = found[..] else {
        panic!("expected one: {survival}");
    };
    let with = |ttl| {
        let pause = delays(1).with_length(Fault::Pause, 1, s(10));
        let question = two(RunnerKind::Upstream, ttl, 5, pause).with_clients(1);
        let question = question.with_each(|it| it.kind = ClientKind::Presence);
        question.about(Property::PresenceGap { allow: s(0) })
    };
    assert_verdicts([(with(ttl), Verdict::Safe), (with(ttl - 1), Verdict::Unsafe)]);
}
