//! A client: its runner's calls go out over a [connection](super::connection), and answers come
//! back.
//!
//! Gives its runner the answer to the call that is under way and to no other. Knows of Locket
//! only which processes accept connections.

mod calls;

use std::sync::Arc;

use super::connection::back_off::BackOff;
use super::connection::{Connection, Processes, Route};
use super::message::Reply;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{CallId, Event, Output, RequestIds, Runner, SharedSettings};
use crate::time::{Duration, Time};

/// A client: a runner, or a client that is called by hand.
///
/// After every input ask [`deadline`](Self::deadline) when to give it
/// [`Timer`](ClientInput::Timer), and [`connection_deadline`](Self::connection_deadline) when to
/// tell it whether a [ping](ClientInput::Ping) was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientNode {
    /// The settings of its runner at each start; `None` for a client that is called by hand.
    settings: Option<SharedSettings>,
    runner: Option<Runner>,
    /// True if it has crashed and not started again.
    is_down: bool,
    connection: Connection,
    /// The call under way.
    in_flight: Option<InFlight>,
    /// How often it has started or ended; what is for an earlier life is not for this one.
    life: u32,
    /// How often its life or its connection has ended: an answer to a call of an earlier session
    /// is ignored.
    session: u32,
    /// The session that followed the last broken connection: what was sent before does not arrive.
    unbroken: u32,
}

/// A call that it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct InFlight {
    call: CallId,
    request: Arc<Request>,
    /// Waits for a connection; not sent yet.
    waits_for_connection: bool,
    /// When a call by hand is given up; a runner looks at its deadlines itself.
    given_up: Option<Time>,
}

/// An input of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClientInput {
    /// A call by hand, with its timeout.
    Call(Arc<Request>, Option<Duration>),
    /// It may connect: a process accepts connections that did not before, or its
    /// [back-off](ClientNode::reconnects) is over.
    Connect,
    /// It crashes and loses its state.
    Crash,
    /// Its connection breaks. Its host notices that at once, also while it is paused; its
    /// runner learns it when the pause ends.
    Disconnected,
    /// Whether a process has answered a ping, at the [time](ClientNode::connection_deadline) by
    /// which it had to.
    Ping {
        /// True if it has.
        is_answered: bool,
    },
    /// A call is answered.
    Reply(Reply),
    /// It receives the stop signal.
    Signal,
    /// It starts.
    Start,
    /// It does what is due.
    Timer,
}

/// An output of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClientOutput {
    /// A call was answered. The answer is the cause of the outputs after it.
    Answered {
        /// The request.
        request: Arc<Request>,
        /// The answer.
        result: Result<Response, LockError>,
    },
    /// It makes a call.
    Called {
        /// Which.
        call: CallId,
        /// The request.
        request: Arc<Request>,
        /// When it stops waiting, by its own clock.
        deadline: Option<Time>,
        /// The first state of the call.
        departure: Departure,
    },
    /// Its own connection answers a call with Unavailable, which it hears by a
    /// [`Reply`](ClientInput::Reply).
    Failed(CallId),
    /// Something became of its runner.
    Runner(Event),
    /// A call that has waited for a connection leaves.
    Sent {
        /// Which.
        call: CallId,
        /// The request.
        request: Arc<Request>,
        /// Where it goes.
        to: Route,
    },
}

/// The first state of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Departure {
    /// There is no connection, and its own side says so.
    Fails,
    /// It leaves.
    Leaves(Route),
    /// It waits for a connection.
    Waits,
}

/// The environment of a client at an input.
pub(crate) struct ClientContext<'a> {
    /// The time of its clock.
    pub now: Time,
    /// The processes that accept connections.
    pub processes: &'a dyn Processes,
    /// Where the ids of its calls come from.
    pub ids: &'a mut dyn RequestIds,
}

impl ClientNode {
    /// A client that has not started, with the settings of its runner, the process that it prefers
    /// and the back-off of its connection.
    pub(crate) const fn new(
        settings: Option<SharedSettings>,
        prefers: u16,
        back_off: Option<BackOff>,
    ) -> Self {
        Self {
            settings,
            runner: None,
            is_down: false,
            connection: Connection::new(prefers, back_off),
            in_flight: None,
            life: 0,
            session: 0,
            unbroken: 0,
        }
    }

    /// Changes what its runner is made from at its next start.
    pub(crate) fn reconfigure(&mut self, settings: SharedSettings) {
        self.settings = Some(settings);
    }

    /// Takes an input, and adds what comes of it to `out`.
    pub(crate) fn handle(
        &mut self,
        input: ClientInput,
        around: &mut ClientContext<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        match input {
            ClientInput::Call(request, timeout) => self.call_by_hand(request, timeout, around, out),
            ClientInput::Connect => self.reconnect(around, out),
            ClientInput::Crash => {
                self.end();
                self.is_down = true;
            }
            ClientInput::Disconnected => self.disconnect(out),
            ClientInput::Ping { is_answered: true } => {
                let call_waits = self.in_flight.is_some();
                self.connection.ping_answered(call_waits, around.now);
            }
            ClientInput::Ping { is_answered: false } => {
                self.connection.die();
                out.extend(self.in_flight.as_ref().map(|it| ClientOutput::Failed(it.call)));
            }
            ClientInput::Reply(reply) => self.take_reply(reply, around, out),
            ClientInput::Signal => {
                self.drive(around, out, |runner, now, _| runner.handle_signal(now, &mut ()));
            }
            ClientInput::Start => self.start(around, out),
            ClientInput::Timer => self.take_timer(around, out),
        }
    }
}

/// State.
impl ClientNode {
    /// Its runner, while it runs.
    pub(crate) const fn runner(&self) -> Option<&Runner> {
        self.runner.as_ref()
    }

    /// True if it believes at `now` to hold its lock.
    pub(crate) fn believes_held(&self, now: Time) -> bool {
        self.runner.as_ref().is_some_and(|runner| runner.believes_held(now))
    }

    /// True if a start would do nothing, as it runs and has not ended.
    pub(crate) fn is_under_way(&self) -> bool {
        match &self.runner {
            Some(runner) => runner.exited().is_none(),
            None => self.settings.is_none(),
        }
    }

    /// True if its runner has started and not ended.
    pub(crate) fn is_alive(&self) -> bool {
        self.runner.as_ref().is_some_and(|runner| runner.exited().is_none())
    }

    /// True if it has crashed and not started again.
    pub(crate) const fn is_down(&self) -> bool {
        self.is_down
    }

    /// Its runner, if it renews `now` what it holds, over a connection to this process, and waits for
    /// nothing.
    pub(crate) fn renewing(&mut self, to: Route, now: Time) -> Option<&mut Runner> {
        let is_quiet = self.in_flight.is_none() && self.connection.is_quiet(to);
        self.runner.as_mut().filter(|runner| is_quiet && runner.is_to_renew(now))
    }

    /// The [jitter](Runner::take_jitter) of its runner's wait.
    pub(crate) fn take_jitter(&mut self) -> Option<Duration> {
        self.runner.as_mut()?.take_jitter()
    }

    /// Makes the next attempt of its runner later.
    pub(crate) fn defer(&mut self, by: Duration) {
        self.runner.iter_mut().for_each(|it| it.defer(by));
    }

    /// How often it has started or ended.
    pub(crate) const fn life(&self) -> u32 {
        self.life
    }

    /// The number of its [session](super::message).
    pub(crate) const fn session(&self) -> u32 {
        self.session
    }

    /// True if what was sent in or to a session is lost with its connection.
    pub(crate) const fn was_broken(&self, session: u32) -> bool {
        session < self.unbroken
    }

    /// Whether the call under way waits for a connection; `None` without a call.
    pub(crate) fn calling(&self) -> Option<bool> {
        self.in_flight.as_ref().map(|it| it.waits_for_connection)
    }

    /// Where its calls go as far as it knows.
    pub(crate) fn route(&self) -> Option<Route> {
        self.connection.route()
    }

    /// When it may try to connect again by itself, and by when it has, while its connection backs off.
    pub(crate) fn reconnects(&self) -> Option<(Time, Time)> {
        self.connection.window().filter(|_| self.is_alive())
    }

    /// The same if it fails to connect `now`.
    pub(crate) fn reconnects_if_failed(&self, now: Time) -> Option<(Time, Time)> {
        self.connection.window_if_failed(now)
    }

    /// The life of a process is over, whichever it was. It does not notice that before it calls.
    pub(crate) fn detach(&mut self, process: usize) {
        self.connection.detach(process);
    }

    /// Knows the life of the process that it is connected to as the first, if that is up.
    #[cfg(test)]
    pub(crate) fn forget_lives(&mut self, lives: &[Option<u32>]) {
        self.connection.forget_lives(lives);
    }

    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The call that it waits for, with what it asks.
    pub(crate) fn call(&self) -> Option<(CallId, &Arc<Request>)> {
        self.in_flight.as_ref().map(|it| (it.call, &it.request))
    }

    /// The call that it waits for, if that has left or was refused a connection.
    pub(crate) fn call_sent(&self) -> Option<CallId> {
        let sent = self.in_flight.as_ref().filter(|it| !it.waits_for_connection);
        sent.map(|it| it.call)
    }

    /// When something is due by itself.
    pub(crate) fn deadline(&self) -> Option<Time> {
        match &self.runner {
            Some(runner) => runner.deadline(),
            None => self.in_flight.as_ref()?.given_up,
        }
    }

    /// When it is known whether the other end of its connection answers pings. Those go out
    /// while a call waits, and a process that runs and is reached answers them, whatever becomes
    /// of single calls.
    pub(crate) fn connection_deadline(&self) -> Option<Time> {
        self.connection.deadline()
    }
}

/// Start, end, timers.
impl ClientNode {
    /// Starts with a new state; the state from before the restart is lost.
    fn start(&mut self, around: &mut ClientContext<'_>, out: &mut Vec<ClientOutput>) {
        self.end();
        self.is_down = false;
        self.runner = self.settings.clone().map(Runner::new);
        self.drive(around, out, |runner, now, ids| runner.start(now, ids, &mut ()));
    }

    fn end(&mut self) {
        self.life += 1;
        self.session += 1;
        self.runner = None;
        self.in_flight = None;
        self.connection.forget();
    }

    fn disconnect(&mut self, out: &mut Vec<ClientOutput>) {
        self.connection.close();
        self.session += 1;
        self.unbroken = self.session;
        out.extend(self.call_sent().map(ClientOutput::Failed));
    }

    fn take_timer(&mut self, around: &mut ClientContext<'_>, out: &mut Vec<ClientOutput>) {
        if self.runner.is_some() {
            let handle = |runner: &mut Runner, now, ids: &mut dyn RequestIds| {
                runner.handle_timeout(now, ids, &mut ());
            };
            return self.drive(around, out, handle);
        }
        let is_due = |it: &mut InFlight| it.given_up.is_some_and(|due| due <= around.now);
        let given_up = self.in_flight.take_if(is_due);
        out.extend(given_up.map(|InFlight { request, .. }| ClientOutput::Answered {
            request,
            result: Err(LockError::DeadlineExceeded),
        }));
    }

    /// Gives the runner an input, and takes its outputs.
    fn drive(
        &mut self,
        around: &mut ClientContext<'_>,
        out: &mut Vec<ClientOutput>,
        input: impl FnOnce(&mut Runner, Time, &mut dyn RequestIds),
    ) {
        let Some(runner) = &mut self.runner else {
            return;
        };
        input(runner, around.now, around.ids);
        // A call that the runner has given up on is not waited for.
        let under_way = runner.call_under_way();
        self.in_flight.take_if(|waiting| under_way != Some(waiting.call));
        while let Some(output) = self.runner.as_mut().and_then(Runner::poll_output) {
            match output {
                Output::Call(call) => self.make_call(call, None, around, out),
                Output::Event(event) => out.push(ClientOutput::Runner(event)),
            }
        }
    }
}
