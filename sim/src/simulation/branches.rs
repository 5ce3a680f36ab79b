//! The branches of a simulation: it starts them, goes to them and returns.

use std::sync::Arc;

use serde::Serialize;

use super::branch::{Branch, Place};
use super::error::SimulationError;
use super::player::Simulation;
use crate::scenario::{Action, Position, Running};
use crate::time::Time;
use crate::trace::Recorder;
use crate::world::event::Flight;

/// A branch: one line of events with its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SimulationBranch"))]
pub struct BranchView {
    /// The place where it left another branch; `null` for the first.
    pub from: Option<Place>,
    /// The latest time reached in it.
    #[serde(rename = "reachedMs")]
    pub reached: Time,
    /// The number of actions in it, with those before it left.
    pub acts: usize,
}

impl Simulation {
    /// The branch that it is in.
    pub const fn current_branch(&self) -> usize {
        self.current
    }

    /// All branches.
    pub fn branches(&self) -> Vec<BranchView> {
        let views = self.branches.iter().map(|branch| BranchView {
            from: branch.from,
            reached: branch.reached.time,
            acts: branch.acts.len(),
        });
        views.collect()
    }

    /// Starts a branch here and goes on in it. Its number.
    pub fn start_branch(&mut self) -> usize {
        let here = self.position();
        let from = Place { branch: self.current, position: here };
        let done = self.branch().acts.partition_point(|(at, _)| *at < here);
        let branch = Branch {
            from: Some(from),
            acts: self.branch().acts[..done].to_vec(),
            reached: here,
            cursor: here,
        };
        self.leave();
        self.snapshots.forget_after(here);
        self.branches.push(branch);
        self.current = self.branches.len() - 1;
        self.current
    }

    /// Where it is, to [go back to](Self::restore).
    pub fn snapshot(&self) -> Place {
        Place { branch: self.current, position: self.position() }
    }

    /// Goes to a branch, where it was looked at last.
    ///
    /// # Errors
    ///
    /// There is no such branch.
    pub fn switch_to(&mut self, branch: usize) -> Result<(), SimulationError> {
        let Some(other) = self.branches.get(branch) else {
            let message = format!("there are {}, counted from 0", self.branches.len());
            return Err(SimulationError::argument("branch", message));
        };
        let position = other.cursor;
        self.restore(Place { branch, position })
    }

    /// Goes to a place in a branch.
    ///
    /// # Errors
    ///
    /// There is no such branch, or the place is farther than it was ever gone.
    pub fn restore(&mut self, place: Place) -> Result<(), SimulationError> {
        let Some(other) = self.branches.get(place.branch) else {
            let message = format!("there are {}, counted from 0", self.branches.len());
            return Err(SimulationError::argument("branch", message));
        };
        if place.position > other.reached {
            let message = "the branch ends before this moment";
            return Err(SimulationError::argument("position", message));
        }
        if place.branch != self.current {
            let common = self.common_with(place.branch);
            self.leave();
            self.snapshots.forget_after(common);
            self.current = place.branch;
            // The records of the other branch do not belong to this one.
            self.go_back_to(common.min(place.position));
        }
        self.go_to(place.position)
    }

    /// The actions of the scenario, and those from outside in this branch with their moments.
    pub(crate) fn actions(&self) -> Vec<Action> {
        let planned = self.scenario().actions.iter().cloned();
        planned.chain(self.branch().acts_after(0)).collect()
    }

    /// The messages of this branch over its whole time, also those still to come; and when that ends.
    ///
    /// # Errors
    ///
    /// It would take more steps than it may.
    pub(crate) fn flights(&self) -> Result<(Vec<Flight>, Time), SimulationError> {
        let branch = self.branch();
        let end = self.end().max(branch.reached.time);
        let mut running = Running::new(Arc::clone(&self.cast));
        let mut recorder = Recorder::with_flights();
        running.check_steps(end, self.max_steps)?;
        while branch.tick(&mut running, &mut recorder, end) {
            recorder.forget_events();
            running.check_steps(end, self.max_steps)?;
        }
        Ok((recorder.flights().to_vec(), end))
    }

    pub(super) fn branch(&self) -> &Branch {
        &self.branches[self.current]
    }

    fn leave(&mut self) {
        let here = self.position();
        self.branches[self.current].cursor = here;
    }

    /// The last place up to which this branch and another are the same.
    fn common_with(&self, other: usize) -> Position {
        let (these, those) = (&self.branch().acts, &self.branches[other].acts);
        let mut common = self.position();
        let pairs = these.iter().zip(those);
        let same = pairs.take_while(|(a, b)| a == b).count();
        for acts in [these, those] {
            if let Some((at, _)) = acts.get(same) {
                common = common.min(*at);
            }
        }
        common
    }
}
