//! The shipped runner as a machine under exploration.
//!
//! Knows its situations and what an input makes of each; not when inputs come, nor what becomes
//! of the calls.

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::machine::{NoStep, SituationId, Steps, next_id};
use crate::protocol::error::LockError;
use crate::protocol::message::{Method, Response};
use crate::protocol::runner::{
    CallId, Event, Outlook, Output, RequestId, RequestIdError, Runner, RunnerSettings,
};
use crate::time::{Duration, Time};

/// What happens to a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunnerInput {
    /// Time passes by its own clock, in milliseconds.
    Pass(u32),
    /// The call under way is answered, with the answer of this number.
    Reply(u8),
    /// It is told to stop.
    Signal,
    /// It is started.
    Start,
    /// It looks what is due.
    Timeout,
}

/// What an input made of a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunnerStep {
    pub(super) next: SituationId,
    /// The call that it sends, and whether that waits for a connection.
    pub(super) call: Option<(Method, bool)>,
    /// Whether it has lost a lock that it held.
    pub(super) lost: bool,
}

/// What others ask about a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunnerFacts {
    /// Whether it believes that it holds the lock.
    pub(super) believes: bool,
    /// When something is due by itself, in milliseconds of its own clock from now.
    pub(super) due_ms: Option<u64>,
    /// The call under way.
    pub(super) call: Option<Method>,
    /// Whether it has ended.
    pub(super) has_ended: bool,
}

/// All known situations of runners with the same settings.
#[derive(Clone, Debug)]
pub(super) struct Runners {
    known: Vec<Known>,
    by_outlook: HashMap<Outlook, SituationId, FxBuildHasher>,
    /// What replies can say, by number.
    replies: Vec<Result<Response, LockError>>,
}

#[derive(Clone, Debug)]
struct Known {
    /// A runner in this situation, at `now`.
    runner: Runner,
    now: Time,
    facts: RunnerFacts,
    steps: Steps<RunnerStep>,
}

/// The situation of a runner that was not started.
pub(super) const CREATED: SituationId = 0;

/// The one id of all requests: replies to calls that are over are dropped by whoever delivers.
const REQUEST_ID: RequestId = RequestId::from_bytes([0; 16]);

impl Runners {
    pub(super) fn new(settings: RunnerSettings) -> Self {
        let runner = Runner::new(Arc::new(settings));
        let mut runners = Self {
            known: Vec::new(),
            by_outlook: HashMap::default(),
            replies: Vec::new(),
        };
        // The first is not one too many.
        let _ = runners.situation(runner, Time::ZERO);
        runners
    }

    pub(super) fn facts(&self, id: SituationId) -> RunnerFacts {
        self.known[usize::from(id)].facts
    }

    /// What can become of a runner in this situation.
    pub(super) fn outlook(&self, id: SituationId) -> Outlook {
        let known = &self.known[usize::from(id)];
        known.runner.outlook(known.now)
    }

    /// The number of a reply.
    pub(super) fn reply(&mut self, reply: &Result<Response, LockError>) -> u8 {
        let reply = as_known(reply);
        let known = self.replies.iter().position(|known| *known == reply);
        let number = known.unwrap_or(self.replies.len());
        if number == self.replies.len() {
            self.replies.push(reply);
        }
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    /// The number of a reply that has one already.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn known_reply(&self, reply: &Result<Response, LockError>) -> Option<u8> {
        let reply = as_known(reply);
        let number = self.replies.iter().position(|known| *known == reply)?;
        u8::try_from(number).ok()
    }

    pub(super) fn step(
        &mut self,
        id: SituationId,
        input: RunnerInput,
    ) -> Result<RunnerStep, NoStep> {
        if let Some(step) = self.known_step(id, input) {
            return Ok(step);
        }
        let step = self.compute(id, input)?;
        self.known[usize::from(id)]
            .steps
            .insert(input.number(), step);
        Ok(step)
    }

    /// A step that was computed already.
    pub(super) fn known_step(&self, id: SituationId, input: RunnerInput) -> Option<RunnerStep> {
        self.known[usize::from(id)].steps.get(input.number())
    }

    fn compute(&mut self, id: SituationId, input: RunnerInput) -> Result<RunnerStep, NoStep> {
        let known = &self.known[usize::from(id)];
        let (mut runner, mut now) = (known.runner.clone(), known.now);
        let mut ids = || Ok::<_, RequestIdError>(REQUEST_ID);
        match input {
            RunnerInput::Pass(ms) => now = now + Duration::from_ms(ms.into()),
            RunnerInput::Reply(number) => {
                let reply = self.replies[usize::from(number)].clone();
                if let Some(call) = runner.call_under_way() {
                    runner.handle_reply(call, reply, now, &mut ());
                }
            }
            RunnerInput::Signal => runner.handle_signal(now, &mut ()),
            RunnerInput::Start => runner.start(now, &mut ids, &mut ()),
            RunnerInput::Timeout => runner.handle_timeout(now, &mut ids, &mut ()),
        }
        let (mut call, mut lost) = (None, false);
        while let Some(output) = runner.poll_output() {
            match output {
                Output::Call(it) => call = Some((it.request.method(), it.wait_for_ready)),
                Output::Event(event) => lost |= matches!(event, Event::Lost(_)),
            }
        }
        let next = self.situation(runner, now)?;
        Ok(RunnerStep { next, call, lost })
    }

    /// The number of a runner's situation at `now`.
    fn situation(&mut self, runner: Runner, now: Time) -> Result<SituationId, NoStep> {
        let outlook = runner.outlook(now);
        if let Some(&id) = self.by_outlook.get(&outlook) {
            return Ok(id);
        }
        let id = next_id(self.known.len())?;
        let facts = RunnerFacts {
            believes: runner.believes_held(now),
            due_ms: runner.deadline().map(|due| due.since(now).as_ms()),
            call: runner.call_under_way().map(|CallId { method, .. }| method),
            has_ended: runner.exited().is_some(),
        };
        self.known.push(Known {
            runner,
            now,
            facts,
            steps: Steps::default(),
        });
        self.by_outlook.insert(outlook, id);
        Ok(id)
    }
}

/// Whose row a Fetch found is repeated in logs and events only.
fn as_known(reply: &Result<Response, LockError>) -> Result<Response, LockError> {
    match reply {
        Ok(Response::Fetch(_)) => Ok(Response::Fetch(Default::default())),
        Ok(Response::FetchAll(_)) => Ok(Response::FetchAll(Vec::new())),
        other => other.clone(),
    }
}

impl RunnerInput {
    fn number(self) -> u32 {
        match self {
            Self::Start => 0,
            Self::Timeout => 1,
            Self::Signal => 2,
            Self::Reply(number) => 3 + u32::from(number),
            // Above all replies.
            Self::Pass(ms) => 259_u32.saturating_add(ms),
        }
    }
}
