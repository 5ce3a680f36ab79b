//! A question is read from its text, and refused with the field that has to change.

use locket_sim::check::{
    Bounds, ClientQuestion, Count, Fault, Property, Question, Reductions, Space, StorageQuestion,
    Survival, WriteLatency,
};
use locket_sim::scenario::{Guard, RunnerKind};

use super::rig::{delays, read, s};

#[test]
fn what_a_question_leaves_out_is_the_safe_runner_with_the_times_of_production() {
    let client = ClientQuestion::new(RunnerKind::Safe, s(15), s(5));
    assert_eq!(read("{}"), Question::one_owner(client));
}

#[test]
fn a_client_takes_from_all_what_it_does_not_say() {
    let question = read(
        r#"{"runner": "safe", "ttl": "6s", "clients": [{}, {"runner": "upstream"}],
            "faults": {"pause": "3s", "crash": {}}, "property": {"is": "no-client-acts", "allow": "9s"}}"#,
    );
    let clients = [RunnerKind::Safe, RunnerKind::Upstream];
    assert_eq!(question.clients, clients.map(|it| ClientQuestion::new(it, s(6), s(2))));
    // It happens once, where any number of it cannot be proved.
    assert_eq!(question.bounds, delays(1).with_length(Fault::Pause, 1, s(3)).with(Fault::Crash, 1));
    assert_eq!(question.property, Property::NoClientActs { allow: s(9) });
}

#[test]
fn a_fault_is_a_length_or_a_count_or_both() {
    let usual = delays(1);
    let (pause, any) = (Fault::Pause, Count::Any);
    let mut failover = usual.with(Fault::Failover, any);
    failover.faults[Fault::Failover].lost_commits = 3;
    for (faults, expected) in [
        (r#"{"crash": 2}"#, usual.with(Fault::Crash, 2)),
        (r#"{"crash": "any"}"#, usual.with(Fault::Crash, any)),
        (r#"{"crash": {}}"#, usual.with(Fault::Crash, any)),
        (r#"{"pause": "5s"}"#, usual.with_length(pause, any, s(5))),
        (r#"{"pause": {"length": "5s", "count": 2}}"#, usual.with_length(pause, 2, s(5))),
        (r#"{"pause": "0s"}"#, usual),
        (r#"{"pause": 0}"#, usual),
        (r#"{"locketCrash": 1}"#, usual.with(Fault::LocketCrash, 1)),
        (r#"{"failover": 1}"#, usual.with(Fault::Failover, 1)),
        (r#"{"failover": {"lostCommits": 3}}"#, failover),
    ] {
        assert_eq!(read(&format!(r#"{{"faults": {faults}}}"#)).bounds, expected, "{faults}");
    }
}

#[test]
fn a_question_about_writes_is_about_no_wrong_write() {
    let asked = read(r#"{"storage": {"guard": "owner", "writeLatency": "any"}}"#);
    assert_eq!(asked.property, Property::NoWrongWrite);
    let write_latency = WriteLatency::Any;
    assert_eq!(asked.storage, Some(StorageQuestion { guard: Guard::Owner, write_latency }));
}

#[test]
fn a_question_that_is_refused_names_the_field_and_what_to_do() {
    for (text, field, words) in [
        ("", "", ""),
        ("[]", "", ""),
        (r#"{"nothing": 1}"#, "nothing", ""),
        (r#"{"bounds": {"latency": "1s"}}"#, "bounds", ""),
        (r#"{"ttl": "15 sec"}"#, "ttl", ""),
        (r#"{"ttl": "1.5s"}"#, "ttl", ""),
        (r#"{"latency": "soon"}"#, "latency", ""),
        (r#"{"latency": "2h"}"#, "latency", ""),
        (r#"{"retryInterval": "0s"}"#, "retryInterval", ""),
        (r#"{"retryInterval": "1ms", "latency": "60s"}"#, "latency", ""),
        (r#"{"faults": {"pause": "61ms"}, "ttl": "3600s"}"#, "ttl", ""),
        (r#"{"processes": 9}"#, "processes", ""),
        (r#"{"clients": []}"#, "clients", ""),
        (r#"{"clients": [{"nothing": 1}]}"#, "clients[0].nothing", ""),
        (r#"{"clients": "all"}"#, "clients", "or \"any\""),
        (r#"{"clients": "any", "sameOwner": true}"#, "clients", "owner strings"),
        (r#"{"drift": "1"}"#, "drift", "is not a share"),
        (r#"{"drift": "50.1%"}"#, "drift", "expected at most 50%"),
        (
            r#"{"clients": "any", "ratePpm": 5, "property": {"is": "false-loss"}}"#,
            "clients",
            "of one-owner, and of no-wrong-write without a guard or with tokens, without failovers",
        ),
        (r#"{"property": "one-owner"}"#, "property", ""),
        (r#"{"property": {"is": "no-wrong-write"}}"#, "storage", "missing"),
        (r#"{"sameOwner": true, "storage": {"guard": "none"}}"#, "storage", ""),
        (
            r#"{"sameOwner": true, "clients": [{"ttl": "15s"}, {"ttl": "30s"}]}"#,
            "ttl",
            "clients have 15 s and 30 s, but those of one owner have one TTL; ask about each by itself",
        ),
        // Faults
        (r#"{"faults": {"freeze": 1}}"#, "faults.freeze", ""),
        (r#"{"faults": {"pause": 1}}"#, "faults.pause", ""),
        (r#"{"faults": {"crash": "5s"}}"#, "faults.crash", ""),
        (r#"{"faults": {"crash": 256}}"#, "faults.crash", ""),
        (r#"{"faults": {"crash": {"count": "all"}}}"#, "faults.crash.count", ""),
        (
            r#"{"faults": {"crash": {"lostCommits": 1}}}"#,
            "faults.crash",
            "only a failover has lostCommits",
        ),
        (r#"{"faults": {"stop": {"count": "many"}}}"#, "faults.stop.count", "or \"any\""),
        (r#"{"clients": [{}], "faults": {"stop": "any"}}"#, "faults.stop", "of several clients"),
        (r#"{"faults": {"restart": "any", "failover": 1}}"#, "faults.restart", "late calls"),
        (
            r#"{"faults": {"pause": {"length": "1s", "count": "any"}}, "property": {"is": "no-client-acts", "allow": "30s"}}"#,
            "faults.pause",
            "of one-owner, belief-matches-row, false-loss and no-wrong-write",
        ),
    ] {
        let error = Question::from_json(text).expect_err(text);
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(error.message.contains(words) && !error.message.is_empty(), "{text}: {error}");
    }
}

#[test]
fn a_count_that_is_not_searched_as_given_is_refused() {
    for fault in Fault::ALL {
        let question = |count: u8| {
            let bounds = Bounds::default().with_length(fault, count, s(1));
            Question { bounds, ..read("{}") }.check()
        };
        assert_eq!(question(15), Ok(()), "{fault:?}");
        let error = question(16).expect_err("16 are too many");
        assert!(error.field.eq_ignore_ascii_case(&format!("faults.{fault:?}")), "{error}");
        assert_eq!(error.message, "expected at most 15, not 16");
    }
}

#[test]
fn what_is_asked_without_its_subject_is_refused() {
    let without_limit = read(r#"{"faults": {"stop": "any"}}"#);
    assert!(
        Space::new(without_limit, Reductions::default()).is_err(),
        "all schedules have a limit"
    );
    let error = Survival::from_json("{}", 1_000).expect_err("nothing is to be survived");
    assert_eq!(error.field, "faults");
}
