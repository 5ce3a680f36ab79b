//! The few steps of a story that decide, for those who do not read all of it.

use super::story::{Story, StoryLine};
use crate::trace::{Kind, RunnerKind};

/// The most steps of a reason.
const DECIDING_MAX: usize = 5;

impl Story {
    /// The few steps that decide, in their order. Of equal weight, the later ones are nearer to the
    /// violation.
    pub(in crate::check) fn deciding(&self) -> Vec<StoryLine> {
        let weights = self.lines.iter().map(StoryLine::weight).enumerate();
        let mut places: Vec<(Option<u8>, usize)> = weights
            .map(|(place, weight)| (weight, place))
            .filter(|(weight, _)| weight.is_some())
            .collect();
        places.sort_by_key(|&(weight, place)| (weight, std::cmp::Reverse(place)));
        places.truncate(DECIDING_MAX);
        places.sort_by_key(|&(_, place)| place);
        let lines = places.into_iter().map(|(_, place)| &self.lines[place]);
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
