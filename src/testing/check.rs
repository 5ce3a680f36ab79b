//! Questions about settings, in a test.

use locket_sim::check::{Answer, Question, Reductions, Search, Verdict};

/// How many states a search keeps, which takes some hundred megabytes.
const STATES_MAX: usize = 2_000_000;

/// Tries every schedule within the bounds of a question.
///
/// ```
/// use locket_wasm::sim::check::Verdict;
/// use locket_wasm::sim::scenario::RunnerKind;
/// use locket_wasm::testing::{DurationExt as _, LockSettings, explore};
///
/// let mut question = LockSettings::new("bbs", "bbs-0").runner(RunnerKind::Upstream).question();
/// question.bounds.latency = 7.seconds();
/// let answer = explore(question);
/// assert_eq!(answer.verdict, Verdict::Unsafe);
/// println!("{answer}"); // the counterexample as a story
/// ```
///
/// An answer says for how many clients it holds. Most proofs hold for any number of them:
///
/// ```
/// use locket_wasm::sim::check::ClientCount;
/// use locket_wasm::testing::{LockSettings, explore};
///
/// let answer = explore(LockSettings::new("bbs", "bbs-0").question());
/// assert_eq!(answer.clients, ClientCount::Any);
/// ```
///
/// # Panics
///
/// If the question makes no sense, such as a TTL of 0 s.
#[track_caller]
pub fn explore(question: Question) -> Answer {
    let search = Search::new(question, Reductions::default(), STATES_MAX);
    let mut search = search.unwrap_or_else(|error| panic!("the question has an error: {error}"));
    search.run(u64::MAX);
    let answer = search.answer();
    answer.unwrap_or_else(|error| panic!("bug in locket-sim, please report it: {error}"))
}

/// No schedule within the bounds of the question breaks its property.
///
/// ```
/// use locket_wasm::testing::{DurationExt as _, LockSettings, assert_safe};
///
/// let mut question = LockSettings::new("bbs", "bbs-0").question();
/// question.bounds.latency = 2.seconds();
/// assert_safe(question);
/// ```
///
/// # Panics
///
/// With the counterexample, if one does; if the search could not tell; and if the question makes no
/// sense.
#[track_caller]
pub fn assert_safe(question: Question) {
    let answer = explore(question);
    assert!(answer.verdict == Verdict::Safe, "{answer}");
}
