//! The result of a search, and how it was proved.

use serde::Serialize;

#[cfg(doc)]
use crate::check::question::Question;
use crate::scenario::Share;

/// The verdict on a question, within its bounds. Three are unknown, and so is that of a search under
/// way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Verdict {
    /// No schedule breaks the property, however long it runs.
    Safe,
    /// Neither was shown.
    // There were more states than may be kept: nothing is known beyond what was reached.
    #[serde(rename = "unknown")]
    NotFinished,
    /// The property holds in every state, but no state put it to the test.
    #[serde(rename = "unknown")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    NeverExercised,
    /// The property holds in the steps that were tried, which are
    /// [coarser](Question::is_preview) than an exact answer takes: between them it may be broken.
    #[serde(rename = "unknown")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Preview,
    /// The search goes on.
    #[serde(rename = "unknown")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Running,
    /// A schedule breaks the property.
    // The smallest there is. With clock rates that is one on the search's grid, which an answer
    // confirms by an exact run or does not.
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
    /// True if it holds for any number of Locket processes, not only for those of the question: no
    /// process was followed, only the rows.
    pub any_processes: bool,
    /// By how much the rates of clocks may differ from that of real time; `0%` if they run alike.
    pub drift: Share,
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
