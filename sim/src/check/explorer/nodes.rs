//! The nodes of a state, as the rules between nodes see them.

use super::condition::Condition;
use super::machines::Machines;
use super::state::{Body, Message};
use super::stepping::Stepping;
use crate::check::question::limits::KEYS_MAX;
use crate::check::steps::back_end;
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;
use crate::check::steps::replies::UNAVAILABLE;
use crate::environment::acts::Situation as _;
use crate::environment::happening::{Node, Ways};
use crate::environment::nodes::{End, Nodes};
use crate::node::connection::Route;

impl<M: Machines> Nodes for Stepping<'_, M> {
    /// The member that calls.
    type Call = u8;
    type Calls = std::iter::Flatten<std::array::IntoIter<Option<u8>, KEYS_MAX>>;
    type Cause = ();
    type Problem = NoStep;

    fn clients(&self) -> usize {
        self.explorer.clients()
    }

    fn route(&self, client: usize) -> Option<Route> {
        self.explorer.facts(client as u8, self.state).route
    }

    fn calls_sent(&self, client: usize) -> Self::Calls {
        let id = self.state.clients[client];
        let kind = self.explorer.kinds[client];
        let sent = self.explorer.clients_of_kind[kind].sent(id);
        sent.into_iter().flatten()
    }

    fn is_answered(&self, client: usize, member: u8) -> bool {
        self.state.messages.iter().any(|it| {
            let is_answer = matches!(it.body, Body::FailedLocally | Body::Reply(_));
            let is_its = usize::from(it.client) == client && it.member == member;
            is_its && it.is_current && is_answer
        })
    }

    fn accepting(&self, process: usize) -> Option<u32> {
        self.explorer.locket(self.state).accepting.life(process)
    }

    fn draining(&self, process: usize) -> Option<u32> {
        self.explorer.locket(self.state).draining.life(process)
    }

    /// A request of an earlier life is no request any more.
    fn has_calls(&self, process: usize, _: u32) -> bool {
        let is_call = |it: &Message| matches!(it.body, Body::Held(_) | Body::Request(_));
        let mut messages = self.state.messages.iter();
        messages.any(|it| usize::from(it.process) == process && is_call(it))
    }

    fn runs(&self, process: usize) -> bool {
        self.state.runs(Node::Locket(process as u8))
    }

    fn passes(&self, client: usize, process: usize, ways: Ways) -> bool {
        let now = self.explorer.now(self.state);
        now.passes(client as u8, process as u8, ways)
    }

    fn cause_at(&self, _: usize) {}

    /// A paused process takes the requests along that it has not handled.
    fn end(&mut self, process: usize, _: End, (): ()) -> Result<(), NoStep> {
        self.ask_back_end(back_end::Input::Crash(process as u8))?;
        let Self {
            explorer, state, ..
        } = self;
        let longest = explorer.delay;
        let node = Node::Locket(process as u8);
        let was_paused = state.is_paused(node);
        state.wake(node);
        state.end(|what| what == Condition::Drains(process as u8));
        state.begin(Condition::Down(node));
        state.messages.retain_mut(|message| {
            if usize::from(message.process) != process {
                return true;
            }
            match message.body {
                Body::Held(_) => false,
                Body::Request(_) => {
                    message.body = Body::Orphaned;
                    explorer.matters(message) && !(was_paused && message.age >= longest)
                }
                Body::FailedLocally | Body::Orphaned | Body::Reply(_) => true,
            }
        });
        Ok(())
    }

    fn refuse(&mut self, client: usize, member: u8, process: usize, (): ()) {
        let caller = (client as u8, member);
        self.send(caller, process as u8, Body::Reply(UNAVAILABLE));
    }

    /// A paused client learns it when it goes on.
    fn break_connection(&mut self, client: usize, _: Route) -> Result<(), NoStep> {
        let is_request = |it: &Message| matches!(it.body, Body::Request(_));
        let messages = &mut self.state.messages;
        messages.retain(|it| usize::from(it.client) != client || !is_request(it));
        self.input(client as u8, Input::Disconnect)
    }

    fn tell_of_ping(&mut self, client: usize, is_answered: bool) -> Result<(), NoStep> {
        self.input(client as u8, Input::Ping { is_answered })
    }
}
