//! Partitions: the link between a client and a process passes nothing for a while, in one
//! direction or in both. Neither end notices it at once; a client's pings fail in the end.

use super::Explorer;
use super::message::{Body, Message};
use super::state::State;
use crate::check::question::faults::Does;
use crate::environment::acts::Act;
use crate::environment::happening::Directions;

impl Explorer {
    /// True if a message may be sent over a link at this instant, or a ping. A cut that begins
    /// earlier can do no more: until then nothing is lost, and less of it is left.
    pub(super) fn may_carry(&self, state: &State, client: u8, process: u8) -> bool {
        let facts = self.facts(client, state);
        let reaches = |message: &Message| {
            message.client == client
                && match message.body {
                    Body::Request(_) | Body::Orphaned | Body::Held(_) => message.process == process,
                    Body::FailedLocally | Body::Reply(_) => true,
                }
        };
        facts.is_new
            || facts.may_connect
            || facts.is_due
            || facts.ping_is_due
            || state.messages.iter().any(reaches)
            || self.faults.iter().any(|it| self.left(state, *it) && it.does(Does::MakesSend))
    }
}

impl State {
    /// True if what is sent over a link is lost.
    pub(super) fn is_cut(&self, client: u8, process: u8, is_reply: bool) -> bool {
        let way = match is_reply {
            true => Directions::FromLocket,
            false => Directions::ToLocket,
        };
        let cuts = |what: Act| {
            let is_cut =
                matches!(what, Act::Cut { ways, .. } if [Directions::Both, way].contains(&ways));
            let is_its = what.process().is_none_or(|it| it == process);
            is_cut && is_its && what.client() == Some(client)
        };
        self.lasting.iter().any(|it| cuts(it.what))
    }
}
