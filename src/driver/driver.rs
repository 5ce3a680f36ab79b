//! The loop around one runner, turned inside out: a caller with timers and a carrier turns it.

use std::collections::VecDeque;
use std::fmt;

use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Response;
use locket_sim::protocol::runner::{
    self, CallId, Event, RequestId, RequestIds, Runner, RunnerError,
};
use locket_sim::time::{Duration, Time};

use super::call::{Call, CallNumber};
use super::steady_clock::{Reading, SteadyClock};

/// How often to look at the clocks while a lease is counted on two of them. Timers freeze
/// while the machine is suspended, and go on afterwards; a look at the clocks notices it.
pub const WATCH_INTERVAL: Duration = Duration::from_ms(1_000);

/// One thing for the loop to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Make this call.
    Call(Call),
    /// Tell that something has become of the runner.
    Event(Event),
    /// The runner has ended. Nothing follows; calls under way can be dropped.
    Exited(Result<(), RunnerError>),
    /// The runner believes it holds the lock, or no longer does. Work under the lock starts or
    /// stops here, before any other notice.
    Held(bool),
    /// The machine that this runs on has been suspended for so long.
    Suspended(Duration),
}

/// Drives one runner.
///
/// Every input comes with what the clocks show. After each, do what
/// [`poll_output`](Self::poll_output) gives until there is nothing more, and set one timer for
/// [`deadline`](Self::deadline). Inputs may come at any time, also after the end.
///
/// ```
/// use locket_wasm::driver::{Driver, Output, Reading};
/// use locket_wasm::sim::protocol::id_source::IdSource;
/// use locket_wasm::sim::protocol::message::Response;
/// use locket_wasm::sim::protocol::resource::Resource;
/// use locket_wasm::sim::protocol::runner::{Runner, RunnerSettings};
/// use locket_wasm::sim::time::{Duration, Time};
///
/// let at = |ms| Reading { monotonic: Time::from_ms(ms), wall: Some(Time::from_ms(ms)) };
/// let settings = RunnerSettings::safe(Resource::default(), 15, Duration::from_seconds(5));
/// let mut driver = Driver::new(Runner::new(settings), IdSource::new(1));
/// driver.start(at(0));
/// let Some(Output::Call(call)) = driver.poll_output() else { panic!("the first attempt") };
/// driver.handle_reply(call.number, Ok(Response::Lock), at(40));
/// assert_eq!(driver.poll_output(), Some(Output::Held(true)));
///
/// // The laptop is closed, and opened an hour later.
/// let woken = Reading { monotonic: Time::from_ms(41), wall: Some(Time::from_ms(3_600_040)) };
/// driver.handle_timeout(woken);
/// assert!(!driver.is_held());
/// ```
pub struct Driver {
    runner: Runner,
    ids: Box<dyn RequestIds>,
    clock: SteadyClock,
    now: Time,
    /// True if there is a second clock to look at.
    watches: bool,
    last_number: CallNumber,
    /// The id of the last call, by which the jitter of the wait after it is drawn.
    last_id: Option<RequestId>,
    /// The call under way, with its number.
    in_flight: Option<(CallNumber, CallId)>,
    is_held: bool,
    has_ended: bool,
    outputs: VecDeque<Output>,
}

/// Inputs.
impl Driver {
    /// A driver of a runner that has not been started. `ids` gives out the ids of its requests.
    pub fn new(runner: Runner, ids: impl RequestIds + 'static) -> Self {
        Self {
            runner,
            ids: Box::new(ids),
            clock: SteadyClock::default(),
            now: Time::ZERO,
            watches: false,
            last_number: 0,
            last_id: None,
            in_flight: None,
            is_held: false,
            has_ended: false,
            outputs: VecDeque::new(),
        }
    }

    /// Starts the runner.
    pub fn start(&mut self, reading: Reading) {
        self.turn(reading, |runner, ids, now| runner.start(now, ids, &mut ()));
    }

    /// Takes the answer to a call. The answer to a call that is over does nothing.
    pub fn handle_reply(
        &mut self,
        call: CallNumber,
        result: Result<Response, LockError>,
        reading: Reading,
    ) {
        let waiting = self.in_flight.take_if(|(number, _)| *number == call);
        self.turn(reading, |runner, _, now| {
            if let Some((_, id)) = waiting {
                runner.handle_reply(id, result, now, &mut ());
            }
        });
    }

    /// Handles due timers. Call it also before work under the lock, if you have not looked at the
    /// clocks for a while.
    pub fn handle_timeout(&mut self, reading: Reading) {
        self.turn(reading, |runner, ids, now| runner.handle_timeout(now, ids, &mut ()));
    }

    /// Asks the runner to end, as its settings say: it releases.
    pub fn handle_signal(&mut self, reading: Reading) {
        self.turn(reading, |runner, _, now| runner.handle_signal(now, &mut ()));
    }

    fn turn(
        &mut self,
        reading: Reading,
        input: impl FnOnce(&mut Runner, &mut dyn RequestIds, Time),
    ) {
        if let Some(now) = self.begin_turn(reading) {
            input(&mut self.runner, &mut *self.ids, now);
            self.end_turn();
        }
    }

    /// The time of a turn, in which nothing has happened yet; none after the end.
    fn begin_turn(&mut self, reading: Reading) -> Option<Time> {
        if self.has_ended {
            return None;
        }
        self.watches = reading.wall.is_some();
        let (now, suspended) = self.clock.read(reading);
        self.now = now;
        if let Some(gap) = suspended {
            self.outputs.push_back(Output::Suspended(gap));
            // Before whatever came in the meantime: an answer must not hide that the lease, or
            // the time of the call that it answers, is over.
            self.runner.handle_timeout(now, &mut *self.ids, &mut ());
        }
        Some(now)
    }

    fn end_turn(&mut self) {
        self.collect();
        if let Some(result) = self.runner.exited() {
            self.has_ended = true;
            self.in_flight = None;
            self.outputs.push_back(Output::Exited(result.clone()));
        }
    }
}

/// Outputs and state.
impl Driver {
    /// The next thing to do, in the order in which they arose.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// How long after the last input [`handle_timeout`](Self::handle_timeout) is due.
    pub fn deadline(&self) -> Option<Duration> {
        if self.has_ended {
            return None;
        }
        let due = self.runner.deadline().map(|due| due.since(self.now));
        let look = (self.watches && self.runner.lease_ends().is_some()).then_some(WATCH_INTERVAL);
        [due, look].into_iter().flatten().min()
    }

    /// True if the lock was held at the last input.
    pub const fn is_held(&self) -> bool {
        self.is_held
    }

    /// True if the lock has been held at least once.
    pub fn is_ready(&self) -> bool {
        self.runner.is_ready()
    }

    /// How long after the last input the belief ends if nothing happens; `None` if nothing is
    /// held or the runner does not count its lease.
    pub fn lease_left(&self) -> Option<Duration> {
        let ends = self.runner.lease_ends().filter(|_| self.is_held);
        ends.map(|end| end.since(self.now))
    }

    /// The driver's time at the last input.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// The runner.
    pub const fn runner(&self) -> &Runner {
        &self.runner
    }

    fn collect(&mut self) {
        if let Some(jitter) = self.runner.take_jitter()
            && let Some(id) = self.last_id
        {
            self.runner.defer(id.part_of(jitter, &self.runner.resource().owner));
        }
        while let Some(output) = self.runner.poll_output() {
            match output {
                runner::Output::Call(call) => self.call(call),
                runner::Output::Event(event) => {
                    match event {
                        Event::Lost(_) | Event::Signalled | Event::Exited(_) => self.hold(false),
                        Event::Acquired => self.hold(true),
                        Event::Ready
                        | Event::Released(_)
                        | Event::Renewed
                        | Event::Retrying { .. } => {}
                    }
                    self.outputs.push_back(Output::Event(event));
                }
            }
        }
    }

    fn call(&mut self, call: runner::Call) {
        self.last_number = self.last_number.wrapping_add(1);
        let number = self.last_number;
        self.last_id = call.request_id;
        // A runner has one call under way; the one before is over.
        self.in_flight = Some((number, call.id()));
        self.outputs.push_back(Output::Call(Call {
            number,
            timeout: call.deadline.map(|deadline| deadline.since(self.now)),
            request: call.request,
            request_id: call.request_id,
            wait_for_ready: call.wait_for_ready,
        }));
    }

    fn hold(&mut self, is_held: bool) {
        if self.is_held != is_held {
            self.is_held = is_held;
            self.outputs.push_back(Output::Held(is_held));
        }
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver")
            .field("runner", &self.runner)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}
