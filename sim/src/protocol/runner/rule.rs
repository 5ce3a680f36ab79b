//! The rule of a runner as data: what counts its lease, when it tries again, how long it waits, and
//! what ends its lock. The runners of this package are four such values.
//!
//! A rule does not look at *which* error an attempt has, except that a collision is one: the proof for
//! any number of clients relies on that.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::time::Duration;

/// The rule of a runner: what counts its lease, when it tries again, and what ends its lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerRule", transform = crate::schema::without_null)
)]
pub struct Rule {
    /// What answers call it.
    pub name: Cow<'static, str>,
    /// How long a good attempt is worth. Left out, only attempts that fail end a lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// When the attempt after a good one is due; left out, as after a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renew: Option<Wait>,
    /// When the attempt after a failure is due.
    pub retry: Wait,
    /// How long a call may take: a time, `ttl`, `retry-interval`, `ttl-or-retry-interval` (the longer
    /// one) or `unlimited`.
    pub timeout: Timeout,
    /// How long the first attempt may take, if not as long as any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_timeout: Option<Timeout>,
    /// How long a later attempt may take while the lock is not held, if not as long as any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acquire_timeout: Option<Timeout>,
    /// How long the Release may take, if not as long as any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_timeout: Option<Timeout>,
    /// How long the Fetch may take that names the owner if the first attempt fails (C4); left out, none
    /// is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetch_owner: Option<Timeout>,
    /// Whether attempts, except the first, wait for a connection instead of failing at once.
    pub wait_for_ready: bool,
    /// How many attempts in a row may fail while the lock is held: any number if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerLease", transform = crate::schema::without_null)
)]
pub struct Lease {
    /// From where its length counts.
    pub from: Moment,
    /// Its length; the TTL less the margin if it is left out.
    #[serde(serialize_with = "text", skip_serializing_if = "Option::is_none")]
    pub length: Option<Duration>,
    /// How much shorter than the TTL it is: by default 1 s (500 ms for a TTL below 10 s, 250 ms below
    /// 5 s, 100 ms below 3 s).
    #[serde(serialize_with = "text", skip_serializing_if = "Option::is_none")]
    pub margin: Option<Duration>,
    /// How its end is noticed.
    #[serde(default)]
    pub ends: LeaseEnd,
}

/// When the next attempt is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerWait", transform = crate::schema::without_null)
)]
pub struct Wait {
    /// How long to wait; the retry interval if it is left out.
    #[serde(serialize_with = "text", skip_serializing_if = "Option::is_none")]
    pub every: Option<Duration>,
    /// From where that counts.
    pub from: Moment,
}

/// A moment of an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Moment {
    /// When its answer is looked at, or it is given up, so that latency adds (C6).
    #[default]
    Reply,
    /// When its request is sent.
    Request,
}

/// How a runner notices that its lease has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum LeaseEnd {
    /// By an attempt that fails after it: until then the lock is taken for held.
    AtAnAttempt,
    /// By its clock. Its owner asks that clock before each act.
    #[default]
    ByTimer,
}

/// What a collision does to a lock that is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum CollisionPolicy {
    /// It counts as any other failure.
    Count,
    /// It ends the lock at once: another owner has it.
    #[default]
    Lose,
}

/// What a runner does once it has lost its lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum LossPolicy {
    /// It goes on trying: a presence runner (C10).
    Retry,
    /// It exits with an error: a lock runner (C9).
    #[default]
    Stop,
}

/// What a runner does when it is told to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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
const FAILURES_MAX: u8 = 15;
/// The longest name of a rule, in characters.
const NAME_MAX: usize = 60;

impl Default for Rule {
    /// It counts no lease and tolerates every failure: all that a real one adds is left out.
    fn default() -> Self {
        Self {
            name: Cow::Borrowed("own rule"),
            lease: None,
            renew: None,
            retry: Wait::default(),
            timeout: Timeout::Unlimited,
            first_timeout: None,
            acquire_timeout: None,
            release_timeout: None,
            fetch_owner: None,
            wait_for_ready: false,
            tolerated_failures: None,
            on_collision: CollisionPolicy::Lose,
            on_loss: LossPolicy::Stop,
            on_stop: SignalPolicy::Release,
        }
    }
}

/// The runners of this package.
impl Rule {
    /// Locket's own lock runner as it is today (C1…C18): any failure ends a lock.
    pub fn upstream() -> Self {
        Self {
            name: Cow::Borrowed("upstream"),
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
        let name = Cow::Borrowed("upstream-before-2025-10");
        Self { name, timeout: Timeout::Ttl, ..Self::upstream() }
    }

    /// The Cloud Controller's loop: no deadlines, a second of sleep, no Release. Its worker does
    /// not check the lock again during its work, which is no part of a rule.
    pub fn cloud_controller() -> Self {
        Self {
            name: Cow::Borrowed("cloud-controller"),
            retry: Wait { every: Some(Duration::from_seconds(1)), from: Moment::Reply },
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
            name: Cow::Borrowed("safe"),
            lease: Some(lease),
            retry: Wait { every: None, from: Moment::Request },
            timeout: Timeout::RetryInterval,
            first_timeout: Some(Timeout::TtlOrRetryInterval),
            acquire_timeout: Some(Timeout::TtlOrRetryInterval),
            fetch_owner: Some(Timeout::RetryInterval),
            ..Self::default()
        }
    }
}

impl Rule {
    /// When the attempt after another is due.
    pub(super) fn wait(&self, is_good: bool) -> Wait {
        self.renew.filter(|_| is_good).unwrap_or(self.retry)
    }

    /// The times that it fixes, each with its field.
    pub(crate) fn times(&self) -> impl Iterator<Item = (&'static str, Duration)> + use<> {
        let of = |timeout: Option<Timeout>| match timeout {
            Some(Timeout::Of(length)) => Some(length),
            _ => None,
        };
        let times = [
            ("runner.lease.length", self.lease.and_then(|it| it.length)),
            ("runner.lease.margin", self.lease.and_then(|it| it.margin)),
            ("runner.renew.every", self.renew.and_then(|it| it.every)),
            ("runner.retry.every", self.retry.every),
            ("runner.timeout", of(Some(self.timeout))),
            ("runner.firstTimeout", of(self.first_timeout)),
            ("runner.acquireTimeout", of(self.acquire_timeout)),
            ("runner.releaseTimeout", of(self.release_timeout)),
            ("runner.fetchOwner", of(self.fetch_owner)),
        ];
        times.into_iter().filter_map(|(field, time)| Some((field, time?)))
    }

    /// Refuses what makes no rule.
    ///
    /// # Errors
    ///
    /// The field, and what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let zero =
            self.times().find(|(field, it)| *it == Duration::ZERO && !field.ends_with("margin"));
        if let Some((field, _)) = zero {
            let field = field.strip_prefix("runner.").unwrap_or(field);
            return Err(format!("{field}: expected more than 0"));
        }
        if self.lease.is_some_and(|it| it.length.is_some() && it.margin.is_some()) {
            return Err("lease: a margin is for a lease as long as the TTL; leave out length or \
                        margin"
                .to_owned());
        }
        if self.tolerated_failures.is_some_and(|it| it > FAILURES_MAX) {
            return Err(format!("toleratedFailures: expected at most {FAILURES_MAX}"));
        }
        let length = self.name.chars().count();
        if !(1..=NAME_MAX).contains(&length) {
            return Err(format!("name: expected 1 to {NAME_MAX} characters, not {length}"));
        }
        Ok(())
    }
}

impl Timeout {
    /// Those that are no time of their own, with their names.
    pub(crate) const NAMED: [(&str, Self); 4] = [
        ("retry-interval", Self::RetryInterval),
        ("ttl", Self::Ttl),
        ("ttl-or-retry-interval", Self::TtlOrRetryInterval),
        ("unlimited", Self::Unlimited),
    ];
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMED.iter().find(|(_, named)| named == self);
        match (self, name) {
            (Self::Of(length), _) => length.fmt(f),
            (_, name) => f.write_str(name.map_or("", |(name, _)| name)),
        }
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Writes a time as it is read.
fn text<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|it| it.to_string()).serialize(to)
}
