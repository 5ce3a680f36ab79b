//! The question of a run with bounds of a user's choice, and what of the run is outside of it: for
//! callers in other languages.

use serde::Serialize;

use super::faults::{Fault, FaultKind};
use super::of_run::RunFaults;
use super::outside::Outside;
use super::text::{self, QuestionText};
use super::{Question, QuestionError};
use crate::simulation::{Simulation, SimulationError};

/// The bounds of the question of a run, and what of the run is outside of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunQuestion {
    /// The bounds by their names, also of faults that only its scenario plans: latencies, and each
    /// fault with its argument, a comma, and its count.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub bounds: Vec<(&'static str, String)>,
    /// The kinds of faults that bounds may allow.
    pub faults: Vec<FaultKind>,
    /// How many clients take part.
    pub clients: usize,
    /// How many Locket processes there are.
    pub processes: usize,
    /// All bounds in words.
    pub words: String,
    /// The parts of the run that they leave out.
    pub outside: Vec<Outside>,
}

impl RunQuestion {
    /// The question about the faults of a run, with other bounds as JSON in place of its own.
    ///
    /// # Errors
    ///
    /// The bounds make no sense, or the run has no [question](Question::of_run).
    pub fn new(run: &Simulation, faults: RunFaults, bounds: &str) -> Result<Self, SimulationError> {
        let wrong = |QuestionError { field, message, .. }: QuestionError| {
            SimulationError::Argument { field, message }
        };
        let bounds = text::read::<QuestionText>(bounds).map_err(wrong)?.bounds();
        let own = Question::of_run(run, faults)?;
        let asked = bounds.asked(own).map_err(wrong)?;
        asked.check().map_err(wrong)?;
        let happened = Question::of_run(run, RunFaults::Happened)?;
        let planned = Question::of_run(run, RunFaults::Planned)?;
        Ok(Self {
            bounds: asked.bounds.list(&planned.bounds),
            faults: Fault::kinds(),
            clients: asked.clients.len(),
            processes: asked.processes,
            words: asked.bounds_list(),
            outside: asked.leaves_out(&happened),
        })
    }
}
