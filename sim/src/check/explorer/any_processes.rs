//! Any number of Locket processes with their database, as one client can notice them. Of Locket only
//! the rows are followed, and no process, connection or query is part of a state.
//!
//! A client notices Locket by what becomes of its calls:
//!
//! * **A call may fail at any time.** Its process ends or refuses it, its connection breaks, a ping or
//!   the database does not answer. A runner goes on alike after each of these errors, and after each
//!   answer to a Fetch or a Release.
//! * **A Lock may be executed at any time until its call is over, any number of times.** So it may be
//!   late, and may arrive twice. It may wait for a connection, for a paused process or for a database
//!   that stalls.
//! * **A Lock whose call is over is left out.** All that it does is make or renew a row of its client.
//!   Without it the row is older, or there is none. Then all may happen that may with it. The client's
//!   next Lock succeeds as well, others need not take the key, and the row may go.
//! * **An answer to a Lock arrives within the transit time, or never.** Any message may be lost.
//! * **A Release may be executed within the transit time, any number of times**, also after the end of its client.
//! * **Others change the row at any time**, as if some process and the database were always up.
//!
//! That is more than any processes can do, and it does not say how many there are. A rule that one
//! client keeps in it, it keeps with any number of processes, each of which may crash, drain and pause
//! as often and for as long as the question allows.

use super::Explorer;
use super::machines::Machines;
use super::message::{Body, Message};
use super::moves::Move;
use super::state::State;
use super::stepping::Stepping;
use crate::check::question::bounds::Bounds;
use crate::check::question::count::Count;
use crate::check::question::faults::{ByRows, Fault};
use crate::check::question::limits::UNITS_MAX;
use crate::check::question::local::Follows;
use crate::environment::happening::{Due, Node};
use crate::protocol::message::Method;
use crate::time::Duration;

impl Fault {
    /// True if a search does it, where Locket is followed in this way.
    pub(super) fn is_followed(self, locket: Follows) -> bool {
        locket != Follows::Rows || self.by_rows() != ByRows::Calls
    }
}

/// How long the two ways of a call may take; `None` for any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transit {
    /// From a client to the rows.
    pub(super) to_rows: Option<u16>,
    /// From the rows to a client.
    back: Option<u16>,
}

impl Transit {
    /// A query waits for the end of one stall, and a process for the end of each of its pauses.
    pub(super) fn of(bounds: &Bounds, units: impl Fn(Duration) -> u16) -> Self {
        let both = bounds.latency.as_ms() + bounds.database_latency.as_ms();
        let stall = match bounds.faults[Fault::Stall].count.is_never() {
            true => 0,
            false => bounds.faults[Fault::Stall].length.as_ms(),
        };
        let pauses = match bounds.faults[Fault::LocketPause].count {
            Count::UpTo(most) => {
                Some(u64::from(most) * bounds.faults[Fault::LocketPause].length.as_ms())
            }
            Count::Any => None,
        };
        let transit = |ms: u64| {
            let units = units(Duration::from_ms(ms + pauses?));
            (units <= UNITS_MAX).then_some(units)
        };
        Self { to_rows: transit(both + stall), back: transit(both) }
    }
}

impl Explorer {
    /// True if more of Locket is followed than its rows.
    pub(in crate::check) fn follows_calls(&self) -> bool {
        self.local.is_none_or(|it| it.locket != Follows::Rows)
    }

    /// True if what becomes of calls stands for a fault.
    pub(in crate::check) fn stands_for(&self, fault: Fault) -> bool {
        let mut local = self.local.into_iter();
        local.any(|it| !fault.is_followed(it.locket))
    }

    /// The call of a client that fails, where that may be at any time.
    pub(super) fn failures(&self, state: &State, client: u8, choices: &mut Vec<Move>) {
        if self.follows_calls() {
            return;
        }
        let index = usize::from(client);
        let node = self.clients_of_kind[self.kinds[index]].node(state.clients[index]);
        choices.extend(node.call_sent().map(|_| Move::Due(Due::FailLocally(client))));
    }

    /// True if a request may be executed now. While an answer is on its way, a Lock is executed again only
    /// where messages arrive twice. A Release may be one of an earlier life, whatever the answer is to.
    pub(super) fn may_be_executed(&self, state: &State, request: &Message) -> bool {
        let is_answer = |it: &Message| {
            let is_reply = matches!(it.body, Body::Reply(_));
            is_reply && it.client == request.client
        };
        self.follows_calls()
            || request.body == Body::Request(Method::Release)
            || self.question.bounds.allow(Fault::Duplicate)
            || !state.messages.iter().any(is_answer)
    }

    /// True if a message stays where it is after it has arrived.
    pub(super) fn is_repeated(&self, message: &Message) -> bool {
        !self.follows_calls() && matches!(message.body, Body::Request(_))
    }

    /// How long a message is on its way at most; `None` for any time.
    pub(super) const fn transit(&self, message: &Message) -> Option<u16> {
        match message.body {
            Body::Reply(_) => self.transit.back,
            Body::Request(Method::Release) => self.transit.to_rows,
            // Until its call is over.
            Body::Request(_) => None,
            Body::FailedLocally | Body::Held(_) | Body::Orphaned => None,
        }
    }

    /// True if at any time something may become of a call.
    pub(super) fn may_become_of_calls(&self, state: &State) -> bool {
        let mut clients = 0..self.clients() as u8;
        !self.follows_calls()
            && (!state.messages.is_empty() || clients.any(|it| self.facts(it, state).calls))
    }

    /// Lets messages age, and drops those that never arrive. A paused client finds them when it goes on.
    pub(super) fn age_without_processes(&self, state: &mut State, units: u16) {
        let is_paused = state.is_paused(Node::Client(0));
        state.messages.retain_mut(|message| {
            let Some(longest) = self.transit(message) else {
                return true;
            };
            let age = message.age.saturating_add(units);
            message.age = age.min(longest);
            let waits = is_paused && matches!(message.body, Body::Reply(_));
            age <= longest || waits
        });
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// The client calls. A Release stands for all earlier ones, and no Fetch changes
    /// anything.
    pub(super) fn call_without_processes(&mut self, client: u8, method: Method) {
        let body = Body::Request(method);
        let messages = &mut self.state.messages;
        match method {
            Method::Fetch | Method::FetchAll => return,
            Method::Lock | Method::Release => {
                messages.retain(|it| it.body != body);
            }
        }
        messages.push(Message {
            is_current: method == Method::Lock,
            keeps_alive: false,
            ..Message::new(&self.state.lasting, client, 0, body)
        });
    }

    /// A later answer of the same kind stands for an earlier one.
    pub(super) fn replace_answer(&mut self, number: u8) {
        if !self.explorer.follows_calls() {
            self.state.messages.retain(|it| it.body != Body::Reply(number));
        }
    }
}
