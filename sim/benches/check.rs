//! The questions of the checker whose times are known, the map of 60 cells, and the speed beside
//! Stateright on the same states, all on one core; and what all cores together make of it.
//!
//!     cargo bench -p locket-sim --bench check

#![allow(clippy::disallowed_types, reason = "it measures time")]
#![allow(clippy::print_stdout, reason = "figures are for whoever runs this")]
#![allow(missing_docs, reason = "a program, not an interface")]

use std::time::Instant;

use locket_sim::check::{Axis, MapQuestion, Question, Reductions, Search, SettingsMap, Verdict};
use locket_sim::time::Duration;
use stateright::{Checker, Model};

use space_model::{NO_REDUCTIONS, SpaceModel};

#[path = "../tests/check/space_model.rs"]
mod space_model;

const STATES_MAX: usize = 20_000_000;
/// The fastest of so many runs counts: others share the machine.
const RUNS: usize = 3;

/// Name, question, and whether it is proved.
const QUESTIONS: [(&str, &str, bool); 9] = [
    (
        "delay-2",
        r#"{"grid": "1s", "bounds": {"delay": "2s"}}"#,
        true,
    ),
    (
        "delay-5",
        r#"{"grid": "1s", "firstAttemptDeadline": true, "bounds": {"delay": "5s"}}"#,
        true,
    ),
    (
        "delay-7",
        r#"{"grid": "1s", "firstAttemptDeadline": true, "bounds": {"delay": "7s"}}"#,
        true,
    ),
    (
        "first-attempt",
        r#"{"grid": "1s", "bounds": {"delay": "6s"}}"#,
        false,
    ),
    (
        "ttl-14",
        r#"{"grid": "1s", "ttl": "14s", "firstAttemptDeadline": true, "bounds": {"delay": "5s"}}"#,
        false,
    ),
    (
        "pause-1",
        r#"{"grid": "1s", "firstAttemptDeadline": true, "bounds": {"delay": "5s", "pause": "1s"}}"#,
        false,
    ),
    (
        "pause-11",
        r#"{"grid": "1s", "bounds": {"pause": "11s"}}"#,
        false,
    ),
    (
        "lost-renewal",
        r#"{"grid": "1s", "runner": "upstream-before-2025-10", "bounds": {"losses": 1}}"#,
        false,
    ),
    (
        "safe",
        r#"{"grid": "1s", "runner": "safe", "margin": "0s", "bounds": {"delay": "3s", "pause": "16s"}}"#,
        true,
    ),
];

fn main() {
    // The package, which is beside these figures, has one core.
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one_core.expect("there is a thread").install(|| {
        for (name, text, is_proved) in QUESTIONS {
            println!("check-{name} {:.1} ms", fastest(name, text, is_proved));
        }
        let started = Instant::now();
        assert!(map(r#"{"bounds": {"delay": "1s"}}"#).run(u64::MAX));
        println!("check-map-60 {:.2} s", started.elapsed().as_secs_f64());
        beside_stateright();
    });
    println!("check-cores {} cores", rayon::current_num_threads());
    let (name, text, is_proved) = QUESTIONS[QUESTIONS.len() - 1];
    println!(
        "check-{name}-all-cores {:.1} ms",
        fastest(name, text, is_proved)
    );
    let started = Instant::now();
    map(r#"{"runner": "safe", "bounds": {"delay": "1s"}}"#).complete();
    println!(
        "check-map-60-safe-all-cores {:.2} s",
        started.elapsed().as_secs_f64()
    );
}

/// How long a question takes at least, in milliseconds.
fn fastest(name: &str, text: &str, is_proved: bool) -> f64 {
    let took = (0..RUNS).map(|_| measured(name, text, is_proved)).min();
    took.unwrap_or_default().as_secs_f64() * 1000.0
}

/// How long a question takes.
fn measured(name: &str, text: &str, is_proved: bool) -> std::time::Duration {
    let started = Instant::now();
    let search = search(&question(text), Reductions::default());
    let took = started.elapsed();
    assert_eq!(search.verdict() == Verdict::Proved, is_proved, "{name}");
    took
}

fn question(text: &str) -> Question {
    Question::from_json(text).expect("the question makes sense")
}

fn search(question: &Question, reductions: Reductions) -> Search {
    let search = Search::new(question.clone(), reductions, STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX);
    search
}

fn map(text: &str) -> SettingsMap {
    let question = MapQuestion {
        question: question(text),
        ttls: (3..=14).map(Duration::from_seconds).collect(),
        retries: (1..=5).map(Duration::from_seconds).collect(),
        axis: Axis::Pause,
        steps_max: 14,
        states_max: STATES_MAX,
    };
    SettingsMap::new(question).expect("every cell makes sense")
}

fn beside_stateright() {
    let question = question(r#"{"bounds": {"delay": "2s", "pause": "5s"}}"#);
    let started = Instant::now();
    let ours = search(&question, NO_REDUCTIONS).states();
    let our_rate = ours as f64 / started.elapsed().as_secs_f64();
    let started = Instant::now();
    let checker = SpaceModel::new(question).checker().spawn_bfs().join();
    let rate = checker.unique_state_count() as f64 / started.elapsed().as_secs_f64();
    assert_eq!(checker.unique_state_count(), ours);
    println!("check-states {our_rate:.0} states/s");
    println!("check-states-stateright {rate:.0} states/s");
}
