//! The result of a search, and how it was proved.

use serde::Serialize;

#[cfg(doc)]
use crate::check::question::Question;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There were more states than may be kept: nothing is known beyond what was reached.
    NotFinished,
    /// The property holds in every state, but no state put it to the test.
    NeverExercised,
    /// The property holds in the steps that were tried, which are
    /// [coarser](Question::is_preview) than an exact answer takes: between them it may be broken.
    Preview,
    /// The property holds, whatever happens within the bounds.
    Safe,
    /// The search goes on.
    Running,
    /// The property is broken by a schedule, the smallest there is. With clock rates that is one on
    /// the search's grid, which an [answer](crate::check::Answer) confirms by an exact run or does not.
    Unsafe,
}

/// How the property was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Proof {
    /// The way.
    pub by: ProvedBy,
    /// The number of states that were visited for it.
    pub states: usize,
    /// Whether it holds for any number of Locket processes, not only for those of the question: no
    /// process was followed, only the rows.
    pub any_processes: bool,
}

/// The way of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum ProvedBy {
    /// Every schedule of the question's clients was tried.
    AllSchedules,
    /// Every schedule of each client alone was tried, in a world that allows others everything. So
    /// it holds for any number of clients.
    EachClient,
}
