//! Why a verdict is unknown: what a search that has ended does not prove.

use serde::Serialize;

use super::Verdict;
use crate::check::question::Question;
use crate::check::question::grid::Inexact;

/// Why a verdict is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WhyUnknown {
    /// A clock's rate puts timers between the instants of the search. No schedule breaks the
    /// property in steps of `gridMs`, or an exact run does not confirm the one that was found.
    ClockRates,
    /// No schedule breaks the property in steps of `gridMs`, but these steps are too long for an
    /// exact answer.
    CoarseGrid,
    /// No schedule breaks the property with clocks that run alike, and no proof covers clocks that drift.
    Drift,
    /// A client alone breaks the rule that proves the property for any number, in a world that allows
    /// others everything. No schedule of the question's clients was found that breaks the property.
    EachClient,
    /// No state tested the property, so the question is probably not the intended one.
    NeverExercised,
    /// No schedule breaks the property in steps of `gridMs`. The clock of a suspended machine
    /// is frozen, and no step covers all times of its timers.
    Suspends,
    /// The search reached its limit of states. It proves nothing beyond its reach.
    TooManyStates,
}

impl WhyUnknown {
    /// Why this verdict on a question is unknown, if it is.
    pub(in crate::check) fn of(verdict: Verdict, question: &Question) -> Option<Self> {
        match verdict {
            Verdict::NeverExercised => Some(Self::NeverExercised),
            Verdict::NotFinished => Some(Self::TooManyStates),
            Verdict::Preview => question.inexact().map(|why| match why {
                Inexact::ClockRates => Self::ClockRates,
                Inexact::Coarse(_) => Self::CoarseGrid,
                Inexact::Drift => Self::Drift,
                Inexact::Suspends => Self::Suspends,
            }),
            Verdict::Running | Verdict::Safe | Verdict::Unsafe => None,
        }
    }
}
