//! A client: its machine's calls go out over a [connection](super::connection), and answers come
//! back.
//!
//! Gives its machine the answers to calls that are under way and to no others. Knows of Locket
//! only which processes accept connections.

mod calls;
mod joint_outputs;

use std::sync::Arc;

pub use self::joint_outputs::JointEvent;
use super::connection::{Connection, Processes, Route};
use super::message::{ClientCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::machine::{Machine, MachineSettings};
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{Event, Output, RequestIds, Runner};
use crate::time::{Duration, Time};

/// A client: a runner, a joint lock, or a client that is called by hand.
///
/// After every input ask [`deadline`](Self::deadline) when to give it
/// [`Timer`](ClientInput::Timer), and [`connection_deadline`](Self::connection_deadline) when to
/// tell it whether a [ping](ClientInput::Ping) was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientNode {
    /// The settings of its machine at each start; `None` for a client that is called by hand.
    settings: Option<MachineSettings>,
    machine: Option<Machine>,
    /// Whether a joint lock was last seen to hold all its keys.
    leads: bool,
    /// Whether it has crashed and not started again.
    is_down: bool,
    connection: Connection,
    /// The calls under way: at most one of each member.
    in_flight: Vec<InFlight>,
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
    call: ClientCall,
    request: Arc<Request>,
    /// Waits for a connection; not sent yet.
    waits_for_connection: bool,
    /// When a call by hand is given up; a machine looks at its deadlines itself.
    given_up: Option<Time>,
}

/// An input of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClientInput {
    /// A call by hand, with its timeout.
    Call(Arc<Request>, Option<Duration>),
    /// It crashes and loses its state.
    Crash,
    /// Its connection breaks. Its machine notices that at once, also while it is paused; its
    /// runner learns it when the pause ends.
    Disconnected,
    /// Whether a process has answered a ping, at the [time](ClientNode::connection_deadline) by
    /// which it had to.
    Ping {
        /// Whether it has.
        is_answered: bool,
    },
    /// A process may accept connections that did not before.
    ProcessStarted,
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
        call: ClientCall,
        /// The request.
        request: Arc<Request>,
        /// When it stops waiting, by its own clock.
        deadline: Option<Time>,
        /// The first state of the call.
        departure: Departure,
    },
    /// Its own connection answers a call with Unavailable, which it hears by a
    /// [`Reply`](ClientInput::Reply).
    Failed(ClientCall),
    /// Something became of a joint lock as a whole.
    Joint(JointEvent),
    /// Something became of one of a joint lock's runners.
    Member {
        /// The key that it keeps.
        key: String,
        /// The event of the runner.
        event: Event,
    },
    /// Something became of its runner.
    Runner(Event),
    /// A call that has waited for a connection leaves.
    Sent {
        /// Which.
        call: ClientCall,
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
pub(crate) struct Surroundings<'a> {
    /// The time of its clock.
    pub now: Time,
    /// The processes that accept connections.
    pub processes: &'a dyn Processes,
    /// Where the ids of its calls come from.
    pub ids: &'a mut dyn RequestIds,
}

impl ClientNode {
    /// A client that has not started, with the settings of its machine and the process that it
    /// prefers.
    pub(crate) const fn new(settings: Option<MachineSettings>, prefers: u16) -> Self {
        Self {
            settings,
            machine: None,
            leads: false,
            is_down: false,
            connection: Connection::new(prefers),
            in_flight: Vec::new(),
            life: 0,
            session: 0,
            unbroken: 0,
        }
    }

    /// Changes what its machine is made from at its next start.
    pub(crate) fn reconfigure(&mut self, settings: MachineSettings) {
        self.settings = Some(settings);
    }

    /// Takes an input, and adds what comes of it to `out`.
    pub(crate) fn handle(
        &mut self,
        input: ClientInput,
        around: &mut Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        match input {
            ClientInput::Call(request, timeout) => self.call_by_hand(request, timeout, around, out),
            ClientInput::Crash => {
                self.end();
                self.is_down = true;
            }
            ClientInput::Disconnected => self.disconnect(out),
            ClientInput::Ping { is_answered: true } => {
                let call_waits = !self.in_flight.is_empty();
                self.connection.ping_answered(call_waits, around.now);
            }
            ClientInput::Ping { is_answered: false } => {
                self.connection.die();
                out.extend(self.in_flight.iter().map(|it| ClientOutput::Failed(it.call)));
            }
            ClientInput::ProcessStarted => self.send_waiting_calls(around, out),
            ClientInput::Reply(reply) => self.take_reply(reply, around, out),
            ClientInput::Signal => self.drive(around, out, Machine::handle_signal),
            ClientInput::Start => self.start(around, out),
            ClientInput::Timer => self.take_timer(around, out),
        }
    }
}

/// State.
impl ClientNode {
    /// Its machine, while it runs.
    pub(crate) const fn machine(&self) -> Option<&Machine> {
        self.machine.as_ref()
    }

    /// Its machine's runner; of a joint lock the first.
    pub(crate) fn runner(&self) -> Option<&Runner> {
        self.machine.as_ref()?.member(0)
    }

    /// Whether it believes at `now` to hold its lock, or all that it wants together.
    pub(crate) fn believes_held(&self, now: Time) -> bool {
        let machine = self.machine.as_ref();
        machine.is_some_and(|machine| machine.believes_held(now))
    }

    /// Whether a start would do nothing, as it runs and has not ended.
    pub(crate) fn is_under_way(&self) -> bool {
        match &self.machine {
            Some(machine) => machine.exited().is_none(),
            None => self.settings.is_none(),
        }
    }

    /// Whether its machine has started and not ended.
    pub(crate) fn is_alive(&self) -> bool {
        let machine = self.machine.as_ref();
        machine.is_some_and(|machine| machine.exited().is_none())
    }

    /// Whether it has crashed and not started again.
    pub(crate) const fn is_down(&self) -> bool {
        self.is_down
    }

    /// Its runner, if it renews `now` what it holds, over a connection to this process, and waits for
    /// nothing.
    pub(crate) fn renewing(&mut self, to: Route, now: Time) -> Option<&mut Runner> {
        let Some(Machine::Runner(runner)) = &mut self.machine else {
            return None;
        };
        let is_quiet = self.in_flight.is_empty() && self.connection.is_quiet(to);
        (is_quiet && runner.is_to_renew(now)).then_some(runner)
    }

    /// How often it has started or ended.
    pub(crate) const fn life(&self) -> u32 {
        self.life
    }

    /// The number of its [session](super::message).
    pub(crate) const fn session(&self) -> u32 {
        self.session
    }

    /// Whether what was sent in or to a session is lost with its connection.
    pub(crate) const fn was_broken(&self, session: u32) -> bool {
        session < self.unbroken
    }

    /// Whether a joint lock was last seen to hold all its keys.
    pub(super) const fn leads(&self) -> bool {
        self.leads
    }

    /// The members whose calls are under way, oldest call first, and whether each waits for a
    /// connection.
    pub(crate) fn calling(&self) -> impl Iterator<Item = (u16, bool)> {
        let calls = self.in_flight.iter();
        calls.map(|it| (it.call.member, it.waits_for_connection))
    }

    /// Whether a call waits for a connection.
    pub(crate) fn has_waiting_call(&self) -> bool {
        self.in_flight.iter().any(|it| it.waits_for_connection)
    }

    /// Where its calls go as far as it knows.
    pub(crate) fn route(&self) -> Option<Route> {
        self.connection.route()
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

    /// The calls that it waits for, oldest first, with what they ask.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (ClientCall, &Arc<Request>)> {
        self.in_flight.iter().map(|it| (it.call, &it.request))
    }

    /// Those of them that have left, or were refused a connection.
    pub(crate) fn calls_sent(&self) -> impl Iterator<Item = (ClientCall, &Arc<Request>)> {
        let sent = self.in_flight.iter().filter(|it| !it.waits_for_connection);
        sent.map(|it| (it.call, &it.request))
    }

    /// Those of them that have left, or were refused a connection, while it is connected there.
    pub(crate) fn calls_over(&self, route: Route) -> impl Iterator<Item = ClientCall> {
        let calls = self.calls_sent().map(|(call, _)| call);
        calls.filter(move |_| self.route() == Some(route))
    }

    /// When something is due by itself.
    pub(crate) fn deadline(&self) -> Option<Time> {
        match &self.machine {
            Some(machine) => machine.deadline(),
            None => self.in_flight.iter().filter_map(|it| it.given_up).min(),
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
    fn start(&mut self, around: &mut Surroundings<'_>, out: &mut Vec<ClientOutput>) {
        self.end();
        self.is_down = false;
        self.machine = self.settings.as_ref().map(Machine::new);
        self.drive(around, out, Machine::start);
    }

    fn end(&mut self) {
        self.life += 1;
        self.session += 1;
        self.machine = None;
        self.leads = false;
        self.in_flight.clear();
        self.connection.forget();
    }

    fn disconnect(&mut self, out: &mut Vec<ClientOutput>) {
        self.connection.close();
        self.session += 1;
        self.unbroken = self.session;
        let failed = self.calls_sent().map(|(call, _)| ClientOutput::Failed(call));
        out.extend(failed);
    }

    fn take_timer(&mut self, around: &mut Surroundings<'_>, out: &mut Vec<ClientOutput>) {
        if self.machine.is_some() {
            return self.drive(around, out, Machine::handle_timeout);
        }
        let is_due = |it: &InFlight| it.given_up.is_some_and(|due| due <= around.now);
        if let Some(place) = self.in_flight.iter().position(is_due) {
            out.push(ClientOutput::Answered {
                request: self.in_flight.remove(place).request,
                result: Err(LockError::DeadlineExceeded),
            });
        }
    }

    /// Gives the machine an input, and takes its outputs.
    fn drive(
        &mut self,
        around: &mut Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
        input: impl FnOnce(&mut Machine, Time, &mut dyn RequestIds),
    ) {
        let Some(machine) = &mut self.machine else {
            return;
        };
        let is_joint = matches!(machine, Machine::Joint(_));
        let had_ended = is_joint && machine.exited().is_some();
        input(machine, around.now, around.ids);
        // A call that a runner has given up on is not waited for.
        self.in_flight.retain(|waiting| {
            let member = machine.member(waiting.call.member.into());
            member.and_then(Runner::call_under_way) == Some(waiting.call.id)
        });
        if is_joint {
            self.take_joint_outputs(had_ended, around, out);
        } else {
            while let Some((member, output)) = self.machine.as_mut().and_then(Machine::poll_output)
            {
                self.take_output(member, output, around, out);
            }
        }
    }

    fn take_output(
        &mut self,
        member: usize,
        output: Output,
        around: &Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        match (output, &self.machine) {
            (Output::Call(call), _) => {
                let member = u16::try_from(member).expect("a joint lock has fewer members");
                self.make_call(member, call, None, around, out);
            }
            (Output::Event(event), Some(Machine::Joint(group))) => {
                let key = group.members()[member].name().to_owned();
                out.push(ClientOutput::Member { key, event });
            }
            (Output::Event(event), Some(Machine::Runner(_)) | None) => {
                out.push(ClientOutput::Runner(event));
            }
        }
    }
}
