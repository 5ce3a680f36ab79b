//! The questions of the checker whose times are known, the map of 60 cells, and the speed beside
//! Stateright on the same states, all on one core; and what all cores together make of it.
//!
//!     cargo bench -p locket-sim --bench check

#![allow(clippy::disallowed_types, reason = "it measures time")]
#![allow(clippy::print_stdout, reason = "the figures are this program's output")]
#![allow(missing_docs, reason = "a program, not an interface")]

use std::hint::black_box;
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
/// These are short.
const RUNS_BESIDE: usize = 40;

/// A question whose time is measured.
struct Asked {
    name: &'static str,
    question: &'static str,
    is_proved: bool,
    /// How many states its answer took as long as faults were tried only first or last in an
    /// instant, which is too few.
    states_before: usize,
}

const QUESTIONS: [Asked; 9] = [
    Asked {
        name: "delay-2",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "latency": "2s"}"#,
        is_proved: true,
        states_before: 1_210,
    },
    Asked {
        name: "delay-5",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "firstAttemptDeadline": true, "latency": "5s"}"#,
        is_proved: true,
        states_before: 38_312,
    },
    Asked {
        name: "delay-7",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "firstAttemptDeadline": true, "latency": "7s"}"#,
        is_proved: true,
        states_before: 63_734,
    },
    Asked {
        name: "first-attempt",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "latency": "6s"}"#,
        is_proved: false,
        states_before: 7_253,
    },
    Asked {
        name: "ttl-14",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "ttl": "14s", "retryInterval": "5s", "firstAttemptDeadline": true, "latency": "5s"}"#,
        is_proved: false,
        states_before: 33_133,
    },
    Asked {
        name: "pause-1",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "firstAttemptDeadline": true, "latency": "5s", "faults": {"pause": {"length": "1s", "count": 1}}}"#,
        is_proved: false,
        states_before: 228_367,
    },
    Asked {
        name: "pause-11",
        question: r#"{"runner": "upstream", "profile": "upstream", "grid": "1s", "latency": "0s", "faults": {"pause": {"length": "11s", "count": 1}}}"#,
        is_proved: false,
        states_before: 2_003,
    },
    Asked {
        name: "lost-renewal",
        question: r#"{"profile": "upstream", "grid": "1s", "runner": "upstream-before-2025-10", "latency": "0s", "faults": {"lostMessage": 1}}"#,
        is_proved: false,
        states_before: 637,
    },
    Asked {
        name: "safe",
        question: r#"{"profile": "upstream", "grid": "1s", "runner": "safe", "margin": "0s", "latency": "3s", "faults": {"pause": {"length": "16s", "count": 1}}}"#,
        is_proved: true,
        states_before: 793_721,
    },
];

fn main() {
    // The package, which is beside these figures, has one core.
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one_core.expect("there is a thread").install(|| {
        for asked in &QUESTIONS {
            asked.measure();
        }
        let started = Instant::now();
        assert!(
            map(r#"{"runner": "upstream", "profile": "upstream", "latency": "1s"}"#).run(u64::MAX)
        );
        println!("check-map-60 {:.2} s", started.elapsed().as_secs_f64());
        beside_stateright();
    });
    println!("check-cores {} cores", rayon::current_num_threads());
    let [.., last] = &QUESTIONS;
    println!("check-{}-all-cores {:.1} ms", last.name, last.fastest().0);
    let started = Instant::now();
    map(r#"{"profile": "upstream", "runner": "safe", "latency": "1s"}"#).complete();
    println!("check-map-60-safe-all-cores {:.2} s", started.elapsed().as_secs_f64());
}

impl Asked {
    fn measure(&self) {
        let (ms, states) = self.fastest();
        let Self { name, states_before, .. } = self;
        println!("check-{name} {ms:.1} ms");
        println!("check-{name}-states {states} states");
        println!("check-{name}-states-before {states_before} states");
    }

    /// How long it takes at least, in milliseconds, and how many states.
    fn fastest(&self) -> (f64, usize) {
        let took = (0..RUNS).map(|_| self.measured()).min();
        let (took, states) = took.unwrap_or_default();
        (took.as_secs_f64() * 1000.0, states)
    }

    fn measured(&self) -> (std::time::Duration, usize) {
        let started = Instant::now();
        let search = search(&question(self.question), Reductions::default());
        // The package says no less: its verdict with a counterexample that the world has played.
        let answer = search.answer().expect("the world plays the schedule");
        black_box(serde_json::to_string(&answer.view()).expect("it is JSON"));
        let took = started.elapsed();
        let is_proved = search.verdict() == Verdict::Safe;
        assert_eq!(is_proved, self.is_proved, "{}", self.name);
        (took, search.states())
    }
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
        max_steps: 14,
        states_max: STATES_MAX,
    };
    SettingsMap::new(question).expect("every cell makes sense")
}

/// Both in turn, so that other programs on the machine disturb both alike; the best run of each
/// counts.
fn beside_stateright() {
    let question = question(
        r#"{"runner": "upstream", "profile": "upstream", "latency": "2s", "faults": {"pause": {"length": "5s", "count": 1}}}"#,
    );
    let (mut our_rate, mut rate) = (0.0_f64, 0.0_f64);
    for _ in 0..RUNS_BESIDE {
        let started = Instant::now();
        let ours = search(&question, NO_REDUCTIONS).states();
        our_rate = our_rate.max(ours as f64 / started.elapsed().as_secs_f64());
        let started = Instant::now();
        let checker = SpaceModel::new(question.clone()).checker().spawn_bfs().join();
        let theirs = checker.unique_state_count();
        rate = rate.max(theirs as f64 / started.elapsed().as_secs_f64());
        assert_eq!(theirs, ours);
    }
    println!("check-states {our_rate:.0} states/s");
    println!("check-states-stateright {rate:.0} states/s");
}
