//! Answers as they are written. Times are numbers of milliseconds, in members that end in
//! `Ms`.

use serde::Serialize;

use super::story::Story;
use super::{Answer, ClientCount};
use crate::check::search::coverage::Coverage;
use crate::check::search::edge::Edge;
use crate::check::search::why_not_any::WhyNotAny;
use crate::check::search::why_unknown::WhyUnknown;
use crate::check::search::{Proof, Verdict};
use crate::time::{Duration, Time};

/// The answer to a question. The members of a counterexample are `null` without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Exploration"))]
pub struct AnswerView<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason of an unknown verdict.
    pub because: Option<WhyUnknown>,
    /// The verdict with its bounds, a few sentences.
    pub summary: String,
    /// The bounds within which it holds, as a sentence.
    pub bounds: String,
    /// The number of different states found.
    pub states: usize,
    /// The step of time of the search.
    #[serde(rename = "gridMs")]
    pub grid: Duration,
    /// The longest step that gives an exact answer.
    #[serde(rename = "exactGridMs")]
    pub exact_grid: Duration,
    /// Every schedule with fewer faults than this, or as many and ending earlier, was tried.
    pub reached: Reached,
    /// The proof; `null` if the verdict is not safe.
    pub proof: Option<Proof>,
    /// For how many clients the verdict holds; a number is that of the question's clients. Of `any`,
    /// each has the settings of one of the question and an owner string of its own. Of
    /// `any-without-shared-keys`, no two want the same key either. If the verdict is unknown, those
    /// that the question is about.
    pub clients: ClientCount,
    /// Why a safe verdict does not hold for any number of clients; `null` if it does, or is not safe.
    pub not_any_because: Option<WhyNotAny>,
    /// No schedule of any number of clients has fewer faults than this and breaks the property, or
    /// as many and breaks it earlier. `null` if that is not known.
    pub lower_bound: Option<Reached>,
    /// Up to how many of the faults that may happen any number of times the question is safe; `null`
    /// if it is so for any number, or has none of these.
    pub edge: Option<&'a Edge>,
    /// The coverage of the search.
    pub coverage: &'a Coverage,
    /// The verdict and the story, as text for people.
    pub text: String,
    /// The smallest counterexample, in words.
    pub story: Option<&'a Story>,
    /// The same as a scenario's JSON: `runScenario` and `Simulation` replay it.
    pub scenario: Option<&'a str>,
    /// When the property is broken in the scenario.
    #[serde(rename = "timeMs")]
    pub time: Option<Time>,
    /// How long there are two owners; 0 if the property is about something else.
    #[serde(rename = "twoOwnersMs")]
    pub two_owners_for: Option<Duration>,
    /// The counterexample with the longest violation of all tried; `null` if the search did not
    /// look for it.
    pub longest: Option<LongestView<'a>>,
}

impl Reached {
    const fn of((faults, ms): (u32, u64)) -> Self {
        let time = Time::from_ms(ms);
        Self { faults, time }
    }
}

/// How far a search came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Reached {
    /// The number of faults.
    pub faults: u32,
    /// The time.
    #[serde(rename = "timeMs")]
    pub time: Time,
}

/// The counterexample with the longest violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LongestSchedule"))]
pub struct LongestView<'a> {
    /// How long the violation lasts.
    #[serde(rename = "lastedMs")]
    pub lasted: Duration,
    /// True if no schedule has a longer violation: all were tried, on an exact grid.
    pub is_exact: bool,
    /// The schedule as a scenario's JSON.
    pub scenario: &'a str,
    /// When the violation exceeds the allowed time.
    #[serde(rename = "timeMs")]
    pub time: Time,
}

impl Answer {
    /// The answer as it is written.
    // Compiled by its caller, as what serde derives: the wasm crate is compiled for size.
    #[inline]
    pub fn view(&self) -> AnswerView<'_> {
        let counterexample = self.counterexample.as_ref();
        let longest = self.longest.as_ref().filter(|_| counterexample.is_some());
        AnswerView {
            verdict: self.verdict,
            because: self.because,
            summary: self.summary(),
            bounds: self.question.bounds_words(),
            states: self.states,
            grid: self.question.grid(),
            exact_grid: self.question.exact_grid(),
            reached: Reached::of(self.reached),
            proof: self.proof,
            clients: self.clients,
            not_any_because: self.not_any_because,
            lower_bound: self.lower_bound.map(Reached::of),
            edge: self.edge.as_ref(),
            coverage: &self.coverage,
            text: self.to_string(),
            story: counterexample.map(|(_, story)| story),
            scenario: counterexample.map(|(found, _)| found.scenario.as_str()),
            time: counterexample.map(|(found, _)| found.time),
            two_owners_for: counterexample.map(|(found, _)| found.two_owners_for),
            longest: longest.map(|it| LongestView {
                lasted: it.lasted,
                is_exact: self.has_longest,
                scenario: &it.scenario,
                time: it.time,
            }),
        }
    }
}
