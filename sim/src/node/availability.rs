//! Whether the database answers.

use super::message::Query;

/// Whether the database answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Availability {
    /// It refuses every query at once, and keeps its rows.
    Down,
    /// It answers nothing for now. The queries wait, in the order in which they have arrived.
    Stalled(Vec<Query>),
    /// It answers every query at once.
    #[default]
    Up,
}

impl Availability {
    /// It begins to stall, if it is up.
    pub(super) fn stall(&mut self) {
        if matches!(self, Self::Up) {
            *self = Self::Stalled(Vec::new());
        }
    }

    /// It is up again after a stall: the queries that have waited.
    pub(super) fn end_stall(&mut self) -> Vec<Query> {
        match self {
            Self::Stalled(waiting) => {
                let waiting = std::mem::take(waiting);
                *self = Self::Up;
                waiting
            }
            Self::Down | Self::Up => Vec::new(),
        }
    }

    /// Drops queries that wait.
    #[cfg(test)]
    pub(super) fn retain(&mut self, is_kept: impl Fn(&Query) -> bool) {
        if let Self::Stalled(waiting) = self {
            waiting.retain(is_kept);
        }
    }

    /// The first query that has waited for the end of a stall; without one the stall is over.
    pub(super) fn end_stall_by_one(&mut self) -> Option<Query> {
        match self {
            Self::Stalled(waiting) if !waiting.is_empty() => Some(waiting.remove(0)),
            Self::Stalled(_) => {
                *self = Self::Up;
                None
            }
            Self::Down | Self::Up => None,
        }
    }

    /// It goes down, which ends a stall: the queries that have waited, if it was not down before.
    pub(super) fn crash(&mut self) -> Option<Vec<Query>> {
        match std::mem::replace(self, Self::Down) {
            Self::Down => None,
            Self::Stalled(waiting) => Some(waiting),
            Self::Up => Some(Vec::new()),
        }
    }

    /// It is up again after a crash. Says whether it was down.
    pub(super) fn start(&mut self) -> bool {
        let was_down = matches!(self, Self::Down);
        if was_down {
            *self = Self::Up;
        }
        was_down
    }

    /// The queries that wait for the end of a stall.
    pub(super) fn waiting(&self) -> &[Query] {
        match self {
            Self::Stalled(waiting) => waiting,
            Self::Down | Self::Up => &[],
        }
    }
}
