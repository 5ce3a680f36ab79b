//! The calls that a runner sends, and what it makes of their replies.
//!
//! One call at a time: attempts one after another, a Fetch after a first one that failed, and
//! a Release at the end. When to make them is decided by the [machine](super::Runner).

use std::mem;
use std::sync::Arc;

use super::output::{Call, Event, LossCause, Output, RunnerError};
use super::request_id::{RequestId, RequestIdError, RequestIds};
use super::rule::{CollisionPolicy, SignalPolicy, Timeout};
use super::{Attempt, Phase, Runner};
use crate::protocol::error::{Code, LockError};
use crate::protocol::log::{Level, Log, LogRecord};
use crate::protocol::message::{Method, Request, Response};
use crate::time::Time;

/// Sending.
impl Runner {
    pub(super) fn attempt(
        &mut self,
        is_first: bool,
        now: Time,
        ids: &mut dyn RequestIds,
        log: &mut dyn Log,
    ) {
        match self.begin_attempt(is_first, now, ids) {
            Ok(call) => self.outputs.push(Output::Call(call)),
            Err(error) => {
                let record = self.record(Level::Error, "failed-to-create-context");
                log.record(&record.because(&error.0));
                self.exit(Err(RunnerError::RequestId(error)), log);
            }
        }
    }

    pub(super) fn begin_attempt(
        &mut self,
        is_first: bool,
        now: Time,
        ids: &mut dyn RequestIds,
    ) -> Result<Call, RequestIdError> {
        let request_id = ids.next_request_id()?;
        let settings = &self.settings;
        let own = if is_first {
            settings.rule.first_timeout
        } else {
            settings.rule.acquire_timeout.filter(|_| self.held_until.is_none())
        };
        let call = Call {
            request: Arc::clone(self.lock_request()),
            request_id: Some(request_id),
            deadline: settings.deadline(own.unwrap_or(settings.rule.timeout), now),
            wait_for_ready: settings.rule.wait_for_ready && !is_first,
        };
        debug_assert!(self.call_under_way().is_none(), "one call is under way at most");
        self.phase =
            Phase::Attempting(Attempt { request_id, sent: now, deadline: call.deadline, is_first });
        Ok(call)
    }

    /// Upstream asks whatever the first attempt failed of (C4).
    fn fetch_owner(&mut self, attempt: Attempt, cause: LockError, timeout: Timeout, now: Time) {
        let key = self.resource().key.clone();
        let request = Arc::new(Request::Fetch { key });
        let deadline = self.send(request, Some(attempt.request_id), timeout, now);
        self.phase = Phase::FetchingOwner(Attempt { deadline, ..attempt }, Box::new(cause));
    }

    /// The lock is held no longer when the Release leaves: from then on it may be another's.
    pub(super) fn serve_signal(&mut self, now: Time, log: &mut dyn Log) {
        log.record(&self.record(Level::Info, "signalled"));
        self.signalled = false;
        self.end_belief();
        self.event(Event::Signalled);
        let rule = &self.settings.rule;
        if rule.on_stop == SignalPolicy::Abandon {
            return self.exit(Ok(()), log);
        }
        let timeout = rule.release_timeout.unwrap_or(rule.timeout);
        let resource = Some(self.resource().clone());
        let request = Arc::new(Request::Release { resource });
        let deadline = self.send(request, None, timeout, now);
        self.phase = Phase::Releasing { deadline };
    }

    fn send(
        &mut self,
        request: Arc<Request>,
        request_id: Option<RequestId>,
        timeout: Timeout,
        now: Time,
    ) -> Option<Time> {
        let deadline = self.settings.deadline(timeout, now);
        debug_assert!(self.call_under_way().is_none(), "one call is under way at most");
        self.outputs.push(Output::Call(Call {
            request,
            request_id,
            deadline,
            wait_for_ready: false,
        }));
        deadline
    }
}

/// Replies.
impl Runner {
    pub(super) fn finish_call(
        &mut self,
        result: Result<Response, LockError>,
        now: Time,
        log: &mut dyn Log,
    ) {
        match mem::replace(&mut self.phase, Phase::Created) {
            Phase::Attempting(attempt) => self.finish_attempt(attempt, result, now, log),
            Phase::FetchingOwner(attempt, cause) => {
                self.finish_fetch(attempt, *cause, result, now, log);
            }
            Phase::Releasing { .. } => self.finish_release(result, log),
            // No call is under way.
            phase @ (Phase::Created | Phase::Exited(_) | Phase::Waiting { .. }) => {
                self.phase = phase;
            }
        }
    }

    fn finish_attempt(
        &mut self,
        attempt: Attempt,
        result: Result<Response, LockError>,
        now: Time,
        log: &mut dyn Log,
    ) {
        let lease_end = self.settings.lease_end(attempt.sent, now);
        match result {
            Err(error) => self.fail(attempt, error, now, log),
            // As late as that, success says nothing about now.
            Ok(_) if lease_end <= now => self.fail(attempt, LockError::DeadlineExceeded, now, log),
            Ok(_) => {
                debug_assert!(
                    self.held_until.is_none_or(|held| held <= lease_end),
                    "a renewal never shortens a lease"
                );
                self.failures = 0;
                if self.held_until.replace(lease_end).is_some() {
                    self.event(Event::Renewed);
                } else {
                    log.record(&self.record(Level::Info, "acquired-lock"));
                    self.event(Event::Acquired);
                }
                if !mem::replace(&mut self.ready, true) {
                    self.event(Event::Ready);
                }
                self.wait(attempt.sent, now, true, log);
            }
        }
    }

    fn fail(&mut self, attempt: Attempt, error: LockError, now: Time, log: &mut dyn Log) {
        let is_held = self.held_until.is_some();
        let is_collision = error.code() == Code::AlreadyExists;
        if is_held && self.ends_belief(is_collision, now) {
            self.log_failure("lost-lock", attempt, &error, None, now, log);
            let request_id = attempt.request_id;
            self.lose(LossCause::AttemptFailed { error, request_id }, log);
            if self.exited().is_none() {
                self.wait(attempt.sent, now, false, log);
            }
        } else if attempt.is_first
            && let Some(timeout) = self.settings.rule.fetch_owner
        {
            self.fetch_owner(attempt, error, timeout, now);
        } else {
            if is_held {
                self.log_failure("failed-to-renew-lock", attempt, &error, None, now, log);
            } else if attempt.is_first || !is_collision {
                // A waiter's attempts collide all the time; only the first is worth a line (C11).
                self.log_failure("failed-to-acquire-lock", attempt, &error, None, now, log);
            }
            self.retry(attempt, error, None, now, log);
        }
    }

    /// Counts a failed attempt of a lock that is held, and says whether it ends the lock.
    fn ends_belief(&mut self, is_collision: bool, now: Time) -> bool {
        let rule = &self.settings.rule;
        let is_lost = is_collision && rule.on_collision == CollisionPolicy::Lose;
        if is_lost || self.held_until.is_some_and(|end| end <= now) {
            return true;
        }
        rule.tolerated_failures.is_some_and(|tolerated| {
            self.failures = self.failures.saturating_add(1);
            self.failures > tolerated
        })
    }

    fn finish_fetch(
        &mut self,
        attempt: Attempt,
        cause: LockError,
        result: Result<Response, LockError>,
        now: Time,
        log: &mut dyn Log,
    ) {
        let mut owner = None;
        match result {
            Ok(Response::Fetch(resource)) => owner = Some(resource.owner),
            Ok(Response::FetchAll(_) | Response::Lock | Response::Release) => {}
            Err(error) => {
                let record = self.record(Level::Error, "failed-fetching-lock-owner");
                log.record(&record.because(&error.to_string()));
            }
        }
        let named = owner.as_deref();
        self.log_failure("failed-to-acquire-lock", attempt, &cause, named, now, log);
        self.retry(attempt, cause, owner, now, log);
    }

    fn finish_release(&mut self, result: Result<Response, LockError>, log: &mut dyn Log) {
        match &result {
            Ok(_) => log.record(&self.record(Level::Info, "released-lock")),
            Err(error) => {
                let record = self.record(Level::Error, "failed-to-release-lock");
                log.record(&record.because(&error.to_string()));
            }
        }
        self.event(Event::Released(result.map(drop)));
        self.exit(Ok(()), log);
    }

    fn retry(
        &mut self,
        attempt: Attempt,
        cause: LockError,
        owner: Option<String>,
        now: Time,
        log: &mut dyn Log,
    ) {
        if !self.signalled {
            self.event(Event::Retrying { cause, owner });
        }
        self.wait(attempt.sent, now, false, log);
    }

    /// Waits for the next attempt, unless a signal has waited for the end of this one.
    pub(super) fn wait(&mut self, sent: Time, now: Time, is_good: bool, log: &mut dyn Log) {
        if self.signalled {
            return self.serve_signal(now, log);
        }
        let until = self.settings.next_attempt(sent, now, is_good);
        let jitter = self.settings.rule.wait(is_good).jitter.unwrap_or_default();
        self.phase = Phase::Waiting { until, jitter };
    }

    /// Upstream says how long an attempt took, except for the first.
    fn log_failure(
        &self,
        message: &'static str,
        attempt: Attempt,
        error: &LockError,
        lock_owner: Option<&str>,
        now: Time,
        log: &mut dyn Log,
    ) {
        // Texts take longer to write than all else that comes of a failure.
        if !log.is_read() {
            return;
        }
        log.record(&LogRecord {
            duration: (!attempt.is_first).then(|| now.since(attempt.sent)),
            lock_owner,
            ..self
                .record(Level::Error, message)
                .in_call(Method::Lock, &attempt.request_id.to_string())
                .because(&error.to_string())
        });
    }
}
