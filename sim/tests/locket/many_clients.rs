//! One entry of a scenario that stands for many clients, shares of lost messages on single links, and
//! expectations about gaps.

use locket_sim::scenario::{Scenario, run_text, run_text_without_trace};
use locket_sim::trace::Run;

/// Two zones of presences; zone 1 loses messages for a while.
fn zones(more: &str) -> String {
    format!(
        r#"{{
  "name": "zones", "random": true, "until": "5m",
  "network": {{ "latency": "5ms" }},
  "clients": [
    {{ "name": "z1-{{i}}", "count": 5, "kind": "presence", "key": "z1-{{i}}", "value": "cell {{i}}", "runner": "safe", "startEvery": "100ms" }},
    {{ "name": "z2-{{i}}", "count": 5, "kind": "presence", "key": "z2-{{i}}", "runner": "safe" }}
  ],
  {more}
}}"#
    )
}

fn run(text: &str) -> Run {
    run_text(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn error(text: &str) -> String {
    run_text(text).expect_err(text).to_string()
}

#[test]
fn an_entry_with_a_count_stands_for_so_many_clients() {
    let scenario = Scenario::from_json(&zones(r#""expect": []"#)).unwrap();
    let third = scenario.clients.at(2);
    assert_eq!(scenario.clients.len(), 10);
    assert_eq!(third.name, "z1-2");
    assert_eq!(third.key, "z1-2");
    assert_eq!(third.value, "cell 2");
    assert_eq!(third.start_at.as_ms(), 200);
}

#[test]
fn entries_with_a_count_run_as_clients_that_are_listed_one_by_one() {
    let listed = r#"{ "name": "two", "until": "20s", "clients": [
        { "name": "c-0", "key": "k", "runner": "safe" },
        { "name": "c-1", "key": "k", "runner": "safe", "startAt": "1s" }] }"#;
    let counted = r#"{ "name": "two", "until": "20s", "clients": [
        { "name": "c-{i}", "count": 2, "key": "k", "runner": "safe", "startEvery": "1s" }] }"#;
    assert_eq!(run(listed).digest, run(counted).digest);
}

#[test]
fn a_name_with_a_number_left_open_means_all_clients_of_its_entry() {
    let all = run(&zones(r#""actions": [{ "at": "1m", "do": "crash", "node": "z1-{i}" }]"#));
    let keys: Vec<&str> = all.table.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(keys, ["z2-0", "z2-1", "z2-2", "z2-3", "z2-4"]);
}

#[test]
fn a_link_may_lose_a_share_of_its_messages_for_a_while() {
    let lossy = r#""actions": [
        { "at": "1m", "do": "set-loss", "from": "z1-{i}", "to": "locket", "loss": "100%" },
        { "at": "2m", "do": "set-loss", "from": "z1-{i}", "to": "locket", "loss": "0%" }
    ],
    "expect": [
        { "key": "z2-{i}", "noRowFor": "0s" },
        { "key": "z1-{i}", "noRowFor": "10s" }
    ]"#;
    let run = run(&zones(lossy));
    assert_eq!(run.failures.len(), 5, "{:#?}", run.failures);
    assert_eq!(run.table.len(), 10);
    assert!(run.failures[0].starts_with("'z1-0' had no row for "), "{}", run.failures[0]);
}

#[test]
fn a_gap_counts_from_the_first_owner_on_and_to_the_end_of_the_run() {
    let text = |action: &str, longest: &str| {
        format!(
            r#"{{ "name": "gap", "until": "60s",
                "clients": [{{ "name": "a", "key": "k", "ttl": "15s", "retryInterval": "5s", "startAt": "10s" }}],
                "actions": [{{ "at": "20s", "do": "{action}", "node": "a" }}],
                "expect": [{{ "key": "k", "noRowFor": "{longest}" }}] }}"#
        )
    };
    assert_eq!(run(&text("restart", "0s")).failures, [""; 0]);
    assert_eq!(run(&text("stop", "40s")).failures, [""; 0]);
    assert_eq!(
        run(&text("stop", "39s")).failures,
        ["'k' had no row for 40 s, from 20.000 s to 60.000 s; expected at most 39 s"]
    );
    assert_eq!(
        run(&text("stop", "0s")).failures,
        ["'k' had no row for 40 s, from 20.000 s to 60.000 s; expected at most 0 s"]
    );
}

#[test]
fn the_number_of_events_with_a_text_can_be_expected() {
    let text = |count: u32| {
        format!(
            r#"{{ "name": "counts", "until": "20s",
                "clients": [{{ "name": "a", "key": "k", "ttl": "15s", "retryInterval": "5s" }}],
                "expect": [{{ "event": "has renewed the lock", "count": {count} }}] }}"#
        )
    };
    assert_eq!(run(&text(4)).failures, [""; 0]);
    assert_eq!(
        run(&text(3)).failures,
        ["expected 3 events with the text \"has renewed the lock\", but there are 4 events"]
    );
    let untraced = Scenario::from_json(&text(3)).unwrap().run_without_trace();
    assert_eq!(untraced.failures, run(&text(3)).failures);
}

#[test]
fn a_schema_for_editors_changes_nothing() {
    let text = r#"{ "$schema": "https://example.org/s.json", "name": "n", "clients": [] }"#;
    assert_eq!(run(text).digest, run(r#"{ "name": "n", "clients": [] }"#).digest);
}

#[test]
fn an_error_in_an_entry_is_told_at_its_place() {
    let with = |second: &str| {
        error(&format!(
            r#"{{ "name": "n", "clients": [
  {{ "name": "a-{{i}}", "count": 3, "key": "k" }},
  {second}
] }}"#
        ))
    };
    for (second, value, expected) in [
        (
            r#"{ "name": "b", "key": "k", "ttl": "1500ms" }"#,
            "\"1500ms\"",
            "clients[1].ttl: expected whole seconds: Locket has no fractions",
        ),
        (
            r#"{ "name": "b", "count": 2, "key": "k" }"#,
            "\"b\"",
            "clients[1].name: 2 clients need a name each; write {i} for the number of the client, such as cell-{i}",
        ),
        (
            r#"{ "name": "b", "count": 0, "key": "k" }"#,
            "0",
            "clients[1].count: expected at least 1 client",
        ),
        (
            r#"{ "name": "b", "key": "k", "startEvery": "1s" }"#,
            "\"1s\"",
            "clients[1].startEvery: means nothing to a single client; add a `count`",
        ),
        (
            r#"{ "name": "a-1", "key": "k" }"#,
            "\"a-1\"",
            "clients[1].name: another node is already named \"a-1\"",
        ),
    ] {
        let column = 3 + second.find(value).unwrap();
        assert_eq!(with(second), format!("3:{column}: {expected}"));
    }
    let many = r#"{ "name": "b-{i}", "count": 4000000000, "key": "k" }"#;
    assert!(with(many).ends_with("clients: expected at most 100000"), "{}", with(many));
}

/// With a step for each pair of them this would take hours.
/// A proof for any number of clients needs that.
#[test]
fn a_call_is_answered_as_soon_however_many_others_wait_for_the_database() {
    let renewals_of_a = |others: u32| {
        let text = format!(
            r#"{{ "name": "crowd", "until": "30s", "profile": "upstream", "clients": [
                {{ "name": "a", "key": "k", "runner": "upstream" }},
                {{ "name": "c-{{i}}", "count": {others}, "key": "c-{{i}}", "runner": "upstream" }}],
              "actions": [{{ "at": "4500ms", "do": "stall", "for": "3s" }}],
              "expect": [{{ "at": "30s", "key": "k", "owner": "a" }}] }}"#
        );
        let run = run(&text);
        assert_eq!(run.failures, Vec::<String>::new());
        assert_eq!(run.table.len(), others as usize + 1);
        let row = run.table.iter().find(|row| row.path == "k");
        row.map(|row| row.modified_index)
    };
    assert_eq!(renewals_of_a(1), renewals_of_a(1_000));
}

#[test]
fn no_step_looks_at_all_pairs_of_many_clients() {
    let run = run_text_without_trace(
        r#"{ "name": "n", "profile": "upstream", "until": "40s",
  "clients": [{ "name": "a-{i}", "count": 100000, "key": "k-{i}", "ttl": "15s", "retryInterval": "20s", "runner": "upstream" }],
  "actions": [
    { "at": "1s", "do": "cut", "from": "a-{i}", "to": "a-{i}", "for": "1s" },
    { "at": "1s", "do": "cut", "from": "a-{i}", "to": "locket", "for": "1s" },
    { "at": "3s", "do": "fail-over", "lostCommits": 0 },
    { "at": "5s", "do": "crash", "node": "a-{i}" }
  ],
  "expect": [{ "key": "k-{i}", "twoOwnersFor": "0s" }, { "key": "k-{i}", "noRowFor": "25s" }] }"#,
    )
    .unwrap();
    assert_eq!(run.table.len(), 0, "all have expired at 15 s");
    assert_eq!(run.failures, ["never exercised: no two clients want 'k-0'"]);
}

#[test]
fn the_texts_of_many_clients_have_a_limit() {
    let value = "x".repeat(1 << 20);
    let text = format!(
        r#"{{ "name": "n", "clients": [{{ "name": "a-{{i}}", "count": 1999, "key": "k", "value": "{value}" }}] }}"#
    );
    assert!(
        error(&text).contains("the texts of the clients fill more than 64 MiB; lower a `count`"),
        "{}",
        error(&text)
    );
}

#[test]
fn a_share_of_messages_needs_a_random_run() {
    let needs = "needs a random run";
    for member in [
        r#""network": { "loss": "1%" }"#,
        r#""network": { "duplicates": "1%" }"#,
        r#""database": { "replyLoss": "1%" }"#,
        r#""actions": [{ "at": "1s", "do": "set-loss", "from": "a", "to": "locket", "loss": "1%" }]"#,
    ] {
        let text =
            format!(r#"{{ "name": "n", "clients": [{{ "name": "a", "key": "k" }}], {member} }}"#);
        assert!(error(&text).contains(needs), "{}", error(&text));
    }
}

#[test]
fn several_clients_do_not_restart_with_one_owner() {
    let text =
        zones(r#""actions": [{ "at": "1s", "do": "restart", "node": "z1-{i}", "owner": "x" }]"#);
    assert!(error(&text).contains("several clients would have one owner"));
}
