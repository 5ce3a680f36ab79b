//! Advice is what searches prove.

use std::collections::BTreeMap;

use locket_sim::check::{Adviser, BoshJob, Property, Question, Verdict};
use locket_sim::scenario::RunnerKind;

use super::rig::{STATES_MAX, one_pause, s, tolerating, upstream, verdict};

fn advice(question: &Question) -> locket_sim::check::Advice {
    question
        .advise(STATES_MAX)
        .expect("the question makes sense")
}

#[test]
fn safe_settings_have_as_much_pause_to_spare_as_the_map_says() {
    let advice = advice(&upstream(15, 5, one_pause(1, 3)));
    assert_eq!(advice.verdict, Verdict::Proved);
    assert_eq!(advice.spare_pause, Some(s(4)));
    assert!(advice.alternatives.is_empty());
}

#[test]
fn unsafe_settings_come_with_the_nearest_safe_ones() {
    let question = upstream(15, 5, one_pause(1, 9));
    let advice = advice(&question);
    assert_eq!(advice.verdict, Verdict::Violated);
    let found = advice.alternatives.iter();
    let found: Vec<_> = found.map(|it| (it.runner, it.ttl, it.retry)).collect();
    assert_eq!(
        found,
        [
            (RunnerKind::Upstream, s(17), s(5)),
            (RunnerKind::Upstream, s(15), s(3)),
            (RunnerKind::Safe, s(15), s(5)),
        ]
    );
    for (ttl, retry) in [(16, 5), (15, 4)] {
        let nearer = upstream(ttl, retry, one_pause(1, 9));
        assert_eq!(verdict(nearer), Verdict::Violated);
    }
}

#[test]
fn the_cost_of_settings_is_their_handover_and_their_requests() {
    let cost = advice(&upstream(15, 5, one_pause(1, 0))).cost;
    assert_eq!(cost.handover_max, s(24));
    assert_eq!(cost.renewals_per_hour, 720);
    let handover = |within| {
        let mut question = upstream(15, 5, one_pause(1, 0));
        question.bounds.crashes = 1;
        question.property = Property::Handover { within };
        verdict(question)
    };
    assert_eq!(handover(s(24)), Verdict::Proved);
    assert_eq!(handover(s(23)), Verdict::Violated);
}

#[test]
fn advice_in_json_says_the_same() {
    let question = tolerating(upstream(15, 5, one_pause(1, 9)), 0);
    let json = advice(&question).to_json();
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["sparePause"], serde_json::Value::Null);
    assert_eq!(json["alternatives"][0]["ttl"], 17_000);
}

#[test]
fn longer_leases_are_left_out_only_where_they_are_safe_too() {
    for (ttl, retry, bounds) in [
        (3, 1, one_pause(1, 9)),
        (5, 2, one_pause(2, 6)),
        (6, 5, one_pause(1, 4)),
        (2, 2, one_pause(3, 0)),
    ] {
        let found = advice(&upstream(ttl, retry, bounds)).alternatives;
        let longer = found.iter().find(|it| it.ttl > s(ttl));
        let mut every = (ttl + 1..=ttl * 4).map(|ttl| (ttl, verdict(upstream(ttl, retry, bounds))));
        let first = every.find(|(_, verdict)| *verdict == Verdict::Proved);
        assert_eq!(
            longer.map(|it| it.ttl),
            first.map(|(ttl, _)| s(ttl)),
            "{ttl} {retry}"
        );
        let unsafe_again = every.find(|(_, verdict)| *verdict != Verdict::Proved);
        assert_eq!(unsafe_again, None, "{ttl} {retry}");
    }
}

#[test]
fn advice_about_a_job_says_what_no_property_sets() {
    let job = BoshJob::named("routing-api").expect("it is known");
    let settings = job.settings(&BTreeMap::new());
    let settings = settings
        .expect("nothing is wrong")
        .expect("it keeps a lock");
    let mut question = settings.question();
    question.bounds = one_pause(1, 9);
    let adviser = Adviser::new(question, STATES_MAX).expect("the question makes sense");
    let mut adviser = adviser.of_job(settings);
    assert!(adviser.run(u64::MAX));
    let found = adviser.advice().alternatives.iter();
    let found: Vec<_> = found.map(|it| (it.ttl, it.retry, it.is_settable)).collect();
    let expected = [
        (s(17), s(5), false),
        (s(15), s(3), true),
        (s(15), s(5), false),
    ];
    assert_eq!(found, expected);
    let text = adviser.advice().to_string();
    assert!(
        text.starts_with("routing-api keeps a lock with the upstream runner"),
        "{text}"
    );
    assert_eq!(text.matches("; no property sets that").count(), 2, "{text}");
}

#[test]
fn a_presence_has_pause_to_spare_too() {
    let job = BoshJob::named("rep").expect("it is known");
    let settings = job.settings(&BTreeMap::new());
    let settings = settings
        .expect("nothing is wrong")
        .expect("it keeps a presence");
    let mut question = settings.question();
    question.bounds = one_pause(1, 3);
    let advice = advice(&question);
    let longest = advice.spare_pause.expect("it is proved").as_ms() / 1000 + 3;
    question.bounds = one_pause(1, longest);
    assert_eq!(verdict(question.clone()), Verdict::Proved);
    question.bounds = one_pause(1, longest + 1);
    assert_eq!(verdict(question), Verdict::Violated);
}
