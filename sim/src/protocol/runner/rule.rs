//! The rule of a runner as data: what counts its lease, when it tries again, how long it waits, and
//! what ends its lock. The runners of this package are four such values.
//!
//! A rule does not look at *which* error an attempt has, except that a collision is one: the proof for
//! any number of clients relies on that.

use crate::time::Duration;

/// The rule of a runner: what counts its lease, when it tries again, and what ends its lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerRule", rename_all = "camelCase", deny_unknown_fields, default),
    schemars(transform = crate::schema::without_null, transform = crate::schema::with_name)
)]
pub struct Rule {
    /// How long a good attempt is worth. Left out, only attempts that fail end a lock.
    pub lease: Option<Lease>,
    /// When the attempt after a good one is due; left out, as after a failure.
    pub renew: Option<Wait>,
    /// When the attempt after a failure is due.
    pub retry: Wait,
    /// How long a call may take: a time, `ttl`, `retry-interval`, `ttl-or-retry-interval` (the longer
    /// one) or `unlimited`, which is the default.
    pub timeout: Timeout,
    /// How long the first attempt may take, if not as long as any.
    pub first_timeout: Option<Timeout>,
    /// How long a later attempt may take while the lock is not held, if not as long as any.
    pub acquire_timeout: Option<Timeout>,
    /// How long the Release may take, if not as long as any.
    pub release_timeout: Option<Timeout>,
    /// How long the Fetch may take that names the owner if the first attempt fails (C4); left out, none
    /// is made.
    pub fetch_owner: Option<Timeout>,
    /// Whether attempts, except the first, wait for a connection instead of failing at once.
    pub wait_for_ready: bool,
    /// How many attempts in a row may fail while the lock is held: any number if it is left out.
    #[cfg_attr(feature = "schema", schemars(range(max = FAILURES_MAX)))]
    pub tolerated_failures: Option<u8>,
    /// What a collision does to a lock that is held.
    pub on_collision: CollisionPolicy,
    /// What the runner does once it has lost its lock.
    pub on_loss: LossPolicy,
    /// What the runner does when it is told to stop.
    pub on_stop: SignalPolicy,
}

/// How long a good attempt is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerLease", rename_all = "camelCase", deny_unknown_fields),
    schemars(transform = crate::schema::without_null)
)]
pub struct Lease {
    /// From where its length counts.
    pub from: Moment,
    /// Its length; the TTL less the margin if it is left out.
    pub length: Option<Duration>,
    /// How much shorter than the TTL it is: by default 1 s (500 ms for a TTL below 10 s, 250 ms below
    /// 5 s, 100 ms below 3 s).
    pub margin: Option<Duration>,
    /// How its end is noticed.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub ends: LeaseEnd,
}

/// When the next attempt is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerWait", rename_all = "camelCase", deny_unknown_fields, default),
    schemars(transform = crate::schema::without_null)
)]
pub struct Wait {
    /// How long to wait; the retry interval if it is left out.
    pub every: Option<Duration>,
    /// From where that counts.
    pub from: Moment,
    /// By how much longer each wait is at most, in whole milliseconds, as chance has it: none of it in a
    /// run that is not random, and in a question all that is possible.
    pub jitter: Option<Duration>,
}

/// A moment of an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "kebab-case"), schemars(inline))]
pub enum Moment {
    /// When its answer is looked at, or it is given up, so that latency adds (C6).
    #[default]
    Reply,
    /// When its request is sent.
    Request,
}

/// How a runner notices that its lease has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "kebab-case"), schemars(inline))]
pub enum LeaseEnd {
    /// By an attempt that fails after it: until then the lock is taken for held.
    AtAnAttempt,
    /// By its clock. Its owner asks that clock before each act.
    #[default]
    ByTimer,
}

/// What a collision does to a lock that is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "kebab-case"), schemars(inline))]
pub enum CollisionPolicy {
    /// It counts as any other failure.
    Count,
    /// It ends the lock at once: another owner has it.
    #[default]
    Lose,
}

/// What a runner does once it has lost its lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "kebab-case"), schemars(inline))]
pub enum LossPolicy {
    /// It goes on trying: a presence runner (C10).
    Retry,
    /// It exits with an error: a lock runner (C9).
    #[default]
    Stop,
}

/// What a runner does when it is told to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "kebab-case"), schemars(inline))]
pub enum SignalPolicy {
    /// It exits at once, even during an attempt, and the lock stays until its TTL ends (C35).
    Abandon,
    /// It lets an attempt under way end, then releases the lock and exits without error, whatever
    /// came of the Release (C13, C14).
    #[default]
    Release,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Timeout {
    /// As long as this.
    Of(Duration),
    /// As long as the retry interval.
    RetryInterval,
    /// As long as the TTL.
    Ttl,
    /// As long as the TTL, or the retry interval if that is longer: an answer that comes later
    /// grants no lease.
    TtlOrRetryInterval,
    /// As long as it takes.
    #[default]
    Unlimited,
}

/// The TTL of the Cloud Controller's lock, which its program fixes.
pub const CLOUD_CONTROLLER_TTL: Duration = Duration::from_seconds(15);
/// The most failures that a rule may count.
pub(super) const FAILURES_MAX: u8 = 15;

/// The runners of this package.
impl Rule {
    /// Locket's own lock runner as it is today (C1…C18): any failure ends a lock.
    pub fn upstream() -> Self {
        Self {
            timeout: Timeout::RetryInterval,
            first_timeout: Some(Timeout::Unlimited),
            release_timeout: Some(Timeout::Unlimited),
            fetch_owner: Some(Timeout::Unlimited),
            wait_for_ready: true,
            tolerated_failures: Some(0),
            ..Self::default()
        }
    }

    /// Locket's own lock runner before October 2025: an attempt might take a whole TTL (C7).
    pub fn upstream_before_2025_10() -> Self {
        Self { timeout: Timeout::Ttl, ..Self::upstream() }
    }

    /// The Cloud Controller's loop: no deadlines, a second of sleep, no Release. Its worker does
    /// not check the lock again during its work, which is no part of a rule.
    pub fn cloud_controller() -> Self {
        Self {
            retry: Wait { every: Some(Duration::from_seconds(1)), ..Wait::default() },
            tolerated_failures: Some(0),
            on_loss: LossPolicy::Retry,
            on_stop: SignalPolicy::Abandon,
            ..Self::default()
        }
    }

    /// A runner that never believes longer than its lease lasts; the rule and its limits are argued in
    /// the [module](super). Its attempts fail at once where no Locket is, as those of the package's
    /// clients do.
    pub fn safe() -> Self {
        let lease =
            Lease { from: Moment::Request, length: None, margin: None, ends: LeaseEnd::ByTimer };
        Self {
            lease: Some(lease),
            retry: Wait { from: Moment::Request, ..Wait::default() },
            timeout: Timeout::RetryInterval,
            first_timeout: Some(Timeout::TtlOrRetryInterval),
            acquire_timeout: Some(Timeout::TtlOrRetryInterval),
            fetch_owner: Some(Timeout::RetryInterval),
            ..Self::default()
        }
    }
}

impl Rule {
    /// The retry interval of a client that names none: 5 s as in production, or a third of what the
    /// margin leaves of a short TTL, so that one attempt may fail. A third is cut to whole seconds, or
    /// to tenths of one, because the search takes a step that divides all times.
    pub fn default_retry_interval(&self, ttl: Duration, margin: Option<Duration>) -> Duration {
        if let Some(fixed) = self.retry.every {
            return fixed;
        }
        let margin = margin.map_or(0, Duration::as_ms);
        let third = ttl.as_ms().saturating_sub(margin) / 3;
        let grain = match third {
            0..100 => 1,
            100..1000 => 100,
            _ => 1000,
        };
        Duration::from_ms(third - third % grain).min(Duration::from_seconds(5))
    }

    /// Refuses another retry interval than its own, if it has one.
    ///
    /// # Errors
    ///
    /// The one that it has.
    pub fn check_retry_interval(&self, retry_interval: Duration) -> Result<(), String> {
        match self.retry.every.filter(|it| *it != retry_interval) {
            Some(fixed) => {
                Err(format!("its retry interval is {fixed}; leave {retry_interval} out"))
            }
            None => Ok(()),
        }
    }

    /// The longest wait after a failed attempt.
    pub(crate) fn longest_retry(&self, retry_interval: Duration) -> Duration {
        retry_interval + self.retry.jitter.unwrap_or_default()
    }

    /// True if a wait has jitter.
    pub(crate) fn has_jitter(&self) -> bool {
        self.retry.jitter.is_some() || self.renew.is_some_and(|it| it.jitter.is_some())
    }

    /// When the attempt after another is due.
    pub(super) fn wait(&self, is_good: bool) -> Wait {
        self.renew.filter(|_| is_good).unwrap_or(self.retry)
    }
}
