//! A run in the forms that other tools read.

mod json_lines;
mod junit;
mod mermaid;
mod source;
mod test_rust;
mod test_typescript;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{Event, Run};
use crate::sorted::map_of;
use crate::world::event::{EventId, WorldEvent};

/// A form of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// One JSON object per event, each on a line.
    JsonLines,
    /// A JUnit report with the scenario's expectations as test cases.
    Junit,
    /// A sequence diagram in Mermaid's language.
    Mermaid,
    /// A Rust test that tells the same run again.
    RustTest,
    /// A test for Node's test runner, in TypeScript, that tells the same run again.
    TypescriptTest,
}

/// The source of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A simulation, by its link.
    Link(&'a str),
    /// A scenario's JSON text, run to its end.
    Scenario(&'a str),
}

/// There is no form of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl Format {
    /// All forms, by name.
    pub const ALL: [(&'static str, Self); 5] = [
        ("json-lines", Self::JsonLines),
        ("junit", Self::Junit),
        ("mermaid", Self::Mermaid),
        ("rust-test", Self::RustTest),
        ("typescript-test", Self::TypescriptTest),
    ];
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map_or(Err(UnknownFormat), |(_, format)| Ok(*format))
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected json-lines, junit, mermaid, rust-test or typescript-test")
    }
}

impl std::error::Error for UnknownFormat {}

/// A run in a form that other tools read.
pub fn export(run: &Run, origin: Origin<'_>, format: Format) -> String {
    match format {
        Format::JsonLines => json_lines::export(run),
        Format::Junit => junit::export(run),
        Format::Mermaid => mermaid::export(run),
        Format::RustTest => test_rust::export(run, origin),
        Format::TypescriptTest => test_typescript::export(run, origin),
    }
}

/// Finds an event by its number.
struct ById<'a>(BTreeMap<EventId, &'a WorldEvent>);

impl<'a> ById<'a> {
    fn new(run: &'a Run) -> Self {
        let events = run.events.iter().filter_map(world_event);
        Self(map_of(events.map(|event| (event.id, event))))
    }

    /// The cause of an event, if it happened at another node.
    fn cause_elsewhere(&self, event: &WorldEvent) -> Option<&'a WorldEvent> {
        let cause = self.0.get(&event.cause?).copied();
        cause.filter(|cause| cause.node != event.node)
    }
}

const fn world_event(event: &Event) -> Option<&WorldEvent> {
    match event {
        Event::Noted { .. } | Event::Stored { .. } => None,
        Event::World(event) => Some(event),
    }
}
