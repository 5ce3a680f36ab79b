//! A member that has only so long to become ready.
//!
//! Decides nothing else: signals and exits pass through.

use std::fmt;

use super::member::{Member, Signal};
use crate::protocol::log::Log;
use crate::protocol::runner::{CanonicalRunner, Output, RequestIds, Runner};
use crate::time::{Duration, Time};

/// A member with a time limit for becoming ready (C22…C24).
///
/// Use the wrapped member through [`update`](Self::update) alone, so that the wrapper notices
/// what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeoutRunner<M: Member> {
    name: String,
    member: M,
    timeout: Option<Duration>,
    late_policy: LatePolicy,
    phase: Phase<M::Error>,
    ready: bool,
}

/// The treatment of a member that was not ready in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LatePolicy {
    /// It runs on without a stop signal. It may still take the lock and keep it until
    /// its process ends. Upstream does this.
    Abandon,
    /// It is interrupted, and the wrapper ends when it has ended.
    Interrupt,
}

/// Why a [`TimeoutRunner`] ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TimeoutError<E> {
    /// The member of this name was not ready in time.
    FailedToStart(String),
    /// The member ended with this error.
    Member(E),
}

impl<E: fmt::Display> fmt::Display for TimeoutError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FailedToStart(name) => write!(f, "{name}: failed to start in time"),
            Self::Member(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for TimeoutError<E> {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase<E> {
    Created,
    Exited(Result<(), TimeoutError<E>>),
    /// Not ready in time, and interrupted for it.
    Interrupted,
    Ready,
    Starting {
        until: Option<Time>,
    },
}

impl<M: Member> TimeoutRunner<M> {
    /// Wraps a member that has not been started. Without a timeout it may take for ever.
    pub fn new(
        name: impl Into<String>,
        member: M,
        timeout: Option<Duration>,
        late_policy: LatePolicy,
    ) -> Self {
        Self {
            name: name.into(),
            member,
            timeout,
            late_policy,
            phase: Phase::Created,
            ready: false,
        }
    }

    /// The member's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The wrapped member.
    pub const fn member(&self) -> &M {
        &self.member
    }

    /// Gives an input to the member, or takes an output from it.
    pub fn update<T>(
        &mut self,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
        input: impl FnOnce(&mut M, &mut dyn RequestIds, &mut dyn Log) -> T,
    ) -> T {
        let output = input(&mut self.member, ids, log);
        self.settle(now, ids, log);
        output
    }

    /// Looks at the state of the member. Success at the last instant of its timeout
    /// still counts.
    fn settle(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        if let Phase::Starting { until } = self.phase
            && self.member.exited().is_none()
        {
            if self.member.is_ready() {
                self.ready = true;
                self.phase = Phase::Ready;
            } else if until.is_some_and(|until| until <= now) {
                self.give_up(now, ids, log);
            }
        }
        if let Some(result) = self.member.exited() {
            self.end(result);
        }
    }

    fn give_up(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        match self.late_policy {
            LatePolicy::Abandon => self.phase = Phase::Exited(self.failed_to_start()),
            LatePolicy::Interrupt => {
                self.phase = Phase::Interrupted;
                self.member.handle_signal(Signal::Interrupt, now, ids, log);
            }
        }
    }

    fn end(&mut self, result: Result<(), M::Error>) {
        match self.phase {
            // Abandoned: its state is not read any more.
            Phase::Created | Phase::Exited(_) => {}
            Phase::Interrupted => self.phase = Phase::Exited(self.failed_to_start()),
            Phase::Ready | Phase::Starting { .. } => {
                // A good end before ready counts as ready (C22).
                self.ready |= result.is_ok();
                self.phase = Phase::Exited(result.map_err(TimeoutError::Member));
            }
        }
    }

    fn failed_to_start(&self) -> Result<(), TimeoutError<M::Error>> {
        Err(TimeoutError::FailedToStart(self.name.clone()))
    }
}

impl<M: Member> Member for TimeoutRunner<M> {
    type Error = TimeoutError<M::Error>;

    fn start(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        if self.phase == Phase::Created {
            let until = self.timeout.map(|timeout| now + timeout);
            self.phase = Phase::Starting { until };
            self.update(now, ids, log, |member, ids, log| {
                member.start(now, ids, log);
            });
        }
    }

    fn handle_signal(
        &mut self,
        signal: Signal,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
    ) {
        if !matches!(self.phase, Phase::Exited(_)) {
            self.update(now, ids, log, |member, ids, log| {
                member.handle_signal(signal, now, ids, log);
            });
        }
    }

    fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        self.update(now, ids, log, |member, ids, log| {
            member.handle_timeout(now, ids, log);
        });
    }

    /// An abandoned member's own deadlines go on.
    fn deadline(&self) -> Option<Time> {
        let until = match self.phase {
            Phase::Starting { until } => until,
            Phase::Created | Phase::Exited(_) | Phase::Interrupted | Phase::Ready => None,
        };
        [until, self.member.deadline()].into_iter().flatten().min()
    }

    fn is_ready(&self) -> bool {
        self.ready
    }

    fn exited(&self) -> Option<Result<(), Self::Error>> {
        match &self.phase {
            Phase::Exited(result) => Some(result.clone()),
            Phase::Created | Phase::Interrupted | Phase::Ready | Phase::Starting { .. } => None,
        }
    }
}

/// The canonical state of a joint lock's member; equal states have the same future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CanonicalMember {
    stage: Stage,
    ready: bool,
    runner: CanonicalRunner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Created,
    Exited,
    Interrupted,
    Ready,
    Starting {
        /// How long it may still take; `None` if for ever.
        remaining: Option<Duration>,
    },
}

impl TimeoutRunner<Runner> {
    /// The canonical state of the member at `now`.
    pub(super) fn canonical(&self, now: Time) -> CanonicalMember {
        CanonicalMember {
            stage: match self.phase {
                Phase::Created => Stage::Created,
                Phase::Exited(_) => Stage::Exited,
                Phase::Interrupted => Stage::Interrupted,
                Phase::Ready => Stage::Ready,
                Phase::Starting { until } => {
                    Stage::Starting { remaining: until.map(|until| until.since(now)) }
                }
            },
            ready: self.ready,
            runner: self.member.canonical(now),
        }
    }

    /// The next output of the runner. Taking it changes nothing that the wrapper looks at.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.member.poll_output()
    }
}
