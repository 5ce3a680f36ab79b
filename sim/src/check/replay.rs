//! A violation as a scenario that shows it in the full simulated world.

use std::fmt;
use std::sync::Arc;

use super::back_end::KEY;
use super::play::Play;
use super::question::Question;
use super::schedule::Schedule;
use super::timing::Timing;
use super::watch::view;
use crate::scenario::{Cast, Running, Scenario, ScenarioError};
use crate::time::{Duration, Time};
use crate::trace::Recorder;

/// A violation as a scenario that shows it in the full simulated world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The scenario, as JSON.
    pub scenario: String,
    /// When the property is broken in it.
    pub time: Time,
    /// For how long what must not last has lasted in it by then, measured in the world.
    pub lasted: Duration,
    /// The longest time for which it has two owners.
    pub two_owners_for: Duration,
}

/// Why a schedule was not repeated in the full world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The search cannot tell how it came to what it found.
    NoWay,
    /// The schedule cannot be written as a scenario.
    Scenario(String),
    /// The world cannot do what the schedule says, at this decision.
    Diverges {
        /// The number of the decision.
        decision: usize,
        /// When.
        time: Time,
        /// The kind of error.
        what: String,
    },
    /// The world does it all, and the property holds.
    Holds,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const REPORT: &str = "this is a bug in the checker, please report the question";
        match self {
            Self::NoWay => write!(f, "the search cannot reconstruct its schedule; {REPORT}"),
            Self::Scenario(error) => {
                write!(f, "the schedule is no valid scenario: {error}; {REPORT}")
            }
            Self::Diverges {
                decision,
                time,
                what,
            } => write!(
                f,
                "the simulation and the search disagree at decision {decision}, {time} s: {what}; {REPORT}"
            ),
            Self::Holds => write!(
                f,
                "the simulation follows the schedule without breaking the property; {REPORT}"
            ),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<ScenarioError> for ReplayError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error.to_string())
    }
}

pub(super) const fn diverges(decision: usize, time: Time, what: String) -> ReplayError {
    ReplayError::Diverges {
        decision,
        time,
        what,
    }
}

/// The names of clients.
pub(super) const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// The decision for the rarest answer of a thousand.
pub(super) const RAREST: u32 = 999;

impl Schedule {
    /// The schedule as a scenario that was played in the full world, and in which the property
    /// was measured again.
    ///
    /// # Errors
    ///
    /// The simulation disagrees with the search, which is a bug in the checker. Where a clock has a
    /// rate of its own, timers are due between the instants of the search, and the error may say no
    /// more than that they are.
    pub fn counterexample(&self, question: &Question) -> Result<Counterexample, ReplayError> {
        if !question.has_rates() {
            return self.played(question, Play::new(self, question)?);
        }
        let mut result = Err(ReplayError::Holds);
        for timing in Timing::ALL {
            result = result.or_else(|_| {
                let timed = self.timed(question, timing)?;
                let mut play = Play::new(&timed, question)?;
                play.is_exact = false;
                timed.played(question, play)
            });
        }
        result
    }

    fn played(&self, question: &Question, play: Play<'_>) -> Result<Counterexample, ReplayError> {
        let played = play.all()?;
        let scenario = Scenario::from_json(&played.text.to_json(question, self.ends))?;
        let mut running = Running::new(Arc::new(Cast::new(scenario)));
        let mut recorder = Recorder::default();
        running.run_to(self.ends, &mut recorder);
        if recorder.digest() != played.digest {
            let what = "the scenario that was taken down runs in another way".to_owned();
            return Err(diverges(self.decisions.len(), self.ends, what));
        }
        let end = aftermath(&mut running, &mut recorder, question);
        let two_owners_for = running.two_owners_for(KEY);
        let mut text = played.text;
        text.expect(played.breaks, played.view, two_owners_for, question);
        Ok(Counterexample {
            scenario: text.to_json(question, end),
            time: played.breaks,
            lasted: played.lasted,
            two_owners_for,
        })
    }
}

/// Runs on until there are two owners no more; says when that is.
fn aftermath(running: &mut Running, recorder: &mut Recorder, question: &Question) -> Time {
    let latest = running.world.now() + question.horizon();
    let both = |running: &Running| view(running).believers.count_ones() > 1;
    while both(running) && running.world.now() < latest {
        let next = running.world.now() + Duration::from_ms(question.unit_ms());
        running.run_to(next, recorder);
    }
    running.world.now()
}
