//! When the harm is unavoidable, to the event.
//!
//! Knows how a run goes on if every fault ends; not how much a further fault would need.

use serde::Serialize;

use super::run_under_way::{RunUnderWay, Tried};
use crate::scenario::{Running, StepsExceeded};
use crate::time::{Duration, Time};

/// A time in which the harm is unavoidable, or there. Each of its ends is right after what happens
/// at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SafetyMarginUnavoidable"))]
pub struct Unavoidable {
    /// From when on.
    #[serde(rename = "fromMs")]
    pub from: Time,
    /// Until when; `null` if the run ends before.
    #[serde(rename = "toMs")]
    pub to: Option<Time>,
}

/// The search for these times, which follows a run from event to event.
pub(super) struct NoReturn {
    running: Running,
    is_certain: bool,
    /// True if the harm was there since that is certain.
    has_come_true: bool,
    /// True if the harm is there, and when it was there last.
    is_harmed: bool,
    harm_ended: Option<Time>,
    spans: Vec<Unavoidable>,
}

impl NoReturn {
    /// At the start of a run, without any results yet.
    pub(super) const fn new(running: Running) -> Self {
        Self {
            running,
            is_certain: false,
            has_come_true: false,
            is_harmed: false,
            harm_ended: None,
            spans: Vec::new(),
        }
    }

    /// True if the harm is certain where it is.
    pub(super) const fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// The times found so far. The last one may have no end yet.
    pub(super) fn spans(&self) -> &[Unavoidable] {
        &self.spans
    }

    /// Goes on to `there`, up to which the harm is not certain.
    pub(super) fn skip_to(&mut self, there: &Running) {
        self.running.clone_from(there);
    }

    /// Looks at the next instant of a run at which something happens, up to `limit`, and at the
    /// time before it. Says whether it has reached `there`.
    pub(super) fn walk(
        &mut self,
        run: &RunUnderWay,
        there: &Running,
        limit: Option<Time>,
    ) -> Tried<bool> {
        let mut next = self.running.clone();
        let happens = match limit {
            Some(limit) => run.advance_instant(&mut next, limit)?,
            None => false,
        };
        if !happens {
            let done = self.pass(run, there.world.now())?;
            self.running.clone_from(there);
            return Ok((true, done));
        }
        let now = next.world.now();
        let until = Time::from_ms(now.as_ms().saturating_sub(1));
        let passed = self.pass(run, until.max(self.running.world.now()))?;
        let (is_certain, done) = run.breaks_if_rescued(&next)?;
        self.running = next;
        self.note(run, now, is_certain);
        Ok((false, passed + done))
    }

    /// Lets time pass to `until`, in which nothing happens: at most once it changes then what is
    /// certain. Says how much work that was.
    fn pass(&mut self, run: &RunUnderWay, until: Time) -> Result<u64, StepsExceeded> {
        let at = |time: Time| {
            let mut running = self.running.clone();
            running.pass_to(time);
            run.breaks_if_rescued(&running)
        };
        let (is_certain, mut work) = at(until)?;
        let (mut earlier, mut later) = (self.running.world.now(), until);
        while is_certain != self.is_certain && later.since(earlier) > Duration::from_ms(1) {
            let half = Duration::from_ms(later.since(earlier).as_ms() / 2);
            let (is_middle_certain, done) = at(earlier + half)?;
            work += done;
            match is_middle_certain == is_certain {
                true => later = earlier + half,
                false => earlier = earlier + half,
            }
        }
        self.note(run, later, is_certain);
        Ok(work)
    }

    /// Notes whether the harm is certain from `at` on. If that has not come true, a later
    /// act has prevented it, and it was not certain.
    fn note(&mut self, run: &RunUnderWay, at: Time, is_certain: bool) {
        let is_harmed = self.running.has(run.harm);
        if is_harmed {
            self.harm_ended = None;
        } else if self.is_harmed {
            self.harm_ended = Some(at);
        }
        self.is_harmed = is_harmed;
        match (self.is_certain, is_certain) {
            (false, true) => {
                self.spans.push(Unavoidable { from: at, to: None });
                self.has_come_true = false;
            }
            (true, false) if self.has_come_true => {
                let last = self.spans.last_mut();
                // After the harm it was certain to come back, and did not.
                let to = self.harm_ended.unwrap_or(at);
                last.expect("a certain time has begun").to = Some(to);
            }
            (true, false) => {
                self.spans.pop();
            }
            (false, false) | (true, true) => {}
        }
        self.is_certain = is_certain;
        self.has_come_true |= is_certain && is_harmed;
    }
}
