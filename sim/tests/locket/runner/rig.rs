//! A runner with a clock, whose calls, events and log are kept; and the settings to try.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::common::*;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::IdSource;
use locket_sim::protocol::log::{Level, Log, LogRecord};
use locket_sim::protocol::message::{Method, Request, Response};
use locket_sim::protocol::resource::Resource;
use locket_sim::protocol::runner::{
    Call, Event, LossPolicy, Output, RequestIds, Rule, Runner, RunnerSettings,
};
use locket_sim::time::{Duration, Time};

pub(super) const R: Duration = Duration::from_seconds(5);
pub(super) const TTL: i64 = 15;

pub(super) fn jim() -> Resource {
    Resource { value: "is pretty sweet.".into(), ..resource("test", "jim") }
}

pub(super) fn upstream() -> RunnerSettings {
    RunnerSettings::upstream(jim(), TTL, R)
}

pub(super) fn before_2025_10() -> RunnerSettings {
    RunnerSettings::new(jim(), TTL, R, Rule::upstream_before_2025_10())
}

pub(super) fn safe() -> RunnerSettings {
    RunnerSettings::safe(jim(), TTL, R)
}

pub(super) fn presence_of(settings: RunnerSettings) -> RunnerSettings {
    RunnerSettings { rule: Rule { on_loss: LossPolicy::Retry, ..settings.rule }, ..settings }
}

pub(super) fn cloud_controller() -> RunnerSettings {
    RunnerSettings::new(jim(), TTL, R, Rule::cloud_controller())
}

pub(super) fn no_lock_for_you() -> LockError {
    database("no-lock-for-you")
}

/// A log record, with what only clients say.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    pub(super) level: Level,
    pub(super) message: &'static str,
    pub(super) error: String,
    pub(super) key: String,
    pub(super) request_id: Option<String>,
    pub(super) lock_owner: Option<String>,
    pub(super) duration: Option<Duration>,
}

impl From<&LogRecord<'_>> for Said {
    fn from(record: &LogRecord<'_>) -> Self {
        Self {
            level: record.level,
            message: record.message,
            error: record.error.unwrap_or_default().to_owned(),
            key: record.key.to_owned(),
            request_id: record.request_id.map(str::to_owned),
            lock_owner: record.lock_owner.map(str::to_owned),
            duration: record.duration,
        }
    }
}

/// A runner with a clock, whose calls and events are kept.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) runner: Runner,
    pub(super) now: Time,
    pub(super) ids: IdSource,
    pub(super) said: Vec<Said>,
    pub(super) calls: Vec<(Time, Call)>,
    pub(super) events: Vec<(Time, Event)>,
}

impl Rig {
    /// Started at 0, the first attempt under way.
    pub(super) fn start(settings: RunnerSettings) -> Self {
        let mut rig = Self {
            runner: Runner::new(settings),
            now: Time::ZERO,
            ids: IdSource::new(1),
            said: Vec::new(),
            calls: Vec::new(),
            events: Vec::new(),
        };
        rig.input(|runner, now, ids, said| runner.start(now, ids, said));
        rig
    }

    /// Started at 0, and its first attempt succeeds at once.
    pub(super) fn holding(settings: RunnerSettings) -> Self {
        let mut rig = Self::start(settings);
        rig.reply(Ok(Response::Lock));
        rig
    }

    pub(super) fn input(
        &mut self,
        input: impl FnOnce(&mut Runner, Time, &mut dyn RequestIds, &mut dyn Log),
    ) -> &mut Self {
        let said = &mut self.said;
        let mut log = |record: &LogRecord<'_>| said.push(Said::from(record));
        input(&mut self.runner, self.now, &mut self.ids, &mut log);
        if let Some(jitter) = self.runner.take_jitter() {
            self.runner.defer(self.ids.next_request_id().unwrap().part_of(jitter, "jim"));
        }
        while let Some(output) = self.runner.poll_output() {
            match output {
                Output::Call(call) => self.calls.push((self.now, call)),
                Output::Event(event) => self.events.push((self.now, event)),
            }
        }
        self
    }

    /// Lets time pass until `ms`, with what is due by then at its time.
    pub(super) fn at(&mut self, ms: u64) -> &mut Self {
        let target = Time::from_ms(ms);
        for _ in 0..10_000 {
            let Some(due) = self.runner.deadline().filter(|&due| due <= target) else {
                self.now = target;
                return self;
            };
            self.now = self.now.max(due);
            self.timeout();
        }
        panic!("no time passes at {}", self.now);
    }

    /// Lets time pass until `ms` without the runner, which does then what is overdue.
    pub(super) fn paused_until(&mut self, ms: u64) -> &mut Self {
        self.now = Time::from_ms(ms);
        self.timeout()
    }

    pub(super) fn timeout(&mut self) -> &mut Self {
        self.input(|runner, now, ids, said| runner.handle_timeout(now, ids, said))
    }

    /// Answers the last call.
    pub(super) fn reply(&mut self, result: Result<Response, LockError>) -> &mut Self {
        let call = self.last_call().id();
        self.input(|runner, now, _, said| runner.handle_reply(call, result, now, said))
    }

    pub(super) fn ok(&mut self) -> &mut Self {
        self.reply(Ok(Response::Lock))
    }

    pub(super) fn fail(&mut self, error: LockError) -> &mut Self {
        self.reply(Err(error))
    }

    pub(super) fn signal(&mut self) -> &mut Self {
        self.input(|runner, now, _, said| runner.handle_signal(now, said))
    }

    /// Lets Locket answer whatever is under way, at once.
    pub(super) fn served_by(&mut self, locket: &mut Locket) -> &mut Self {
        while self.runner.call_under_way().is_some() {
            let request = self.last_call().request.clone();
            let answer = locket.at(self.now.as_ms()).handle(&request);
            self.reply(answer);
        }
        self
    }

    pub(super) fn last_call(&self) -> &Call {
        &self.calls.last().unwrap().1
    }

    pub(super) fn methods(&self) -> Vec<Method> {
        self.calls.iter().map(|(_, call)| call.request.method()).collect()
    }

    /// When each Lock was sent, in milliseconds.
    pub(super) fn attempts(&self) -> Vec<u64> {
        let locks = self.calls.iter().filter(|(_, call)| call.request.method() == Method::Lock);
        locks.map(|(sent, _)| sent.as_ms()).collect()
    }

    pub(super) fn last_event(&self) -> &Event {
        &self.events.last().unwrap().1
    }

    /// When the last event of this kind came, in milliseconds.
    pub(super) fn when(&self, is_it: impl Fn(&Event) -> bool) -> Option<u64> {
        let found = self.events.iter().rfind(|(_, event)| is_it(event));
        found.map(|(time, _)| time.as_ms())
    }

    pub(super) fn lost_at(&self) -> Option<u64> {
        self.when(|event| matches!(event, Event::Lost(_)))
    }

    pub(super) fn messages(&self) -> Vec<&'static str> {
        self.said.iter().map(|said| said.message).collect()
    }

    /// The records with this message.
    pub(super) fn said(&self, message: &str) -> Vec<&Said> {
        let found = self.said.iter().filter(|said| said.message == message);
        found.collect()
    }

    pub(super) fn believes(&self) -> bool {
        self.runner.believes_held(self.now)
    }

    pub(super) fn error(&self) -> String {
        match self.runner.exited() {
            Some(Err(error)) => error.to_string(),
            other => panic!("did not exit with an error: {other:?}"),
        }
    }
}

pub(super) fn hash(runner: &Runner) -> u64 {
    let mut hasher = DefaultHasher::new();
    runner.hash(&mut hasher);
    hasher.finish()
}

pub(super) fn lock_of_jim() -> Request {
    lock_of(jim(), TTL)
}

pub(super) fn held_by(owner: &str) -> Result<Response, LockError> {
    Ok(Response::Fetch(resource("test", owner).into()))
}
