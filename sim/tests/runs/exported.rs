//! Exported Rust tests compile and hold: `data/exported.rs` is what is exported, and is a part of
//! this test. The template for Rust users has the export of a shipped scenario.
//!
//! If a change of the export is meant, write it anew:
//! `UPDATE_EXPORTED=1 cargo test -p locket-sim-tests --test runs exported`

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::path::Path;

use locket_sim::scenario::run_text;
use locket_sim::simulation::Simulation;
use locket_sim::time::Time;
use locket_sim::trace::export::{Format, Origin, export};

const FIRST_LOOK: &str = include_str!("../../scenarios/first-look.json");
const HOSTILE: &str = include_str!("../data/hostile.json");

#[rustfmt::skip]
mod tests_of_runs {
    include!("../data/exported.rs");
}

/// Two scenarios, one of them with hard texts, and a link to a run with an act.
fn exported_now() -> String {
    let scenarios = [FIRST_LOOK, HOSTILE].map(|text| {
        let run = run_text(text).unwrap();
        export(&run, Origin::Scenario(text), Format::RustTest)
    });
    let mut simulation =
        Simulation::from_json(&FIRST_LOOK.replace("first look", "a link")).unwrap();
    simulation.run_until(Time::from_ms(12_000)).unwrap();
    simulation.act_json(r#"{ "do": "delete-row", "key": "bbs" }"#).unwrap();
    let linked = simulation.export(Format::RustTest);
    scenarios.join("\n") + "\n" + &linked
}

#[test]
fn the_tests_here_are_what_is_exported() {
    assert_up_to_date("data/exported.rs", &exported_now());
}

#[test]
fn the_template_for_rust_users_has_an_exported_test() {
    let run = run_text(FIRST_LOOK).unwrap();
    let now = export(&run, Origin::Scenario(FIRST_LOOK), Format::RustTest);
    assert_up_to_date("../../templates/rust-tests/tests/exported.rs", &now);
}

/// That a file has this text.
fn assert_up_to_date(name: &str, now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_EXPORTED").is_some() {
        std::fs::write(&path, now).unwrap();
    }

    assert_eq!(std::fs::read_to_string(path).unwrap(), now);
}
