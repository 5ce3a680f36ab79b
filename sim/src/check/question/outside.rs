//! The parts of a run outside of the bounds of a question, in words.

use serde::Serialize;

use super::Question;
use super::faults::Fault;
use crate::amounts::Seconds;

/// Something of a run that a search does not try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outside {
    /// Whether a search can try it.
    pub is: OutsideKind,
    /// Its name, as the subject of a sentence: `a pause of 17 s`.
    pub words: String,
}

/// Whether a search can try what is outside of its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum OutsideKind {
    /// No search tries it.
    Never,
    /// It is about other keys, and changes nothing about the keys of the question.
    OtherKey,
    /// A search with wider bounds tries it.
    Wider,
}

impl Outside {
    pub(super) fn never(words: impl Into<String>) -> Self {
        let (is, words) = (OutsideKind::Never, words.into());
        Self { is, words }
    }

    const fn wider(words: String) -> Self {
        let is = OutsideKind::Wider;
        Self { is, words }
    }
}

impl Question {
    /// The parts of a run outside of the bounds of this question, if the other is
    /// [of the run](Self::of_run).
    pub fn leaves_out(&self, run: &Self) -> Vec<Outside> {
        let (may, has) = (&self.bounds, &run.bounds);
        let faults = Fault::ALL.into_iter().filter_map(|fault| fault.beyond(has, may));
        let times = [
            ("a message", has.latency, may.latency),
            ("a query", has.database_latency, may.database_latency),
            ("a transaction", has.transaction_time, may.transaction_time),
        ];
        let slow = times.into_iter().filter(|(_, has, may)| has > may);
        let slow = slow.map(|(what, has, _)| format!("{what} that takes {}", Seconds(has)));
        let wider = faults.chain(slow).map(Outside::wider);
        wider.chain(run.outside.iter().cloned()).collect()
    }

    /// The parts of the scenario that are outside, as a sentence after the bounds; nothing without a
    /// scenario.
    pub(super) fn outside_words(&self) -> String {
        let words: Vec<&str> = self.outside.iter().map(|it| it.words.as_str()).collect();
        if words.is_empty() {
            return String::new();
        }
        format!(" Not searched: {}.", words.join("; "))
    }
}
