//! The shipped client under exploration: its runner with its connection.
//!
//! Knows its states and what an input makes of each; not when inputs come, nor what becomes of
//! the calls.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::clock::{Clock, units, units_to_next};
use super::interned::{IdsMax, InternedId, NoStep, Steps, next_id};
use super::replies::Replies;
use crate::check::question::limits::{FAULT_COUNT_MAX, PROCESSES_MAX};
use crate::node::canonical::{CanonicalClient, Relevant};
use crate::node::client::{ClientContext, ClientInput, ClientNode, ClientOutput, Departure};
use crate::node::connection::{Processes, Route};
use crate::node::message::Reply;
use crate::protocol::error::LockError;
use crate::protocol::message::{Method, Response};
use crate::protocol::runner::{CallId, CanonicalRunner, Event, RequestId, RequestIdError};
use crate::time::{Duration, Time};

/// An input of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Input {
    /// It may connect.
    Connect,
    /// It crashes.
    Crash,
    /// Its next attempt is later by some units.
    Defer(u16),
    /// The life of the process is over that it may be connected to.
    Detach(u8),
    /// Its connection breaks.
    Disconnect,
    /// Time passes by its own clock, in milliseconds.
    Pass(u32),
    /// A process answers a call that it waits for no longer.
    Hear(u8),
    /// It finds out whether its ping is answered.
    Ping { is_answered: bool },
    /// The call under way is answered, by a process or by its own connection.
    Reply { number: u8, from: Option<u8> },
    /// It receives the stop signal.
    Signal,
    /// It is started.
    Start,
    /// It looks what is due.
    Timer,
}

/// The effect of an input on a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct ClientStep {
    pub(in crate::check) next: InternedId,
    /// True if it waits no longer for the call that it waited for.
    pub(in crate::check) is_over: bool,
    /// The call that leaves.
    pub(in crate::check) leaving: Option<Leaving>,
    /// True if its own connection says that its call has failed.
    pub(in crate::check) failed: bool,
    /// True if it has lost what it held, and was not asked to stop.
    pub(in crate::check) lost: bool,
    /// True if it has renewed its lock.
    pub(in crate::check) renewed: bool,
    /// True if it has taken its lock; perhaps to give it up at once.
    pub(in crate::check) acquired: bool,
    /// By how many units its next attempt may be [deferred](Input::Defer).
    pub(in crate::check) jitter: u16,
}

impl ClientStep {
    /// A step without another effect.
    pub(in crate::check) fn to(next: InternedId) -> Self {
        Self { next, ..Self::default() }
    }
}

/// A call that leaves for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Leaving {
    pub(in crate::check) process: u8,
    pub(in crate::check) method: Method,
}

/// The facts about a state that other modules need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct ClientFacts {
    /// True if it was never started.
    pub(in crate::check) is_new: bool,
    /// True if its runner has started and not ended.
    pub(in crate::check) is_alive: bool,
    /// True if it believes that it holds the lock.
    pub(in crate::check) believes: bool,
    /// True if something is due by itself now.
    pub(in crate::check) is_due: bool,
    /// Whether the client knows now whether its ping is answered; never where pings cannot fail.
    pub(in crate::check) ping_is_due: bool,
    /// True if one of these, or a [connection](Self::may_connect), may have to happen now.
    pub(in crate::check) may_act: bool,
    /// In how many units the first of these is due that is not due now.
    pub(in crate::check) units_to_next: u32,
    /// True if it waits for the answer to a call.
    pub(in crate::check) calls: bool,
    /// True if a call waits for a connection, or it connects by itself.
    pub(in crate::check) may_connect: bool,
    /// Whether it backs off and may try to connect now, and whether it has to.
    pub(in crate::check) tries: Option<(bool, bool)>,
    /// The process it believes it is connected to.
    pub(in crate::check) route: Option<Route>,
}

/// All known states of clients with the same settings.
#[derive(Clone, Debug)]
pub(in crate::check) struct Clients {
    relevant: Relevant,
    clock: Clock,
    ids_max: IdsMax,
    known: Vec<Known>,
    /// The facts about each state: apart, since every visit asks for them.
    facts: Vec<ClientFacts>,
    by_canonical: HashMap<CanonicalClient, InternedId, FxBuildHasher>,
    /// How many ids its calls were given, each another one.
    request_ids: u128,
}

#[derive(Clone, Debug)]
struct Known {
    /// A client in this state, at `now`.
    node: ClientNode,
    now: Time,
    steps: Steps<(Input, Accepting), ClientStep>,
}

/// The state of a client that was not started.
pub(in crate::check) const NEW: InternedId = 0;

impl Clients {
    /// Clients that start as this one.
    pub(in crate::check) fn new(first: ClientNode, relevant: Relevant, clock: Clock) -> Self {
        let mut clients = Self {
            relevant,
            clock,
            ids_max: IdsMax::default(),
            known: Vec::new(),
            facts: Vec::new(),
            by_canonical: HashMap::default(),
            request_ids: 0,
        };
        let first = clients.intern(first, Time::ZERO);
        debug_assert_eq!(first, Ok(NEW));
        clients
    }

    pub(in crate::check) fn facts(&self, id: InternedId) -> &ClientFacts {
        &self.facts[id as usize]
    }

    pub(in crate::check) const fn limit(&mut self, ids_max: IdsMax) {
        self.ids_max = ids_max;
    }

    /// How its clock runs.
    pub(in crate::check) const fn clock(&self) -> Clock {
        self.clock
    }

    /// The client in this state.
    pub(in crate::check) fn node(&self, id: InternedId) -> &ClientNode {
        &self.known[id as usize].node
    }

    /// The facts about every state.
    pub(in crate::check) fn all_facts(&self) -> impl Iterator<Item = &ClientFacts> {
        self.facts.iter()
    }

    /// The canonical state of the runner of a client in this state, if it has one.
    pub(in crate::check) fn canonical_runner(&self, id: InternedId) -> Option<CanonicalRunner> {
        let Known { node, now, .. } = &self.known[id as usize];
        node.runner().map(|runner| runner.canonical(*now))
    }

    /// The method of the call that it waits for.
    #[cfg(test)]
    pub(in crate::check) fn method(&self, id: InternedId) -> Option<Method> {
        self.node(id).call().map(|(call, _)| call.method)
    }

    #[cfg(test)]
    pub(in crate::check) fn canonical(
        &self,
        id: InternedId,
        lives_forgotten: Option<&[Option<u32>]>,
        is_loose: bool,
    ) -> CanonicalClient {
        let Known { node, now, .. } = &self.known[id as usize];
        let mut node = node.clone();
        if let Some(lives) = lives_forgotten {
            node.forget_lives(lives);
        }
        let keepalive = self.relevant.keepalive && !is_loose;
        let relevant = Relevant {
            keepalive,
            connection: self.relevant.connection || is_loose,
            ..self.relevant
        };
        node.canonical(*now, relevant)
    }

    pub(in crate::check) fn step(
        &mut self,
        id: InternedId,
        input: Input,
        accepting: Accepting,
        replies: &Replies,
    ) -> Result<ClientStep, NoStep> {
        match self.known_step(id, input, accepting) {
            Some(step) => Ok(step),
            None => self.compute(id, input, accepting, replies),
        }
    }

    /// A step that was computed already.
    pub(in crate::check) fn known_step(
        &self,
        id: InternedId,
        input: Input,
        accepting: Accepting,
    ) -> Option<ClientStep> {
        self.known[id as usize].steps.get(input.with(accepting))
    }

    /// A step that was not computed yet.
    #[cold]
    fn compute(
        &mut self,
        id: InternedId,
        input: Input,
        accepting: Accepting,
        replies: &Replies,
    ) -> Result<ClientStep, NoStep> {
        let known = &self.known[id as usize];
        let (mut node, mut now) = (known.node.clone(), known.now);
        let call_before = call_under_way(&node);
        let client_input = match input {
            Input::Crash => Some(ClientInput::Crash),
            Input::Defer(units) => {
                node.defer(Duration::from_ms(u64::from(units) * self.clock.unit_ms));
                None
            }
            Input::Detach(process) => {
                node.detach(process.into());
                None
            }
            Input::Disconnect => Some(ClientInput::Disconnected),
            Input::Hear(from) => Some(late_reply(&node, from)),
            Input::Connect => Some(ClientInput::Connect),
            Input::Pass(ms) => {
                now = now + Duration::from_ms(ms.into());
                None
            }
            Input::Ping { is_answered } => Some(ClientInput::Ping { is_answered }),
            Input::Reply { number, from } => reply_to(&node, from, replies.get(number)),
            Input::Signal => Some(ClientInput::Signal),
            Input::Start => Some(ClientInput::Start),
            Input::Timer => Some(ClientInput::Timer),
        };
        let mut outputs = Vec::new();
        if let Some(input) = client_input {
            let mut around = ClientContext {
                now,
                processes: &accepting,
                ids: &mut || {
                    self.request_ids += 1;
                    let id = RequestId::from_bytes(self.request_ids.to_be_bytes());
                    Ok::<_, RequestIdError>(id)
                },
            };
            node.handle(input, &mut around, &mut outputs);
        }
        let mut step = effect(outputs);
        step.is_over = call_before.is_some() && call_before != call_under_way(&node);
        let jitter = node.take_jitter().map_or(0, |it| units(it.as_ms(), self.clock.unit_ms));
        step.jitter = u16::try_from(jitter).unwrap_or(u16::MAX);
        step.next = self.intern(node, now)?;
        self.known[id as usize].steps.insert(input.with(accepting), step);
        Ok(step)
    }

    /// The number of a client's state at `now`.
    fn intern(&mut self, node: ClientNode, now: Time) -> Result<InternedId, NoStep> {
        let canonical = node.canonical(now, self.relevant);
        if let Some(&id) = self.by_canonical.get(&canonical) {
            return Ok(id);
        }
        let id = next_id(self.known.len(), self.ids_max)?;
        let (calling, due) = (node.calling(), node.deadline());
        let ping = node.connection_deadline();
        let window = node.reconnects().filter(|_| self.relevant.connection);
        let may_connect = calling == Some(true) || window.is_some();
        let left = |due: Option<Time>| due.map(|due| due.since(now).as_ms());
        let (due_ms, ping_ms) = (left(due), left(ping.filter(|_| self.relevant.keepalive)));
        let (first_ms, last_ms) = (left(window.map(|it| it.0)), left(window.map(|it| it.1)));
        let times = [due_ms, ping_ms, first_ms, last_ms].into_iter().flatten();
        let times = times.map(|ms| self.clock.ms_until(ms));
        self.facts.push(ClientFacts {
            is_new: node.life() == 0,
            is_alive: node.is_alive(),
            believes: node.believes_held(now),
            is_due: due_ms == Some(0),
            ping_is_due: ping_ms == Some(0),
            may_act: may_connect || [due_ms, ping_ms].contains(&Some(0)),
            units_to_next: units_to_next(times, self.clock.unit_ms),
            calls: calling.is_some(),
            may_connect,
            tries: window.map(|_| (first_ms == Some(0), last_ms == Some(0))),
            route: node.route(),
        });
        self.known.push(Known { node, now, steps: Steps::default() });
        self.by_canonical.insert(canonical, id);
        Ok(id)
    }
}

/// The effect of outputs outside of the client.
fn effect(outputs: Vec<ClientOutput>) -> ClientStep {
    let mut step = ClientStep::to(NEW);
    for output in outputs {
        match output {
            ClientOutput::Called { call, departure: Departure::Leaves(to), .. }
            | ClientOutput::Sent { call, to, .. } => {
                debug_assert!(step.leaving.is_none(), "it has one call under way at most");
                step.leaving = Some(Leaving { process: to.process as u8, method: call.method });
            }
            ClientOutput::Called { departure: Departure::Fails, .. } | ClientOutput::Failed(_) => {
                step.failed = true;
            }
            ClientOutput::Runner(event) => {
                step.lost |= matches!(event, Event::Lost(_));
                step.acquired |= matches!(event, Event::Acquired);
                step.renewed |= matches!(event, Event::Renewed);
            }
            ClientOutput::Answered { .. }
            | ClientOutput::Called { departure: Departure::Waits, .. } => {}
        }
    }
    step
}

/// Names the call that a client waits for.
fn call_under_way(node: &ClientNode) -> Option<(u32, CallId)> {
    node.call().map(|(call, _)| (node.life(), call))
}

fn reply_to(
    node: &ClientNode,
    from: Option<u8>,
    result: &Result<Response, LockError>,
) -> Option<ClientInput> {
    let (call, _) = node.call()?;
    Some(ClientInput::Reply(Reply {
        session: node.session(),
        call,
        result: result.clone(),
        from: from.map(u16::from),
    }))
}

/// A reply to another call than the one that a client waits for.
fn late_reply(node: &ClientNode, from: u8) -> ClientInput {
    ClientInput::Reply(Reply {
        session: node.session(),
        call: CallId { method: Method::Fetch, request_id: None },
        result: Err(LockError::Unavailable),
        from: Some(from.into()),
    })
}

/// Which processes accept connections, each in which life: 5 bits for each process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Accepting(u16);

impl Accepting {
    pub(in crate::check) fn new(lives: impl DoubleEndedIterator<Item = Option<u32>>) -> Self {
        let bits = |life: u32| 1 + u16::try_from(life).unwrap_or(u16::MAX).min(LIFE_MAX);
        let lives = lives.rev();
        Self(lives.fold(0, |all, life| all << 5 | life.map_or(0, bits)))
    }

    /// True if there is any.
    pub(in crate::check) const fn is_any(self) -> bool {
        self.0 != 0
    }
}

impl Processes for Accepting {
    fn count(&self) -> usize {
        PROCESSES_MAX
    }

    fn accepting(&self, process: usize) -> Option<u32> {
        let bits = self.0 >> (5 * process) & 0x1f;
        bits.checked_sub(1).map(u32::from)
    }
}

/// A process has as many lives as it may crash and drain, and one more.
const LIFE_MAX: u16 = 2 * FAULT_COUNT_MAX as u16;

impl Input {
    /// The input with the processes that matter to it: a clock runs whatever processes do.
    fn with(self, accepting: Accepting) -> (Self, Accepting) {
        let is_by_clock = matches!(self, Self::Defer(_) | Self::Pass(_));
        (self, if is_by_clock { Accepting::default() } else { accepting })
    }
}
