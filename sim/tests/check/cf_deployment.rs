//! Seventeen versions of cf-deployment, from 2016 to 2026: each job is judged with the runner, the
//! times and the switches of its release, and the verdict is that of the question asked by hand.

use std::collections::BTreeMap;

use locket_sim::check::{
    BoshJob, BoshUse, BoshVersion, BoshWhy, Bounds, ClientQuestion, Fault, Property, Question,
    Verdict,
};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, RunnerKind};
use locket_sim::time::Duration;
use serde::Deserialize;

use super::rig::{s, verdict};

#[derive(Deserialize)]
struct Data {
    bounds: Faults,
    versions: Vec<Version>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Faults {
    latency_ms: u64,
    lost_messages: u8,
}

#[derive(Deserialize)]
struct Version {
    tag: String,
    releases: BTreeMap<String, String>,
    jobs: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    job: String,
    release: String,
    properties: BTreeMap<String, String>,
    /// The state, or the runner, TTL, retry interval and verdict.
    expect: String,
}

fn data() -> Data {
    serde_json::from_str(include_str!("cf_deployment.json")).expect("the data is valid")
}

impl Faults {
    fn bounds(&self) -> Bounds {
        Bounds { latency: Duration::from_ms(self.latency_ms), ..Bounds::default() }
            .with(Fault::LostMessage, self.lost_messages)
    }
}

/// The verdict on a question, searched once for equal ones.
fn asked(question: &Question, known: &mut Vec<(Question, Verdict)>) -> Verdict {
    if let Some((_, verdict)) = known.iter().find(|(it, _)| it == question) {
        return *verdict;
    }
    let verdict = verdict(question.clone());
    known.push((question.clone(), verdict));
    verdict
}

/// The question about these settings, asked by hand.
fn by_hand(kind: ClientKind, [runner, ttl, retry]: [&str; 3], bounds: Bounds) -> Question {
    let runner: RunnerKind = serde_json::from_value(runner.into()).expect("there is such a runner");
    let seconds = |text: &str| s(text.parse().expect("whole seconds"));
    let client =
        ClientQuestion { kind, ..ClientQuestion::new(runner, seconds(ttl), seconds(retry)) };
    let allow = Duration::ZERO;
    let is_presence = kind == ClientKind::Presence;
    Question {
        profile: Profile::UPSTREAM,
        clients: vec![client.clone(); if is_presence { 1 } else { 2 }],
        property: if is_presence {
            Property::PresenceGap { allow }
        } else {
            Property::OneOwner { allow }
        },
        bounds,
        ..Question::one_owner(client)
    }
}

fn found(
    job: &Job,
    version: &Version,
    bounds: Bounds,
    known: &mut Vec<(Question, Verdict)>,
) -> String {
    let table = BoshJob::named(&job.job).expect("the job is in the table");
    assert_eq!(table.release, job.release);
    let release = version.releases.get(&job.release).expect("the release is listed");
    let used = table.settings(BoshVersion::parse(release).expect("it is one"), &job.properties);
    let settings = match used.expect("the properties make sense") {
        BoshUse::Kept(settings) => settings,
        BoshUse::Not(absence) => {
            let state = match absence.why {
                BoshWhy::BeforeLocket => "before-locket",
                BoshWhy::Off { .. } => "off",
                BoshWhy::Unknown { .. } => "unknown",
            };
            return state.to_owned();
        }
    };
    let question = Question { bounds, ..settings.question() };
    let verdict = format!("{:?}", asked(&question, known)).to_lowercase();
    let seconds = |time: Duration| time.as_ms() / 1000;
    let (ttl, retry) = (seconds(settings.ttl), seconds(settings.retry_interval));
    format!("{} {ttl} {retry} {verdict}", settings.facts.runner.name())
}

#[test]
fn every_job_of_17_versions_has_the_settings_and_the_verdict_of_its_release() {
    let data = data();
    let bounds = data.bounds.bounds();
    assert_eq!(data.versions.len(), 17);
    let mut known = Vec::new();
    let mut wrong = Vec::new();
    for version in &data.versions {
        for job in &version.jobs {
            let found = found(job, version, bounds, &mut known);
            if found != job.expect {
                wrong
                    .push(format!("{} {}: {found}, expected {}", version.tag, job.job, job.expect));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(known.len() >= 7, "{}", known.len());
}

#[test]
fn the_verdict_on_a_job_is_that_of_the_question_asked_by_hand() {
    let data = data();
    let mut known = Vec::new();
    for job in data.versions.iter().flat_map(|version| &version.jobs) {
        let parts: Vec<_> = job.expect.split(' ').collect();
        let &[runner, ttl, retry, expected] = parts.as_slice() else {
            continue;
        };
        let kind = BoshJob::named(&job.job).expect("it is in the table").kind;
        let question = by_hand(kind, [runner, ttl, retry], data.bounds.bounds());
        let verdict = format!("{:?}", asked(&question, &mut known)).to_lowercase();
        assert_eq!(verdict, expected, "{} {}", job.job, job.expect);
    }
}
