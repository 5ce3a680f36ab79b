//! Acting on a simulation from outside.

use super::act::Act;
use super::error::SimulationError;
use super::player::{Simulation, read};
use crate::scenario::{Action, TRACE_SIZE_MAX};
use crate::time::Time;

impl Simulation {
    /// Does something now: whatever a scenario's action can do. In the past, that starts a
    /// branch.
    ///
    /// # Errors
    ///
    /// The action means nothing here, or the trace would fill too much.
    pub fn act(&mut self, mut action: Action) -> Result<(), SimulationError> {
        action.at = self.now().since(Time::ZERO);
        self.check_size(self.now(), Some(&action))?;
        self.do_now(Act::Action(Box::new(action)))
    }

    /// [Does](Self::act) what a text says, an action of a scenario without `at`.
    ///
    /// # Errors
    ///
    /// The text is no action, or as for [`Self::act`].
    pub fn act_json(&mut self, text: &str) -> Result<(), SimulationError> {
        let action: Action = read(text, "action")?;
        if action.is_dated() {
            let message = "an action from outside happens now; leave `at` out";
            return Err(SimulationError::argument("action.at", message));
        }
        self.act(action)
    }

    pub(super) fn do_now(&mut self, act: Act) -> Result<(), SimulationError> {
        if let Some(error) = act.validation_error(&self.cast) {
            return Err(error);
        }
        if self.position() < self.branch().reached {
            self.start_branch();
        }
        let place = self.snapshot();
        let before = self.recorder.events().len();
        let recorder = &mut self.recorder;
        self.running.act_from_outside(|running| act.perform(running, recorder));
        self.branches[self.current].acts.push((place.position, act));
        self.note(before);
        Ok(())
    }

    /// Refuses what would fill more memory than a browser has.
    pub(super) fn check_size(
        &self,
        time: Time,
        more: Option<&Action>,
    ) -> Result<(), SimulationError> {
        let acts = self.branch().acts.iter().map(|(_, act)| act);
        let (mut actions, mut calls) = (Vec::from_iter(more), 0);
        for act in acts {
            match act {
                Act::Action(action) => actions.push(action),
                Act::Call(_) => calls += act.texts_size() + CALL_SIZE,
            }
        }
        let size = self.scenario().trace_size(time.max(self.end()), &actions) + calls;
        if size <= TRACE_SIZE_MAX {
            return Ok(());
        }
        let message = format!(
            "the trace would fill {} MiB by then, more than {}",
            size >> 20,
            TRACE_SIZE_MAX >> 20
        );
        let field = if more.is_some() { "action" } else { "time" };
        Err(SimulationError::argument(field, message))
    }
}

/// The size of the events of one call without their texts, in bytes.
const CALL_SIZE: u64 = 1_000;
