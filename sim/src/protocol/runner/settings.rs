//! The settings of a runner: its [rule](Rule), what it keeps, and how long.
//!
//! Knows no behaviour; the [machine](super::Runner) asks. Nothing is validated, as upstream
//! validates nothing (C1): a TTL of 0 is refused by Locket, again and again.

use super::rule::{LeaseEnd, LossPolicy, Moment, Rule, Timeout, Wait};
use crate::protocol::expiry::lease_length;
use crate::protocol::profile::TtlOverflow;
use crate::protocol::resource::{Resource, TypeCode};
use crate::time::{Duration, Time};

/// The settings of one runner: its rule, what it keeps, and how long. Take a preset, or a preset with
/// parts of its rule changed:
///
/// ```
/// use locket_sim::protocol::resource::Resource;
/// use locket_sim::protocol::runner::{RunnerSettings, Timeout};
/// use locket_sim::time::Duration;
///
/// let mut presence =
///     RunnerSettings::upstream(Resource::default(), 15, Duration::from_seconds(5)).presence();
/// presence.rule.first_timeout = Some(Timeout::RetryInterval);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunnerSettings<R = Resource> {
    /// The key, its owner and its value; sent whole with every Lock and Release.
    pub resource: R,
    /// The TTL that every attempt asks for.
    pub ttl_in_seconds: i64,
    /// How long to wait between attempts, unless the rule has a wait of its own. 0 counts as 1 ms, so
    /// that time always passes.
    pub retry_interval: Duration,
    /// What the runner does.
    pub rule: Rule,
}

impl RunnerSettings {
    /// A runner that follows a rule, with the retry interval of the rule if that has one.
    pub fn new(
        resource: Resource,
        ttl_in_seconds: i64,
        retry_interval: Duration,
        rule: Rule,
    ) -> Self {
        let retry_interval = rule.retry.every.unwrap_or(retry_interval);
        Self { resource, ttl_in_seconds, retry_interval, rule }
    }

    /// Locket's own lock runner as it is today (C1…C18).
    pub fn upstream(resource: Resource, ttl_in_seconds: i64, retry_interval: Duration) -> Self {
        Self::new(resource, ttl_in_seconds, retry_interval, Rule::upstream())
    }

    /// A runner that never believes longer than its lease lasts. The margin is the
    /// [default](default_margin).
    pub fn safe(resource: Resource, ttl_in_seconds: i64, retry_interval: Duration) -> Self {
        Self::new(resource, ttl_in_seconds, retry_interval, Rule::safe())
    }

    /// Gives the first attempt, and the Fetch after it, the deadlines that later attempts have.
    pub fn limit_first_attempt(&mut self) {
        self.rule.first_timeout = self.rule.acquire_timeout;
        if let Some(timeout) = &mut self.rule.fetch_owner {
            *timeout = self.rule.timeout;
        }
    }

    /// The runner of a presence with these settings: after a loss it goes on trying, and never gives
    /// up (C10).
    #[must_use]
    pub fn presence(mut self) -> Self {
        self.resource.type_code = TypeCode::Presence;
        self.rule.on_loss = LossPolicy::Retry;
        self
    }

    /// The resource, and all else.
    pub(super) fn split(self) -> (Resource, RunnerSettings<()>) {
        let Self { resource, ttl_in_seconds, retry_interval, rule } = self;
        (resource, RunnerSettings { resource: (), ttl_in_seconds, retry_interval, rule })
    }
}

/// Times.
impl<R> RunnerSettings<R> {
    /// How long a good attempt is worth; `None` if the runner does not count its lease.
    pub fn lease(&self) -> Option<Duration> {
        let lease = self.rule.lease?;
        let margin = self.margin().unwrap_or_default();
        Some(lease.length.unwrap_or_else(|| {
            Duration::from_ms(self.ttl().as_ms().saturating_sub(margin.as_ms()))
        }))
    }

    /// How much shorter than the TTL a lease is that is counted by the TTL.
    pub(crate) fn margin(&self) -> Option<Duration> {
        let lease = self.rule.lease.filter(|it| it.length.is_none())?;
        Some(lease.margin.unwrap_or_else(|| default_margin(self.ttl())))
    }

    /// Shortens a lease that is as long as the TTL. Says whether there is one.
    pub fn shorten_lease(&mut self, margin: Duration) -> bool {
        let lease = self.rule.lease.as_mut().filter(|it| it.length.is_none());
        lease.map(|it| it.margin = Some(margin)).is_some()
    }

    /// When a call that is sent `now` has taken too long.
    pub(super) fn deadline(&self, timeout: Timeout, now: Time) -> Option<Time> {
        match timeout {
            Timeout::Of(length) => Some(now + length),
            Timeout::RetryInterval => Some(now + self.retry_interval),
            Timeout::Ttl => Some(now + self.ttl()),
            Timeout::TtlOrRetryInterval => Some(now + self.ttl().max(self.retry_interval)),
            Timeout::Unlimited => None,
        }
    }

    /// How long after a moment of an attempt the next one is due, and after which.
    pub(super) fn wait(&self, is_good: bool) -> (Duration, Moment) {
        let Wait { every, from, .. } = self.rule.wait(is_good);
        (every.unwrap_or(self.retry_interval).max(Duration::INSTANT), from)
    }

    /// How long after an attempt that succeeds the next one is due.
    pub fn renewal_interval(&self) -> Duration {
        self.rule.wait(true).every.unwrap_or(self.retry_interval)
    }

    /// When the attempt that follows one sent at `sent` and ended `now` is due, without jitter. One
    /// that took longer than the wait is followed at once.
    pub(super) fn next_attempt(&self, sent: Time, now: Time, is_good: bool) -> Time {
        match self.wait(is_good) {
            (interval, Moment::Reply) => now + interval,
            (interval, Moment::Request) => now.max(sent + interval),
        }
    }

    /// When the lease of a good attempt ends that was sent at `sent` and is answered `now`; the end of
    /// time if the runner does not count.
    pub(super) fn lease_end(&self, sent: Time, now: Time) -> Time {
        let is_from_reply = self.rule.lease.is_some_and(|it| it.from == Moment::Reply);
        let start = if is_from_reply { now } else { sent };
        self.lease().map_or(Time::MAX, |lease| start + lease)
    }

    /// Whether the runner looks for the end of its lease by its clock.
    pub(super) fn ends_by_timer(&self) -> bool {
        self.rule.lease.is_none_or(|it| it.ends == LeaseEnd::ByTimer)
    }

    /// In upstream's arithmetic, for the runner's own timeouts as for the lease: a TTL too large
    /// for it ends at once at some servers, so a runner must not count on more.
    fn ttl(&self) -> Duration {
        lease_length(self.ttl_in_seconds, TtlOverflow::Wrap)
    }
}

/// By how much a safe runner shortens a lease by default. It is 1 s from a TTL of 10 s on,
/// 500 ms from 5 s on, 250 ms from 3 s on, and else 100 ms. It is never below 1 % of the TTL.
///
/// That is up to a tenth of the TTL, for clocks that drift, and for the time between a look at the
/// lock and the write that follows. It divides a second or is a multiple of one, so that an exact
/// [check](crate::check) of common settings takes no fine grid.
pub const fn default_margin(ttl: Duration) -> Duration {
    let ms = match ttl.as_ms() {
        0..3_000 => 100,
        3_000..5_000 => 250,
        5_000..10_000 => 500,
        10_000.. => 1_000,
    };
    let percent = ttl.as_ms().div_ceil(100).next_multiple_of(1_000);
    Duration::from_ms(if ttl.as_ms() > 100_000 { percent } else { ms })
}
