//! The run that a safety margin is of, and how it continues without further faults.

use std::sync::Arc;

use crate::scenario::{Cast, Continuation, Harm, Running, StepsExceeded};
use crate::simulation::branch::Branch;
use crate::time::{Duration, Time};
use crate::trace::Recorder;
use crate::world::network::NodeId;

/// The run that is looked at.
pub(super) struct RunUnderWay {
    pub(super) cast: Arc<Cast>,
    pub(super) branch: Branch,
    pub(super) end: Time,
    /// How many steps the run and each continuation may take.
    pub(super) max_steps: u64,
    /// The harm that is looked for.
    pub(super) harm: Harm,
    /// The only node whose faults are tried; all of them without one.
    pub(super) only: Option<NodeId>,
}

/// A finding, and how much work that was.
pub(super) type Tried<T> = Result<(T, u64), StepsExceeded>;

/// Beyond that a continuation is not followed, however long a TTL is.
const AFTERMATH_MAX: Duration = Duration::from_seconds(600);

impl RunUnderWay {
    /// Does all of the next instant at which something happens, if that is not after `limit`. Says
    /// whether there was one.
    pub(super) fn advance_instant(
        &self,
        running: &mut Running,
        limit: Time,
    ) -> Result<bool, StepsExceeded> {
        let mut recorder = Recorder::default();
        running.check_steps(limit, self.max_steps)?;
        if !self.branch.tick(running, &mut recorder, limit) {
            return Ok(false);
        }
        let now = running.world.now();
        loop {
            running.check_steps(now, self.max_steps)?;
            recorder.forget_events();
            if !self.branch.tick(running, &mut recorder, now) {
                return Ok(true);
            }
        }
    }

    /// The rest of the run without further faults.
    pub(super) fn continuation(&self, running: &Running) -> Continuation {
        running.continuation(self.branch.acts_after(running.acts))
    }

    /// True if a run is harmed, now or later, if every fault ends now and no other follows.
    pub(super) fn breaks_if_rescued(&self, running: &Running) -> Tried<bool> {
        if running.has(self.harm) {
            return Ok((true, 0));
        }
        let rescued = self.continuation(running).rescued();
        rescued.has_by(self.harm, self.until(running), self.max_steps)
    }

    /// Until when a continuation without a further fault is followed.
    pub(super) fn until(&self, running: &Running) -> Time {
        self.end.max(running.world.now() + self.aftermath())
    }

    /// How long a continuation is followed after its fault: two TTLs and two retry intervals.
    pub(super) fn aftermath(&self) -> Duration {
        let clients = &self.cast.scenario.clients;
        let ttl = clients.entries().map(|it| it.ttl).max().unwrap_or_default();
        let retries =
            clients.entries().map(|it| it.kind_of_runner().rule().longest_retry(it.interval()));
        let retry_interval = retries.max().unwrap_or_default();
        let both = ttl.as_ms().saturating_add(retry_interval.as_ms());
        Duration::from_ms(both.saturating_mul(2)).min(AFTERMATH_MAX)
    }
}
