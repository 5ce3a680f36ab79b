//! A job of a release is the runner that the job has in it, and what the table does not say is refused.

use locket_sim::check::{ClientQuestion, Property, Question, Reductions};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::ClientKind;
use locket_sim::time::Duration;

use super::rig::{s, search_with};

/// The runner, the TTL and the retry interval of a preset, or why it is refused.
fn preset(name: &str) -> Result<(String, u64, u64), String> {
    let job = ClientQuestion::preset(name).map_err(|error| error.message)?;
    let seconds = |time: Duration| time.as_ms() / 1000;
    Ok((job.runner.name().to_owned(), seconds(job.ttl), seconds(job.retry_interval)))
}

fn asked(text: &str) -> Question {
    Question::from_json(text).expect("it makes sense")
}

#[test]
fn a_preset_is_the_runner_that_the_job_has_in_that_release() {
    const OLD: &str = "upstream-before-2025-10";
    for (name, expected) in [
        ("diego-auctioneer@2.138.0", ("upstream", 15, 1)),
        ("diego-bbs@1.29.1", (OLD, 15, 1)),
        ("diego-bbs@2.102.0", (OLD, 15, 1)),
        ("diego-bbs@2.102", (OLD, 15, 1)),
        ("diego-bbs@2.122.9", (OLD, 15, 1)),
        ("diego-bbs@2.123.0", ("upstream", 15, 2)),
        ("diego-bbs@2.143.0", ("upstream", 15, 2)),
        ("diego-bbs@2.146.0", ("upstream", 15, 5)),
        ("diego-rep@2.122.0", (OLD, 15, 5)),
        ("diego-rep_windows@2.144.0", ("upstream", 15, 5)),
        ("diego-route_emitter_windows@2.105.0", (OLD, 15, 1)),
        ("routing-routing-api@0.351.0", (OLD, 15, 1)),
        ("routing-routing-api@0.385.0", ("upstream", 15, 1)),
        ("routing-routing-api@0.391.0", ("upstream", 15, 5)),
        ("capi-tps@1.220.0", (OLD, 15, 1)),
        ("capi-tps@1.221.0", ("upstream", 15, 1)),
        ("capi-cc_deployment_updater@1.100.0", ("cloud-controller", 15, 1)),
        ("cf-networking-policy-server-asg-syncer@3.86.0", (OLD, 15, 5)),
        ("cf-networking-policy-server-asg-syncer@3.88.0", ("upstream", 15, 5)),
    ] {
        let (runner, ttl, retry) = expected;
        assert_eq!(preset(name), Ok((runner.to_owned(), ttl, retry)), "{name}");
    }
}

#[test]
fn a_version_that_no_row_has_or_that_cannot_be_read_is_refused() {
    const UNKNOWN: &str = "nothing is known of ";
    const VERSION: &str = "expected a version such as diego-bbs@2.102.0, not ";
    const JOB: &str =
        "expected a job of a release or a library, one of diego-auctioneer, diego-bbs, ";
    for (name, message) in [
        // Newer than the table.
        ("diego-bbs@2.147.0", UNKNOWN),
        ("diego-bbs@123456789.0.0", UNKNOWN),
        // From before Locket, and between two rows.
        ("diego-bbs@1.4.0", UNKNOWN),
        ("diego-auctioneer@2.144.0", UNKNOWN),
        ("routing-routing-api@0.353.0", UNKNOWN),
        ("cf-networking-policy-server-asg-syncer@3.87.0", UNKNOWN),
        // No versions.
        ("diego-bbs@", VERSION),
        ("diego-bbs@latest", VERSION),
        ("diego-bbs@2", VERSION),
        ("diego-bbs@2.1O2.0", VERSION),
        ("diego-bbs@+2.102.0", VERSION),
        ("diego-bbs@2.102.0 ", VERSION),
        ("diego-bbs@2.102.0+dev.3", VERSION),
        ("diego-bbs@99999999999.1", VERSION),
        ("diego-bbs@2.102.0.1", VERSION),
        ("bbs@2.102.0", JOB),
        ("fork-bbs@2.102.0", JOB),
        ("etcd-session@9.9", JOB),
    ] {
        let error = preset(name).expect_err(name);
        assert!(error.starts_with(message), "{name}: {error}");
        assert!(message != JOB || error.ends_with(&format!("not {name:?}")), "{error}");
        let text = format!(r#"{{ "clients": [{{ "runner": {name:?} }}] }}"#);
        let in_question = Question::from_json(&text).expect_err(name);
        assert_eq!((in_question.field.as_str(), in_question.message), ("clients[0].runner", error));
    }
}

#[test]
fn every_row_has_a_source_is_a_question_and_follows_the_row_before_it() {
    let read = |text| serde_json::from_str::<serde_json::Value>(text).expect("it is JSON");
    let table = read(include_str!("../../src/check/question/presets.json"));
    let more = read(include_str!("../../src/check/question/releases.json"));
    for jobs in table.as_array().expect("a list") {
        let rows = jobs["rows"].as_array().expect("a list");
        let ends = rows.iter().flat_map(|row| [&row["from"], &row["to"]]);
        let ends: Vec<_> = ends.map(|end| end.as_str().expect("a version")).collect();
        // `2.143` is every 2.143.x.
        let numbers = |end: &&str| -> Vec<u32> {
            let all = end.split('.').map(|it| it.parse().expect("a number"));
            all.chain([u32::MAX; 2]).take(3).collect()
        };
        assert!(ends.is_sorted_by_key(numbers), "{jobs}");
        for (row, name) in rows.iter().zip(ends.chunks(2)).flat_map(|(row, ends)| {
            let names = jobs["jobs"].as_array().expect("a list").iter();
            names.map(move |job| (row, format!("{}-{}@{}", jobs["release"], job, ends[0])))
        }) {
            let name = name.replace('"', "");
            let job = ClientQuestion::preset(&name).expect("its own row has it");
            assert_eq!(job.runner.name(), row["runner"], "{name}");
            assert_eq!(asked(&format!(r#"{{ "runner": {name:?} }}"#)).check(), Ok(()), "{name}");
        }
    }
    for (name, it) in more.as_object().expect("an object") {
        let text = |member| it[member].as_str().expect("a text");
        let has_source = text("source").split(' ').count() >= 2 && text("date").len() == 10;
        assert!(has_source && ClientQuestion::preset(name).is_ok(), "{name}");
    }
}

#[test]
fn a_question_takes_from_a_preset_what_it_does_not_say() {
    let bbs = asked(r#"{ "runner": "diego-bbs@2.138.0" }"#);
    let job = ClientQuestion::preset("diego-bbs@2.138.0").expect("it is known");
    assert_eq!((bbs.profile, bbs.clients), (Profile::UPSTREAM, vec![job.clone(), job]));
    assert_eq!(bbs.property, Property::OneOwner { allow: Duration::ZERO });
    let other = r#"{ "runner": "diego-bbs@2.138.0", "profile": "documented", "ttl": "30s",
        "clients": [{ "retryInterval": "3s" }, { "runner": "safe" }] }"#;
    let other = asked(other);
    assert_eq!(other.profile, Profile::DOCUMENTED);
    let times: Vec<_> = other.clients.iter().map(|it| (it.ttl, it.retry_interval)).collect();
    assert_eq!(times, [(s(30), s(3)), (s(30), s(5))]);
}

#[test]
fn a_cell_is_asked_whether_its_presence_is_ever_gone() {
    let rep = asked(r#"{ "runner": "diego-rep@2.138.0" }"#);
    assert_eq!(rep.clients, [ClientQuestion::preset("diego-rep@2.138.0").expect("it is known")]);
    assert_eq!(rep.clients[0].kind, ClientKind::Presence);
    assert_eq!(rep.property, Property::PresenceGap { allow: Duration::ZERO });
}

#[test]
fn an_answer_says_which_settings_it_is_about() {
    for (question, settings) in [
        (
            r#"{ "runner": "diego-bbs@2.102.0" }"#,
            "upstream-before-2025-10 runner, TTL 15 s, retry 1 s, on the shipped Locket",
        ),
        (
            r#"{ "runner": "diego-rep@2.138.0" }"#,
            "upstream runner of a presence, TTL 15 s, retry 5 s, on the shipped Locket",
        ),
        (
            r#"{ "retryInterval": "20s", "margin": "2s", "clients": [{}, { "ttl": "25s", "runner": "upstream" }] }"#,
            "safe runner, TTL 15 s, retry 20 s (its row may expire before each renewal), margin 2 s; \
             upstream runner, TTL 25 s, retry 20 s, on the documented Locket",
        ),
    ] {
        let search = search_with(asked(question), Reductions::default());
        let summary = search.answer().expect("it is answered").summary();
        let expected = format!(" Settings: {settings}. Bounds: messages ≤ 1 s, ");
        assert!(summary.contains(&expected), "{summary}");
    }
}
