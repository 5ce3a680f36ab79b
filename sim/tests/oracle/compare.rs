//! The checker and the oracle are asked the same.

use std::collections::BTreeMap;

use super::by_stateright::by_stateright;
use super::case::Case;
use super::random::number;
use super::sample::{FAULTS, PROPERTIES, RUNNERS, words};

const SEED: u64 = 1;
const CASES: u64 = 200;
/// So many questions of the default seed have every fault often enough.
const COVERING_CASES: u64 = 2_000;
/// The usual limit of states for a question; a few questions are larger.
const STATES_MAX: u64 = 6_000;
const LARGE_EVERY: u64 = 50;
const LARGE_STATES_MAX: u64 = 40_000;
/// The most states of a question that is given by hand.
const STATES_MAX_BY_HAND: u64 = 5_000_000;
/// How many questions Stateright is asked, too.
const STATERIGHT_CASES: u64 = 100;
/// How many questions about each fault have to hold, and how many have to be broken.
const OFTEN: u32 = 5;
/// Of so many questions of another `SIZE` that both answer, one more may be too large for the
/// checker.
const LEFT_OUT_EVERY: u64 = 20;
/// How many disagreements are printed in full.
const TOLD: usize = 3;

/// How many questions with a name in it held, and how many were broken.
#[derive(Default, Debug)]
struct Coverage(BTreeMap<&'static str, [u32; 2]>);

impl Coverage {
    fn names() -> impl Iterator<Item = &'static &'static str> {
        let all = FAULTS.iter().chain(&PROPERTIES).chain(&RUNNERS);
        all.chain(&["presence", "documented", "databaseLatency"])
    }

    fn count(&mut self, text: &str, is_broken: bool) {
        for name in Self::names() {
            if text.contains(&format!("\"{name}\"")) {
                self.0.entry(name).or_default()[usize::from(is_broken)] += 1;
            }
        }
    }

    /// True if each was there often enough, in questions of either answer.
    fn is_complete(&self) -> bool {
        let is_often = |counts: &[u32; 2]| counts.iter().all(|&count| count >= OFTEN);
        Self::names().all(|name| self.0.get(name).is_some_and(is_often))
    }
}

/// True if a question has all of these names.
pub(crate) fn is_about(text: &str, names: &str) -> bool {
    let mut names = names.split_whitespace();
    names.all(|name| text.contains(&format!("\"{name}\"")))
}

/// Tells which question is asked if asking it panics.
struct Asking<'a>(&'a str);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("QUESTION='{}'", self.0);
        }
    }
}

#[test]
fn the_checker_says_what_the_oracle_says() {
    // `make test` sets the second from the commit.
    let given = number("SEED").or_else(|| number("ORACLE_SEED"));
    let seed = given.unwrap_or(SEED);
    let cases = number("CASES").unwrap_or(CASES);
    let size = number("SIZE");
    let about = words("ABOUT").unwrap_or_default();
    let (mut asked, mut left_out) = (0, 0);
    let (mut coverage, mut wrong) = (Coverage::default(), Vec::new());
    for which in 0.. {
        if asked == cases {
            break;
        }
        let case = Case::random(seed, which);
        if !is_about(&case.text, &about) {
            continue;
        }
        let _asking = Asking(&case.text);
        let is_large = which % LARGE_EVERY == 0;
        let usual = if is_large { LARGE_STATES_MAX } else { STATES_MAX };
        let Some(found) = case.oracle(size.unwrap_or(usual)) else {
            continue;
        };
        let Some(checker) = case.checker() else {
            eprintln!("seed {seed}, case {which}: too large for the checker");
            left_out += 1;
            continue;
        };
        asked += 1;
        coverage.count(&case.text, found.first.is_some());
        if let Some(what) = case.disagreement(&found, &checker) {
            eprintln!("seed {seed}, case {which}: {what}");
            if wrong.len() < TOLD {
                eprintln!("{}", case.report(&found, &checker));
            }
            wrong.push(which);
        }
    }
    assert_eq!(wrong, [0; 0], "cases of seed {seed}");
    // Questions of the usual size all fit.
    let most = size.map_or(0, |_| asked / LEFT_OUT_EVERY);
    assert!(left_out <= most, "{left_out} left out");
    eprintln!("{coverage:?}");
    let is_covering = about.is_empty() && cases >= COVERING_CASES;
    assert!(!is_covering || coverage.is_complete());
}

#[test]
fn stateright_finds_the_states_and_the_verdicts_of_the_oracle() {
    let seed = number("SEED").unwrap_or(SEED);
    let mut verdicts = [0; 2];
    for which in 0..STATERIGHT_CASES {
        let case = Case::random(seed, which);
        let Some(found) = case.oracle(STATES_MAX) else {
            continue;
        };
        let (is_broken, states) = by_stateright(&case.rules);
        assert_eq!(is_broken, found.first.is_some(), "{}", case.text);
        // It stops at a violation.
        assert!(is_broken || states == found.states, "{}", case.text);
        verdicts[usize::from(is_broken)] += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 10), "{verdicts:?}");
}

/// The question that `QUESTION` holds, if it does, and what both sides say.
#[test]
fn a_question_that_is_given_by_hand_is_answered_alike() {
    let Some(text) = words("QUESTION") else {
        return;
    };
    for polls_always in [false, true] {
        let case = Case::new(&text, polls_always);
        let size = number("SIZE").unwrap_or(STATES_MAX_BY_HAND);
        let found = case.oracle(size).expect("SIZE is enough");
        let checker = case.checker().expect("the checker has room for it");
        eprintln!("{}", case.report(&found, &checker));
        assert_eq!(case.disagreement(&found, &checker), None);
    }
}
