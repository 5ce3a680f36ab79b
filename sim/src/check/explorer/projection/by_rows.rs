//! The part of a state that one client can notice, where [only rows](super::super::any_processes) of
//! Locket are followed.

use crate::check::explorer::Explorer;
use crate::check::explorer::message::{Body, Message};
use crate::check::explorer::state::State;
use crate::check::steps::back_end::SeenRow;
use crate::protocol::error::Code;
use crate::protocol::message::{Method, Response};

/// The row and messages in a state. A search of one client may have some with which more can happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ByRows {
    row: SeenRow,
    another_was_last: bool,
    /// In how many units each answer to a Lock under way, and each Release, arrives at the latest; none
    /// for any time.
    pub(super) arriving: Vec<(What, Option<u16>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    Collision,
    Release,
    Success,
}

impl ByRows {
    /// True if this one of a search of one client can do all that one of all clients can.
    pub(super) fn covers(&self, full: &Self) -> bool {
        let mut needed = full.arriving.iter();
        is_older(self.row, full.row)
            && (self.another_was_last || !full.another_was_last)
            && needed.all(|(what, left)| {
                let mut known = self.arriving.iter();
                known.any(|it| {
                    it.0 == *what && it.1.is_none_or(|it| left.is_none_or(|left| it >= left))
                })
            })
    }
}

/// True if all may happen with a row that may with another: that of the client may be older, or gone.
fn is_older(one: SeenRow, other: SeenRow) -> bool {
    match (one, other) {
        (SeenRow::Own { left: one }, SeenRow::Own { left: other }) => one <= other,
        (SeenRow::Absent, SeenRow::Own { .. }) => true,
        (SeenRow::Absent | SeenRow::Foreign | SeenRow::Own { .. }, _) => one == other,
    }
}

impl Explorer {
    pub(super) fn by_rows(&self, state: &State, client: u8, another_was_last: bool) -> ByRows {
        let messages = state.messages.iter().filter(|it| it.client == client);
        let arriving = messages.filter_map(|it| Some((self.what(state, it)?, self.units_left(it))));
        let is_held = self.back_ends.has_release_of(state.back_end, client);
        ByRows {
            row: self.back_ends.row_seen_by(state.back_end, client),
            another_was_last,
            arriving: arriving.chain(is_held.then_some((What::Release, Some(0)))).collect(),
        }
    }

    /// Whether and how a message can matter to its client or its row.
    fn what(&self, state: &State, message: &Message) -> Option<What> {
        let index = usize::from(message.client);
        let clients = &self.clients_of_kind[self.kinds[index]];
        let method = clients.method(state.clients[index]);
        match message.body {
            Body::Request(Method::Release) => Some(What::Release),
            Body::Reply(number) if message.is_current && method == Some(Method::Lock) => match self
                .replies
                .get(number)
            {
                Ok(Response::Lock) => Some(What::Success),
                Err(error) if error.code() == Code::AlreadyExists => Some(What::Collision),
                Ok(Response::Fetch(_) | Response::FetchAll(_) | Response::Release) | Err(_) => None,
            },
            Body::FailedLocally | Body::Held(_) | Body::Orphaned => None,
            Body::Reply(_) | Body::Request(_) => None,
        }
    }

    fn units_left(&self, message: &Message) -> Option<u16> {
        match self.follows_calls() {
            true => Some(self.longest_delay(message) - message.age),
            false => self.transit(message).map(|longest| longest - message.age),
        }
    }
}
