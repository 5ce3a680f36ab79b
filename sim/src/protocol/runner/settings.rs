//! The settings of a runner: its timing, its treatment of failures, and the known presets.
//!
//! Knows no behaviour; the [machine](super::Runner) asks. Nothing is validated, as upstream
//! validates nothing (C1): a TTL of 0 is refused by Locket, again and again.

use crate::protocol::expiry::lease_length;
use crate::protocol::profile::TtlOverflow;
use crate::protocol::resource::{Resource, TypeCode};
use crate::time::{Duration, Time};

/// The TTL of the Cloud Controller's lock, which its program fixes.
pub const CLOUD_CONTROLLER_TTL: Duration = Duration::from_seconds(15);
/// The retry interval of the Cloud Controller, which its program fixes.
pub const CLOUD_CONTROLLER_RETRY_INTERVAL: Duration = Duration::from_seconds(1);

/// The settings of one runner. Take a preset, or a preset with single fields changed:
///
/// ```
/// use locket_sim::protocol::resource::Resource;
/// use locket_sim::protocol::runner::{RunnerSettings, Timeout};
/// use locket_sim::time::Duration;
///
/// let presence = RunnerSettings {
///     first_attempt_timeout: Timeout::RetryInterval,
///     ..RunnerSettings::upstream(Resource::default(), 15, Duration::from_seconds(5)).presence()
/// };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunnerSettings<R = Resource> {
    /// The key, its owner and its value; sent whole with every Lock and Release.
    pub resource: R,
    /// The lease that every attempt asks for.
    pub ttl_in_seconds: i64,
    /// How long to wait between attempts. 0 counts as 1 ms, so that time always passes.
    pub retry_interval: Duration,
    /// From where the retry interval counts.
    pub retry_from: RetryFrom,
    /// How long the first attempt may take.
    pub first_attempt_timeout: Timeout,
    /// How long any other attempt may take that is sent while the lock is not held.
    pub acquire_timeout: Timeout,
    /// How long an attempt may take that is sent while the lock is held.
    pub renew_timeout: Timeout,
    /// Whether attempts, except the first, wait for a connection instead of failing fast.
    pub wait_for_ready: bool,
    /// Whether a Fetch names the owner if the first attempt fails (C4), and how long it may take.
    pub fetch_owner: Option<Timeout>,
    /// How the runner knows that it holds the lock no longer.
    pub lease: LeaseAccounting,
    /// The action of the runner then.
    pub loss_policy: LossPolicy,
    /// The action of the runner on a signal.
    pub signal_policy: SignalPolicy,
}

/// How the runner knows that it holds the lock no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaseAccounting {
    /// By its own clock: the lease ends a TTL less the margin after the last good attempt was
    /// sent. A collision ends it at once, no other failure does.
    FromSend {
        /// By how much the lease is shortened.
        margin: Duration,
    },
    /// By an attempt that fails, whatever the error, and by nothing else (C8, C15).
    None,
}

/// The action of a runner that has lost the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LossPolicy {
    /// It exits with an error: a lock runner (C9).
    Exit,
    /// It goes on trying: a presence runner (C10).
    Retry,
}

/// From where the retry interval counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RetryFrom {
    /// The end of an attempt, so that latency adds to the period (C6).
    Completion,
    /// The moment an attempt was sent; the next one is due at once if it took longer.
    Send,
}

/// The action of a runner on a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignalPolicy {
    /// It exits at once, even during an attempt, and the lock stays until its TTL ends (C35).
    Abandon,
    /// It lets an attempt under way end, then releases the lock and exits without error,
    /// whatever came of the Release (C13, C14).
    Release {
        /// How long the Release may take.
        timeout: Timeout,
    },
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timeout {
    /// As long as the TTL, or the retry interval if that is longer: an answer that comes later
    /// grants no lease.
    Lease,
    /// As long as the retry interval.
    RetryInterval,
    /// As long as the TTL.
    Ttl,
    /// As long as it takes.
    Unlimited,
}

impl RunnerSettings {
    /// Locket's own lock runner as it is today (C1…C18).
    pub const fn upstream(
        resource: Resource,
        ttl_in_seconds: i64,
        retry_interval: Duration,
    ) -> Self {
        Self {
            resource,
            ttl_in_seconds,
            retry_interval,
            retry_from: RetryFrom::Completion,
            first_attempt_timeout: Timeout::Unlimited,
            acquire_timeout: Timeout::RetryInterval,
            renew_timeout: Timeout::RetryInterval,
            wait_for_ready: true,
            fetch_owner: Some(Timeout::Unlimited),
            lease: LeaseAccounting::None,
            loss_policy: LossPolicy::Exit,
            signal_policy: SignalPolicy::Release { timeout: Timeout::Unlimited },
        }
    }

    /// Locket's own lock runner before October 2025: an attempt might take a whole TTL (C7).
    pub const fn upstream_before_2025_10(
        resource: Resource,
        ttl_in_seconds: i64,
        retry_interval: Duration,
    ) -> Self {
        let mut settings = Self::upstream(resource, ttl_in_seconds, retry_interval);
        settings.acquire_timeout = Timeout::Ttl;
        settings.renew_timeout = Timeout::Ttl;
        settings
    }

    /// Gives the first attempt, and the Fetch after it, the deadlines that later attempts have.
    pub const fn limit_first_attempt(&mut self) {
        self.first_attempt_timeout = self.acquire_timeout;
        if self.fetch_owner.is_some() {
            self.fetch_owner = Some(self.renew_timeout);
        }
    }

    /// The Cloud Controller's loop: no deadlines, a second of sleep, no Release. Its worker does
    /// not check the lock again during its work, which is no part of these settings.
    pub const fn cloud_controller(resource: Resource) -> Self {
        Self {
            resource,
            ttl_in_seconds: (CLOUD_CONTROLLER_TTL.as_ms() / 1000).cast_signed(),
            retry_interval: CLOUD_CONTROLLER_RETRY_INTERVAL,
            retry_from: RetryFrom::Completion,
            first_attempt_timeout: Timeout::Unlimited,
            acquire_timeout: Timeout::Unlimited,
            renew_timeout: Timeout::Unlimited,
            wait_for_ready: false,
            fetch_owner: None,
            lease: LeaseAccounting::None,
            loss_policy: LossPolicy::Retry,
            signal_policy: SignalPolicy::Abandon,
        }
    }

    /// A runner that never believes longer than its lease lasts; the rule and its limits are
    /// argued in the [module](super). The margin is the [default](default_margin).
    pub fn safe(resource: Resource, ttl_in_seconds: i64, retry_interval: Duration) -> Self {
        let ttl = lease_length(ttl_in_seconds, TtlOverflow::Wrap);
        Self {
            retry_from: RetryFrom::Send,
            first_attempt_timeout: Timeout::Lease,
            acquire_timeout: Timeout::Lease,
            // As the package's clients do, which have nothing to wait for.
            wait_for_ready: false,
            fetch_owner: Some(Timeout::RetryInterval),
            lease: LeaseAccounting::FromSend { margin: default_margin(ttl) },
            signal_policy: SignalPolicy::Release { timeout: Timeout::RetryInterval },
            ..Self::upstream(resource, ttl_in_seconds, retry_interval)
        }
    }

    /// The runner of a presence with these settings: after a loss it goes on trying, and never gives
    /// up (C10).
    #[must_use]
    pub fn presence(self) -> Self {
        Self {
            resource: Resource { type_code: TypeCode::Presence, ..self.resource },
            loss_policy: LossPolicy::Retry,
            ..self
        }
    }

    /// The resource, and all else.
    pub(super) fn split(self) -> (Resource, RunnerSettings<()>) {
        let Self {
            resource,
            ttl_in_seconds,
            retry_interval,
            retry_from,
            first_attempt_timeout,
            acquire_timeout,
            renew_timeout,
            wait_for_ready,
            fetch_owner,
            lease,
            loss_policy,
            signal_policy,
        } = self;
        let rules = RunnerSettings {
            resource: (),
            ttl_in_seconds,
            retry_interval,
            retry_from,
            first_attempt_timeout,
            acquire_timeout,
            renew_timeout,
            wait_for_ready,
            fetch_owner,
            lease,
            loss_policy,
            signal_policy,
        };
        (resource, rules)
    }
}

/// Times.
impl<R> RunnerSettings<R> {
    /// How long a lock is held from the moment a good attempt was sent; `None` if the runner does
    /// not count its lease.
    pub fn lease(&self) -> Option<Duration> {
        match self.lease {
            LeaseAccounting::FromSend { margin } => {
                let lease = self.ttl().as_ms().saturating_sub(margin.as_ms());
                Some(Duration::from_ms(lease))
            }
            LeaseAccounting::None => None,
        }
    }

    /// When a call that is sent `now` has taken too long.
    pub(super) fn deadline(&self, timeout: Timeout, now: Time) -> Option<Time> {
        match timeout {
            Timeout::Lease => Some(now + self.ttl().max(self.retry_interval)),
            Timeout::RetryInterval => Some(now + self.retry_interval),
            Timeout::Ttl => Some(now + self.ttl()),
            Timeout::Unlimited => None,
        }
    }

    /// When the attempt that follows one sent at `sent` and ended `now` is due.
    pub(super) fn next_attempt(&self, sent: Time, now: Time) -> Time {
        let interval = self.retry_interval.max(Duration::from_ms(1));
        match self.retry_from {
            RetryFrom::Completion => now + interval,
            RetryFrom::Send => now.max(sent + interval),
        }
    }

    /// When the lease of a good attempt sent at `sent` ends; the end of time if the runner does not
    /// count.
    pub(super) fn lease_end(&self, sent: Time) -> Time {
        self.lease().map_or(Time::MAX, |lease| sent + lease)
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
