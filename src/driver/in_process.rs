//! Drivers against a reference server in this process, on its virtual clock.
//!
//! Nothing is left to chance: time stops wherever something is due. At one instant rows expire
//! first, then answers arrive, then runners do what is due.

use std::collections::BTreeMap;
use std::fmt;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use futures::future::Either;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::runner::{RequestIds, Runner};
use locket_sim::time::Time;

use super::faults::Faults;
use super::keepers;
use super::{AlreadyKept, Call, CallNumber, Driver, Output, Reading};
use crate::transport::direct::{Called, Calling, DirectClient};
use crate::transport::in_process::InProcessServer;

/// Runners that are driven against one [`InProcessServer`], and the clock of both.
///
/// ```
/// use locket_wasm::transport::in_process::InProcessServer;
/// use locket_wasm::driver::in_process::InProcess;
/// use locket_wasm::sim::protocol::id_source::IdSource;
/// use locket_wasm::sim::protocol::profile::Profile;
/// use locket_wasm::sim::protocol::resource::{Resource, TypeCode};
/// use locket_wasm::sim::protocol::runner::{Runner, RunnerSettings};
/// use locket_wasm::sim::time::{Duration, Time};
///
/// let mut world = InProcess::new(InProcessServer::new(Profile::UPSTREAM, 1));
/// let mut start = |owner: &str, seed| {
///     let resource = Resource {
///         key: "bbs".into(),
///         owner: owner.into(),
///         type_code: TypeCode::Lock,
///         ..Resource::default()
///     };
///     let settings = RunnerSettings::safe(resource, 15, Duration::from_seconds(5));
///     world.start(Runner::new(settings), IdSource::new(seed))
/// };
/// let (holder, waiter) = (start("bbs-0", 1)?, start("bbs-1", 2)?);
/// world.advance_to(Time::from_ms(60_000));
/// world.signal(holder);
/// world.advance_to(Time::from_ms(65_000));
/// assert!(world.driver(waiter).is_held());
/// # Ok::<(), locket_wasm::driver::AlreadyKept>(())
/// ```
#[derive(Debug)]
pub struct InProcess {
    server: InProcessServer,
    now: Time,
    driven: Vec<Driven>,
    /// Answers on their way, by their arrival.
    answers: BTreeMap<(Time, u64), Arrival>,
    /// Calls that wait for the database.
    waiting: Vec<Waiting>,
    sequence: u64,
    notices: Vec<Notice>,
    pub(crate) faults: Faults,
}

/// A notice of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// When.
    pub at: Time,
    /// Which runner's driver it was.
    pub runner: usize,
    /// The notice; never a call.
    pub output: Output,
}

#[derive(Debug)]
struct Driven {
    driver: Driver,
    client: DirectClient,
}

#[derive(Debug)]
struct Arrival {
    runner: usize,
    call: CallNumber,
    result: Result<Response, LockError>,
}

impl InProcess {
    /// No drivers, at time zero.
    pub fn new(server: InProcessServer) -> Self {
        Self {
            server,
            now: Time::ZERO,
            driven: Vec::new(),
            answers: BTreeMap::new(),
            waiting: Vec::new(),
            sequence: 0,
            notices: Vec::new(),
            faults: Faults::default(),
        }
    }

    /// Starts a runner, which calls the server's first process. Gives its number.
    ///
    /// # Errors
    ///
    /// A runner here already keeps its key as the same owner.
    pub fn start(
        &mut self,
        runner: Runner,
        ids: impl RequestIds + 'static,
    ) -> Result<usize, AlreadyKept> {
        let others = self.driven.iter().map(|it| it.driver.runner());
        keepers::check(&runner, others)?;
        self.driven.push(Driven {
            driver: Driver::new(runner, ids),
            // Locket and its clients do not check the size of an answer.
            client: DirectClient::new(self.server.clone(), 0, usize::MAX),
        });
        let number = self.driven.len() - 1;
        self.turn(number, Driver::start);
        self.advance_to(self.now);
        Ok(number)
    }

    /// Asks a runner to end. Panics if there is none of that number.
    pub fn signal(&mut self, runner: usize) {
        self.turn(runner, Driver::handle_signal);
        self.advance_to(self.now);
    }

    /// Lets time pass until `target`, with everything that is due by then.
    pub fn advance_to(&mut self, target: Time) {
        while let Some(instant) = self.next_turn().filter(|&instant| instant <= target) {
            self.arrive(instant);
            while let Some(entry) = self.answers.first_entry()
                && entry.key().0 <= self.now
            {
                let Arrival { runner, call, result } = entry.remove();
                self.turn(runner, |driver, reading| {
                    driver.handle_reply(call, result, reading);
                });
            }
            for runner in 0..self.driven.len() {
                if self.due(runner).is_some_and(|due| due <= self.now) {
                    self.turn(runner, Driver::handle_timeout);
                }
            }
        }
        self.arrive(target);
    }

    /// Makes a call that is no runner's.
    pub(crate) fn carry(&mut self, client: &DirectClient, request: &Request) -> Calling {
        self.faults.call(client, request, "", None)
    }

    /// The driver of a runner. Panics if there is none of that number.
    pub fn driver(&self, runner: usize) -> &Driver {
        &self.driven[runner].driver
    }

    /// The server.
    pub const fn server(&self) -> &InProcessServer {
        &self.server
    }

    /// The notices of the drivers since the last call.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    fn arrive(&mut self, time: Time) {
        self.now = self.now.max(time);
        self.server.advance_to(self.now);
        for mut waiting in std::mem::take(&mut self.waiting) {
            match (&mut waiting.answer).now_or_never() {
                Some(answer) => self.answered(waiting.runner, waiting.call, answer),
                None => self.waiting.push(waiting),
            }
        }
    }

    /// When something happens next, here or at the server.
    pub fn next_instant(&self) -> Option<Time> {
        self.next_turn().into_iter().chain(self.server.deadline()).min()
    }

    /// When a driver has its turn next.
    fn next_turn(&self) -> Option<Time> {
        let arrival = self.answers.keys().next().map(|&(time, _)| time);
        let due = (0..self.driven.len()).filter_map(|runner| self.due(runner));
        let waited_for = match self.waiting.is_empty() {
            true => None,
            false => self.server.deadline(),
        };
        due.chain(arrival).chain(waited_for).min()
    }

    fn due(&self, runner: usize) -> Option<Time> {
        let driver = &self.driven[runner].driver;
        Some(driver.now() + driver.deadline()?)
    }

    fn turn(&mut self, runner: usize, input: impl FnOnce(&mut Driver, Reading)) {
        let monotonic = self.now;
        let reading = Reading { monotonic, wall: None };
        input(&mut self.driven[runner].driver, reading);
        while let Some(output) = self.driven[runner].driver.poll_output() {
            match output {
                Output::Call(call) => self.call(runner, call),
                Output::Event(_) | Output::Exited(_) | Output::Held(_) | Output::Suspended(_) => {
                    self.notices.push(Notice { at: self.now, runner, output })
                }
            }
        }
    }

    fn call(&mut self, runner: usize, call: Call) {
        let id = call.request_id.map(|id| id.to_string());
        let id = id.as_deref().unwrap_or_default();
        let client = &self.driven[runner].client;
        match self.faults.call(client, &call.request, id, call.timeout) {
            Either::Left(answer) => self.answered(runner, call.number, answer.into_inner()),
            Either::Right(answer) => {
                self.waiting.push(Waiting { runner, call: call.number, answer })
            }
        }
    }

    /// Puts an answer on its way.
    fn answered(&mut self, runner: usize, call: CallNumber, Called { result, after }: Called) {
        let arrival = Arrival { runner, call, result };
        self.sequence += 1;
        self.answers.insert((self.now + after, self.sequence), arrival);
    }
}

/// A call that waits for the database.
struct Waiting {
    runner: usize,
    call: CallNumber,
    answer: BoxFuture<'static, Called>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting")
            .field("runner", &self.runner)
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}
