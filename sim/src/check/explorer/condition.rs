//! Conditions that last for a while: pauses, downtimes, stalls and cuts.

use super::moves::Move;
use crate::check::question::faults::Fault;
use crate::environment::happening::{Act, Due, Node, Others, Ways};

/// A condition, and for how long it has lasted, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Lasting {
    pub(in crate::check) what: Condition,
    pub(in crate::check) age: u16,
}

/// Something that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::check) enum Condition {
    /// The link between a client and a process loses all messages, or those to all processes.
    Cut { client: u8, process: Option<u8>, ways: Ways },
    /// Other clients, which are not in the search, still have calls at a process that drains.
    Drains(u8),
    /// A Locket process or the database is down.
    Down(Node),
    /// A client or a Locket process does nothing.
    Paused(Node),
    /// The database answers nothing.
    Stalled,
    /// A client does nothing, and its clock is frozen.
    Suspended(u8),
}

impl Condition {
    /// The move that ends it.
    pub(super) const fn end(self) -> Move {
        match self {
            Self::Cut { client, process, .. } => Move::Act(Act::Heal { client, process }),
            Self::Drains(process) => Move::Due(Due::Others(Others::EndCalls { process })),
            Self::Down(node) => Move::Act(Act::Start(node)),
            Self::Paused(node) => Move::Due(Due::Wake(node)),
            Self::Stalled => Move::Due(Due::StallEnds),
            Self::Suspended(client) => Move::Due(Due::Wake(Node::Client(client))),
        }
    }

    /// Whether it changes something although it ends at the instant at which it has begun. A crash
    /// and a drain do; of the others, each order is tried anyway.
    pub(super) const fn matters_at_once(self) -> bool {
        matches!(self, Self::Down(_) | Self::Drains(_))
    }

    /// The node that does nothing while it lasts.
    pub(super) const fn held_up(self) -> Option<Node> {
        match self {
            Self::Paused(node) => Some(node),
            Self::Suspended(client) => Some(Node::Client(client)),
            Self::Cut { .. } | Self::Down(_) | Self::Drains(_) | Self::Stalled => None,
        }
    }

    /// The act of which it comes.
    const fn begin(self) -> Act {
        match self {
            Self::Cut { client, process, ways } => Act::Cut { client, process, ways },
            Self::Drains(process) => Act::Drain(process),
            Self::Down(node) => Act::Crash(node),
            Self::Paused(node) => Act::Pause(node),
            Self::Stalled => Act::Stall,
            Self::Suspended(client) => Act::Suspend(client),
        }
    }

    /// The fault of which it comes.
    pub(super) const fn fault(self) -> Fault {
        let fault = Fault::of(self.begin());
        fault.expect("what lasts comes of a fault")
    }

    /// The client whose condition it is, or whose link's.
    pub(in crate::check) const fn client(self) -> Option<u8> {
        match self {
            Self::Cut { client, .. } | Self::Suspended(client) => Some(client),
            Self::Paused(Node::Client(client)) => Some(client),
            Self::Down(_) | Self::Drains(_) | Self::Paused(_) | Self::Stalled => None,
        }
    }

    /// The Locket process whose condition it is, or whose link's.
    pub(in crate::check) const fn process(self) -> Option<u8> {
        match self {
            Self::Cut { process, .. } => process,
            Self::Drains(process)
            | Self::Down(Node::Locket(process))
            | Self::Paused(Node::Locket(process)) => Some(process),
            Self::Down(_) | Self::Paused(_) | Self::Stalled | Self::Suspended(_) => None,
        }
    }

    /// The same of another client or process.
    pub(in crate::check) const fn of(self, client: u8, process: u8) -> Self {
        match self {
            Self::Cut { process: None, ways, .. } => Self::Cut { client, process: None, ways },
            Self::Cut { ways, .. } => Self::Cut { client, process: Some(process), ways },
            Self::Drains(_) => Self::Drains(process),
            Self::Down(Node::Locket(_)) => Self::Down(Node::Locket(process)),
            Self::Paused(Node::Client(_)) => Self::Paused(Node::Client(client)),
            Self::Paused(Node::Locket(_)) => Self::Paused(Node::Locket(process)),
            Self::Suspended(_) => Self::Suspended(client),
            Self::Down(_) | Self::Paused(_) | Self::Stalled => self,
        }
    }
}
