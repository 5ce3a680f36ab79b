//! The messages between nodes.

use slotmap::new_key_type;

use super::event::{EventId, Flight};
use super::network::NodeId;
use crate::node::message::{Answer, IncomingCall, Query, Reply, Transaction};
use crate::time::Time;

/// A message on its way. It moves several times, so it is small: large things in it are behind
/// pointers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Message {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// How many messages its link had carried before; what a node tells itself has no number.
    pub(super) number: u32,
    /// The event that sent it.
    pub(super) cause: Option<EventId>,
    pub(super) body: Body,
}

new_key_type! {
    /// Names a message on its way.
    pub(super) struct MessageId;
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    /// The database's answer to a process.
    Answer { token: u64, answer: Answer },
    /// A process asks the database.
    Query(Query),
    /// A process, or its own connection, answers a client.
    Reply(Reply),
    /// A client's connection finds that a process may be there.
    Ready { life: u32 },
    /// A client calls a process.
    Request {
        /// The process's life that the connection was made in.
        life: u32,
        call: IncomingCall,
    },
    /// The stop signal to a client's runner, from its own machine.
    Signal { life: u32 },
}

impl Body {
    /// The message as a [`Flight`]; `None` for messages that no view shows: a poll, its answer, and
    /// a message of a node to itself.
    pub(super) fn flight(
        &self,
        from: NodeId,
        to: NodeId,
        sent: Time,
        arrives: Option<Time>,
        cause: Option<EventId>,
    ) -> Option<Flight> {
        let is_answer = match self {
            Self::Ready { .. } | Self::Signal { .. } => return None,
            Self::Answer { answer: Answer::Rows(_), .. } => return None,
            Self::Query(query) if matches!(query.transaction, Transaction::Poll) => return None,
            Self::Answer { .. } | Self::Reply(_) => true,
            Self::Query(_) | Self::Request { .. } => false,
        };
        Some(Flight { from, to, sent, arrives, cause, is_answer })
    }
}
