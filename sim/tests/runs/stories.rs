//! Claims about the shipped scenarios: the expectations of each hold, and each expectation can
//! fail.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::fs;
use std::path::Path;

use locket_sim::scenario::{Action, Scenario};
use locket_sim::time::Duration;
use locket_sim::trace::Run;

pub(super) const DIGESTS: &str = "digests.json";
const FIRST_LOOK: &str = "first-look.json";

/// The names and texts of all shipped scenarios, by name.
pub(super) fn shipped() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut shipped: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|it| it == "json"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .filter(|(name, _)| name != DIGESTS)
        .collect();
    shipped.sort();
    assert!(shipped.len() > 60, "{} files", shipped.len());
    shipped
}

/// All shipped scenarios but the introduction, which has no expectations.
fn stories() -> Vec<(String, Scenario)> {
    let stories = shipped().into_iter().filter(|(name, _)| name != FIRST_LOOK);
    stories.map(|(name, text)| (name, Scenario::from_json(&text).unwrap())).collect()
}

#[test]
fn every_story_goes_as_expected() {
    for (name, scenario) in stories() {
        let run = scenario.run();
        assert!(!scenario.description.is_empty(), "{name} teaches something");
        assert!(!scenario.expect.is_empty(), "{name} expects something");
        assert_eq!(run.failures, [""; 0], "{name}\n{}", told(&run));
    }
}

#[test]
fn every_expectation_of_a_story_can_fail() {
    for (name, scenario) in stories() {
        for expectation in &scenario.expect {
            let fails = CHANGES.iter().any(|change| {
                let mut other = scenario.clone();
                change(&mut other);
                other.expect = vec![expectation.clone()];
                !other.run().failures.is_empty()
            });
            assert!(fails, "no change of {name} fails {expectation:?}");
        }
    }
}

#[test]
fn a_run_without_a_trace_is_the_same_but_for_its_events() {
    let (mut failing, stories) = (0, stories());
    for (name, scenario) in &stories {
        for change in CHANGES {
            let mut other = scenario.clone();
            change(&mut other);
            let run = Run { events: Vec::new(), ..other.run() };
            assert_eq!(other.run_without_trace(), run, "{name}");
            failing += usize::from(!run.failures.is_empty());
        }
    }
    assert!(failing > stories.len(), "{failing} runs had failures");
}

#[test]
fn what_matters_is_over_within_a_minute() {
    // An incident lasts as long as it did.
    for (name, scenario) in stories().into_iter().filter(|(name, _)| !name.starts_with("incident-"))
    {
        let end = scenario.end();
        assert!(end.as_ms() <= 48_000, "{name} ends at {end}");
    }
}

/// The events of a run, for the message of a failure.
fn told(run: &Run) -> String {
    let lines = run.events.iter();
    let lines = lines.map(|event| format!("{} {}\n", event.time(), event.words(&run.names)));
    lines.collect()
}

/// The change that makes another story of each.
const CHANGES: &[fn(&mut Scenario)] = &[
    |story| story.actions.clear(),
    |story| story.overrides = None,
    |story| story.clients.clear(),
    |story| story.network.loss = "100%".parse().unwrap(),
    |story| {
        for client in story.clients.entries_mut() {
            client.owner = Some("the same".into());
        }
    },
    |story| {
        for client in story.clients.entries_mut() {
            client.start_at = client.start_at.max(Duration::from_ms(700));
            client.value = "short".into();
        }
    },
    |story| {
        for client in story.clients.entries_mut() {
            client.ttl = Duration::from_seconds(2);
        }
    },
    |story| {
        for client in story.clients.entries_mut() {
            client.ttl = Duration::from_seconds(60);
        }
    },
    |story| {
        let client = story.clients.at(0).name.clone();
        act(story, &format!(r#"{{"at": "1s", "do": "crash", "node": "{client}"}}"#));
    },
    |story| {
        for client in story.clients.clone().iter() {
            let name = &client.name;
            act(story, &format!(r#"{{"at": "1s", "do": "stop", "node": "{name}"}}"#));
        }
    },
    |story| act(story, r#"{"at": "1s", "do": "crash", "node": "locket"}"#),
    |story| act(story, r#"{"at": "1s", "do": "crash", "node": "database"}"#),
];

fn act(story: &mut Scenario, action: &str) {
    let action: Action = serde_json::from_str(action).unwrap();
    // A client that is driven by hand cannot be stopped; then nothing happens.
    story.actions.insert(0, action);
}
