//! Kinds of events by name, as exports and JavaScript name them.

use super::Event;
use crate::protocol::runner::Event as RunnerEvent;
use crate::world::event::{JointEvent, What};

impl Event {
    /// The kind of the event: `answered`, `row-written`, `noted`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Noted { .. } => "noted",
            Self::World(event) => what_kind(&event.what),
        }
    }

    /// The kind of a runner's or a joint lock's event: `acquired`; `None` for other events.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other event is about a runner"
    )]
    pub const fn runner_kind(&self) -> Option<&'static str> {
        let Self::World(event) = self else {
            return None;
        };
        let event = match &event.what {
            What::Joint(JointEvent::Acquired) => return Some("acquired"),
            What::Joint(JointEvent::Exited(_)) => return Some("exited"),
            What::Joint(JointEvent::Lost) => return Some("lost"),
            What::Member { event, .. } | What::Runner(event) => event,
            _ => return None,
        };
        Some(match event {
            RunnerEvent::Acquired => "acquired",
            RunnerEvent::Exited(_) => "exited",
            RunnerEvent::Lost(_) => "lost",
            RunnerEvent::Ready => "ready",
            RunnerEvent::Released(_) => "released",
            RunnerEvent::Renewed => "renewed",
            RunnerEvent::Retrying { .. } => "retrying",
            RunnerEvent::Signalled => "signalled",
        })
    }
}

const fn what_kind(what: &What) -> &'static str {
    match what {
        What::Answered { .. } => "answered",
        What::Called { .. } => "called",
        What::Crashed => "crashed",
        What::Disconnected { .. } => "disconnected",
        What::Draining => "draining",
        What::Expired { .. } => "expired",
        What::FailedOver { .. } => "failed-over",
        What::Handled { .. } => "handled",
        What::Joint(_) => "joint",
        What::MessageLost { .. } => "message-lost",
        What::Paused => "paused",
        What::Resumed => "resumed",
        What::RowDeleted { .. } => "row-deleted",
        What::RowWritten(_) => "row-written",
        What::Member { .. } | What::Runner(_) => "runner",
        What::Stalled { .. } => "stalled",
        What::Started => "started",
        What::Stopped => "stopped",
        What::TableDropped => "table-dropped",
    }
}
