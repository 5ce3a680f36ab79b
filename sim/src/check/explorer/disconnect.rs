//! Broken connections: what is on its way between a client and Locket is lost, and the client knows
//! it at once.

use super::Explorer;
use super::state::{Body, Message, State};
use crate::check::question::faults::Fault;

impl Explorer {
    /// Whether the connection of a client may break now. To the one process that there is, one
    /// without a call or a request on its way is made again as it was.
    pub(super) fn may_disconnect(&self, state: &State, client: u8) -> bool {
        let facts = self.facts(client, state);
        let carries = |it: &Message| it.client == client && matches!(it.body, Body::Request(_));
        self.left(state, Fault::Disconnect)
            && facts.route.is_some()
            && (self.question.processes > 1 || facts.calls || state.messages.iter().any(carries))
    }
}
