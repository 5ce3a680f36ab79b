//! The shared state of a reference server and its clients: server, runners, clock and trace.

use futures::FutureExt as _;
use futures::future::Either;
use locket_sim::cluster::Cluster;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::id_source::IdSource;
use locket_sim::protocol::log::LogRecord;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::resource::TypeCode;
use locket_sim::protocol::runner::{Event, Runner, RunnerSettings};
use locket_sim::time::Time;
use locket_sim::trace::{answers, asks, runner_words};

use super::trace::Record;
use crate::driver::in_process::{InProcess, Notice};
use crate::driver::{AlreadyKept, Output};
use crate::transport::direct::{Called, DirectClient};
use crate::transport::in_process::{InProcessServer, MESSAGE_SIZE_MAX};

#[derive(Debug)]
pub(super) struct State {
    pub(super) world: InProcess,
    pub(super) trace: Vec<Record>,
    runners: Vec<KeptRunner>,
    seed: u64,
}

/// A runner, by its number in the world.
#[derive(Debug)]
struct KeptRunner {
    owner: String,
    is_presence: bool,
    events: Vec<(Time, Event)>,
}

impl State {
    pub(super) fn new(server: InProcessServer, seed: u64) -> Self {
        Self { world: InProcess::new(server), trace: Vec::new(), runners: Vec::new(), seed }
    }

    pub(super) fn now(&self) -> Time {
        self.world.server().with_cluster(|_, now| now)
    }

    /// Lets time pass, instant by instant, so that each expiry is recorded.
    pub(super) fn advance_to(&mut self, target: Time) {
        let target = target.max(self.now());
        while let Some(next) = self.world.next_instant().filter(|&next| next <= target) {
            self.pass_to(next);
        }
        self.pass_to(target);
    }

    fn pass_to(&mut self, time: Time) {
        let trace = &mut self.trace;
        let mut log = |record: &LogRecord<'_>| {
            if record.message == "lock-expired" {
                let LogRecord { key, owner, .. } = record;
                trace.push(Record {
                    at: time,
                    words: format!("'{key}' expires: {owner} has not renewed it within its TTL"),
                });
            }
        };
        self.world.server().advance_with_log(time, &mut log);
        self.world.advance_to(time);
        self.take_notices();
    }

    /// Makes a call, and lets the time pass that its answer takes.
    pub(super) fn call(
        &mut self,
        process: usize,
        owner: &str,
        request: &Request,
    ) -> Result<Response, LockError> {
        let server = self.world.server().clone();
        let client = DirectClient::new(server, process, MESSAGE_SIZE_MAX);
        let called_at = self.now();
        let Called { result: answer, after } = match self.world.carry(&client, request) {
            Either::Left(called) => called.into_inner(),
            Either::Right(mut waiting) => loop {
                if let Some(called) = (&mut waiting).now_or_never() {
                    break called;
                }
                let next = self.world.next_instant();
                self.advance_to(next.expect("a call that waits for the database has a deadline"));
            },
        };
        let words = format!("{owner} {}: {}", asks(request), answers(request, &answer));
        self.record_at(called_at, words);
        self.advance_to(self.now() + after);
        answer
    }

    /// Starts a runner. Gives its number.
    pub(super) fn keep(&mut self, settings: RunnerSettings) -> Result<usize, AlreadyKept> {
        let kept = KeptRunner {
            owner: settings.resource.owner.clone(),
            is_presence: settings.resource.type_code == TypeCode::Presence,
            events: Vec::new(),
        };
        let ids = IdSource::new(self.seed.wrapping_add(self.runners.len() as u64 + 1));
        let runner = self.world.start(Runner::new(settings), ids)?;
        self.runners.push(kept);
        self.take_notices();
        Ok(runner)
    }

    pub(super) fn signal(&mut self, runner: usize) {
        self.world.signal(runner);
        self.take_notices();
    }

    pub(super) fn events(&self, runner: usize) -> &[(Time, Event)] {
        &self.runners[runner].events
    }

    /// Changes the database or a process, and lets the runners notice.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Cluster, Time) -> T) -> T {
        let result = self.world.server().with_cluster(change);
        self.advance_to(self.now());
        result
    }

    pub(super) fn record(&mut self, words: String) {
        self.record_at(self.now(), words);
    }

    fn record_at(&mut self, at: Time, words: String) {
        self.trace.push(Record { at, words });
    }

    fn take_notices(&mut self) {
        for Notice { at, runner, output } in self.world.take_notices() {
            let Output::Event(event) = output else {
                continue;
            };
            let runner = &mut self.runners[runner];
            let words = runner_words(&event, runner.is_presence);
            let words = format!("{} {words}", runner.owner);
            runner.events.push((at, event));
            self.record_at(at, words);
        }
    }
}
