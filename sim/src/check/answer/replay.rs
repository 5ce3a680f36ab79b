//! A violation as a scenario that shows it in the full simulated world.

use std::sync::Arc;

use super::play::Play;
use super::replay_error::{ReplayError, diverges};
use super::schedule::Schedule;
use super::timing::Timing;
use super::watch::believers;
use crate::check::question::Question;
use crate::scenario::{Cast, Running, Scenario};
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
            let delayed = self.with_database_delays(question)?;
            return delayed.played(question, Play::new(&delayed, question)?);
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
        // Clients hold all keys of the question, or none.
        let two_owners_for = running.two_owners_for(&question.keys()[0]);
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
    let both = |running: &Running| believers(running).count_ones() > 1;
    while both(running) && running.world.now() < latest {
        let next = running.world.now() + Duration::from_ms(question.unit_ms());
        running.run_to(next, recorder);
    }
    running.world.now()
}
