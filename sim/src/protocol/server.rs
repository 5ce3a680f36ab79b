//! One Locket process: validation, accounting, timers and the poll of the table.
//!
//! A request takes three steps, so that process and database may be apart:
//!
//! 1. [`begin`](Server::begin) counts and validates the request and gives a transaction.
//! 2. The caller runs the transaction.
//! 3. [`finish`](Server::finish) takes the outcome, registers the TTL and gives the answer.
//!
//! Knows neither the table nor other processes.

use super::error::{Code, LockError, MissingResource, SQL_UNRECOVERABLE};
use super::expiry::{Expiry, Fired, KnownTimer};
use super::log::{Level, Log, LogRecord};
use super::message::{Method, Request, Response};
use super::operation::{Operation, Outcome};
use super::profile::{
    ExpiryRule, InvalidTypeError, InvalidTypeStatus, NilResource, Profile, TypeRules,
};
use super::request_counters::RequestCounters;
use super::resource::{LOCK, PRESENCE, Resource, TypeCode};
use super::row::Registration;
use crate::time::{Duration, Time};

/// How often a process reads the whole table and registers what it finds (B76).
pub const POLL_INTERVAL: Duration = Duration::from_seconds(5);

/// How long the transaction of a call may take before a process gives up on it (B22).
pub const OPERATION_TIMEOUT: Duration = Duration::from_seconds(10);

/// How long a transaction of a timer or a poll may take: as long as the driver reads, by its
/// default (B23).
pub const DRIVER_TIMEOUT: Duration = Duration::from_seconds(600);

/// Who calls, as far as the server can know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller<'a> {
    /// The `uuid` of the request's metadata; used in logs only (B27).
    pub request_id: &'a str,
    /// Whether the caller still waits when the answer is ready.
    pub state: CallerState,
}

/// Whether a caller still waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallerState {
    /// It gave up. The database work is done all the same (B22).
    Cancelled,
    /// Its deadline has passed. The database work is done all the same (B22).
    DeadlineExceeded,
    /// It waits.
    #[default]
    Waiting,
}

/// A request that was begun; finish every one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a call that is not finished stays in flight"]
pub struct Call {
    started: Time,
}

/// One Locket process.
#[derive(Clone, Debug)]
pub struct Server {
    profile: Profile,
    expiry: Expiry,
    requests: RequestCounters,
    /// `None` where the table expires its rows by itself.
    next_poll: Option<Time>,
    exits: bool,
}

impl Server {
    /// A process that starts at `now`. Its first poll is due at once (B75).
    pub fn new(profile: Profile, now: Time) -> Self {
        Self {
            profile,
            expiry: Expiry::default(),
            requests: RequestCounters::default(),
            next_poll: (profile.expiry == ExpiryRule::UpstreamTimers).then_some(now),
            exits: false,
        }
    }

    /// Counts and validates a request; says what to ask the database for it.
    pub fn begin<'a>(
        &mut self,
        request: &'a Request,
        now: Time,
    ) -> (Call, Result<Operation<'a>, LockError>) {
        let counters = self.requests.of_mut(request.method());
        counters.started += 1;
        counters.in_flight += 1;
        (Call { started: now }, validate(&self.profile, request))
    }

    /// Takes what validation or the database said, and gives the answer.
    pub fn finish(
        &mut self,
        call: Call,
        request: &Request,
        result: Result<Outcome, LockError>,
        caller: Caller<'_>,
        now: Time,
        log: &mut dyn Log,
    ) -> Result<Response, LockError> {
        let method = request.method();
        let about = |level, message| {
            LogRecord::new(level, message)
                .about(request.key(), request.owner(), "")
                .in_call(method, caller.request_id)
        };
        if let Err(error) = &result {
            self.log_failure(request, error, &about, log);
        }
        let counters = self.requests.of_mut(method);
        match caller.state {
            CallerState::Cancelled => {
                log.record(&about(Level::Info, "context-cancelled"));
                counters.cancelled += 1;
            }
            CallerState::DeadlineExceeded => {
                log.record(&about(Level::Info, "context-deadline-exceeded"))
            }
            CallerState::Waiting => {}
        }
        counters.latency_max = counters.latency_max.max(now.since(call.started));
        // A collision is an answer, not a failure (B25).
        match &result {
            Ok(_) | Err(LockError::LockCollision) => counters.succeeded += 1,
            Err(_) => counters.failed += 1,
        }
        counters.in_flight -= 1;
        Ok(match result? {
            Outcome::Locked(row) => {
                if let Some(row) = row {
                    self.register(*row, now, log);
                }
                Response::Lock
            }
            Outcome::Released | Outcome::Deleted(_) => Response::Release,
            Outcome::Fetched(resource) => Response::Fetch(resource),
            Outcome::FetchedAll(resources) => Response::FetchAll(resources),
        })
    }

    /// The renewal of a row of which the process has this timer: what [`begin`](Self::begin) and
    /// [`finish`](Self::finish) do at one instant.
    pub(crate) fn renew_known(&mut self, timer: Option<KnownTimer>, now: Time) {
        let counters = self.requests.of_mut(Method::Lock);
        counters.started += 1;
        counters.succeeded += 1;
        if let Some(timer) = timer {
            self.expiry.renew_known(timer, self.profile.ttl_overflow, now);
        }
    }

    fn log_failure<'a>(
        &mut self,
        request: &'a Request,
        error: &'a LockError,
        about: &dyn Fn(Level, &'static str) -> LogRecord<'a>,
        log: &mut dyn Log,
    ) {
        if *error == SQL_UNRECOVERABLE {
            log.record(&about(Level::Error, "unrecoverable-error").because(error.message()));
            self.exits = true;
        }
        let message = match (request, error) {
            (_, LockError::InvalidType(_)) => "invalid-request",
            // Silent: a waiter's attempts collide all the time (B28).
            (_, LockError::LockCollision) => return,
            (Request::Lock { .. }, _) => "failed-locking-lock",
            (Request::Release { .. }, _) => "failed-releasing-lock",
            (Request::Fetch { .. }, _) => "failed-fetching-lock",
            (Request::FetchAll { .. }, _) => "failed-fetching-all-locks",
        };
        log.record(&about(Level::Error, message).because(error.message()));
    }
}

/// Timers and poll.
impl Server {
    /// When a timer fires next, if that is not after `limit`.
    pub fn deadline(&mut self, limit: Time) -> Option<Time> {
        self.expiry.deadline(limit)
    }

    /// When its timer for a row fires, if it has one for the row as it is now.
    pub fn expires_at(&self, row: &Registration) -> Option<Time> {
        self.expiry.expires_at(row)
    }

    /// A timer that has fired by `now`, with what to ask the database to delete. Call until
    /// `None`, and answer each with [`handle_attempt`](Self::handle_attempt).
    pub fn poll_fired(&mut self, now: Time) -> Option<(Fired, Registration)> {
        self.expiry.poll_fired(now)
    }

    /// Takes the database's answer to a fired timer's attempt.
    pub fn handle_attempt(
        &mut self,
        fired: Fired,
        result: Result<Outcome, LockError>,
        log: &mut dyn Log,
    ) {
        let deleted = result.map(|outcome| outcome == Outcome::Deleted(true));
        self.expiry.handle_attempt(fired, deleted, log);
    }

    /// When the process polls the table next. Only needed where it expires rows, and only if
    /// the table has changed since the last poll: registering the same rows again does nothing.
    pub const fn poll_deadline(&self) -> Option<Time> {
        self.next_poll
    }

    /// Begins the poll that is due by `now`; says whether one is. The next one is due at the next
    /// tick, and those that were missed are left out (B76).
    pub fn begin_poll(&mut self, now: Time) -> bool {
        let is_due = self.next_poll.is_some_and(|due| due <= now);
        if is_due {
            self.skip_polls_before(now + Duration::INSTANT);
        }
        is_due
    }

    /// Takes the listed rows of a poll that has [begun](Self::begin_poll), or why they could not
    /// be read; the process goes on either way (B75, B76).
    pub fn handle_polled_rows(
        &mut self,
        rows: Result<impl Iterator<Item = Registration>, LockError>,
        now: Time,
        log: &mut dyn Log,
    ) {
        match rows {
            Ok(rows) => rows.for_each(|row| self.register(row, now, log)),
            Err(error) => {
                log.record(
                    &LogRecord::new(Level::Error, "failed-fetching-locks").because(error.message()),
                );
            }
        }
    }

    /// Leaves out polls before `now`, which would have found nothing new. The rhythm stays.
    pub fn skip_polls_before(&mut self, now: Time) {
        let interval = POLL_INTERVAL.as_ms();
        self.next_poll = self.next_poll.map(|due| {
            let missed = now.since(due).as_ms().div_ceil(interval);
            due + Duration::from_ms(missed.saturating_mul(interval))
        });
    }

    fn register(&mut self, row: Registration, now: Time, log: &mut dyn Log) {
        if self.profile.expiry == ExpiryRule::UpstreamTimers {
            self.expiry.register(row, self.profile.ttl_overflow, now, log);
        }
    }
}

/// State that operators look at.
impl Server {
    /// Drops all timers, for a search in which those of any process stand for them.
    pub(crate) fn drop_timers(&mut self) {
        self.expiry = Expiry::default();
    }

    /// The request counters since the start.
    pub const fn requests(&self) -> &RequestCounters {
        &self.requests
    }

    /// The timers, with the counters of expired rows.
    pub const fn expiry(&self) -> &Expiry {
        &self.expiry
    }

    /// True if the process stops itself, because it found no table.
    pub const fn exits(&self) -> bool {
        self.exits
    }
}

/// Checks in the profile's order, stopping at the first failure (B14…B21).
fn validate<'a>(profile: &Profile, request: &'a Request) -> Result<Operation<'a>, LockError> {
    match request {
        Request::Fetch { key } => {
            require_key(profile, key)?;
            Ok(Operation::Fetch { key })
        }
        Request::FetchAll { type_name, type_code } => {
            let type_filter = list_filter(profile, type_name, *type_code)?;
            Ok(Operation::FetchAll { type_filter })
        }
        Request::Lock { resource, ttl_in_seconds } => {
            let resource = require_resource(profile, resource.as_ref())?;
            validate_lock(profile, resource, *ttl_in_seconds)?;
            Ok(Operation::Lock { resource, ttl_in_seconds: *ttl_in_seconds })
        }
        Request::Release { resource } => {
            let resource = require_resource(profile, resource.as_ref())?;
            require_key(profile, &resource.key)?;
            if profile.release_owner_required && resource.owner.is_empty() {
                return Err(LockError::InvalidOwner);
            }
            Ok(Operation::Release { key: &resource.key, owner: &resource.owner })
        }
    }
}

fn validate_lock(
    profile: &Profile,
    resource: &Resource,
    ttl_in_seconds: i64,
) -> Result<(), LockError> {
    let type_accepted = match profile.type_rules {
        TypeRules::Documented => resource.type_code.is_member(),
        TypeRules::Legacy => legacy_type_accepted(&resource.type_name, resource.type_code),
        TypeRules::Upstream => resource.type_code.name().is_some(),
    };
    let type_first = profile.invalid_type_error == InvalidTypeError::Upstream;
    if type_first && !type_accepted {
        return Err(invalid_type(profile));
    }
    require_key(profile, &resource.key)?;
    if ttl_in_seconds <= 0 {
        return Err(LockError::InvalidTtl);
    }
    if resource.owner.is_empty() {
        return Err(LockError::InvalidOwner);
    }
    if !type_accepted {
        return Err(invalid_type(profile));
    }
    Ok(())
}

/// The stored type string that FetchAll lists.
fn list_filter(
    profile: &Profile,
    type_name: &str,
    type_code: TypeCode,
) -> Result<&'static str, LockError> {
    let by_string = match type_name {
        LOCK => Some(LOCK),
        PRESENCE => Some(PRESENCE),
        _ => None,
    };
    let filter = match profile.type_rules {
        TypeRules::Documented if type_code == TypeCode::Unknown => by_string,
        TypeRules::Legacy if !legacy_type_accepted(type_name, type_code) => None,
        TypeRules::Legacy => type_code.name().or(by_string),
        TypeRules::Documented | TypeRules::Upstream => type_code.name(),
    };
    filter.ok_or_else(|| invalid_type(profile))
}

/// From 2017 to 2024: the string alone if it names a code, or a code that it agrees with.
fn legacy_type_accepted(type_name: &str, type_code: TypeCode) -> bool {
    match type_code.name() {
        Some(name) => type_name.is_empty() || type_name == name,
        None => {
            type_code == TypeCode::Unknown && TypeCode::from_name(type_name) != TypeCode::Unknown
        }
    }
}

fn require_resource<'a>(
    profile: &Profile,
    resource: Option<&'a Resource>,
) -> Result<&'a Resource, LockError> {
    resource.ok_or(LockError::InvalidResource(match profile.nil_resource {
        NilResource::Crash => MissingResource::Crashes,
        NilResource::Invalid => MissingResource::Refused,
    }))
}

const fn require_key(profile: &Profile, key: &str) -> Result<(), LockError> {
    if profile.key_required && key.is_empty() {
        return Err(LockError::InvalidKey);
    }
    Ok(())
}

const fn invalid_type(profile: &Profile) -> LockError {
    LockError::InvalidType(match profile.invalid_type_status {
        InvalidTypeStatus::InvalidArgument => Code::InvalidArgument,
        InvalidTypeStatus::NotFound => Code::NotFound,
    })
}
