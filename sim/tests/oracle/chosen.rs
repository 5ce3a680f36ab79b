//! Questions that one rule decides, and that random ones seldom reach. The checker and the oracle
//! must agree, and on the right answer.

use locket_sim::check::VisibleStates;

use super::case::Case;

/// More than any of these questions has.
const STATES_MAX: u64 = 400_000;

/// True if the property holds, as both sides say.
fn holds(settings: &str, bounds: &str, property: &str) -> bool {
    let text = format!(r#"{{{settings}, "latency": "0s", {bounds}, "property": {{{property}}}}}"#);
    let case = Case::new(&text, false);
    let found = case.oracle(STATES_MAX).expect("there is room");
    let checker = case.checker().expect("the checker has room for it");
    let disagreement = case.disagreement(&found, &checker);
    assert_eq!(disagreement, None, "{}", case.report(&found, &checker));
    found.first.is_none()
}

/// Clients of upstream whose attempts all end after the retry interval, in seconds. The table itself
/// expires rows, so no process polls.
fn settings(ttl: u64, retry_interval: u64, clients: usize, processes: u64) -> String {
    let client = format!(
        r#"{{"runner": "upstream", "retryInterval": "{retry_interval}s", "firstAttemptDeadline": true}}"#
    );
    let clients = vec![client; clients].join(", ");
    format!(
        r#""ttl": "{ttl}s", "profile": "documented", "processes": {processes}, "clients": [{clients}]"#
    )
}

fn acquired(allow: u64) -> String {
    format!(r#""is": "acquired", "allow": "{allow}s""#)
}

#[test]
fn a_client_that_is_cut_off_in_any_direction_goes_to_the_other_process_when_its_pings_fail() {
    let bounds = r#""faults": {"partition": {"length": "80s", "count": 1}}"#;
    let gets_it =
        |processes, within| holds(&settings(8, 8, 1, processes), bounds, &acquired(within));
    // No attempt is answered until the ping has failed after 32 s; the next one is at 40 s.
    assert!(!gets_it(2, 32));
    assert!(gets_it(2, 40));
    assert!(!gets_it(1, 64));
}

#[test]
fn a_paused_process_answers_no_ping_and_its_client_goes_to_the_other() {
    let bounds = r#""faults": {"locketPause": {"length": "80s", "count": 1}}"#;
    let gets_it = |processes| holds(&settings(8, 8, 1, processes), bounds, &acquired(40));
    assert!(gets_it(2));
    assert!(!gets_it(1));
}

#[test]
fn processes_that_drain_in_turn_never_leave_a_client_without_one() {
    let bounds = r#""faults": {"locketDrain": {"length": "4s", "count": 3}}"#;
    let keeps_it =
        |processes| holds(&settings(6, 2, 1, processes), bounds, r#""is": "false-loss""#);
    assert!(keeps_it(2));
    assert!(!keeps_it(1));
}

#[test]
fn a_drain_waits_for_a_call_whose_client_has_given_up() {
    // The process gives up after 10 s on the answer that is lost, and accepts no connection until
    // it has started again.
    let bounds = r#""faults": {"lostReply": 1, "locketDrain": {"length": "1s", "count": 1}}"#;
    let gets_it = |within| holds(&settings(6, 2, 1, 1), bounds, &acquired(within));
    assert!(!gets_it(9));
    assert!(gets_it(14));
}

#[test]
fn a_call_that_two_slow_messages_keep_for_as_long_as_a_process_waits_may_fail() {
    let settings = r#""ttl": "20s", "profile": "documented", "clients": [{"runner": "upstream-before-2025-10", "retryInterval": "5s"}]"#;
    let keeps_it = |latency: u64| {
        let bounds = format!(r#""databaseLatency": "{latency}s""#);
        holds(settings, &bounds, r#""is": "false-loss""#)
    };
    assert!(keeps_it(4));
    assert!(!keeps_it(5));
}

#[test]
fn a_database_that_is_down_expires_no_row() {
    // The row goes when the database is up again, and the next attempt is at most 2 s away.
    let settings = settings(6, 2, 1, 1) + r#", "kind": "presence""#;
    let bounds = r#""faults": {"databaseCrash": {"length": "10s", "count": 1}}"#;
    let is_back = |within: u64| {
        let property = format!(r#""is": "presence-gap", "allow": "{within}s""#);
        holds(&settings, bounds, &property)
    };
    assert!(!is_back(1));
    assert!(is_back(2));
}

/// The row of the first client stands although no client runs.
fn row_outlives_its_owner(allow: u64) -> String {
    let never = VisibleStates::of(|it| it.owner == Some(0) && it.running == 0);
    format!(r#""is": "own", "allow": "{allow}s", "never": "{never}""#)
}

#[test]
fn a_database_may_crash_just_before_a_row_expires() {
    let bounds = r#""faults": {"crash": 1, "databaseCrash": {"length": "3s", "count": 1}}"#;
    let is_gone = |within| holds(&settings(6, 2, 1, 1), bounds, &row_outlives_its_owner(within));
    assert!(!is_gone(8));
    assert!(is_gone(9));
}

#[test]
fn a_row_that_comes_back_while_its_deletion_waits_in_vain_is_not_registered_again() {
    // The answer to the deletion is lost, a failover takes the deletion back, and the process waits
    // for its answer for longer than is counted here.
    let client = r#"{"runner": "upstream", "retryInterval": "5s", "firstAttemptDeadline": true}"#;
    let settings = format!(r#""ttl": "5s", "profile": "upstream", "clients": [{client}]"#);
    let is_gone = |lost_replies: u8| {
        let bounds =
            format!(r#""faults": {{"crash": 1, "failover": 1, "lostReply": {lost_replies}}}"#);
        holds(&settings, &bounds, &row_outlives_its_owner(60))
    };
    assert!(is_gone(0));
    assert!(!is_gone(1));
}
