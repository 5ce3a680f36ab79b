//! The shipped client under exploration: its runner with its connection.
//!
//! Knows its states and what an input makes of each; not when inputs come, nor what becomes of
//! the calls.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::interned::{InternedId, NoStep, Steps, next_id};
use super::replies::Replies;
use crate::check::question::limits::FAULT_COUNT_MAX;
use crate::node::canonical::{CanonicalClient, Relevant};
use crate::node::client::{ClientInput, ClientNode, ClientOutput, Departure, Surroundings};
use crate::node::connection::{Processes, Route};
use crate::node::message::{ClientCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::machine::MachineSettings;
use crate::protocol::message::Method;
use crate::protocol::runner::{CallId, CanonicalRunner, Event, RequestId, RequestIdError};
use crate::time::{Duration, Time};

/// An input of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Input {
    /// It crashes.
    Crash,
    /// A call that has waited for a connection may leave.
    Leave,
    /// Time passes by its own clock, in milliseconds.
    Pass(u32),
    /// A process answers a call that it waits for no longer.
    Hear { from: u8 },
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct ClientStep {
    pub(in crate::check) next: InternedId,
    /// Whether it waits no longer for the call that it waited for.
    pub(in crate::check) call_is_over: bool,
    /// The call that it makes, and what becomes of that at first.
    pub(in crate::check) call: Option<(Method, Departure)>,
    /// Whether its own connection says that its call has failed.
    pub(in crate::check) call_failed: bool,
    /// Whether it has lost a lock that it held.
    pub(in crate::check) lost: bool,
}

/// The facts about a state that other modules need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct ClientFacts {
    /// Whether it was never started.
    pub(in crate::check) is_new: bool,
    /// Whether its runner has started and not ended.
    pub(in crate::check) is_alive: bool,
    /// Whether it believes that it holds the lock.
    pub(in crate::check) believes: bool,
    /// When something is due by itself, in milliseconds of its own clock from now.
    pub(in crate::check) due_ms: Option<u64>,
    /// When the client knows whether its ping is answered, in milliseconds of its own clock from
    /// now; `None` where pings cannot fail.
    pub(in crate::check) ping_ms: Option<u64>,
    /// Whether it waits for the answer to a call.
    pub(in crate::check) calls: bool,
    /// Whether a call waits for a connection.
    pub(in crate::check) call_waits: bool,
    /// The process it believes it is connected to.
    pub(in crate::check) route: Option<Route>,
}

/// All known states of clients with the same settings.
#[derive(Clone, Debug)]
pub(in crate::check) struct Clients {
    /// How many Locket processes there are.
    processes: usize,
    relevant: Relevant,
    known: Vec<Known>,
    by_canonical: HashMap<CanonicalClient, InternedId, FxBuildHasher>,
    /// How many ids its calls were given, each another one.
    request_ids: u128,
}

#[derive(Clone, Debug)]
struct Known {
    /// A client in this state, at `now`.
    node: ClientNode,
    now: Time,
    facts: ClientFacts,
    steps: Steps<ClientStep>,
}

/// The state of a client that was not started.
pub(in crate::check) const NEW: InternedId = 0;

impl Clients {
    /// Clients that have not started, with the process that they prefer of so many.
    pub(in crate::check) fn new(
        settings: MachineSettings,
        (prefers, processes): (usize, usize),
        relevant: Relevant,
    ) -> Self {
        let mut clients = Self {
            processes,
            relevant,
            known: Vec::new(),
            by_canonical: HashMap::default(),
            request_ids: 0,
        };
        let first = clients.intern(ClientNode::new(Some(settings), prefers), Time::ZERO);
        debug_assert_eq!(first, Ok(NEW));
        clients
    }

    pub(in crate::check) fn facts(&self, id: InternedId) -> &ClientFacts {
        &self.known[id as usize].facts
    }

    /// The facts about every state.
    pub(in crate::check) fn all_facts(&self) -> impl Iterator<Item = &ClientFacts> {
        self.known.iter().map(|known| &known.facts)
    }

    /// The canonical state of the runner of a client in this state, if it has one.
    pub(in crate::check) fn canonical_runner(&self, id: InternedId) -> Option<CanonicalRunner> {
        let known = &self.known[id as usize];
        known
            .node
            .runner()
            .map(|runner| runner.canonical(known.now))
    }

    pub(in crate::check) fn step(
        &mut self,
        id: InternedId,
        input: Input,
        accepting: Accepting,
        replies: &Replies,
    ) -> Result<ClientStep, NoStep> {
        if let Some(step) = self.known_step(id, input, accepting) {
            return Ok(step);
        }
        let step = self.compute(id, input, accepting, replies)?;
        self.known[id as usize]
            .steps
            .insert(input.number(accepting), step);
        Ok(step)
    }

    /// A step that was computed already.
    pub(in crate::check) fn known_step(
        &self,
        id: InternedId,
        input: Input,
        accepting: Accepting,
    ) -> Option<ClientStep> {
        self.known[id as usize].steps.get(input.number(accepting))
    }

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
        let input = match input {
            Input::Crash => Some(ClientInput::Crash),
            Input::Hear { from } => Some(late_reply(&node, from)),
            Input::Leave => Some(ClientInput::ProcessStarted),
            Input::Pass(ms) => {
                now = now + Duration::from_ms(ms.into());
                None
            }
            Input::Ping { is_answered } => Some(ClientInput::Ping { is_answered }),
            Input::Reply { number, from } => reply_to(&node, number, from, replies),
            Input::Signal => Some(ClientInput::Signal),
            Input::Start => Some(ClientInput::Start),
            Input::Timer => Some(ClientInput::Timer),
        };
        let mut outputs = Vec::new();
        if let Some(input) = input {
            let mut around = Surroundings {
                now,
                processes: &accepting.processes(self.processes),
                ids: &mut || {
                    self.request_ids += 1;
                    let id = RequestId::from_bytes(self.request_ids.to_be_bytes());
                    Ok::<_, RequestIdError>(id)
                },
            };
            node.handle(input, &mut around, &mut outputs);
        }
        let (mut call, mut call_failed, mut lost) = (None, false, false);
        for output in outputs {
            match output {
                ClientOutput::Called {
                    request, departure, ..
                } => {
                    call = Some((request.method(), departure));
                    call_failed = departure == Departure::Fails;
                }
                ClientOutput::Sent { request, to, .. } => {
                    call = Some((request.method(), Departure::Leaves(to)));
                }
                ClientOutput::Runner(event) => lost |= matches!(event, Event::Lost(_)),
                ClientOutput::Failed(_) => call_failed = true,
                ClientOutput::Answered { .. }
                | ClientOutput::Joint(_)
                | ClientOutput::Member { .. } => {}
            }
        }
        Ok(ClientStep {
            call_is_over: call_before.is_some() && call_under_way(&node) != call_before,
            next: self.intern(node, now)?,
            call,
            call_failed,
            lost,
        })
    }

    /// The number of a client's state at `now`.
    fn intern(&mut self, node: ClientNode, now: Time) -> Result<InternedId, NoStep> {
        let canonical = node.canonical(now, self.relevant);
        if let Some(&id) = self.by_canonical.get(&canonical) {
            return Ok(id);
        }
        let id = next_id(self.known.len())?;
        let machine = node.machine();
        let facts = ClientFacts {
            is_new: node.life() == 0,
            is_alive: machine.is_some_and(|machine| machine.exited().is_none()),
            believes: node.believes_held(now),
            due_ms: node.deadline().map(|due| due.since(now).as_ms()),
            ping_ms: node
                .connection_deadline()
                .filter(|_| self.relevant.keepalive)
                .map(|due| due.since(now).as_ms()),
            calls: node.calls().next().is_some(),
            call_waits: node.has_waiting_call(),
            route: node.route(),
        };
        self.known.push(Known {
            node,
            now,
            facts,
            steps: Steps::default(),
        });
        self.by_canonical.insert(canonical, id);
        Ok(id)
    }
}

/// Names the call that a client waits for.
fn call_under_way(node: &ClientNode) -> Option<impl PartialEq + use<>> {
    let (call, _) = node.calls().next()?;
    Some((node.life(), call))
}

fn reply_to(
    node: &ClientNode,
    number: u8,
    from: Option<u8>,
    replies: &Replies,
) -> Option<ClientInput> {
    let (call, _) = node.calls().next()?;
    Some(ClientInput::Reply(Reply {
        life: node.life(),
        call,
        result: replies.get(number).clone(),
        from: from.map(u16::from),
    }))
}

/// A reply to none of the calls that a client waits for.
fn late_reply(node: &ClientNode, from: u8) -> ClientInput {
    let id = CallId {
        method: Method::Fetch,
        request_id: None,
    };
    ClientInput::Reply(Reply {
        life: node.life(),
        call: ClientCall { member: 0, id },
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

    /// Whether there is any.
    pub(in crate::check) const fn is_any(self) -> bool {
        self.0 != 0
    }

    /// The life of a process that does.
    pub(in crate::check) fn life(self, process: usize) -> Option<u32> {
        (self.0 >> (5 * process) & 0x1f)
            .checked_sub(1)
            .map(u32::from)
    }

    fn processes(self, count: usize) -> Processes {
        Processes::new((0..count).map(|process| self.life(process)).collect())
    }
}

/// A process has as many lives as it may crash and drain, and one more.
const LIFE_MAX: u16 = 2 * FAULT_COUNT_MAX as u16;

impl Input {
    fn number(self, accepting: Accepting) -> u64 {
        let (kind, detail) = match self {
            Self::Crash => (0, 0),
            // A clock runs whatever processes do.
            Self::Pass(ms) => return u64::from(ms) << 8 | 1,
            Self::Leave => (2, 0),
            Self::Reply { number, from } => {
                let from = from.map_or(0, |from| u64::from(from) + 1);
                (3, u64::from(number) << 2 | from)
            }
            Self::Signal => (4, 0),
            Self::Start => (5, 0),
            Self::Timer => (6, 0),
            Self::Ping { is_answered } => (7, u64::from(is_answered)),
            Self::Hear { from } => (8, u64::from(from)),
        };
        detail << 24 | u64::from(accepting.0) << 8 | kind
    }
}
