//! A verdict is true: the search tries every order within an instant, faults included. It measures the
//! shown numbers.

use locket_sim::check::Verdict;

use super::rig::{assert_verdicts, played, read};

/// A question with the upstream profile, messages that take no time, and these members.
fn at_once(members: &str) -> String {
    format!(r#"{{"profile": "upstream", "latency": "0s", {members}}}"#)
}

#[test]
fn two_owners_and_gaps_need_an_order_of_events_within_an_instant() {
    for members in [
        // A row is deleted, or lost by a failover, between two requests of one instant.
        r#""runner": "upstream", "retryInterval": "1s", "faults": {"rowDeletion": 1}"#,
        r#""runner": "upstream", "retryInterval": "1s", "faults": {"failover": 1}"#,
        r#""runner": "safe", "retryInterval": "1s", "faults": {"failover": 1}"#,
        // A pause between a request and its reply, while Locket restarts.
        r#""runner": "upstream", "ttl": "4s", "retryInterval": "1s",
            "faults": {"pause": {"length": "3s", "count": 1}, "locketCrash": {"length": "2s", "count": 1}}"#,
        // A process that crashes again as it starts may be down for as long once more.
        r#""runner": "upstream-before-2025-10", "ttl": "4s", "retryInterval": "1s", "clients": [{}],
            "faults": {"locketCrash": {"length": "2s", "count": 2}}, "property": {"is": "acquired", "allow": "3s"}"#,
        // A row that comes and goes within an instant was there.
        r#""runner": "safe", "margin": "0s", "ttl": "3s", "retryInterval": "3s", "clients": [{}],
            "faults": {"failover": 1}, "property": {"is": "presence-gap", "allow": "2500ms"}"#,
        // The first attempt has no deadline: it waits for ever if its only request is lost, which was sent
        // because a process came up.
        r#""runner": "upstream", "ttl": "3s", "retryInterval": "1s", "clients": [{}],
            "faults": {"locketCrash": {"length": "1s", "count": 1}, "lostMessage": 1},
            "property": {"is": "acquired", "allow": "9s"}"#,
    ] {
        assert_verdicts([(read(&at_once(members)), Verdict::Unsafe)]);
    }
}

/// The verdict is that of exact runs, although timers of a clock with its own rate are due between the
/// instants of the search.
#[test]
fn what_is_shown_lasts_longer_than_is_tolerated_and_the_longest_no_shorter_than_the_first() {
    for (text, allow) in [
        (
            r#"{"profile": "upstream", "runner": "upstream-before-2025-10", "ttl": "6s", "retryInterval": "4s",
                "property": {"is": "one-owner", "allow": "4s"}, "faults": {"pause": {"length": "8s", "count": 1}}}"#,
            4_000,
        ),
        (
            r#"{"profile": "upstream", "runner": "safe", "margin": "150ms", "grid": "50ms", "clients": [{"ratePpm": -20000}, {}],
                "latency": "0s", "faults": {"pause": {"length": "16s", "count": 1}}}"#,
            0,
        ),
        (
            r#"{"profile": "upstream", "ttl": "5s", "retryInterval": "1s", "processes": 2,
                "clients": [{"runner": "upstream-before-2025-10"}, {"runner": "upstream", "ratePpm": -20000}],
                "property": {"is": "presence-gap", "allow": "0s"}}"#,
            0,
        ),
    ] {
        let answer = played(read(text));
        assert_eq!(answer.verdict, Verdict::Unsafe, "{answer}");
        let (first, _) = answer.counterexample.expect("it is broken");
        let longest = answer.longest.expect("it is broken");
        assert!(first.lasted.as_ms() > allow && longest.lasted >= first.lasted, "{text}");
    }
}
