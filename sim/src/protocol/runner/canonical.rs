//! The canonical state of a runner: its possible futures, with times relative to a moment.
//!
//! Two runners of the same settings and the same canonical state do the same from here on, whenever
//! that is and whatever led there. Texts that only logs and events repeat are left out, and so
//! are request ids: a search that compares states gives out one id and drops replies to calls that
//! are over. This makes the set of states finite that a search has to visit.

use super::rule::Moment;
use super::{Attempt, Phase, Runner};
use crate::protocol::message::Method;
use crate::time::{Duration, Time};

/// The canonical state of a runner, with times relative to a moment; equal states have the
/// same future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CanonicalRunner {
    stage: Stage,
    /// How long the runner goes on believing if nothing happens; `None` if it does not believe.
    belief: Option<Duration>,
    failures: u8,
    ready: bool,
    signalled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Calling {
        method: Method,
        is_first: bool,
        /// Until the call has taken too long; `None` if it may take for ever.
        time_left: Option<Duration>,
        /// Since the attempt was sent, as far as that matters.
        sent_ago: Duration,
    },
    Created,
    Exited,
    Waiting {
        remaining: Duration,
    },
}

impl Runner {
    /// The canonical state of the runner at `now`.
    pub fn canonical(&self, now: Time) -> CanonicalRunner {
        let remaining = |until: Time| until.since(now);
        let calling = |method, attempt: &Attempt| Stage::Calling {
            method,
            is_first: attempt.is_first,
            time_left: attempt.deadline.map(remaining),
            sent_ago: now.since(attempt.sent).min(self.memory_of_sending()),
        };
        let stage = match &self.phase {
            Phase::Attempting(attempt) => calling(Method::Lock, attempt),
            Phase::Created => Stage::Created,
            Phase::Exited(_) => Stage::Exited,
            Phase::FetchingOwner(attempt, _) => calling(Method::Fetch, attempt),
            Phase::Releasing { deadline } => Stage::Calling {
                method: Method::Release,
                is_first: false,
                time_left: deadline.map(remaining),
                sent_ago: Duration::ZERO,
            },
            Phase::Waiting { until, .. } => Stage::Waiting { remaining: remaining(*until) },
        };
        let belief = self.held_until.map(|end| match end {
            Time::MAX => Duration::from_ms(u64::MAX),
            end => remaining(end),
        });
        CanonicalRunner {
            stage,
            belief,
            failures: self.failures,
            ready: self.ready,
            signalled: self.signalled,
        }
    }

    /// For how long it matters when an attempt was sent: after that the next one is due at once,
    /// and a reply grants nothing any more.
    fn memory_of_sending(&self) -> Duration {
        let settings = &self.settings;
        let lease = settings.rule.lease.map(|it| (settings.lease().unwrap_or_default(), it.from));
        let times = [true, false].map(|is_good| settings.wait(is_good)).into_iter().chain(lease);
        let from_request = times.filter(|(_, from)| *from == Moment::Request);
        from_request.map(|(time, _)| time).max().unwrap_or_default()
    }
}
