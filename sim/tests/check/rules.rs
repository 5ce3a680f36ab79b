//! Rules as data: what is read and refused, and the law of leases. `SEED=7 CASES=2000` tries other
//! random rules, or more of them.

use locket_sim::check::{Answer, ClientCount, ClientQuestion, Question, Reductions, Verdict};
use locket_sim::scenario::{RunnerKind, Scenario};
use serde_json::{Value, json};

use super::random::{Random, number};
use super::random_rule::random_rule;
use super::rig::{s, search};

fn asked(runner: &Value, ttl: u64, bounds: &str) -> Answer {
    let text = format!(r#"{{ "runner": {runner}, "ttl": "{ttl}s", {bounds} }}"#);
    let question = Question::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    search(question, Reductions::default(), 1_000_000).answer().expect("the world plays it")
}

/// The rules of the runners of the package.
fn rule_of(name: &str) -> Value {
    match name {
        "cloud-controller" => json!({
            "name": name, "retry": { "every": "1s" }, "toleratedFailures": 0, "onLoss": "retry",
            "onStop": "abandon",
        }),
        "safe" => json!({
            "name": name, "lease": { "from": "request" }, "retry": { "from": "request" },
            "timeout": "retry-interval", "firstTimeout": "ttl-or-retry-interval",
            "acquireTimeout": "ttl-or-retry-interval", "fetchOwner": "retry-interval",
        }),
        _ => json!({
            "name": name, "timeout": if name == "upstream" { "retry-interval" } else { "ttl" },
            "firstTimeout": "unlimited", "releaseTimeout": "unlimited", "fetchOwner": "unlimited",
            "waitForReady": true, "toleratedFailures": 0,
        }),
    }
}

#[test]
fn a_runner_of_the_package_and_its_rule_as_json_do_the_same() {
    for (named, name) in RunnerKind::ALL {
        let rule = rule_of(name);
        let runner: RunnerKind = serde_json::from_value(rule.clone()).expect("it can be read");
        let written = serde_json::to_value(&runner).expect("it can be written");
        assert_eq!((runner.rule(), &written), (named.rule(), &rule));

        let run = |runner: &Value| {
            let scenario = json!({ "name": "x", "until": "60s", "clients": [
                { "name": "a", "key": "k", "retryInterval": "1s", "runner": runner },
                { "name": "b", "key": "k", "retryInterval": "1s", "runner": runner },
            ], "actions": [
                { "at": "10s", "do": "pause", "node": "a" },
                { "at": "40s", "do": "resume", "node": "a" },
            ] });
            Scenario::from_json(&scenario.to_string()).expect("it is one").run().digest
        };
        assert_eq!(run(&written), run(&json!(name)), "{name}");
        let states = |runner| {
            let question = ClientQuestion::new(runner, s(15), s(1));
            search(Question::one_owner(question), Reductions::NONE, 1_000_000).states()
        };
        assert_eq!(states(runner), states(named), "{name}");
    }
}

const BOTH_LENGTHS: &str = r#"{ "lease": { "from": "reply", "length": "5s", "margin": "1s" } }"#;

#[test]
fn an_error_in_a_rule_has_its_path_and_says_what_is_expected() {
    for (rule, field, message) in [
        (r#"{ "leese": 1 }"#, ".leese", "unknown field `leese`, expected one of `lease`"),
        (r#"{ "onLoss": "exit" }"#, ".onLoss", "unknown variant `exit`, expected one of `retry`, "),
        (r#"{ "retry": { "jitter": 1.2 } }"#, ".retry.jitter", "invalid type: floating point"),
        (r#"{ "retry": { "factor": 1.6 } }"#, ".retry.factor", "unknown field `factor`, expected"),
        (r#"{ "lease": null }"#, ".lease", "invalid type: null, expected an object"),
        (r#"{ "retry": { "every": 1250 } }"#, ".retry.every", "1250 has no unit; write 1.25s or "),
        (r#"{ "lease": {} }"#, "", "lease: missing field `from`"),
        (r#"{ "retry": {}, "retry": {} }"#, ".retry", "duplicate field `retry`"),
        (r#"{ "retry": "5s" }"#, ".retry", "invalid type: string \"5s\", expected an object"),
        (r#"{ "timeout": "ttll" }"#, ".timeout", "\"ttll\" is not a duration"),
        (r#"{ "retry": { "every": "0s" } }"#, "", "retry.every: expected more than 0"),
        (BOTH_LENGTHS, "", "lease: leave out length or margin"),
        (r#"{ "toleratedFailures": 16 }"#, "", "toleratedFailures: expected at most 15"),
        (r#"{ "name": "" }"#, "", "name: expected 1 to 60 characters, not 0"),
        ("7", "", "invalid type: integer `7`, expected a runner"),
    ] {
        let path = format!("clients[1].runner{field}");
        let error =
            Question::from_json(&format!(r#"{{ "clients": [{{}}, {{ "runner": {rule} }}] }}"#))
                .expect_err(rule);
        assert_eq!(error.field, path, "{error}");
        assert!(error.message.starts_with(message), "{error}");
        let scenario = format!(
            "{{ \"name\": \"x\", \"until\": \"1s\", \"clients\": [{{ \"name\": \"a\", \"key\": \"k\" }},\n{{ \"name\": \"b\", \"key\": \"k\", \"runner\": {rule} }}] }}"
        );
        let error = Scenario::from_json(&scenario).expect_err(rule);
        assert_eq!((error.line, error.path), (2, path));
    }
}

#[test]
fn each_time_of_a_rule_is_on_the_grid() {
    let parts = ["lease.length", "lease.margin", "renew.every", "retry.every", "retry.jitter"];
    let calls = ["timeout", "firstTimeout", "acquireTimeout", "releaseTimeout", "fetchOwner"];
    for member in [&parts[..], &calls].concat() {
        let rule = match member.split_once('.') {
            Some((object, own)) => json!({ object: { "from": "reply", own: "1009ms" } }),
            None => json!({ member: "1009ms" }),
        };
        let question = Question::from_json(&json!({ "runner": rule }).to_string()).expect(member);
        assert_eq!(question.exact_grid().as_ms(), 1, "{member}");
    }
}

// Three attempts that take 2 s each, with a wait before each: 12 s without jitter, 15 s with 1 s of it.
#[test]
fn a_question_tries_each_wait_that_jitter_allows() {
    for (jitter, verdict, clients) in [
        ("900ms", Verdict::Safe, ClientCount::Any),
        ("1100ms", Verdict::Unsafe, ClientCount::Of(2)),
    ] {
        let retry = json!({ "every": "2s", "jitter": jitter });
        let rule = json!({ "retry": retry, "timeout": "2s", "toleratedFailures": 2 });
        let bounds = r#""latency": "0s", "faults": { "lostMessage": "any" }"#;
        let answer = asked(&rule, 15, bounds);
        assert_eq!((answer.verdict, answer.clients), (verdict, clients), "{jitter}: {answer}");
    }
}

/// A random rule whose lease is replaced, and a deadline of none where the boundary of a lease from
/// the reply is asked: with one, some late answers never grant anything.
fn with_lease(random: &mut Random, lease: Value) -> Value {
    let rule = random_rule(&mut |limit| random.below(limit));
    let mut rule: Value = serde_json::from_str(&rule).expect("it is JSON");
    if lease["from"] == "reply" {
        for call in ["timeout", "firstTimeout", "acquireTimeout"] {
            rule[call] = json!("unlimited");
        }
    }
    rule["lease"] = lease;
    rule
}

// Deleted rows, failovers, suspends and late Releases of the same owner take a row away early.
#[test]
fn a_lease_from_the_request_that_is_no_longer_than_the_ttl_is_safe_under_every_other_fault() {
    let others = ["lostMessage", "lostReply", "crash", "duplicate", "disconnect", "restart"];
    let lasting =
        "pause partition isolation stall locketPause locketCrash locketDrain databaseCrash";
    for case in 0..number("CASES").unwrap_or(500) {
        let mut random = Random::of(number("SEED").unwrap_or(1), case);
        let ttl = 3 + random.below(3);
        let length = 1 + random.below(ttl);
        let rule =
            with_lease(&mut random, json!({ "from": "request", "length": format!("{length}s") }));
        let mut faults = json!({});
        for fault in others {
            if random.below(2) == 0 {
                faults[fault] = json!("any");
            }
        }
        for fault in lasting.split(' ') {
            if random.below(2) == 0 {
                faults[fault] =
                    json!({ "length": format!("{}s", 1 + random.below(9)), "count": "any" });
            }
        }
        let profile = random.pick(&["documented", "upstream"]);
        let bounds = format!(
            r#""profile": "{profile}", "latency": "{}s", "processes": {}, "databaseLatency": "{}s", "faults": {faults}"#,
            random.below(3),
            1 + random.below(2),
            random.below(2)
        );
        let answer = asked(&rule, ttl, &bounds);
        let proved = (answer.verdict, answer.clients);
        let about = format!("case {case}: {rule} {ttl} {bounds}: {answer}");
        assert_eq!(proved, (Verdict::Safe, ClientCount::Any), "{about}");
    }
}

#[test]
fn a_lease_from_the_reply_is_safe_if_and_only_if_it_ends_in_time_after_latency_and_pause() {
    let mut safe = 0;
    for case in 0..number("CASES").unwrap_or(60) {
        let mut random = Random::of(number("SEED").unwrap_or(2), case);
        let (ttl, length) = (3 + random.below(4), 1 + random.below(4));
        let (latency, pause) = (random.below(3), 1 + random.below(3));
        let rule =
            with_lease(&mut random, json!({ "from": "reply", "length": format!("{length}s") }));
        let bounds = format!(
            r#""latency": "{latency}s", "faults": {{ "pause": {{ "length": "{pause}s", "count": "any" }}, "lostMessage": "any" }}"#
        );
        let answer = asked(&rule, ttl, &bounds);
        let is_in_time = length + latency + pause <= ttl;
        assert_eq!(answer.verdict == Verdict::Safe, is_in_time, "{rule} {ttl} {bounds}: {answer}");
        safe += u64::from(is_in_time);
    }
    assert!(safe > 10, "{safe}");
}
