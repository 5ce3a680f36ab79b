//! The digest of every shipped scenario, as recorded in `scenarios/digests.json`.
//!
//! The file is shared with the tests of other platforms: the same scenario gives the same
//! digest on all of them. If a change of a digest is meant, record it anew:
//! `UPDATE_DIGESTS=1 cargo test -p locket-sim-tests --test runs digests`

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::stories::{DIGESTS, shipped};
use locket_sim::scenario::run_text;

/// The digest of each scenario by its file's name.
fn actual() -> BTreeMap<String, String> {
    let digest = |(name, text): (String, String)| {
        let run = run_text(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        (name, run.digest.to_string())
    };
    shipped().into_iter().map(digest).collect()
}

#[test]
fn every_shipped_scenario_has_its_recorded_digest() {
    let actual = actual();
    let recorded_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(DIGESTS);
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        let text = serde_json::to_string_pretty(&actual).unwrap();
        fs::write(&recorded_in, text + "\n").unwrap();
    }

    let text = fs::read_to_string(&recorded_in).unwrap();
    let recorded: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();

    assert_eq!(
        actual, recorded,
        "left is what the scenarios give now, right what {DIGESTS} records; if the change is \
         meant, record it with UPDATE_DIGESTS=1"
    );
}
