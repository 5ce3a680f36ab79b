//! Broken connections: what is on its way between a client and Locket is lost, and the client knows
//! it at once.

use super::Explorer;
use super::machines::Machines;
use super::message::{Body, Message};
use super::state::State;
use super::stepping::Stepping;
use crate::check::steps::clients::Input;
use crate::check::steps::interned::NoStep;

impl Explorer {
    /// True if it matters if the connection of a client breaks now. To the one process that there
    /// is, one without a call or a request on its way is made again as it was.
    pub(super) fn connection_matters(&self, state: &State, client: u8) -> bool {
        let facts = self.facts(client, state);
        let carries = |it: &Message| it.client == client && matches!(it.body, Body::Request(_));
        self.question.processes > 1 || facts.calls || state.messages.iter().any(carries)
    }
}

impl<M: Machines> Stepping<'_, M> {
    /// Breaks the connection of a client. A paused client learns it when it goes on.
    pub(super) fn disconnect(&mut self, client: u8) -> Result<(), NoStep> {
        debug_assert!(
            self.explorer.facts(client, self.state).route.is_some(),
            "only a connection that there is breaks"
        );
        let is_request = |it: &Message| matches!(it.body, Body::Request(_));
        let messages = &mut self.state.messages;
        messages.retain(|it| it.client != client || !is_request(it));
        self.input(client, Input::Disconnect)
    }
}
