//! Claims about scenarios: what their text may say, how an error in it is reported, and what
//! a run of one tells.

use locket_sim::scenario::{ActionKind, ClientKind, Scenario, run_text};
use locket_sim::time::Duration;
use locket_sim::trace::{Event, Run};
use locket_sim::world::event::What;

const FIRST_LOOK: &str = include_str!("../../scenarios/first-look.json");

/// A scenario of two clients, `a` and `b`, that want one key for 15 s.
fn scenario_of(profile: &str, actions: &str) -> String {
    format!(
        r#"{{
            "name": "test",
            "profile": "{profile}",
            "clients": [{{"name": "a", "key": "k"}}, {{"name": "b", "key": "k"}}],
            "actions": [{actions}],
            "processes": 2,
            "until": "1m"
        }}"#
    )
}

fn run(profile: &str, actions: &str) -> Run {
    run_text(&scenario_of(profile, actions)).expect("the scenario is right")
}

/// The events, one line each, without the handling of calls.
fn told(run: &Run) -> Vec<String> {
    told_if(run, |what| {
        matches!(what, What::Answered { .. } | What::Crashed | What::Expired { .. } | What::Started)
    })
}

/// The remarks, and the events that are wanted.
fn told_if(run: &Run, wanted: impl Fn(&What) -> bool) -> Vec<String> {
    run.events
        .iter()
        .filter(|event| match event {
            Event::Noted { .. } | Event::Stored { .. } => true,
            Event::World(event) => wanted(&event.what),
        })
        .map(|event| format!("{} {}", event.time(), event.words(&run.names)))
        .collect()
}

// Reading

#[test]
fn what_is_left_out_has_its_default() {
    let text = r#"{
        "name": "test",
        "clients": [{"name": "a", "key": "k"}],
        "actions": [{"at": "0s", "do": "lock", "node": "a"}]
    }"#;

    let scenario = Scenario::from_json(text).unwrap();

    assert_eq!(scenario.profile, Default::default());
    assert_eq!((scenario.seed, scenario.processes), (0, 1));
    assert_eq!(scenario.until, Duration::ZERO);
    let client = scenario.clients.at(0);
    assert_eq!(client.kind, ClientKind::Lock);
    assert_eq!((client.owner.as_deref(), &*client.value), (None, ""));
    assert_eq!(client.ttl, Duration::from_seconds(15));
    let action = &scenario.actions[0];
    assert_eq!((action.kind, action.node.as_deref()), (ActionKind::Lock, Some("a")));
}

#[test]
fn a_run_ends_with_its_last_action_if_that_is_after_until() {
    let text = scenario_of(
        "documented",
        r#"{"at": "1s", "do": "note", "text": "t", "every": "7s", "until": "70s"}"#,
    );

    assert_eq!(Scenario::from_json(&text).unwrap().end().as_ms(), 64_000);
}

#[test]
#[should_panic(expected = "the scenario 'test' expects nothing; add an expectation")]
fn a_run_that_expects_nothing_does_not_pass() {
    Scenario::from_json(&scenario_of("documented", "")).unwrap().run().assert_passed();
}

/// That the text is refused at that line and column, with that path and message.
fn check_error(text: &str, expected: &str) {
    let error = Scenario::from_json(text).expect_err("the text is not valid");

    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_text_that_is_no_scenario_is_refused_at_its_place() {
    for (text, expected) in [
        ("", "1:1: EOF while parsing a value"),
        ("{\n", "2:1: EOF while parsing an object"),
        ("null", "1:4: invalid type: null, expected a scenario, which is an object"),
        (r#"{ "name": "n", "clients": [] } x"#, "1:32: trailing characters"),
        ("{\n  \"name\": \"n\"}", "2:14: missing field `clients`"),
        (
            "{\n  \"name\": \"n\",\n  \"colour\": 1\n}",
            "3:10: colour: unknown field `colour`, expected one of `$schema`, `name`, `description`, `profile`, `seed`, `random`, `overrides`, `processes`, `network`, `database`, `storage`, `until`, `clients`, `actions`, `expect`",
        ),
        (
            "{\n  \"name\": \"n\",\n  \"profile\": \"upstreem\"\n}",
            "3:23: profile: unknown variant `upstreem`, expected `documented` or `upstream`",
        ),
        (
            &with_action(
                r#"{ "at": "0s", "do": "note", "text": "t", "every": "1ms", "until": "1000s" }"#,
            ),
            "4:14: actions: the run would fill 954 MiB with all repetitions, more than 64; raise an `every` or a `retryInterval`, or lower an `until`",
        ),
    ] {
        check_error(text, expected);
    }
}

/// A text whose line 5 is one action, by the only client `a`.
fn with_action(action: &str) -> String {
    format!(
        "{{\n  \"name\": \"n\",\n  \"clients\": [{{\"name\": \"a\", \"key\": \"k\"}}],\n  \"actions\": [\n    {action}\n  ]\n}}"
    )
}

#[test]
fn an_error_in_an_action_is_answered_with_its_place_and_path() {
    for (action, expected) in [
        (
            r#"{ "at": "x", "do": "note" }"#,
            r#"5:15: actions[0].at: "x" is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h"#,
        ),
        (
            r#"{ "at": -1, "do": "note" }"#,
            r#"5:14: actions[0].at: invalid type: integer `-1`, expected a duration with its unit, such as "15s" or "250ms""#,
        ),
        (r#"{ "at": 5, "do": "note" }"#, "5:13: actions[0].at: 5 has no unit; write 5s or 5000ms"),
        (
            r#"{ "at": "1s", "do": "dance" }"#,
            concat!(
                "5:31: actions[0].do: unknown variant `dance`, expected one of `arrive`, `crash`, `cut`, \
                 `delete-row`, `disconnect`, `drain`, `drop-table`, `fail-over`, `fetch`, `fetch-all`, \
                 `heal`, `lock`, `lock-without-resource`, `lose-messages`, ",
                "`lose-replies`, `note`, `pause`, `put-row`, `release`, `restart`, `resume`, `set-latency`, \
                 `set-loss`, `set-transaction-time`, `stall`, `start`, `stop`, `suspend`, `take-token`, `write`",
            ),
        ),
        (
            r#"{ "at": "1s", "do": "lock", "node": "b" }"#,
            r#"5:41: actions[0].node: no node is named "b"; there are a, database, locket, locket-0"#,
        ),
        (
            r#"{ "at": "1s", "do": "lock" }"#,
            "5:32: actions[0].node: missing; this action needs node",
        ),
        (
            r#"{ "at": "1s", "do": "lock", "node": "locket" }"#,
            "5:41: actions[0].node: only a client makes calls",
        ),
        (
            r#"{ "at": "1s", "do": "note" }"#,
            "5:32: actions[0].text: missing; this action needs text",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "a", "text": "t" }"#,
            "5:54: actions[0].text: means nothing to this action; it takes: node",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "locket" }"#,
            "5:25: actions[0].do: only a client stops; a Locket process drains: use `drain`",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "database" }"#,
            "5:25: actions[0].do: the database has no stop in order; use `crash`",
        ),
        (
            r#"{ "at": "1s", "do": "drain", "node": "a" }"#,
            "5:25: actions[0].do: only a Locket process drains; a client stops: use `stop`",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "a", "every": "0s", "until": "9ms" }"#,
            "5:55: actions[0].every: expected more than 0",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "a", "every": "7ms" }"#,
            "5:61: actions[0].until: missing; `every` needs the moment of the last repetition",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "a", "until": "7s" }"#,
            "5:60: actions[0].every: missing; `until` needs the interval of the repetitions",
        ),
        (
            r#"{ "at": "1s", "do": "stop", "node": "a", "every": "7ms", "until": "999ms" }"#,
            "5:71: actions[0].until: expected a moment not before `at`",
        ),
    ] {
        check_error(&with_action(action), expected);
    }
}

#[test]
fn there_are_1_to_16_processes() {
    for (processes, right) in [(0, false), (1, true), (16, true), (17, false)] {
        let text = format!(
            "{{\n\"name\": \"n\", \"clients\": [], \"actions\": [],\n\"processes\":  {processes}\n}}"
        );

        let error = Scenario::from_json(&text).err().map(|error| error.to_string());
        let refused = "3:15: processes: expected 1 to 16 Locket processes";
        assert_eq!(error.as_deref(), (!right).then_some(refused), "{processes}");
    }
}

// Running

#[test]
fn what_clients_do_and_what_expires_is_told_in_order() {
    let run = run(
        "documented",
        r#"
        {"at": "2s", "do": "lock", "node": "b"},
        {"at": "0s", "do": "lock", "node": "a"},
        {"at": "20s", "do": "lock", "node": "b"},
        {"at": "20s", "do": "fetch", "node": "a"},
        {"at": "21s", "do": "fetch-all", "node": "a"},
        {"at": "21s", "do": "release", "node": "b"},
        {"at": "22s", "do": "note", "text": "that was all"}
        "#,
    );

    let expected = [
        "0.000 a locks 'k' for 15 s: a holds it",
        "2.000 b locks 'k' for 15 s: lock-collision (AlreadyExists)",
        "15.000 'k' expires: a has not renewed it within its TTL",
        "20.000 b locks 'k' for 15 s: b holds it",
        "20.000 a asks who holds 'k': b",
        "21.000 a lists everything of type lock: k (b)",
        "21.000 b releases 'k': done",
        "22.000 that was all",
    ];
    assert_eq!(told(&run), expected);
}

#[test]
fn every_change_of_the_table_is_told() {
    let run = run(
        "documented",
        r#"
        {"at": "0s", "do": "lock", "node": "a"},
        {"at": "1s", "do": "lock", "node": "b"},
        {"at": "2s", "do": "release", "node": "a"}
        "#,
    );

    let tables =
        told_if(&run, |what| matches!(what, What::RowWritten(_) | What::RowDeleted { .. }));
    let expected =
        ["0.000 row 'k' owner=a type=lock ttl=15 index=1", "2.000 the row of 'k' is deleted"];
    assert_eq!(tables, expected);
}

#[test]
fn what_is_repeated_happens_until_its_last_moment() {
    let run = run(
        "documented",
        r#"{"at": "1s", "do": "note", "text": "tick", "every": "2s", "until": "6s"}"#,
    );

    assert_eq!(told(&run), ["1.000 tick", "3.000 tick", "5.000 tick"]);
}

#[test]
fn processes_that_stop_and_start_are_told() {
    let run = run(
        "upstream",
        r#"
        {"at": "0s", "do": "lock", "node": "a"},
        {"at": "1s", "do": "crash", "node": "locket"},
        {"at": "2s", "do": "lock", "node": "b"},
        {"at": "3s", "do": "start", "node": "locket-1"},
        {"at": "4s", "do": "restart", "node": "locket-1"}
        "#,
    );

    let expected = [
        "0.000 a locks 'k' for 15 s: a holds it",
        "1.000 locket-0 crashes",
        "1.000 locket-1 crashes",
        "2.000 b locks 'k' for 15 s: no Locket process answered; call again, or start one (Unavailable)",
        "3.000 locket-1 starts",
        "4.000 locket-1 crashes",
        "4.000 locket-1 starts",
        "19.000 'k' expires: a has not renewed it within its TTL",
    ];
    assert_eq!(told(&run), expected);
}

// B74
#[test]
fn a_lease_that_ends_at_once_is_told_too() {
    let text = r#"{
        "name": "overflow",
        "profile": "upstream",
        "clients": [{"name": "a", "key": "k", "ttl": "9223372037s"}],
        "actions": [{"at": "1s", "do": "lock", "node": "a"}]
    }"#;

    let expected = [
        "1.000 a locks 'k' for 9223372037 s: a holds it",
        "1.000 'k' expires: a has not renewed it within its TTL",
    ];
    assert_eq!(told(&run_text(text).unwrap()), expected);
}

#[test]
fn a_note_is_no_part_of_the_digest() {
    let silent = run("upstream", r#"{"at": "0s", "do": "lock", "node": "a"}"#);
    let talking = run(
        "upstream",
        r#"{"at": "0s", "do": "note", "text": "t"}, {"at": "0s", "do": "lock", "node": "a"}"#,
    );

    assert_eq!(silent.digest, talking.digest);
}

#[test]
fn whatever_else_happens_is_part_of_the_digest() {
    let digests = [
        r#"{"at": "0s", "do": "lock", "node": "a"}"#,
        r#"{"at": "1ms", "do": "lock", "node": "a"}"#,
        r#"{"at": "0s", "do": "lock", "node": "b"}"#,
        r#"{"at": "0s", "do": "fetch", "node": "a"}"#,
        r#"{"at": "0s", "do": "fetch-all", "node": "a"}"#,
        r#"{"at": "0s", "do": "release", "node": "a"}"#,
        r#"{"at": "0s", "do": "crash", "node": "locket-0"}"#,
        r#"{"at": "0s", "do": "crash", "node": "locket-1"}"#,
        r#"{"at": "0s", "do": "drain", "node": "locket-0"}"#,
        r#"{"at": "0s", "do": "restart", "node": "locket"}"#,
        "",
    ]
    .map(|actions| run("upstream", actions).digest.to_string());

    for (index, digest) in digests.iter().enumerate() {
        assert_eq!(digest.len(), 16);
        assert!(!digests[..index].contains(digest), "{index}");
    }
}

#[test]
fn the_seed_decides_the_ids() {
    let with_seed = |seed: u64| {
        let mut scenario = Scenario::from_json(FIRST_LOOK).unwrap();
        scenario.seed = seed;
        scenario.run()
    };

    assert_eq!(with_seed(1), with_seed(1));
    assert_ne!(with_seed(1).digest, with_seed(2).digest);
}

#[test]
fn an_action_after_nothing_comes_before_what_happens_by_itself_at_its_instant() {
    let text = |after: &str| {
        format!(
            r#"{{
                "name": "test",
                "profile": "documented",
                "clients": [{{"name": "a", "key": "k", "ttl": "2s"}}, {{"name": "b", "key": "k"}}],
                "actions": [
                    {{"at": "0s", "do": "lock", "node": "a"}},
                    {{"at": "2s", "do": "delete-row", "key": "k", "after": {after}}}
                ]
            }}"#
        )
    };
    let expires = |after| {
        let run = run_text(&text(after)).expect("the scenario is right");
        !told_if(&run, |what| matches!(what, What::Expired { .. })).is_empty()
    };
    assert!(expires("null"));
    assert!(expires("9"));
    assert!(!expires("0"));
}

#[test]
fn a_failed_expectation_says_when_what_was_expected_and_what_happened() {
    let run = run_text(
        r#"{
            "name": "two owners", "until": "30s",
            "clients": [
                { "name": "a", "key": "k", "retryInterval": "5s", "runner": "upstream" },
                { "name": "b", "key": "k", "retryInterval": "5s", "runner": "upstream", "startAt": "2s" }
            ],
            "actions": [{ "at": "6s", "do": "pause", "node": "a", "for": "20s" }],
            "expect": [
                { "at": "10s", "key": "k", "owner": null },
                { "at": "10s", "key": "k", "believers": ["b"] },
                { "at": "23s", "key": "k", "owner": "a" },
                { "at": "23s", "key": "k", "believers": [] },
                { "key": "k", "twoOwnersFor": "0s" },
                { "at": "7s", "event": "resumes" },
                { "noEvent": "a is paused" }
            ]
        }"#,
    )
    .unwrap();

    assert_eq!(
        run.failures,
        [
            "at 10.000 s: expected 'k' to have no owner, but 'a' holds it",
            "at 10.000 s: expected 'b' to believe it holds 'k', but 'a' does",
            "at 23.000 s: expected 'k' to be held by 'a', but 'b' holds it",
            "at 23.000 s: expected no client to believe it holds 'k', but 'a' and 'b' do",
            "two owners of 'k' for 4 s, from 22.000 s to 26.000 s; expected none",
            r#"expected an event at 7.000 s that contains "resumes", but none does"#,
            r#"expected no event that contains "a is paused", but one does"#,
        ]
    );
}
