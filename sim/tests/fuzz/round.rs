//! Batch of fuzzing: inputs by seed, tried until the time is over or one of them is a finding.
//!
//! A round is a number of inputs that follow from one seed. Without `FUZZ_S` there is one, on the
//! seed `SEED` or a fresh one; with it the seeds `SEED`, `SEED + 1` and so on have a round each
//! for so many seconds. A finding names the seed of its round, which alone repeats it.
//!
//! It knows nothing of what is fuzzed. `tests/fuzz/main.mjs` reads the lines that it prints.

#![allow(
    clippy::disallowed_types,
    reason = "a round ends by the clock; what it tries follows from its seed"
)]

use std::cell::Cell;
use std::collections::hash_map::RandomState;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher};
use std::io::Write as _;
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// How long one input may take while `make fuzz` runs. The slowest take a fraction of a second.
const LONGEST: Duration = Duration::from_secs(20);
/// How long a finding is made smaller.
const SHRINK_MS: u32 = 30_000;

/// Fuzzes: no input of the strategy may make `check` panic or return what is wrong.
pub(crate) fn fuzz<S: Strategy>(
    target: &str,
    inputs: u32,
    strategy: &S,
    check: impl Fn(S::Value) -> Result<(), String>,
) where
    S::Value: Debug,
{
    let seed = number("SEED").unwrap_or_else(fresh_seed);
    let time = number("FUZZ_S").map(|seconds| Duration::from_millis((seconds * 1000.0) as u64));
    let seed = seed as u64;
    let started = Instant::now();
    let tried = Cell::new(0_u64);
    let mut round = seed;
    let finding = loop {
        let finding = finding_of(target, round, inputs, strategy, |input| {
            tried.set(tried.get() + 1);
            let begun = Instant::now();
            check(input)?;
            match time.is_some() && begun.elapsed() > LONGEST {
                true => Err(format!("it took {:?}", begun.elapsed())),
                false => Ok(()),
            }
        });
        let is_over = time.is_none_or(|time| started.elapsed() >= time);
        if finding.is_some() || is_over {
            break finding;
        }
        round += 1;
    };
    report(target, tried.get(), seed, finding.is_some());
    if let Some(finding) = finding {
        panic!("{finding}\nSEED={round} cargo test --workspace --test fuzz {target} repeats it");
    }
}

/// The smallest input found in a round that is not taken as it should, and what is wrong with it.
fn finding_of<S: Strategy>(
    target: &str,
    seed: u64,
    inputs: u32,
    strategy: &S,
    check: impl Fn(S::Value) -> Result<(), String>,
) -> Option<String>
where
    S::Value: Debug,
{
    let config = Config {
        cases: inputs,
        failure_persistence: None,
        max_shrink_time: SHRINK_MS,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, random(target, seed));
    let outcome = runner.run(strategy, |input| check(input).map_err(TestCaseError::fail));
    match outcome {
        Ok(()) => None,
        Err(TestError::Abort(why)) => Some(format!("the round was given up: {why}")),
        Err(TestError::Fail(why, input)) => Some(format!("{why}\nof the input {input:#?}")),
    }
}

/// Targets with equal seeds try different inputs.
fn random(target: &str, seed: u64) -> TestRng {
    let mut bytes = [0; 32];
    let (number, name) = bytes.split_at_mut(8);
    number.copy_from_slice(&seed.to_le_bytes());
    for (byte, letter) in name.iter_mut().zip(target.bytes()) {
        *byte = letter;
    }
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

fn number(name: &str) -> Option<f64> {
    let text = std::env::var_os(name)?;
    let number = text.to_str().and_then(|text| text.parse().ok());
    Some(number.expect("SEED and FUZZ_S are numbers"))
}

/// Short, since people type it.
fn fresh_seed() -> f64 {
    let hash = RandomState::new().build_hasher().finish();
    (hash % 1_000_000) as f64
}

/// Not by `println`, which the test harness keeps back if all is well: each run tells its seed.
fn report(target: &str, tried: u64, seed: u64, is_finding: bool) {
    let findings = u8::from(is_finding);
    let line = format!("fuzz {target}: {tried} inputs, {findings} findings, SEED={seed}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
