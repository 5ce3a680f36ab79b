//! Messages on their way: how they are sent, and when they arrive at the latest.

use super::machines::Machines;
use super::message::{Body, Message};
use super::state::State;
use super::stepping::Stepping;
use super::{Explorer, Fate, Sent};
use crate::check::question::faults::Fault;
use crate::environment::happening::Node;
use crate::protocol::message::Method;

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

impl<M: Machines> Stepping<'_, M> {
    /// Sends a call of a client, or the answer to the call that it waits for.
    pub(super) fn send(&mut self, client: u8, process: u8, body: Body) {
        if let Body::Request(method) = body
            && !self.explorer.follows_calls()
        {
            return self.call_without_processes(client, method);
        }
        self.send_out(Message::new(&self.state.lasting, client, process, body));
    }

    /// Answers a call, if the answer can matter.
    pub(super) fn send_reply(&mut self, call: Message, number: u8) {
        if self.explorer.matters(&call) {
            self.replace_answer(number);
            let Message { client, process, is_current, keeps_alive, .. } = call;
            let reply = Message::new(&self.state.lasting, client, process, Body::Reply(number));
            self.send_out(Message { is_current, keeps_alive, ..reply });
        }
    }

    /// Puts a message on its way, unless it is lost.
    fn send_out(&mut self, mut message: Message) {
        let Message { client, process, body, .. } = message;
        let is_reply = matches!(body, Body::Reply(_));
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
        self.state.messages.push(Message::new(&self.state.lasting, client, 0, Body::FailedLocally));
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
