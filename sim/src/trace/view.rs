//! Events and runs as they are written. Times are numbers of milliseconds, in members that end in
//! `Ms`.

use serde::Serialize;

use super::{Digest, Event, Kind, Names, Run, RunnerKind, answers, asks};
use crate::protocol::error::LockError;
use crate::protocol::message::{Method, Request, Response};
use crate::protocol::row::Row;
use crate::time::Time;
use crate::world::event::What;

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScenarioEvent"))]
pub struct EventView<'a> {
    /// Its number; `null` for a note, and for what happens at the storage.
    pub id: Option<u64>,
    /// The number of its cause; `null` for actions of the scenario.
    pub cause: Option<u64>,
    /// The virtual time, in milliseconds.
    #[serde(rename = "timeMs")]
    pub time: Time,
    /// The node: a client's name, `locket-0`, `database`, or empty for a note.
    pub who: &'a str,
    /// The kind of event.
    pub kind: Kind,
    /// The event as a sentence.
    pub words: String,
    /// The kind of a runner's event; `null` for other events.
    pub runner: Option<RunnerKind>,
    /// The method of a client's request; for a call, its handling and its answer.
    pub method: Option<Method>,
    /// The same request in words.
    pub asks: Option<String>,
    /// Locket's answer, in words.
    pub answer: Option<String>,
    /// True if Locket executed the request.
    pub ok: Option<bool>,
    /// The key of the row that expired, was written or was deleted; `null` for other kinds.
    pub path: Option<&'a str>,
    /// The row as it was written; `null` for other kinds.
    pub row: Option<Row>,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScenarioRun"))]
pub struct RunView<'a> {
    /// The name of the scenario.
    pub name: &'a str,
    /// The description of the scenario.
    pub description: &'a str,
    /// The events, in order; empty for a run without a trace.
    pub events: Vec<EventView<'a>>,
    /// The `locks` table at the end.
    pub table: &'a [Row],
    /// The failed expectations, each a sentence; empty if all hold.
    pub failures: &'a [String],
    /// Equal for the same scenario and seed on every platform: native Rust, Node and browsers.
    pub digest: Digest,
}

impl Event {
    /// The event as it is written.
    pub fn view<'a>(&'a self, names: &'a Names) -> EventView<'a> {
        let world = match self {
            Self::Noted { .. } | Self::Stored { .. } => None,
            Self::World(event) => Some(event),
        };
        let what = world.map(|event| &event.what);
        let (call, result) = what.map_or((None, None), call_of);
        let (path, row) = what.map_or((None, None), row_of);
        EventView {
            id: world.map(|event| event.id.0),
            cause: world.and_then(|event| event.cause).map(|cause| cause.0),
            time: self.time(),
            who: self.node().map_or("", |node| names.of(node)),
            kind: self.kind(),
            words: self.words(names),
            runner: self.runner_kind(),
            method: call.map(Request::method),
            asks: call.map(asks),
            answer: call.zip(result).map(|(call, result)| answers(call, result)),
            ok: result.map(Result::is_ok),
            path,
            row,
        }
    }
}

impl Run {
    /// The run as it is written.
    pub fn view(&self) -> RunView<'_> {
        let events = self.events.iter();
        RunView {
            name: &self.name,
            description: &self.description,
            events: events.map(|event| event.view(&self.names)).collect(),
            table: &self.table,
            failures: &self.failures,
            digest: self.digest,
        }
    }
}

/// The request that an event is about, and its answer.
type CallOf<'a> = (Option<&'a Request>, Option<&'a Result<Response, LockError>>);

#[expect(clippy::wildcard_enum_match_arm, reason = "all other events are about no call")]
fn call_of(what: &What) -> CallOf<'_> {
    match what {
        What::Answered { request, result } | What::Handled { request, result, .. } => {
            (Some(request), Some(result))
        }
        What::Called { request, .. } => (Some(request), None),
        _ => (None, None),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all other events are about no row")]
fn row_of(what: &What) -> (Option<&str>, Option<Row>) {
    match what {
        What::Expired { key, .. } => (Some(key), None),
        What::RowDeleted { path } => (Some(path), None),
        What::RowWritten(row) => (Some(row.path()), Some(row.to_row())),
        _ => (None, None),
    }
}
