//! The settings of BOSH jobs are what the jobs of a release make of a manifest.

use std::collections::{BTreeMap, BTreeSet};

use locket_sim::check::{
    BOSH_JOBS, BoshJob, BoshLocket, BoshSettings, BoshUse, BoshVersion, BoshWhy, Property,
    QuestionError, Verdict,
};
use locket_sim::scenario::ClientKind;
use locket_sim::time::Duration;

use super::rig::{one_pause, s, verdict};

/// The settings of a job in a version of its release; the newest if there is none.
fn used(job: &str, version: &str, properties: &[(&str, &str)]) -> Result<BoshUse, QuestionError> {
    let given = properties.iter();
    let given: BTreeMap<_, _> =
        given.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let job = BoshJob::named(job).expect("the job is known");
    job.settings(BoshVersion::parse(version)?, &given)
}

fn kept(job: &str, version: &str, properties: &[(&str, &str)]) -> BoshSettings {
    let used = used(job, version, properties).expect("the properties make sense");
    used.kept().expect("it keeps something in Locket")
}

/// Its runner, TTL and retry interval in seconds.
fn facts(job: &str, version: &str) -> (&'static str, u64, u64) {
    let settings = kept(job, version, &[]);
    let seconds = |time: Duration| time.as_ms() / 1000;
    (settings.facts.runner.name(), seconds(settings.ttl), seconds(settings.retry_interval))
}

fn why(job: &str, version: &str, properties: &[(&str, &str)]) -> String {
    match used(job, version, properties) {
        Ok(BoshUse::Not(absence)) => absence.to_string(),
        other => panic!("{job} {version} {properties:?}: {other:?}"),
    }
}

#[test]
fn a_fact_with_a_date_is_told_of_its_releases_only() {
    const OLD: &str = "upstream-before-2025-10";
    for (job, version, expected) in [
        ("bbs", "2.102.0", (OLD, 15, 1)),
        ("bbs", "2.122.0", (OLD, 15, 1)),
        ("bbs", "2.123.0", ("upstream", 15, 2)),
        ("bbs", "2.143", ("upstream", 15, 2)),
        ("bbs", "", ("upstream", 15, 5)),
        ("auctioneer", "2.75.0", (OLD, 15, 1)),
        ("auctioneer", "2.138.0", ("upstream", 15, 1)),
        ("rep", "2.122.0", (OLD, 15, 5)),
        ("rep_windows", "v2.122.0+dev.1", (OLD, 15, 5)),
        ("rep", "2.123.0", ("upstream", 15, 5)),
        ("route_emitter_windows", "2.105.0", (OLD, 15, 1)),
        ("routing-api", "0.351.0", (OLD, 15, 1)),
        ("routing-api", "0.385.0", ("upstream", 15, 1)),
        ("routing-api", "0.400.0", ("upstream", 15, 5)),
        ("tps", "1.220.0", (OLD, 15, 1)),
        ("tps", "1.221.0", ("upstream", 15, 1)),
        ("policy-server-asg-syncer", "3.86.0", (OLD, 15, 5)),
        ("policy-server-asg-syncer", "3.88.0", ("upstream", 15, 5)),
        ("cc_deployment_updater", "1.100.0", ("cloud-controller", 15, 1)),
    ] {
        assert_eq!(facts(job, version), expected, "{job} {version}");
    }
}

#[test]
fn what_decides_and_is_not_known_is_not_judged() {
    for (job, version, what) in [
        ("bbs", "1.10.0", "no deadline"),
        ("bbs", "2.144.0", "retry interval"),
        ("routing-api", "0.353.0", "2025-10-27"),
        ("policy-server-asg-syncer", "3.87.0", "2025-10-27"),
    ] {
        let words = why(job, version, &[]);
        assert!(words.contains("cannot be judged") && words.contains(what), "{words}");
    }
}

#[test]
fn a_release_from_before_locket_is_not_judged() {
    for (job, version, since) in [
        ("bbs", "1.4.0", "1.6.2, 2017-02-06"),
        ("rep", "0.1482.0", "1.10.0"),
        ("routing-api", "0.142.0", "0.150.0"),
        ("tps", "1.14.0", "1.27.0"),
    ] {
        let words = why(job, version, &[]);
        assert!(words.contains("in Locket yet") && words.contains(since), "{words}");
    }
    let locket = BoshLocket::of(BoshVersion::parse("1.4.0").expect("it is one")).to_string();
    assert_eq!(locket, "diego 1.4.0 has no Locket yet");
}

#[test]
fn every_row_has_a_source_and_follows_the_one_before_it() {
    for job in &BOSH_JOBS {
        let since: Vec<_> = job.rows.iter().map(|row| (row.since, row.date)).collect();
        assert!(since.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{}", job.name);
        for row in job.rows {
            let parts = row.source.split(' ').count();
            assert!(parts >= 2 && row.date.len() == 10, "{} {row}", job.name);
        }
    }
    let names: BTreeSet<_> = BOSH_JOBS.iter().map(|job| job.name).collect();
    assert_eq!(names.len(), BOSH_JOBS.len());
}

#[test]
fn a_property_sets_what_its_release_reads() {
    let retry = ("routing_api.lock_retry_interval", "2s");
    let times = |it: &BoshSettings| (it.ttl, it.retry_interval);
    assert_eq!(times(&kept("routing-api", "", &[retry])), (s(15), s(2)));
    let old = kept("routing-api", "0.385.0", &[retry]);
    assert_eq!((times(&old), old.ignored), ((s(15), s(1)), vec![retry.0]));
    let ttl = ("diego.rep.locket.lock_ttl", "45s");
    assert_eq!(times(&kept("rep", "", &[ttl])), (s(45), s(5)));
    let old = kept("rep", "2.138.0", &[ttl]);
    assert_eq!((times(&old), old.ignored), ((s(15), s(5)), vec![ttl.0]));
    assert_eq!(times(&kept("bbs", "", &[retry])), (s(15), s(5)));
}

#[test]
fn a_property_that_nothing_reads_is_named() {
    let ttl = ("routing_api.lock_ttl", "30s");
    let settings = kept("routing-api", "", &[ttl]);
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
        let settings = kept("rep", "", &[("diego.rep.lock_ttl", text)]);
        assert_eq!(settings.ttl, s(seconds), "{text}");
    }
}

#[test]
fn a_value_that_is_no_duration_is_refused_with_its_property() {
    for text in
        ["", "45", "999ms", "0s", "-1s", "soon", "1s 2s", "((ttl))", "99999999999999999999s"]
    {
        let error = used("rep", "", &[("diego.rep.lock_ttl", text)]).unwrap_err();
        assert_eq!(error.field, "properties.diego.rep.lock_ttl", "{text}");
    }
}

#[test]
fn a_switch_turns_a_lock_off_only_where_its_release_reads_it() {
    const LOCKS: &str = "locks.locket.enabled";
    const CELLS: &str = "cell_registrations.locket.enabled";
    const LOCAL: &str = "diego.route_emitter.local_mode";
    for (job, version, property, off) in [
        ("auctioneer", "2.70.0", LOCKS, "false"),
        ("bbs", "2.0.0", LOCKS, "no"),
        ("rep", "2.70.0", CELLS, "false"),
        ("route_emitter", "2.118.0", LOCKS, "false"),
        ("route_emitter", "", LOCAL, "true"),
        ("route_emitter_windows", "", LOCAL, "true"),
        ("policy-server-asg-syncer", "", "disable", "true"),
    ] {
        let words = why(job, version, &[(property, off)]);
        assert!(words.contains(property), "{words}");
        kept(job, version, &[(property, "else")]);
    }
    for (job, version, property) in [
        ("auctioneer", "2.71.0", LOCKS),
        ("bbs", "", LOCKS),
        ("rep", "2.102.0", CELLS),
        ("rep", "", CELLS),
        ("route_emitter", "2.119.0", LOCKS),
    ] {
        let settings = kept(job, version, &[(property, "false")]);
        assert_eq!(settings.ignored, [property], "{job} {version}");
        let settings = kept(job, version, &[(property, "true")]);
        assert!(settings.ignored.is_empty(), "{job} {version}");
    }
    // Once it had to be turned on.
    assert!(why("bbs", "1.29.1", &[]).ends_with("diego.bbs.locket.api_location is not set"));
    let location = ("diego.bbs.locket.api_location", "locket.service.cf.internal:8891");
    assert!(kept("bbs", "1.29.1", &[location]).is_in_consul);
    let alone = ("diego.bbs.skip_consul_lock", "true");
    assert!(!kept("bbs", "1.29.1", &[location, alone]).is_in_consul);
    assert!(why("route_emitter", "1.34.0", &[]).ends_with("locks.locket.enabled is not true"));
}

#[test]
fn keepalive_is_told_and_checked_as_the_template_does() {
    let time = "diego.rep.locket.client_keepalive_time";
    let timeout = "diego.rep.locket.client_keepalive_timeout";
    let told = |properties: &[_]| kept("rep", "2.138.0", properties).notes().join("\n");
    assert!(told(&[(time, "12")]).contains("a ping after 12 s"), "{}", told(&[(time, "12")]));
    assert!(told(&[(time, "1")]).contains("noticed within 32 s"));
    assert!(told(&[(time, "0")]).contains("no pings"));
    assert!(!told(&[]).contains("Keepalive"));
    for properties in [[(time, "30"), (timeout, "22")], [(time, "5"), (timeout, "soon")]] {
        let error = used("rep", "2.138.0", &properties).unwrap_err();
        assert!(error.field.starts_with("properties.diego.rep.locket.client_keepalive"));
    }
    assert_eq!(kept("rep", "2.74.0", &[(time, "12")]).ignored, [time]);
}

#[test]
fn the_facts_in_use_are_named() {
    let notes = kept("bbs", "2.102.0", &[]).notes();
    let facts = "Facts of diego 2.102.0: since 2.75.0, 2023-04-28: cloudfoundry/locket \
                 locket_client.go 1f63346";
    assert_eq!(notes, [facts]);
    let notes = kept("bbs", "", &[]).notes();
    assert!(
        notes[0].starts_with("Facts, assumed: newest diego: assumed: since 2.146.0"),
        "{notes:?}"
    );
}

#[test]
fn locket_undoes_abandoned_calls_until_its_change_of_2026() {
    for (version, expected) in
        [("2.102.0", Some(true)), ("2.138.0", None), ("2.139.0", Some(false)), ("", Some(false))]
    {
        let locket = BoshLocket::of(BoshVersion::parse(version).expect("it is one"));
        let row = locket.row.expect("it has Locket");
        assert_eq!(row.cancels, expected, "{version}");
        let until = "(until cloudfoundry/locket handlers/handler.go 1aa8a6e)";
        let is_told = locket.to_string().contains(until);
        assert_eq!(is_told, expected != Some(false), "{locket}");
    }
}

#[test]
fn a_first_version_that_follows_only_from_dates_is_told_as_assumed() {
    for (job, version) in [
        ("auctioneer", "2.125.0"),
        ("bbs", "2.143.0"),
        ("rep", "2.123.0"),
        ("rep_windows", "2.138.0"),
        ("route_emitter", "2.130.0"),
    ] {
        let notes = kept(job, version, &[]).notes();
        let expected = format!("Facts of diego {version}: assumed: since 2.123.0, 2025-11-18: ");
        assert!(notes[0].starts_with(&expected), "{job}: {notes:?}");
    }
    let locket =
        |version| BoshLocket::of(BoshVersion::parse(version).expect("it is one")).to_string();
    let newest = locket("2.140.0");
    assert!(
        newest.ends_with(
            "(assumed: since 2.139.0, 2026-06-30: cloudfoundry/locket handlers/handler.go 1aa8a6e)"
        ),
        "{newest}"
    );
    assert!(!locket("2.102.0").contains("assumed"));
}

#[test]
fn every_job_is_a_question_that_makes_sense_in_each_of_its_rows() {
    for job in &BOSH_JOBS {
        for row in job.rows {
            let used = job.settings(Some(row.since), &BTreeMap::new()).unwrap();
            let settings = match used {
                BoshUse::Kept(settings) => settings,
                BoshUse::Not(absence) => {
                    assert_ne!(absence.why, BoshWhy::BeforeLocket, "{absence}");
                    continue;
                }
            };
            assert_eq!(settings.question().check(), Ok(()), "{}", job.name);
        }
        let settings = job.settings(None, &BTreeMap::new()).unwrap().kept().unwrap();
        let mut question = settings.question();
        question.bounds = one_pause(1, 1);
        assert_eq!(verdict(question), Verdict::Safe, "{}", job.name);
    }
}

#[test]
fn a_presence_is_asked_whether_it_is_ever_gone() {
    let settings = kept("rep", "", &[]);
    assert_eq!(settings.job.kind, ClientKind::Presence);
    let mut question = settings.question();
    let allow = Duration::ZERO;
    assert_eq!(question.property, Property::PresenceGap { allow });
    question.bounds = one_pause(1, 7);
    assert_eq!(verdict(question.clone()), Verdict::Safe);
    question.bounds = one_pause(1, 12);
    assert_eq!(verdict(question), Verdict::Unsafe);
}
