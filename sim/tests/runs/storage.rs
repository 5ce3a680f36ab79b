//! Claims about a storage in a run: the writes that it takes and refuses.

use locket_sim::scenario::{self, Scenario};
use locket_sim::simulation::Simulation;
use locket_sim::time::Time;
use locket_sim::trace::Run;

/// Two runners with messages that take no time. At 12 s the holder a is paused for 24 s, between its
/// decision on a write and the write. b has the lock at 26 s.
fn paused(runner: &str, guard: &str, more: &str, expect: &str) -> Run {
    let client = |name: &str, start: &str| {
        format!(
            r#"{{ "name": "{name}", "key": "k", "runner": "{runner}", "ttl": "15s",
                "retryInterval": "5s", "startAt": "{start}" }}"#
        )
    };
    let (a, b) = (client("a", "0s"), client("b", "1s"));
    let text = format!(
        r#"{{ "name": "paused", "until": "60s", "profile": "upstream",
            "storage": {{ "guard": "{guard}" }}, "clients": [{a}, {b}],
            "actions": [{more}
                {{ "at": "12s", "do": "pause", "node": "a", "for": "24s" }},
                {{ "at": "12s", "do": "write", "node": "a" }},
                {{ "at": "27s", "do": "write", "node": "b" }}
            ],
            "expect": [{expect}] }}"#
    );
    scenario::run_text(&text).expect("it is valid")
}

/// Each takes a token as it has the lock.
const TOKENS: &str = r#"{ "at": "1s", "do": "take-token", "node": "a" },
    { "at": "26.5s", "do": "take-token", "node": "b" },"#;

fn words(run: &Run) -> Vec<String> {
    let events = run.events.iter();
    events.map(|it| it.words(&run.names)).collect()
}

#[test]
fn a_late_write_is_wrong_without_a_guard_and_with_the_index_of_the_row() {
    for guard in ["none", "modified-index"] {
        let run = paused("safe", guard, "", r#"{ "wrongWrites": 1 }, { "refusedWrites": 0 }"#);
        assert_eq!(run.failures, [""; 0], "{guard}");
        let wrong = "the storage takes a late write of a after one of b: wrong";
        assert!(words(&run).iter().any(|it| it == wrong), "{guard}");
    }
}

#[test]
fn a_late_write_is_refused_by_a_check_of_the_owner_and_by_a_token() {
    for (guard, more) in [("owner", ""), ("token", TOKENS)] {
        let run = paused("safe", guard, more, r#"{ "wrongWrites": 0 }, { "refusedWrites": 0 }"#);
        assert_eq!(run.failures, [""; 0], "{guard}");
        let refused = "the storage refuses a late write of a";
        assert!(words(&run).iter().any(|it| it == refused), "{guard}");
    }
}

/// Upstream's runner believes until its next attempt fails.
#[test]
fn a_token_that_is_taken_late_is_the_newest_unless_it_waits_for_a_renewal() {
    let late = r#"{ "at": "26.5s", "do": "take-token", "node": "b" },
        { "at": "33s", "do": "write", "node": "b" },
        { "at": "36s", "after": 1, "do": "take-token", "node": "a" },
        { "at": "36s", "after": 2, "do": "write", "node": "a" },"#;
    let run = |guard, wrong: &str| {
        let expect = format!(r#"{{ "wrongWrites": {wrong} }}"#);
        let run = paused("upstream", guard, late, &expect);
        assert_eq!(run.failures, [""; 0], "{guard}: {:#?}", words(&run));
    };
    run("token", "1");
    run("renewed-token", "0");
}

#[test]
fn a_token_is_of_use_after_a_renewal_that_was_sent_after_it_came() {
    let more = r#"{ "at": "1s", "do": "take-token", "node": "a" },
        { "at": "2s", "do": "write", "node": "a" }, { "at": "6s", "do": "write", "node": "a" },"#;
    let run = paused("safe", "renewed-token", more, "");
    let of_a: Vec<String> = words(&run);
    let idle = "a writes nothing: it does not act, or has no token to use";
    assert_eq!(of_a.iter().filter(|it| *it == idle).count(), 1);
    assert!(of_a.iter().any(|it| it == "the storage takes a write of a"));
}

#[test]
fn a_guard_may_refuse_a_write_that_is_right() {
    // The row of b begins again at index 1.
    let early = r#"{ "at": "11s", "do": "write", "node": "a" },"#;
    let run = paused("safe", "modified-index", early, r#"{ "refusedWrites": 1 }"#);
    assert_eq!(run.failures, [""; 0]);
    let run = paused("safe", "modified-index", early, r#"{ "refusedWrites": 0 }"#);
    assert_eq!(run.failures, ["expected 0 refused writes, but found 1"]);
}

#[test]
fn clients_that_act_write_at_an_interval() {
    let text = |guard: &str| {
        format!(
            r#"{{ "name": "all", "until": "20s",
                "storage": {{ "guard": "{guard}", "writeLatency": "1s", "writeInterval": "4s" }},
                "clients": [{{ "name": "a", "key": "k", "retryInterval": "5s" }}] }}"#
        )
    };
    for (guard, writes) in [("none", 6), ("owner", 6), ("token", 5), ("renewed-token", 4)] {
        let run = scenario::run_text(&text(guard)).expect("it is valid");
        let decided = words(&run);
        let decided = decided.iter().filter(|it| *it == "a decides on a write");
        assert_eq!(decided.count(), writes, "{guard}");
    }
}

#[test]
fn a_run_without_a_trace_counts_the_same_writes() {
    let text = include_str!("../../scenarios/modified-index-is-no-token.json");
    let run = Scenario::from_json(text).map(|it| it.run_without_trace());
    assert_eq!(run.expect("it is valid").failures, [""; 0]);
}

#[test]
fn an_action_of_a_storage_needs_one_and_a_client() {
    let error = |storage: &str, action: &str| {
        let text = format!(
            r#"{{ "name": "x", {storage} "clients": [{{ "name": "a", "key": "k", "retryInterval": "5s" }}],
                "actions": [{{ "at": "1s", "do": "{action}" }}] }}"#
        );
        scenario::run_text(&text).expect_err(&text).message
    };
    let guarded = r#""storage": { "guard": "none" },"#;
    let needs_storage = error("", r#"write", "node": "a"#);
    assert_eq!(needs_storage, "needs a `storage` in the scenario");
    let needs_client = error(guarded, r#"take-token", "node": "locket-0"#);
    assert_eq!(needs_client, "only a client writes to the storage");
}

#[test]
fn a_timeline_tells_what_became_of_each_write() {
    let scenario = include_str!("../../scenarios/modified-index-is-no-token.json");
    let simulation = Simulation::from_json(scenario).expect("it is valid");
    let timeline = simulation.timeline().unwrap();
    let writes = timeline.writes.unwrap();
    let told: Vec<(&str, u64, bool, Option<&str>)> = writes
        .iter()
        .map(|it| {
            let after = it.after.as_deref();
            (&*it.client, it.time.as_ms(), it.is_taken, after)
        })
        .collect();
    let expected = [
        ("a", 7_000, true, None),
        ("b", 29_000, false, None),
        ("b", 36_000, true, None),
        ("a", 37_000, true, Some("b")),
    ];
    assert_eq!(told, expected);
    assert_eq!((timeline.wrong_writes, timeline.refused_writes), (1, 1));
}

#[test]
fn a_timeline_so_far_has_no_wrong_write_before_it_comes() {
    let scenario = include_str!("../../scenarios/modified-index-is-no-token.json");
    let mut simulation = Simulation::from_json(scenario).expect("it is valid");
    for (ms, expected) in [(28_999, (0, 0)), (29_000, (0, 1)), (37_000, (1, 1))] {
        simulation.run_until(Time::from_ms(ms)).unwrap();
        let timeline = simulation.timeline_so_far().unwrap();
        assert_eq!((timeline.wrong_writes, timeline.refused_writes), expected);
    }
}

#[test]
fn a_run_without_a_storage_tells_of_no_writes() {
    let scenario = include_str!("../../scenarios/first-look.json");
    let simulation = Simulation::from_json(scenario).expect("it is valid");
    assert_eq!(simulation.timeline().unwrap().writes, None);
}
