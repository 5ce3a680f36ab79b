//! The safe runner has no two owners, for any number of clients and of faults, and for messages that
//! take as long as its TTL. A belief ends before the TTL after the call
//! left, and a row lives until the TTL after the database executed that call, or longer.
//!
//! The exceptions are the three ways in which a row goes earlier: a late Release of an earlier life
//! of the same owner, an operator, and a failover that loses the write.

use locket_sim::check::{Answer, Verdict};

use super::rig::{answer, read};

fn asked(members: &str, bounds: &str) -> Answer {
    answer(read(&format!(
        r#"{{"runner": "safe", "profile": "upstream", "ttl": "3s", "retryInterval": "1s",
            "margin": "1s", {members} {bounds}}}"#
    )))
}

const OF_CLIENTS: &str = r#""lostMessage": "any", "crash": "any", "disconnect": "any",
    "pause": {"length": "20s", "count": "any"}"#;

/// A whole deployment, with all faults but the exceptions. How long a fault of Locket lasts, and how
/// many processes there are, changes nothing of what is searched.
#[test]
fn the_safe_runner_is_proved_for_any_number_of_processes_and_all_their_faults() {
    let states = [(1, "4s"), (3, "4s"), (3, "300s")].map(|(processes, long)| {
        let of_locket =
            ["partition", "locketCrash", "locketDrain", "locketPause", "stall", "databaseCrash"];
        let of_locket =
            of_locket.map(|fault| format!(r#""{fault}": {{"length": "{long}", "count": "any"}}"#));
        let bounds = format!(
            r#""latency": "2s", "databaseLatency": "1s", "faults": {{{OF_CLIENTS},
                "restart": "any", "duplicate": "any", "lostReply": "any", {}}}"#,
            of_locket.join(", ")
        );
        let answer = asked(&format!(r#""clients": "any", "processes": {processes},"#), &bounds);
        assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary());
        let view = serde_json::to_value(answer.view()).expect("it can be written");
        assert_eq!(view["coverage"]["neverHappened"], serde_json::json!([]));
        assert_eq!(view["proof"]["anyProcesses"], true);
        let words = "That holds for any number of clients, and of Locket processes, also if clocks drift by up to";
        assert!(answer.summary().contains(words), "{}", answer.summary());
        answer.states
    });
    assert_eq!(states[0], states[1]);
    assert_eq!(states[0], states[2]);
    assert!(states[0] < 10_000, "{states:?}");
}

#[test]
fn a_row_that_goes_earlier_than_its_ttl_breaks_the_safe_runner() {
    for (bounds, faults) in [
        (r#""stop": 1, "restart": 1"#, 2),
        (r#""stop": "any", "restart": "any""#, 2),
        (r#""rowDeletion": 1"#, 1),
        (r#""failover": 1"#, 1),
    ] {
        let answer = asked("", &format!(r#""latency": "1s", "faults": {{{bounds}}}"#));
        assert_eq!(answer.verdict, Verdict::Unsafe, "{bounds}");
        assert_eq!(answer.reached.0, faults, "{bounds}");
    }
}
