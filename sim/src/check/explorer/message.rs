//! A message between a client and a process, on its way or held: how long it may be on its way, and what
//! a state knows of it, in one word.

use super::conditions::Conditions;
use super::{AGE_MAX, BODY_MAX, Explorer};
use crate::check::question::bounds::Bounds;
use crate::check::question::faults::Fault;
use crate::check::question::limits::UNITS_MAX;
use crate::environment::acts::Act;
use crate::protocol::message::Method;
use crate::protocol::server::OPERATION_TIMEOUT;
use crate::time::Duration;

/// Something on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Message {
    pub(in crate::check) client: u8,
    pub(in crate::check) process: u8,
    pub(in crate::check) body: Body,
    /// True if the client still waits for its answer.
    pub(in crate::check) is_current: bool,
    /// True if the client has not restarted since its call, so that the answer shows it that its
    /// connection is alive.
    pub(in crate::check) keeps_alive: bool,
    /// True if it is the second of two, which is as late as a message may be.
    pub(in crate::check) is_second: bool,
    /// True if it was sent while its connection was slow.
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
    pub(super) fn new(lasting: &Conditions, client: u8, process: u8, body: Body) -> Self {
        Self {
            client,
            process,
            body,
            is_current: true,
            keeps_alive: true,
            is_second: false,
            is_slow: !matches!(body, Body::FailedLocally) && lasting.has(Act::Slow(client)),
            age: 0,
            name: 0,
        }
    }
}

impl Explorer {
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

/// The largest tag of a call.
pub(in crate::check) const TAG_MAX: u8 = 31;

/// Where the numbers of each kind of body begin.
const REQUEST: u32 = 2;
const HELD: u32 = REQUEST + Method::ALL.len() as u32;
const REPLY: u32 = HELD + TAG_MAX as u32 + 1;
const _: () = assert!(REPLY + 0x100 <= BODY_MAX - Act::LASTING.len() as u32);
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
