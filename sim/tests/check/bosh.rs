//! The settings of BOSH jobs are what the jobs make of a manifest.

use std::collections::BTreeMap;

use locket_sim::check::{BOSH_JOBS, BoshJob, BoshSettings, Property, QuestionError, Verdict};
use locket_sim::scenario::ClientKind;
use locket_sim::time::Duration;

use super::rig::{one_pause, s, verdict};

fn settings(job: &str, properties: &[(&str, &str)]) -> Result<Option<BoshSettings>, QuestionError> {
    let given = properties.iter();
    let given: BTreeMap<_, _> = given
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    BoshJob::named(job)
        .expect("the job is known")
        .settings(&given)
}

fn times(job: &str, properties: &[(&str, &str)]) -> (Duration, Duration) {
    let settings = settings(job, properties).expect("the properties make sense");
    let settings = settings.expect("it keeps something in Locket");
    (settings.ttl, settings.retry_interval)
}

#[test]
fn without_properties_a_job_has_the_numbers_of_its_program() {
    assert_eq!(times("bbs", &[]), (s(15), s(5)));
    assert_eq!(times("route_emitter", &[]), (s(15), s(1)));
    assert_eq!(times("cc_deployment_updater", &[]), (s(15), s(1)));
}

#[test]
fn a_property_sets_what_its_job_reads() {
    let retry_interval = ("routing_api.lock_retry_interval", "2s");
    assert_eq!(times("routing-api", &[retry_interval]), (s(15), s(2)));
    assert_eq!(
        times("rep", &[("diego.rep.locket.lock_ttl", "45s")]),
        (s(45), s(5))
    );
    assert_eq!(times("bbs", &[retry_interval]), (s(15), s(5)));
}

#[test]
fn a_property_that_nothing_reads_is_named() {
    let ttl = ("routing_api.lock_ttl", "30s");
    let settings = settings("routing-api", &[ttl]).unwrap().unwrap();
    assert_eq!(settings.ttl, s(15));
    assert_eq!(settings.ignored, ["routing_api.lock_ttl"]);
    let words = settings.to_string();
    assert!(
        words
            .ends_with("TTL 15 s, fixed in the job; retry 5 s; routing_api.lock_ttl has no effect"),
        "{words}"
    );
}

#[test]
fn a_lease_is_read_as_go_writes_it_and_cut_to_whole_seconds() {
    for (text, seconds) in [("1m30s", 90), ("1500ms", 1), ("1.5m", 90), ("45s", 45)] {
        let (ttl, _) = times("rep", &[("diego.rep.lock_ttl", text)]);
        assert_eq!(ttl, s(seconds), "{text}");
    }
}

#[test]
fn a_value_that_is_no_duration_is_refused_with_its_property() {
    for text in [
        "",
        "45",
        "999ms",
        "0s",
        "-1s",
        "soon",
        "1s 2s",
        "((ttl))",
        "99999999999999999999s",
    ] {
        let error = settings("rep", &[("diego.rep.lock_ttl", text)]).unwrap_err();
        assert_eq!(error.field, "properties.diego.rep.lock_ttl", "{text}");
    }
}

#[test]
fn a_job_that_is_told_so_keeps_nothing_in_locket() {
    for (job, name, value) in [
        ("route_emitter", "diego.route_emitter.local_mode", "true"),
        ("rep", "cell_registrations.locket.enabled", "false"),
        ("policy-server-asg-syncer", "disable", "true"),
    ] {
        assert_eq!(settings(job, &[(name, value)]), Ok(None), "{job}");
        assert!(settings(job, &[(name, "else")]).unwrap().is_some(), "{job}");
    }
}

#[test]
fn every_job_is_a_question_that_makes_sense() {
    for job in &BOSH_JOBS {
        let settings = job.settings(&BTreeMap::new()).unwrap().unwrap();
        let mut question = settings.question();
        assert_eq!(question.check(), Ok(()), "{}", job.name);
        question.bounds = one_pause(1, 1);
        assert_eq!(verdict(question), Verdict::Safe, "{}", job.name);
    }
}

#[test]
fn a_presence_is_asked_whether_it_is_ever_gone() {
    let settings = settings("rep", &[]).unwrap().unwrap();
    assert_eq!(settings.job.kind, ClientKind::Presence);
    let mut question = settings.question();
    let allow = Duration::ZERO;
    assert_eq!(question.property, Property::PresenceGap { allow });
    question.bounds = one_pause(1, 7);
    assert_eq!(verdict(question.clone()), Verdict::Safe);
    question.bounds = one_pause(1, 12);
    assert_eq!(verdict(question), Verdict::Unsafe);
}
