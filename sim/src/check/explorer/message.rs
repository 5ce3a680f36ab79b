//! Messages between clients and processes, on their way or held: how they are sent, when they arrive at
//! the latest, and what a state knows of each, in one word.

use super::faults::CONDITIONS;
use super::machines::Machines;
use super::state::State;
use super::stepping::Stepping;
use super::{Explorer, Fate, Sent};
use crate::check::question::bounds::Bounds;
use crate::check::question::faults::Fault;
use crate::check::question::limits::UNITS_MAX;
use crate::environment::acts::Act;
use crate::environment::happening::Node;
use crate::protocol::message::Method;
use crate::protocol::server::OPERATION_TIMEOUT;
use crate::time::Duration;

/// Something on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Message {
    pub(in crate::check) client: u8,
    pub(in crate::check) process: u8,
    pub(in crate::check) body: Body,
    /// Whether the client still waits for its answer.
    pub(in crate::check) is_current: bool,
    /// Whether the client has not restarted since its call, so that the answer shows it that its
    /// connection is alive.
    pub(in crate::check) keeps_alive: bool,
    /// Whether it is the second of two, which is as late as a message may be.
    pub(in crate::check) is_second: bool,
    /// Whether it was sent while its connection was slow.
    pub(in crate::check) is_slow: bool,
    pub(in crate::check) age: u16,
    /// Which message it is, for people who follow a schedule; says nothing about the state.
    pub(in crate::check) name: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Body {
    /// The client's own connection says that there is no process; never lost, never late.
    FailedLocally,
    /// A call that its process has begun, by the tag that the process knows it by.
    Held(u8),
    /// A call whose connection broke on its way: a process that is down refuses it (S24).
    Orphaned,
    /// The reply of this number.
    Reply(u8),
    Request(Method),
}

impl Message {
    /// A call of a client, or what answers the call that it waits for.
    pub(super) const fn new(client: u8, process: u8, body: Body) -> Self {
        Self {
            client,
            process,
            body,
            is_current: true,
            keeps_alive: true,
            is_second: false,
            is_slow: false,
            age: 0,
            name: 0,
        }
    }
}

impl Explorer {
    /// In how many units a message arrives at the latest; `None` if it need not.
    pub(super) fn units_to_arrival(&self, state: &State, message: &Message) -> Option<u16> {
        let is_for_client = matches!(message.body, Body::FailedLocally | Body::Reply(_));
        let waits = is_for_client && state.is_paused(Node::Client(message.client));
        if waits || !self.follows_calls() {
            return None;
        }
        match message.body {
            Body::FailedLocally => Some(0),
            Body::Held(_) => None,
            Body::Request(_) if state.is_paused(Node::Locket(message.process)) => None,
            Body::Orphaned | Body::Reply(_) | Body::Request(_) => {
                Some(self.longest_delay(message) - message.age)
            }
        }
    }

    /// How long a message is on its way at most, in units.
    pub(super) const fn longest_delay(&self, message: &Message) -> u16 {
        match message.body {
            Body::Orphaned | Body::Reply(_) | Body::Request(_) if message.is_slow => {
                self.delay + self.lengths[Fault::SlowConnection as usize]
            }
            Body::Orphaned | Body::Reply(_) | Body::Request(_) => self.delay,
            Body::FailedLocally | Body::Held(_) => 0,
        }
    }

    pub(super) fn age_messages(&self, state: &mut State, units: u16) {
        if !self.follows_calls() {
            return self.age_without_processes(state, units);
        }
        for message in &mut state.messages {
            let longest = self.longest_delay(message);
            message.age = message.age.saturating_add(units).min(longest);
        }
    }
}

impl Bounds {
    /// How long a process that drains may answer calls of others: those that are on their way to it,
    /// and what holds up their answers. With any number of pauses of Locket that takes any time.
    pub(super) fn calls_of_others(&self) -> Duration {
        let pause = &self.faults[Fault::LocketPause];
        let pauses = pause.length.as_ms() * u64::from(pause.count.limit().unwrap_or_default());
        let answers = match self.exceed_operation_timeout() {
            true => OPERATION_TIMEOUT.as_ms(),
            false => 2 * self.database_latency.as_ms(),
        };
        let message = self.latency + Fault::SlowConnection.longest(self);
        Duration::from_ms(message.as_ms() + pauses + answers)
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Sends a call of a client, or the answer to the call that it waits for.
    pub(super) fn send(&mut self, client: u8, process: u8, body: Body) {
        if let Body::Request(method) = body
            && !self.explorer.follows_calls()
        {
            return self.call_without_processes(client, method);
        }
        self.send_out(Message::new(client, process, body));
    }

    /// Answers a call, if the answer can matter.
    pub(super) fn send_reply(&mut self, call: Message, number: u8) {
        if self.explorer.matters(&call) {
            self.replace_answer(number);
            self.send_out(Message { body: Body::Reply(number), is_second: false, age: 0, ..call });
        }
    }

    /// Puts a message on its way, unless it is lost.
    fn send_out(&mut self, mut message: Message) {
        let Message { client, process, body, .. } = message;
        let is_reply = matches!(body, Body::Reply(_));
        message.is_slow = self.state.has(Act::Slow(client));
        let name = self.explorer.new_name();
        let fate = if self.state.is_cut(client, process, is_reply) {
            Fate::Cut
        } else {
            let bit = 1_u8 << self.outcome.sent.messages;
            self.outcome.sent.messages += 1;
            match (self.fates.lost & bit != 0, self.fates.twice & bit != 0) {
                (true, _) => Fate::Lost,
                (false, is_twice) => {
                    Fate::Sent { second: is_twice.then(|| self.explorer.new_name()) }
                }
            }
        };
        self.explorer.log(Sent { name, client, process, is_reply, fate });
        message.name = name;
        match fate {
            Fate::Cut => {}
            Fate::Lost => self.use_up(Fault::LostMessage),
            Fate::Sent { second } => {
                self.state.messages.push(message);
                if let Some(name) = second {
                    self.use_up(Fault::Duplicate);
                    self.state.messages.push(Message { is_second: true, name, ..message });
                }
            }
        }
    }

    /// A client's own connection says that its call has failed.
    #[cold]
    pub(super) fn fail_locally(&mut self, client: u8) {
        self.state.messages.push(Message::new(client, 0, Body::FailedLocally));
    }

    /// The call of a client is over, perhaps as its session ends: answers are dropped, unless they show
    /// that a connection is alive.
    pub(super) fn forget_calls(&mut self, client: u8, ends_session: bool) {
        let Self { explorer, state, .. } = self;
        state.messages.retain_mut(|message| {
            if message.client != client {
                return true;
            }
            if !explorer.follows_calls() {
                return message.body == Body::Request(Method::Release);
            }
            message.is_current = false;
            message.keeps_alive &= !ends_session;
            match message.body {
                Body::Held(_) | Body::Request(_) => true,
                Body::FailedLocally => false,
                Body::Orphaned | Body::Reply(_) => explorer.matters(message),
            }
        });
    }
}

/// The largest tag of a call.
pub(in crate::check) const TAG_MAX: u8 = 31;

/// Where the numbers of each kind of body begin.
const REQUEST: u32 = 2;
const HELD: u32 = REQUEST + Method::ALL.len() as u32;
const REPLY: u32 = HELD + TAG_MAX as u32 + 1;
/// The largest number of a body; the last ones are conditions.
pub(super) const BODY_MAX: u32 = 0x1ff;
const _: () = assert!(REPLY + 0x100 <= BODY_MAX - CONDITIONS.len() as u32);
/// The largest age of a message that its word can hold: a slow one is late by two times of a question.
pub(super) const AGE_MAX: u32 = 0x7fff;
const _: () = assert!(2 * UNITS_MAX as u32 <= AGE_MAX);

impl Message {
    /// In one word: the place of its client, whether it is slow, body, process, whether it is current, whether it is a
    /// duplicate, whether it counts for pings, and its age.
    pub(super) fn word(self, place: u8) -> u32 {
        debug_assert!(u32::from(self.age) <= AGE_MAX, "a message fits in its word");
        let body = match self.body {
            Body::FailedLocally => 0,
            Body::Orphaned => 1,
            Body::Request(method) => REQUEST + method as u32,
            Body::Held(tag) => HELD + u32::from(tag & TAG_MAX),
            Body::Reply(number) => REPLY + u32::from(number),
        };
        u32::from(place) << 30
            | u32::from(self.is_slow && !matches!(self.body, Body::Held(_))) << 29
            | body << 20
            | u32::from(self.process) << 18
            | u32::from(self.is_current) << 17
            | u32::from(self.is_second) << 16
            | u32::from(self.keeps_alive) << 15
            | u32::from(self.age)
    }

    pub(super) fn from_word(word: u32) -> Self {
        let body = match word >> 20 & BODY_MAX {
            0 => Body::FailedLocally,
            1 => Body::Orphaned,
            body if body < HELD => Body::Request(Method::ALL[(body - REQUEST) as usize]),
            body if body < REPLY => Body::Held((body - HELD) as u8),
            body => Body::Reply((body - REPLY) as u8),
        };
        Self {
            client: (word >> 30) as u8,
            process: (word >> 18 & 3) as u8,
            body,
            is_current: word >> 17 & 1 != 0,
            is_second: word >> 16 & 1 != 0,
            is_slow: word >> 29 & 1 != 0,
            keeps_alive: word >> 15 & 1 != 0,
            age: (word & AGE_MAX) as u16,
            name: 0,
        }
    }
}
