//! Kinds of events. serde makes their names for exports, JavaScript and JSON Schemas.

use std::fmt;

use serde::Serialize;

use super::Event;
use crate::protocol::runner::Event as RunnerEvent;
use crate::world::event::{What, WorldEvent};

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EventKind"))]
pub enum Kind {
    /// A client got an answer, or its call failed on the way.
    Answered,
    /// A client sent a call.
    Called,
    /// A node crashed.
    Crashed,
    /// A client's connection to a Locket process broke.
    Disconnected,
    /// A Locket process finishes its calls and accepts no connection.
    Draining,
    /// A row was deleted because its TTL had ended.
    Expired,
    /// The database failed over and lost its last commits.
    FailedOver,
    /// A Locket process answered a call.
    Handled,
    /// A message was lost.
    MessageLost,
    /// A note of the scenario's author.
    Noted,
    /// A node was paused.
    Paused,
    /// A paused node resumed.
    Resumed,
    /// A row was deleted.
    RowDeleted,
    /// A row was written.
    RowWritten,
    /// An event of a runner.
    Runner,
    /// The database stalled.
    Stalled,
    /// A node started.
    Started,
    /// A Locket process ended after it had finished its calls.
    Stopped,
    /// A client asked or wrote to the storage, or the storage took or refused its write.
    Stored,
    /// An operator dropped the table.
    TableDropped,
}

/// The kind of a runner's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunnerEventKind"))]
pub enum RunnerKind {
    /// It believes it holds its lock.
    Acquired,
    /// It ended.
    Exited,
    /// It no longer believes it holds its lock.
    Lost,
    /// It is ready.
    Ready,
    /// It released its lock, or could not.
    Released,
    /// It renewed its lock.
    Renewed,
    /// An attempt failed, and it will try again.
    Retrying,
    /// It received the stop signal.
    Signalled,
}

/// Its name: `answered`, `row-written`, `noted`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Event {
    /// The kind of the event.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Noted { .. } => Kind::Noted,
            Self::Stored { .. } => Kind::Stored,
            Self::World(event) => kind_of(&event.what),
        }
    }

    /// The kind of a runner's event; `None` for other events.
    pub const fn runner_kind(&self) -> Option<RunnerKind> {
        let Self::World(WorldEvent { what: What::Runner(event), .. }) = self else {
            return None;
        };
        Some(match event {
            RunnerEvent::Acquired => RunnerKind::Acquired,
            RunnerEvent::Exited(_) => RunnerKind::Exited,
            RunnerEvent::Lost(_) => RunnerKind::Lost,
            RunnerEvent::Ready => RunnerKind::Ready,
            RunnerEvent::Released(_) => RunnerKind::Released,
            RunnerEvent::Renewed => RunnerKind::Renewed,
            RunnerEvent::Retrying { .. } => RunnerKind::Retrying,
            RunnerEvent::Signalled => RunnerKind::Signalled,
        })
    }
}

const fn kind_of(what: &What) -> Kind {
    match what {
        What::Answered { .. } => Kind::Answered,
        What::Called { .. } => Kind::Called,
        What::Crashed => Kind::Crashed,
        What::Disconnected { .. } => Kind::Disconnected,
        What::Draining => Kind::Draining,
        What::Expired { .. } => Kind::Expired,
        What::FailedOver { .. } => Kind::FailedOver,
        What::Handled { .. } => Kind::Handled,
        What::MessageLost { .. } => Kind::MessageLost,
        What::Paused { .. } => Kind::Paused,
        What::Resumed => Kind::Resumed,
        What::RowDeleted { .. } => Kind::RowDeleted,
        What::RowWritten(_) => Kind::RowWritten,
        What::Runner(_) => Kind::Runner,
        What::Stalled { .. } => Kind::Stalled,
        What::Started => Kind::Started,
        What::Stopped => Kind::Stopped,
        What::TableDropped => Kind::TableDropped,
    }
}
