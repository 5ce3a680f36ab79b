//! The few steps of a story that decide, for those who do not read all of it.

use std::cmp::Reverse;

use super::story::{Story, StoryLine};
use crate::sorted::sorted;
use crate::trace::{Kind, RunnerKind};

/// The most steps of a reason.
const DECIDING_MAX: usize = 5;

impl Story {
    /// The few steps that decide, in their order. Of equal weight, the later ones are nearer to the
    /// violation.
    pub(in crate::check) fn deciding(&self) -> Vec<StoryLine> {
        let weights = self.lines.iter().map(StoryLine::weight).enumerate();
        let decide = weights.filter_map(|(place, weight)| Some((weight?, Reverse(place))));
        let by_weight = sorted(decide.collect()).into_iter().take(DECIDING_MAX);
        let places = sorted(by_weight.map(|(_, Reverse(place))| place).collect());
        let lines = places.into_iter().map(|place| &self.lines[place]);
        lines.cloned().collect()
    }
}

impl StoryLine {
    /// How much it decides, the most first; `None` for what decides nothing.
    const fn weight(&self) -> Option<u8> {
        match (self.runner, self.kind) {
            (Some(RunnerKind::Lost), _) => Some(0),
            (Some(RunnerKind::Acquired), _) => Some(2),
            (Some(RunnerKind::Retrying), _) => Some(3),
            (Some(_), _) => None,
            (
                None,
                Kind::Crashed
                | Kind::Expired
                | Kind::FailedOver
                | Kind::RowDeleted
                | Kind::Stalled
                | Kind::Stopped,
            ) => Some(1),
            (None, Kind::Answered) => Some(3),
            (None, Kind::Started) => Some(4),
            (None, _) => None,
        }
    }
}
