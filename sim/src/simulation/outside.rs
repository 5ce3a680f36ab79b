//! Acting on a simulation from outside.

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
        self.check_act(&action)?;
        if self.position() < self.branch().reached {
            self.start_branch();
        }
        let place = self.snapshot();
        let before = self.recorder.events().len();
        let recorder = &mut self.recorder;
        self.running.act_from_outside(|running| running.perform(&action, recorder));
        self.branches[self.current].acts.push((place.position, action));
        self.note(before);
        Ok(())
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

    /// Refuses an action that means nothing here.
    pub(super) fn check_act(&self, action: &Action) -> Result<(), SimulationError> {
        if action.every.is_some() || action.until.is_some() {
            let message = "what is done from outside is done once";
            return Err(SimulationError::argument("every", message));
        }
        match self.scenario().action_error(action, &self.cast.nodes) {
            Some((field, message)) => Err(SimulationError::argument(field, message)),
            None => Ok(()),
        }
    }

    /// Refuses what would fill more memory than a browser has.
    pub(super) fn check_size(
        &self,
        time: Time,
        more: Option<&Action>,
    ) -> Result<(), SimulationError> {
        let acts = self.branch().acts.iter().map(|(_, act)| act);
        let actions: Vec<&Action> = acts.chain(more).collect();
        let size = self.scenario().trace_size(time.max(self.end()), &actions);
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
