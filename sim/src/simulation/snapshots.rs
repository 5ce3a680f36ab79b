//! Copies of a run at several positions, from which it can continue.

use crate::scenario::{Position, Running};
use crate::trace::{Recorder, RollingDigest};

/// A place at which something had just happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) position: Position,
    pub(super) events: usize,
}

/// A run as it was.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) running: Running,
    events: usize,
    marks: usize,
    digest: RollingDigest,
}

/// Snapshots of one run, the first of them from its start.
#[derive(Clone)]
pub(super) struct Snapshots {
    kept: Vec<Snapshot>,
    /// The number of steps between two.
    interval: u64,
}

const INTERVAL: u64 = 64;
/// With more snapshots, every other one is dropped: in a long run, going back takes longer.
const KEPT_MAX: usize = 64;

impl Snapshots {
    /// The snapshots of a run that is at its start.
    pub(super) fn new(start: Running) -> Self {
        let snapshot =
            Snapshot { running: start, events: 0, marks: 0, digest: RollingDigest::default() };
        Self { kept: vec![snapshot], interval: INTERVAL }
    }

    /// Takes one if it is time for it.
    pub(super) fn note(&mut self, running: &Running, recorder: &Recorder, marks: &[Mark]) {
        let last = self.kept.last().map_or(0, |last| last.running.ticks);
        if running.ticks < last.saturating_add(self.interval) {
            return;
        }
        self.kept.push(Snapshot {
            running: running.clone(),
            events: recorder.events().len(),
            marks: marks.len(),
            digest: recorder.rolling_digest(),
        });
        if self.kept.len() > KEPT_MAX {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.interval *= 2;
        }
    }

    /// Drops those after a place: what comes after it will be another run.
    pub(super) fn forget_after(&mut self, place: Position) {
        let later = self.kept.partition_point(|it| it.running.position() <= place);
        self.kept.truncate(later.max(1));
    }

    /// The run as it was at a place or some way before it; what was recorded since is dropped.
    pub(super) fn before(
        &self,
        place: Position,
        recorder: &mut Recorder,
        marks: &mut Vec<Mark>,
    ) -> Running {
        let later = self.kept.partition_point(|it| it.running.position() <= place);
        let snapshot = &self.kept[later.saturating_sub(1)];
        recorder.go_back(snapshot.events, &snapshot.digest);
        marks.truncate(snapshot.marks);
        snapshot.running.clone()
    }
}
