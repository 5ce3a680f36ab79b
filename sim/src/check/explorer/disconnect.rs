//! Broken connections: what is on its way between a client and Locket is lost, and the client knows
//! it at once.

use super::Explorer;
use super::state::{Body, Message, State};

impl Explorer {
    /// Whether it matters if the connection of a client breaks now. To the one process that there
    /// is, one without a call or a request on its way is made again as it was.
    pub(super) fn connection_matters(&self, state: &State, client: u8) -> bool {
        let facts = self.facts(client, state);
        let carries = |it: &Message| it.client == client && matches!(it.body, Body::Request(_));
        self.question.processes > 1 || facts.calls || state.messages.iter().any(carries)
    }
}
