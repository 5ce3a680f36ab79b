//! Random questions: none ends as a bug of the checker, and whatever is found breaks its
//! property in the full world by more than is tolerated.
//!
//! A failure prints its case. `SEED=7 CASES=5000 cargo test -p locket-sim --test check
//! random_questions` tries others, or more of them.

#![allow(clippy::print_stdout, reason = "a seed is printed to be tried again")]

use locket_sim::check::{Reductions, Space, Verdict};
use rand_pcg::Pcg64;

use super::random_question::{Random, verdict};
use super::walk::walk;

const CASES: u64 = 200;
/// How many walks are taken of each question, and their length.
const WALKS: u32 = 3;
const STEPS_MAX: u32 = 150;
/// Seeds and cases in which the world once did something else: an answer to a process that had
/// ended, two failures of one name, and a message that reaches a paused process as it crashes.
const ONCE_DIFFERENT: [(u64, u64); 3] = [(20_261_124, 294), (20_261_124, 448), (7, 10_274)];

pub(super) fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var_os(name).map_or(default, |value| {
        let value = value.to_str().and_then(|value| value.parse().ok());
        value.expect("SEED and CASES are numbers")
    })
}

#[test]
fn the_world_does_every_step_of_a_random_walk_and_stands_as_the_search_says() {
    let seed = from_environment("SEED", 1);
    println!("SEED={seed}");
    let cases = (0..from_environment("CASES", CASES)).map(|case| (seed, case));
    let mut played = 0;
    for (seed, case) in cases.chain(ONCE_DIFFERENT) {
        let mut random = Random(Pcg64::new(seed.into(), case.into()));
        let question = random.question();
        // Timers of such a clock are due between the instants of the search.
        if question.clients.iter().any(|it| it.rate_ppm != 0) {
            continue;
        }
        let space = Space::new(question.clone(), Reductions::default());
        let mut space = space.expect("it makes sense");
        for _ in 0..WALKS {
            let states = walk(&mut space, &mut random, STEPS_MAX);
            played += space.play(&states).unwrap_or_else(|error| {
                panic!("SEED={seed}, case {case}: {error}\n{question:?}");
            });
        }
    }
    println!("{played} steps");
    assert!(played > 0);
}

#[test]
fn no_random_question_ends_as_a_bug_and_every_violation_is_measured() {
    let seed = from_environment("SEED", 1);
    println!("SEED={seed}");
    let (mut violated, mut safe) = (0, 0);
    let mut errors = Vec::new();
    for case in 0..from_environment("CASES", CASES) {
        let mut random = Random(Pcg64::new(seed.into(), case.into()));
        let question = random.question();
        match verdict(&question) {
            Ok(Verdict::Unsafe) => violated += 1,
            Ok(Verdict::Safe) => safe += 1,
            Ok(
                Verdict::NeverExercised
                | Verdict::NotFinished
                | Verdict::Preview
                | Verdict::Running,
            ) => {}
            Err(error) => errors.push(format!("case {case}: {error}\n{question:?}")),
        }
    }
    println!("{violated} violated, {safe} safe");
    let shown = &errors[..errors.len().min(5)];
    assert!(errors.is_empty(), "SEED={seed}: {} errors\n{}", errors.len(), shown.join("\n\n"));
    assert!(violated > 0 && safe > 0, "{violated} violated, {safe} safe");
}
