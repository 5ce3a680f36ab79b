//! Branches: what was done from outside, in one line of events.

use serde::Serialize;

use crate::scenario::{Action, Position, Running};
use crate::time::Time;
use crate::trace::Recorder;

/// One line of events: the scenario, and what was done to it from outside.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// The branch that it left, and where.
    pub(super) from: Option<Place>,
    /// The acts and their places, in order; also those before the branch began.
    pub(super) acts: Vec<(Position, Action)>,
    /// The furthest position that was reached in it.
    pub(super) reached: Position,
    /// Where it was looked at last.
    pub(super) cursor: Position,
}

impl Branch {
    pub(super) const fn main() -> Self {
        Self { from: None, acts: Vec::new(), reached: Position::START, cursor: Position::START }
    }

    /// The acts from outside after the first `acts`, each with its time.
    pub(super) fn acts_after(&self, acts: usize) -> impl Iterator<Item = Action> {
        let later = self.acts.iter().skip(acts);
        later.map(|(at, act)| Action { at: at.time.since(Time::ZERO), ..act.clone() })
    }

    /// Takes the next step of this branch up to `limit`, which may be an act from outside. Says
    /// whether there was one.
    pub(super) fn tick(&self, running: &mut Running, recorder: &mut Recorder, limit: Time) -> bool {
        let here = running.position();
        let next = self.acts.get(running.acts);
        match next.filter(|(at, _)| at.time <= limit) {
            None => running.tick(limit, recorder),
            Some((at, act)) => {
                if *at <= here || !running.tick(at.time, recorder) {
                    running.pass_to(at.time);
                    running.act_from_outside(|running| running.perform(act, recorder));
                }
                true
            }
        }
    }
}

/// A place in a simulation; `restore` returns to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SimulationPlace"))]
pub struct Place {
    /// The branch, from 0.
    pub branch: usize,
    /// The place in it.
    #[serde(flatten)]
    pub position: Position,
}
