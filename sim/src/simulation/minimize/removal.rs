//! Which decisions are tried next: fewer of them by delta debugging (Zeller and Hildebrandt, 2002),
//! then smaller ones by halving.
//!
//! Knows nothing of runs; the caller tries each proposal and says whether it still fails.

use crate::world::choice::{Site, SiteKind};

/// The decision at a place.
pub(super) type Decision = (Site, u32);

/// A list of decisions that becomes shorter and smaller.
#[derive(Clone, Debug)]
pub(super) struct Attempts {
    kept: Vec<Decision>,
    stage: Stage,
    /// True if anything became less since all were last tried to be left out one by one.
    has_changed: bool,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// A decision is to be less: it is not needed to be more than `high`, and `low` is not enough.
    Lower { index: usize, low: u32, high: u32 },
    /// Nothing is left to be tried.
    Over,
    /// So many decisions from this one on are to be left out.
    Remove { from: usize, count: usize },
}

impl Attempts {
    /// Begins with decisions with which it fails.
    pub(super) fn new(decisions: Vec<Decision>) -> Self {
        let mut attempts = Self {
            stage: Stage::Remove { from: 0, count: decisions.len() },
            kept: decisions,
            has_changed: false,
        };
        attempts.settle();
        attempts
    }

    /// The decisions with which it fails, as few and small as is known.
    pub(super) fn kept(&self) -> &[Decision] {
        &self.kept
    }

    /// True if there is nothing left to be tried.
    pub(super) const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// The decisions to be tried next.
    pub(super) fn next(&self) -> Option<Vec<Decision>> {
        let mut tried = self.kept.clone();
        match self.stage {
            Stage::Lower { index, low, high } => tried[index].1 = middle(low, high),
            Stage::Over => return None,
            Stage::Remove { from, count } => {
                tried.drain(from..(from + count).min(self.kept.len()));
            }
        }
        Some(tried)
    }

    /// Says whether it fails with them, too.
    pub(super) fn judge(&mut self, fails: bool) {
        let tried = self.next();
        if let Some(tried) = tried.filter(|_| fails) {
            self.kept = tried;
            self.has_changed = true;
        }
        match &mut self.stage {
            Stage::Lower { low, high, .. } => {
                let tried = middle(*low, *high);
                *(if fails { high } else { low }) = tried;
            }
            Stage::Over => {}
            // The decisions after those that were left out move up.
            Stage::Remove { .. } if fails => {}
            Stage::Remove { from, count } => *from += *count,
        }
        self.settle();
    }

    /// Goes on to the next proposal.
    fn settle(&mut self) {
        loop {
            self.stage = match self.stage {
                Stage::Remove { from, count } if from < self.kept.len() && count > 0 => return,
                Stage::Remove { count, .. } if count > 1 => {
                    Stage::Remove { from: 0, count: count.div_ceil(2) }
                }
                // Until none of them can be left out.
                Stage::Remove { .. } if std::mem::take(&mut self.has_changed) => {
                    Stage::Remove { from: 0, count: 1 }
                }
                Stage::Remove { .. } => self.lower(0),
                Stage::Lower { low, high, .. } if high - low > 1 => return,
                Stage::Lower { index, .. } if index + 1 < self.kept.len() => self.lower(index + 1),
                // A smaller decision may make others needless.
                Stage::Lower { .. } if std::mem::take(&mut self.has_changed) => {
                    Stage::Remove { from: 0, count: 1 }
                }
                Stage::Lower { .. } | Stage::Over => return self.stage = Stage::Over,
            };
        }
    }

    /// To try less of a decision; without it, there is no failure.
    fn lower(&self, index: usize) -> Stage {
        let high = self.kept.get(index).map_or(0, |(site, picked)| match site.kind {
            SiteKind::Delay | SiteKind::Tie => *picked,
            // The fault happens or does not.
            SiteKind::CommitAnswer | SiteKind::Duplicate | SiteKind::Loss => 0,
        });
        Stage::Lower { index, low: 0, high }
    }
}

const fn middle(low: u32, high: u32) -> u32 {
    low + (high - low) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(kind: SiteKind, count: u32, picked: u32) -> Decision {
        let subject = 1;
        (Site { kind, subject, count }, picked)
    }

    fn minimized(decisions: Vec<Decision>, fails: impl Fn(&[Decision]) -> bool) -> Vec<Decision> {
        let mut attempts = Attempts::new(decisions);
        while let Some(tried) = attempts.next() {
            attempts.judge(fails(&tried));
        }
        assert!(attempts.is_over());
        attempts.kept().to_vec()
    }

    #[test]
    fn what_is_needless_once_another_is_less_is_left_out() {
        // The loss is needed only beside a long delay.
        let decisions = vec![decision(SiteKind::Delay, 0, 8), decision(SiteKind::Loss, 1, 999)];
        let left = minimized(decisions, |tried| {
            let delay = tried.iter().find(|(site, _)| site.kind == SiteKind::Delay);
            delay.is_some_and(|(_, picked)| *picked < 8 || tried.len() == 2)
        });
        assert_eq!(left, [decision(SiteKind::Delay, 0, 1)]);
    }
}
