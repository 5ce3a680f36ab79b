//! The events of the world, with their causes.

use std::sync::Arc;

use super::network::NodeId;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::row::WrittenRow;
use crate::protocol::runner;
use crate::time::{Duration, Time};

/// Names an event of one run, from 0 in the order in which they happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u64);

/// One thing that happened: as it is kept, or as it is [lent](Seen) to an observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldEvent<W = What> {
    /// Its name.
    pub id: EventId,
    /// When, in the world's time.
    pub time: Time,
    /// Where.
    pub node: NodeId,
    /// The cause; `None` for an action from outside.
    pub cause: Option<EventId>,
    /// What happened.
    pub what: W,
}

/// The content of an event that is kept.
pub type What = EventKind<Arc<Request>, Result<Response, LockError>, WrittenRow, runner::Event>;

/// The content of an event as its observer sees it. The requests, answers and rows in it are lent,
/// since a long run keeps no event.
pub type Seen<'a> =
    EventKind<&'a Arc<Request>, &'a Result<Response, LockError>, &'a WrittenRow, &'a runner::Event>;

/// The content of an event, as [`What`] or as [`Seen`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind<Asked, Answer, Written, OfRunner> {
    /// A client got an answer to a call, or what its connection said instead.
    Answered {
        /// The request.
        request: Asked,
        /// The answer.
        result: Answer,
    },
    /// A client sent a call.
    Called {
        /// The request.
        request: Asked,
        /// When it stops waiting, in the world's time.
        deadline: Option<Time>,
    },
    /// A node crashed and lost its state.
    Crashed,
    /// The connection of a client breaks.
    Disconnected {
        /// The Locket process at its other end.
        from: NodeId,
    },
    /// A Locket process finishes its calls and accepts no connection any more.
    Draining,
    /// The database lost its last commits.
    FailedOver {
        /// How many.
        commits: usize,
    },
    /// A row was deleted because its TTL had ended.
    Expired {
        /// The key.
        key: String,
        /// Who held it.
        owner: String,
    },
    /// A Locket process answered a call.
    Handled {
        /// Whose call.
        client: NodeId,
        /// The request.
        request: Asked,
        /// The answer.
        result: Answer,
    },
    /// A message was lost.
    MessageLost {
        /// Where it was sent to.
        to: NodeId,
        /// Why.
        why: LossReason,
    },
    /// A node was paused.
    Paused {
        /// True if its clock is frozen, too.
        suspended: bool,
    },
    /// A paused node goes on.
    Resumed,
    /// A row was deleted.
    RowDeleted {
        /// Its key.
        path: String,
    },
    /// A row was written.
    RowWritten(Written),
    /// Something became of a runner.
    Runner(OfRunner),
    /// A node was started.
    Started,
    /// A Locket process ended after it had finished its calls.
    Stopped,
    /// An operator dropped the table.
    TableDropped,
    /// The database answers no more, until it does.
    Stalled {
        /// For how long.
        duration: Duration,
    },
}

impl WorldEvent<()> {
    /// The event with what happened.
    pub(super) const fn about<W>(&self, what: W) -> WorldEvent<W> {
        WorldEvent { id: self.id, time: self.time, node: self.node, cause: self.cause, what }
    }
}

impl WorldEvent<Seen<'_>> {
    /// The event, to be kept.
    pub fn keep(self) -> WorldEvent {
        WorldEvent {
            id: self.id,
            time: self.time,
            node: self.node,
            cause: self.cause,
            what: self.what.keep(),
        }
    }
}

impl Seen<'_> {
    fn keep(self) -> What {
        match self {
            Self::Answered { request, result } => {
                What::Answered { request: Arc::clone(request), result: result.clone() }
            }
            Self::Called { request, deadline } => {
                What::Called { request: Arc::clone(request), deadline }
            }
            Self::Crashed => What::Crashed,
            Self::Disconnected { from } => What::Disconnected { from },
            Self::Draining => What::Draining,
            Self::Expired { key, owner } => What::Expired { key, owner },
            Self::FailedOver { commits } => What::FailedOver { commits },
            Self::Handled { client, request, result } => {
                What::Handled { client, request: Arc::clone(request), result: result.clone() }
            }
            Self::MessageLost { to, why } => What::MessageLost { to, why },
            Self::Paused { suspended } => What::Paused { suspended },
            Self::Resumed => What::Resumed,
            Self::RowDeleted { path } => What::RowDeleted { path },
            Self::RowWritten(row) => What::RowWritten(row.clone()),
            Self::Runner(event) => What::Runner(event.clone()),
            Self::Stalled { duration } => What::Stalled { duration },
            Self::Started => What::Started,
            Self::Stopped => What::Stopped,
            Self::TableDropped => What::TableDropped,
        }
    }
}

/// A call, a query, or an answer to one, as the network took it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Who sent it.
    pub from: NodeId,
    /// To whom.
    pub to: NodeId,
    /// When.
    pub sent: Time,
    /// When it arrives; `None` if it never does.
    pub arrives: Option<Time>,
    /// The event that sent it.
    pub cause: Option<EventId>,
    /// True if it answers another.
    pub is_answer: bool,
}

/// Why a message did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LossReason {
    /// The link lost it, or was cut.
    Link,
    /// Its receiver was down.
    NodeDown,
    /// Its connection has broken.
    Disconnected,
}

/// A renewal whose call, write, answer and end are at one instant: five events.
#[derive(Clone, Copy, Debug)]
pub struct WholeRenewal<'a> {
    /// The first of them; the others follow.
    pub first: EventId,
    /// Its cause; each other has the one before it.
    pub cause: Option<EventId>,
    /// When.
    pub time: Time,
    /// The client.
    pub client: NodeId,
    /// The process.
    pub process: NodeId,
    /// When the client would stop waiting, in the world's time.
    pub deadline: Option<Time>,
    /// The request.
    pub request: &'a Arc<Request>,
    /// The row that was written.
    pub row: &'a WrittenRow,
}

impl WholeRenewal<'_> {
    /// Its events.
    pub fn events(&self, take: &mut dyn FnMut(WorldEvent<Seen<'_>>)) {
        let Self { request, row, deadline, client, .. } = *self;
        let result = &Ok(Response::Lock);
        let of = [client, super::DATABASE, self.process, client, client];
        let what = [
            Seen::Called { request, deadline },
            Seen::RowWritten(row),
            Seen::Handled { client, request, result },
            Seen::Answered { request, result },
            Seen::Runner(&runner::Event::Renewed),
        ];
        let mut cause = self.cause;
        for (index, (node, what)) in of.into_iter().zip(what).enumerate() {
            let id = EventId(self.first.0 + index as u64);
            take(WorldEvent { id, time: self.time, node, cause, what });
            cause = Some(id);
        }
    }
}

/// Takes events as they happen.
pub trait Observer {
    /// The five events of a renewal.
    fn observe_whole_renewal(&mut self, round: &WholeRenewal<'_>) {
        round.events(&mut |event| self.observe_renewal(event));
    }

    /// An event of a renewal, which changes no owner.
    fn observe_renewal(&mut self, event: WorldEvent<Seen<'_>>) {
        self.observe(event);
    }

    /// One more event.
    fn observe(&mut self, event: WorldEvent<Seen<'_>>);

    /// True if it observes messages, too.
    fn watches_messages(&self) -> bool {
        false
    }

    /// One more message is on its way, or lost. That is no event: what comes of it is one.
    fn sent(&mut self, _flight: Flight) {}
}

/// Drops all events.
impl Observer for () {
    fn observe(&mut self, _: WorldEvent<Seen<'_>>) {}
}

/// Keeps all events.
impl Observer for Vec<WorldEvent> {
    fn observe(&mut self, event: WorldEvent<Seen<'_>>) {
        self.push(event.keep());
    }
}
