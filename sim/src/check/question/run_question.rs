//! The question of a run with bounds of a user's choice, and what of the run is outside of it: for
//! callers in other languages.

use serde::Serialize;

use super::bounds::Bounds;
use super::bounds::BoundsText;
use super::faults::Fault;
use super::of_run::RunFaults;
use super::outside::Outside;
use super::text;
use super::{Question, QuestionError};
use crate::simulation::{Simulation, SimulationError};

/// The bounds of the question of a run, and what of the run is outside of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunQuestion {
    /// All bounds, by the names of a question: counts, and lengths with their units.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub bounds: Vec<(&'static str, String)>,
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
        let bounds: BoundsText = text::read(bounds).map_err(wrong)?;
        let own = Question::of_run(run, faults)?;
        let asked = Question {
            bounds: bounds.over(&own.bounds),
            ..own
        };
        asked.check().map_err(wrong)?;
        let happened = Question::of_run(run, RunFaults::Happened)?;
        Ok(Self {
            bounds: asked.bounds.values(),
            clients: asked.clients.len(),
            processes: asked.processes,
            words: asked.bounds_list(),
            outside: asked.leaves_out(&happened),
        })
    }
}

impl Bounds {
    /// All of them, by the names of their fields: counts, and lengths with their units.
    fn values(&self) -> Vec<(&'static str, String)> {
        let mut values = vec![("lostCommits", self.lost_commits.to_string())];
        let name = |field: &'static str| field.trim_start_matches("bounds.");
        values.extend(Fault::ALL.map(|it| (name(it.field()), it.allowed(self).to_string())));
        values.extend(
            self.times()
                .map(|(field, time)| (name(field), time.to_string())),
        );
        values
    }

    /// Those of them that allow something.
    pub(in crate::check) fn values_without_zero(&self) -> Vec<(&'static str, String)> {
        let mut values = self.values();
        values.retain(|(_, value)| value != "0" && value != "0s");
        values
    }
}
