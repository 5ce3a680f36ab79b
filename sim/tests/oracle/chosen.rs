//! Questions that one rule decides, and that random ones seldom reach. The checker and the oracle
//! must agree, and on the right answer.

use super::case::Case;

/// More than any of these questions has.
const STATES_MAX: u64 = 400_000;

/// Whether the property holds, as both sides say. The table itself expires rows, so no process
/// polls.
fn holds(client: &str, ttl: &str, processes: u64, bounds: &str, property: &str) -> bool {
    let text = format!(
        r#"{{"ttl": "{ttl}", "profile": "documented", "processes": {processes}, "clients": [{{{client}}}], "bounds": {{"latency": "0s", {bounds}}}, "property": {{{property}}}}}"#
    );
    let case = Case::new(&text, false);
    let found = case.oracle(STATES_MAX).expect("there is room");
    let checker = case.checker().expect("the checker has room for it");
    let disagreement = case.disagreement(&found, &checker);
    assert_eq!(disagreement, None, "{}", case.report(&found, &checker));
    found.first.is_none()
}

/// A client whose attempts all end after 8 s.
const ATTEMPTS_END: &str =
    r#""runner": "upstream", "retryInterval": "8s", "firstAttemptDeadline": true"#;

#[test]
fn a_client_that_is_cut_off_in_any_direction_goes_to_the_other_process_when_its_pings_fail() {
    let bounds = r#""partitions": 1, "partition": "80s""#;
    let gets_it_within = |allow: u64| {
        let property = format!(r#""is": "acquired", "allow": "{allow}s""#);
        holds(ATTEMPTS_END, "8s", 2, bounds, &property)
    };
    // No attempt is answered until the ping has failed after 32 s; the next one is at 40 s.
    assert!(!gets_it_within(32));
    assert!(gets_it_within(40));
}

#[test]
fn a_client_of_one_process_waits_for_the_end_of_the_partition() {
    let bounds = r#""partitions": 1, "partition": "80s""#;
    let property = r#""is": "acquired", "allow": "64s""#;
    assert!(!holds(ATTEMPTS_END, "8s", 1, bounds, property));
}

#[test]
fn a_paused_process_answers_no_ping_and_its_client_goes_to_the_other() {
    let bounds = r#""locketPauses": 1, "locketPause": "80s""#;
    let gets_it_within = |processes: u64| {
        let property = r#""is": "acquired", "allow": "40s""#;
        holds(ATTEMPTS_END, "8s", processes, bounds, property)
    };
    assert!(gets_it_within(2));
    assert!(!gets_it_within(1));
}

#[test]
fn processes_that_drain_in_turn_never_leave_a_client_without_one() {
    let client = r#""runner": "upstream", "retryInterval": "2s", "firstAttemptDeadline": true"#;
    let bounds = r#""locketDrains": 3, "locketDowntime": "4s""#;
    let keeps_it = |processes| holds(client, "6s", processes, bounds, r#""is": "false-loss""#);
    assert!(keeps_it(2));
    assert!(!keeps_it(1));
}

#[test]
fn a_call_that_two_slow_messages_keep_for_as_long_as_a_process_waits_may_fail() {
    // The safe runner goes on after a failure, so only upstream's loses its lock.
    let client = r#""runner": "upstream-before-2025-10", "retryInterval": "5s""#;
    let keeps_it = |latency: u64| {
        let bounds = format!(r#""databaseLatency": "{latency}s""#);
        holds(client, "20s", 1, &bounds, r#""is": "false-loss""#)
    };
    assert!(keeps_it(4));
    assert!(!keeps_it(5));
}
