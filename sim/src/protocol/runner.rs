//! The runner of a client: takes a lock or a presence, keeps it, and notices when it is lost.
//!
//! One machine for lock and presence runners; they differ in their
//! [loss policy](LossPolicy) alone, and all known clients in their [settings](RunnerSettings).
//! Knows no server, no carrier and no connection: only calls, replies and the time.
//!
//! # What the safe runner believes
//!
//! Upstream's runner learns of a loss from a failed attempt and from nothing else. After a slow
//! reply, a pause, or a first attempt that hangs, it still believes it holds the lock when the row
//! has expired and another client has taken it. The [safe](RunnerSettings::safe) runner counts:
//!
//! * An attempt that succeeds was sent before Locket committed it, and the row lives for a TTL
//!   from the commit. So it lives at least until **sent + TTL**, whatever the reply's latency.
//!   The lease that a runner grants itself ends there, less a margin; it counts from the
//!   attempt that the reply names, never from a later one.
//! * Every attempt has a deadline, the first too, so no call can hold the runner up. While the
//!   lock is held, that is one retry interval, which leaves time for another renewal. While it
//!   is not held, the attempt may take a whole TTL. A later answer grants nothing, so a longer
//!   wait is of no use. A shorter wait is no safer, since the lease counts from the send. It even
//!   does harm: the attempt may have written the row, its owner never learns of it, and the next
//!   attempt renews a lock that no client believes it holds. So a client also gets the lock if
//!   answers take longer than a retry interval.
//! * At most one attempt is under way, so the answer of an earlier one means nothing.
//! * A failed attempt says nothing about the row that the last good one left. The runner keeps
//!   the lock while the lease lives and tries again, one retry interval after the failed
//!   attempt was *sent*. With a TTL of 15 s and a retry interval of 5 s it survives one attempt
//!   without an answer.
//!   Only a collision says that another client owns the row, and ends the lease at once.
//! * A reply that comes after the lease it would grant has ended grants nothing, and a lease
//!   that ended while the runner was paused is given up before anything else is looked at.
//!
//! **The margin** is for clocks that run at different rates. If this clock shows TTL × (1 − ε)
//! while Locket's shows a TTL, a margin of TTL × ε is needed; 1 % covers clocks far worse than
//! those of real machines. Add the time that the owner of the runner needs to stop its work after
//! [`Event::Lost`]. The [default](default_margin) covers both for most
//! owners. An owner that may be paused itself should ask
//! [`Runner::believes_held`] with the time of its own clock before each act.
//!
//! This holds as long as the row lives as long as its TTL says. It does not if an operator or a
//! late Release of the same owner deletes the row, or if the database loses commits. Only the
//! resource that the lock protects can defend itself against that.

mod calls;
mod canonical;
mod output;
mod request_id;
mod rule;
mod rule_members;
mod settings;
mod shared;

use std::mem;
use std::sync::Arc;

pub use self::canonical::CanonicalRunner;
pub use self::output::{Call, CallId, Event, LossCause, Output, RunnerError};
pub use self::request_id::{RequestId, RequestIdError, RequestIds};
pub use self::rule::{
    CLOUD_CONTROLLER_TTL, CollisionPolicy, Lease, LeaseEnd, LossPolicy, Moment, Rule, SignalPolicy,
    Timeout, Wait,
};
pub use self::rule_members::{OwnRule, RuleNumbers};
#[cfg(feature = "schema")]
pub(crate) use self::rule_members::{TIMEOUTS, rule_members};
pub use self::settings::{RunnerSettings, default_margin};
pub use self::shared::SharedSettings;

use super::error::LockError;
use super::log::{Level, Log, LogRecord};
use super::message::{Method, Request, Response};
use super::resource::Resource;
use crate::time::{Duration, Time};

/// A lock or presence runner.
///
/// After every input, take outputs with [`poll_output`](Self::poll_output) until there are
/// none. [`deadline`](Self::deadline) says when to call
/// [`handle_timeout`](Self::handle_timeout).
///
/// Inputs may come late; early or superfluous inputs do nothing. `now` must not go back. Of
/// inputs that are due together, such as a reply and the deadline of its call, either may come
/// first, and the first one counts. Two runners with the same state are equal, whatever led there.
///
/// ```
/// use locket_sim::protocol::id_source::IdSource;
/// use locket_sim::protocol::message::Response;
/// use locket_sim::protocol::resource::Resource;
/// use locket_sim::protocol::runner::{Event, Output, Runner, RunnerSettings};
/// use locket_sim::time::{Duration, Time};
///
/// let settings = RunnerSettings::safe(Resource::default(), 15, Duration::from_seconds(5));
/// let mut runner = Runner::new(settings);
/// runner.start(Time::ZERO, &mut IdSource::new(1), &mut ());
/// let Some(Output::Call(call)) = runner.poll_output() else { panic!("the first attempt") };
/// let now = Time::from_ms(40);
/// runner.handle_reply(call.id(), Ok(Response::Lock), now, &mut ());
/// assert_eq!(runner.poll_output(), Some(Output::Event(Event::Acquired)));
/// assert_eq!(runner.lease_ends(), Some(Time::from_ms(14_000)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Runner {
    settings: SharedSettings,
    phase: Phase,
    /// While the lock is held, until when if nothing happens.
    held_until: Option<Time>,
    /// How many attempts in a row have failed while it is held, if the rule counts them.
    failures: u8,
    ready: bool,
    /// A signal waits for the end of the attempt.
    signalled: bool,
    /// Few, and mostly none.
    outputs: Vec<Output>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Attempting(Attempt),
    Created,
    Exited(Result<(), RunnerError>),
    /// The first attempt failed; its deadline is the Fetch's now.
    FetchingOwner(Attempt, Box<LockError>),
    Releasing {
        deadline: Option<Time>,
    },
    Waiting {
        until: Time,
        /// By how much longer that may be, until it is drawn.
        jitter: Duration,
    },
}

/// A Lock under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Attempt {
    request_id: RequestId,
    sent: Time,
    deadline: Option<Time>,
    is_first: bool,
}

/// Inputs.
impl Runner {
    /// True if it tries to have its lock: it has started, and no signal has told it to end.
    pub(crate) const fn wants(&self) -> bool {
        let waits =
            matches!(self.phase, Phase::Created | Phase::Releasing { .. } | Phase::Exited(_));
        !self.signalled && !waits
    }

    /// A runner that has not been started.
    pub fn new(settings: impl Into<SharedSettings>) -> Self {
        Self {
            settings: settings.into(),
            phase: Phase::Created,
            held_until: None,
            failures: 0,
            ready: false,
            signalled: false,
            outputs: Vec::new(),
        }
    }

    /// Starts it: the first attempt is made at once (C3).
    pub fn start(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        if self.phase == Phase::Created {
            log.record(&self.record(Level::Info, "started"));
            self.attempt(true, now, ids, log);
        }
    }

    /// Takes the reply to a call, or what the carrier says instead. A reply to a call that is
    /// over says nothing any more.
    pub fn handle_reply(
        &mut self,
        call: CallId,
        result: Result<Response, LockError>,
        now: Time,
        log: &mut dyn Log,
    ) {
        self.end_lease(now, log);
        if self.call_under_way() == Some(call) {
            self.finish_call(result, now, log);
        }
    }

    /// Does what is due by `now`.
    pub fn handle_timeout(&mut self, now: Time, ids: &mut dyn RequestIds, log: &mut dyn Log) {
        self.end_lease(now, log);
        let is_late = self.call_deadline().is_some_and(|due| due <= now);
        if is_late {
            self.finish_call(Err(LockError::DeadlineExceeded), now, log);
        }
        // A wait that begins now has its jitter still to be drawn.
        let is_over = |until, jitter| until <= now && !(is_late && jitter > Duration::ZERO);
        if matches!(self.phase, Phase::Waiting { until, jitter } if is_over(until, jitter)) {
            self.attempt(false, now, ids, log);
        }
    }

    /// The jitter of a wait that has begun, once for each: by which part of it to
    /// [defer](Self::defer) the next attempt is drawn by whoever has chance.
    pub fn take_jitter(&mut self) -> Option<Duration> {
        let Phase::Waiting { jitter, .. } = &mut self.phase else {
            return None;
        };
        Some(mem::take(jitter)).filter(|it| *it > Duration::ZERO)
    }

    /// Makes the next attempt later.
    pub fn defer(&mut self, by: Duration) {
        if let Phase::Waiting { until, .. } = &mut self.phase {
            *until = *until + by;
        }
    }

    /// Asks the runner to end. A second time, or before the start, does nothing.
    pub fn handle_signal(&mut self, now: Time, log: &mut dyn Log) {
        self.end_lease(now, log);
        let abandons = self.settings.rule.on_stop == SignalPolicy::Abandon;
        match self.phase {
            Phase::Created | Phase::Exited(_) | Phase::Releasing { .. } => {}
            Phase::Attempting(_) | Phase::FetchingOwner(..) if !abandons => self.signalled = true,
            Phase::Attempting(_) | Phase::FetchingOwner(..) | Phase::Waiting { .. } => {
                self.serve_signal(now, log);
            }
        }
    }
}

/// Renewals, as [`handle_timeout`](Self::handle_timeout) and [`handle_reply`](Self::handle_reply) make
/// them where nothing else is due.
impl Runner {
    /// True if an attempt is all that is due `now`, and its success at the same instant a renewal.
    pub(crate) fn is_to_renew(&self, now: Time) -> bool {
        matches!(self.phase, Phase::Waiting { until, .. } if until <= now)
            && self.held_until.is_some_and(|end| now < end)
            && self.ready
            && !self.signalled
            && self.outputs.is_empty()
            && self.settings.lease_end(now, now) > now
            && self.renewal_deadline(now).is_none_or(|due| due > now)
    }

    /// When the call of a renewal has taken too long.
    pub(crate) fn renewal_deadline(&self, now: Time) -> Option<Time> {
        self.settings.deadline(self.settings.rule.timeout, now)
    }

    /// Is renewed `now` by a call of `sent`.
    pub(crate) fn renew(&mut self, sent: Time, now: Time) {
        self.held_until = Some(self.settings.lease_end(sent, now));
        self.failures = 0;
        self.wait(sent, now, true, &mut ());
    }

    /// Makes the call of a renewal that [is due](Self::is_to_renew).
    pub(crate) fn begin_renewal(&mut self, now: Time, ids: &mut dyn RequestIds) -> Option<Call> {
        self.begin_attempt(false, now, ids).ok()
    }

    /// Takes the success of a call, if all that comes of it is a renewal. Says whether it did.
    pub(crate) fn finish_renewal(&mut self, call: CallId, now: Time) -> bool {
        let Phase::Attempting(attempt) = self.phase else {
            return false;
        };
        let renews = self.call_under_way() == Some(call)
            && self.believes_held(now)
            && self.ready
            && !self.signalled
            && self.outputs.is_empty()
            && self.settings.lease_end(attempt.sent, now) > now;
        if renews {
            self.renew(attempt.sent, now);
        }
        renews
    }

    /// The request of every attempt.
    pub(crate) const fn lock_request(&self) -> &Arc<Request> {
        self.settings.lock_request()
    }
}

/// Outputs and state.
impl Runner {
    /// The next output, in the order in which they arose.
    pub fn poll_output(&mut self) -> Option<Output> {
        if self.outputs.is_empty() {
            // Many runners rest most of the time.
            self.outputs = Vec::new();
            return None;
        }
        Some(self.outputs.remove(0))
    }

    /// When something is due by itself.
    pub fn deadline(&self) -> Option<Time> {
        let next_attempt =
            if let Phase::Waiting { until, .. } = self.phase { Some(until) } else { None };
        let earlier = |one: Option<Time>, other: Option<Time>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        earlier(earlier(next_attempt, self.call_deadline()), self.lease_ends())
    }

    /// True if the runner believes at `now` that it holds the lock. Without lease accounting,
    /// time alone never changes that.
    pub fn believes_held(&self, now: Time) -> bool {
        self.held_until.is_some_and(|end| now < end || !self.settings.ends_by_timer())
    }

    /// When the belief ends without another event; `None` without a lock or a counted lease.
    pub fn lease_ends(&self) -> Option<Time> {
        self.held_until.filter(|&end| end < Time::MAX && self.settings.ends_by_timer())
    }

    /// True if the lock has ever been held.
    pub const fn is_ready(&self) -> bool {
        self.ready
    }

    /// How the runner ended, once it has.
    pub const fn exited(&self) -> Option<&Result<(), RunnerError>> {
        if let Phase::Exited(result) = &self.phase { Some(result) } else { None }
    }

    /// The call whose reply the runner waits for; no other reply means anything to it.
    pub const fn call_under_way(&self) -> Option<CallId> {
        let (method, request_id) = match &self.phase {
            Phase::Attempting(attempt) => (Method::Lock, Some(attempt.request_id)),
            Phase::FetchingOwner(attempt, _) => (Method::Fetch, Some(attempt.request_id)),
            Phase::Releasing { .. } => (Method::Release, None),
            Phase::Created | Phase::Exited(_) | Phase::Waiting { .. } => return None,
        };
        Some(CallId { method, request_id })
    }

    /// The settings of the runner, but for the resource.
    pub fn settings(&self) -> &RunnerSettings<()> {
        &self.settings
    }

    /// The key that it keeps, its owner and its value.
    pub fn resource(&self) -> &Resource {
        self.settings.resource()
    }

    const fn call_deadline(&self) -> Option<Time> {
        match &self.phase {
            Phase::Attempting(attempt) | Phase::FetchingOwner(attempt, _) => attempt.deadline,
            Phase::Releasing { deadline } => *deadline,
            Phase::Created | Phase::Exited(_) | Phase::Waiting { .. } => None,
        }
    }
}

/// Ends.
impl Runner {
    fn end_lease(&mut self, now: Time, log: &mut dyn Log) {
        if self.lease_ends().is_some_and(|end| end <= now) {
            let cause = LossCause::LeaseEnded.to_string();
            log.record(&self.record(Level::Error, "lost-lock").because(&cause));
            self.lose(LossCause::LeaseEnded, log);
        }
    }

    /// No Release: the row stays until its TTL ends (C9).
    fn lose(&mut self, cause: LossCause, log: &mut dyn Log) {
        debug_assert!(self.held_until.is_some(), "only what is held is lost");
        self.end_belief();
        self.event(Event::Lost(cause.clone()));
        if self.settings.rule.on_loss == LossPolicy::Stop {
            self.exit(Err(RunnerError::LostLock(cause)), log);
        }
    }

    fn end_belief(&mut self) {
        (self.held_until, self.failures) = (None, 0);
    }

    fn exit(&mut self, result: Result<(), RunnerError>, log: &mut dyn Log) {
        debug_assert!(self.exited().is_none(), "a runner exits once");
        log.record(&self.record(Level::Info, "completed"));
        self.end_belief();
        self.signalled = false;
        self.event(Event::Exited(result.clone()));
        self.phase = Phase::Exited(result);
    }

    fn event(&mut self, event: Event) {
        self.outputs.push(Output::Event(event));
    }

    /// Every record names the resource (C2).
    fn record(&self, level: Level, message: &'static str) -> LogRecord<'_> {
        let resource = self.resource();
        LogRecord::new(level, message).about(&resource.key, &resource.owner, resource.stored_type())
    }
}
