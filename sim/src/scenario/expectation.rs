//! The expectations of a scenario of its run.

use serde::Deserialize;

use super::Scenario;
use super::beliefs::Beliefs;
use super::by_text::ByText;
use super::cast::Cast;
use super::event_texts::FoundTexts;
use super::nodes::{Node, Nodes};
use super::vacancies::Vacancies;
use super::writes::WriteCounts;
use crate::amounts::{Seconds, count};
use crate::sorted::sorted;
use crate::time::{Duration, Time};
use crate::trace::Names;
use crate::world::World;

/// A condition that must hold at a moment, or in the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        rename = "ScenarioExpectation",
        transform = crate::schema::without_null,
        extend(
            "anyOf" = [
                { "required": ["owner"] },
                { "required": ["believers"] },
                { "required": ["twoOwnersFor"] },
                { "required": ["noRowFor"] },
                { "required": ["noClientActsFor"] },
                { "required": ["wrongWrites"] },
                { "required": ["refusedWrites"] },
                { "required": ["event"] },
                { "required": ["noEvent"] },
            ],
            "dependentRequired" = {
                "owner": ["key", "at"],
                "believers": ["key", "at"],
                "twoOwnersFor": ["key"],
                "noRowFor": ["key"],
                "noClientActsFor": ["key"],
                "count": ["event"],
            },
        )
    )
)]
pub struct Expectation {
    /// The moment, after all its events.
    pub at: Option<Duration>,
    /// The key that `owner`, `believers`, `twoOwnersFor`, `noRowFor` and `noClientActsFor` are about.
    /// For the last three, a key with `{i}` stands for the keys of all clients of its entry.
    pub key: Option<String>,
    /// The owner of the key's row at that moment; `null` for no row.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "owner_schema"))]
    pub owner: Option<Option<String>>,
    /// The clients that believe at that moment that they hold the key.
    pub believers: Option<Vec<String>>,
    /// How long in the whole run two or more clients believed so at the same time. If no client ever
    /// held the key, it fails, since the run tested nothing.
    pub two_owners_for: Option<Duration>,
    /// The longest time in the whole run that the key may have no row, after its first one; a row
    /// with an empty owner counts as none. For the key of a presence this is the longest gap.
    pub no_row_for: Option<Duration>,
    /// The longest time in the whole run, after the first client acted, in which none does: a client
    /// acts while it runs and believes that it holds the key. A crashed holder still has its row, and
    /// a paused one still believes, but neither acts.
    pub no_client_acts_for: Option<Duration>,
    /// How many writes in the whole run the storage took after one of a later holder.
    pub wrong_writes: Option<u32>,
    /// How many writes in the whole run the storage refused although no later holder had written.
    pub refused_writes: Option<u32>,
    /// A text that an event must contain: an event at that moment, or any event without `at`.
    pub event: Option<String>,
    /// How many events must contain `event`; at least 1 by default.
    pub count: Option<u32>,
    /// A text that no event may contain.
    pub no_event: Option<String>,
}

/// The only member that may be `null`.
#[cfg(feature = "schema")]
fn owner_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "oneOf": [{ "type": "string" }, { "type": "null" }] })
}

/// Tells `null` from what is left out.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl Expectation {
    /// Its validation error, if it has one: the field and a message.
    pub(super) fn validation_error(&self, nodes: &Nodes) -> Option<(&'static str, String)> {
        let wrong = |field, message: &str| Some((field, message.to_owned()));
        let of_run = [self.two_owners_for, self.no_row_for, self.no_client_acts_for];
        let about_run = of_run.iter().any(Option::is_some);
        let about_key = self.owner.is_some() || self.believers.is_some() || about_run;
        let about_writes = self.wrong_writes.is_some() || self.refused_writes.is_some();
        let about_events = self.event.is_some() || self.no_event.is_some();
        if !about_key && !about_events && !about_writes {
            return wrong(
                "at",
                "expects nothing; add owner, believers, twoOwnersFor, noRowFor, noClientActsFor, \
                    wrongWrites, refusedWrites, event or noEvent",
            );
        }
        if about_key != self.key.is_some() {
            return wrong(
                "key",
                "owner, believers, twoOwnersFor, noRowFor and noClientActsFor need a key; the others \
                    have none",
            );
        }
        if self.at.is_none() && (self.owner.is_some() || self.believers.is_some()) {
            return wrong("at", "owner and believers need a moment, such as 5s");
        }
        if self.at.is_some() && (about_run || about_writes || self.no_event.is_some()) {
            return wrong(
                "at",
                "twoOwnersFor, noRowFor, noClientActsFor, wrongWrites, refusedWrites and noEvent are \
                    about the whole run; leave `at` out",
            );
        }
        if self.count.is_some() && self.event.is_none() {
            return wrong("count", "counts the events that contain `event`; add event");
        }
        let unknown = self.believers.iter().flatten().find(|name| !nodes.is_client(name));
        unknown.map(|name| {
            ("believers", format!("no client is named {name:?}; there are {}", nodes.names()))
        })
    }

    /// The expectation as a sentence.
    pub fn words(&self) -> String {
        let key = self.key.as_deref().unwrap_or_default();
        let at = self.at.map(|at| format!("at {} s ", Time::ZERO + at)).unwrap_or_default();
        let mut parts = Vec::new();
        if let Some(owner) = &self.owner {
            parts.push(match owner {
                Some(owner) => format!("{at}'{key}' is held by '{owner}'"),
                None => format!("{at}'{key}' has no owner"),
            });
        }
        if let Some(believers) = &self.believers {
            let believe = match believers.len() {
                0 | 1 => "believes it holds",
                _ => "believe they hold",
            };
            let believers = listed(believers).unwrap_or_else(|| "no client".to_owned());
            parts.push(format!("{at}{believers} {believe} '{key}'"));
        }
        if let Some(duration) = self.two_owners_for {
            parts.push(match duration {
                Duration::ZERO => format!("'{key}' never has two owners"),
                _ => format!("'{key}' has two owners for {}", Seconds(duration)),
            });
        }
        if let Some(longest) = self.no_row_for {
            parts.push(match longest {
                Duration::ZERO => format!("'{key}' always has a row after its first"),
                _ => format!("'{key}' has no row for at most {}", Seconds(longest)),
            });
        }
        if let Some(longest) = self.no_client_acts_for {
            parts.push(match longest {
                Duration::ZERO => format!("a client always acts on '{key}' after the first did"),
                _ => format!("no client acts on '{key}' for at most {}", Seconds(longest)),
            });
        }
        let counted = [
            (self.wrong_writes, "takes", "wrong write"),
            (self.refused_writes, "refuses", "good write"),
        ];
        parts.extend(counted.into_iter().filter_map(|(number, verb, what)| {
            let number = number?;
            Some(format!("the storage {verb} {}", count(number.into(), what)))
        }));
        if let Some(event) = &self.event {
            parts.push(match self.count {
                None => format!("{at}an event contains {event:?}"),
                Some(1) => format!("{at}1 event contains {event:?}"),
                Some(count) => format!("{at}{count} events contain {event:?}"),
            });
        }
        if let Some(event) = &self.no_event {
            parts.push(format!("no event contains {event:?}"));
        }
        parts.join(", and ")
    }

    /// The failures at its moment.
    pub(super) fn check_now(&self, world: &World, clients: &ByText, names: &Names) -> Vec<String> {
        let (Some(key), now) = (&self.key, world.now()) else {
            return Vec::new();
        };
        let mut failures = Vec::new();
        if let Some(expected) = &self.owner {
            let actual = world.row(key).and_then(|row| row.owner);
            if actual != *expected {
                failures.push(format!(
                    "at {now} s: expected '{key}' to {}, but {}",
                    match expected {
                        Some(owner) => format!("be held by '{owner}'"),
                        None => "have no owner".to_owned(),
                    },
                    match &actual {
                        Some(owner) => format!("'{owner}' holds it"),
                        None => "it has no owner".to_owned(),
                    }
                ));
            }
        }
        if let Some(expected) = &self.believers {
            let of_key = clients.get(key);
            let actual: Vec<&str> = of_key
                .filter(|&client| world.believes_held(client))
                .map(|client| names.of(Node::Client(client).id(world.processes())))
                .collect();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            let (actual, expected) = (sorted(actual), sorted(expected));
            if actual != expected {
                failures.push(unlike_believers(now, key, &expected, &actual));
            }
        }
        failures
    }

    /// The failures at the end. `without_row` gives the longest time for which a key had no row.
    pub(super) fn check_end(
        &self,
        found: FoundTexts,
        beliefs: &Beliefs,
        scenario: &Scenario,
        without_row: &dyn Fn(&str) -> Option<(Time, Time)>,
        writes: WriteCounts,
    ) -> Vec<String> {
        let length =
            |span: Option<(Time, Time)>| span.map_or(Duration::ZERO, |(from, to)| to.since(from));
        let keys = self.key.iter().flat_map(|key| scenario.keys_named(key));
        let mut failures = Vec::new();
        for key in keys {
            let overlap = beliefs.two_owners(&key);
            if let Some(expected) = self.two_owners_for.filter(|it| *it != length(overlap)) {
                failures.push(unlike_two_owners(&key, expected, overlap));
            }
            let no_row = (self.no_row_for, without_row(&key));
            failures.extend(too_long(no_row, &format!("'{key}' had no row")));
            let idle = (self.no_client_acts_for, beliefs.no_client_acts(&key));
            failures.extend(too_long(idle, &format!("no client acted on '{key}'")));
        }
        failures.extend(unlike_writes(self.wrong_writes, writes.wrong, "wrong write"));
        failures.extend(unlike_writes(self.refused_writes, writes.refused, "refused write"));
        let at = self.at.map(|at| Time::ZERO + at);
        let when = at.map_or_else(String::new, |at| format!(" at {at} s"));
        match (&self.event, self.count) {
            (Some(text), None) if found.events == 0 => failures
                .push(format!("expected an event{when} that contains {text:?}, but none does")),
            (Some(text), Some(count)) if found.events != count as usize => {
                let (expected, actual) = (counted(count as usize), counted(found.events));
                failures.push(format!(
                    "expected {expected}{when} with the text {text:?}, but there are {actual}"
                ));
            }
            _ => {}
        }
        if let Some(text) = self.no_event.as_ref().filter(|_| found.no_event) {
            failures.push(format!("expected no event that contains {text:?}, but one does"));
        }
        failures
    }
}

/// Whether a run puts an expectation to the test: one that was never tested does not hold.
impl Expectation {
    /// Why the events and writes of a whole run say nothing about it, if so.
    pub(super) fn never_exercised(&self, found: FoundTexts, writes: WriteCounts) -> Option<String> {
        let expects_no_write = [self.wrong_writes, self.refused_writes].contains(&Some(0));
        if expects_no_write && writes.arrived == 0 {
            return Some("no write reached the storage".to_owned());
        }
        let expects_no_event = self.no_event.is_some() || self.count == Some(0);
        (expects_no_event && !found.any).then(|| "the run has no events".to_owned())
    }

    /// Why what happened to its keys in a whole run says nothing about it, if so.
    pub(super) fn never_exercised_key(
        &self,
        beliefs: &Beliefs,
        vacancies: &Vacancies,
        cast: &Cast,
    ) -> Option<String> {
        let expects_none =
            self.owner == Some(None) || self.believers.as_ref().is_some_and(Vec::is_empty);
        let about_owners = self.two_owners_for == Some(Duration::ZERO);
        let keys = self.key.iter().flat_map(|key| cast.scenario.keys_named(key));
        let mut reasons = keys.filter_map(|key| {
            let (two_owners, acting) = beliefs.never_tried(&key);
            let reason = match cast.by_key.place(&key) {
                None if expects_none => Some("no client wants"),
                _ if about_owners && two_owners.is_some() => two_owners,
                _ if self.no_client_acts_for.is_some() && acting.is_some() => acting,
                _ if self.no_row_for.is_some() && !vacancies.had_owner(&key, cast) => {
                    Some("no row was ever there of")
                }
                _ => None,
            };
            Some(format!("{} '{key}'", reason?))
        });
        reasons.next()
    }
}

/// `at 5.000 s: expected 'a' to believe it holds 'bbs', but 'a' and 'b' do`
fn unlike_believers(now: Time, key: &str, expected: &[&str], actual: &[&str]) -> String {
    let holds = if expected.len() > 1 { "they hold" } else { "it holds" };
    let does = if actual.len() > 1 { "do" } else { "does" };
    let or_none = |names: Option<String>| names.unwrap_or_else(|| "no client".to_owned());
    let (expected, actual) = (or_none(listed(expected)), or_none(listed(actual)));
    format!("at {now} s: expected {expected} to believe {holds} '{key}', but {actual} {does}")
}

/// `two owners of 'bbs' for 26.97 s, from 43.100 s to 70.070 s; expected none`
fn unlike_two_owners(key: &str, expected: Duration, actual: Option<(Time, Time)>) -> String {
    let found = match actual {
        Some((from, to)) => {
            let length = Seconds(to.since(from));
            format!("two owners of '{key}' for {length}, from {from} s to {to} s")
        }
        None => format!("'{key}' never has two owners"),
    };
    match expected {
        Duration::ZERO => format!("{found}; expected none"),
        _ => format!("{found}; expected them for {}", Seconds(expected)),
    }
}

/// `'bbs' had no row for 26 s, from 43.100 s to 69.100 s; expected at most 15 s`
fn too_long(
    (longest, span): (Option<Duration>, Option<(Time, Time)>),
    what: &str,
) -> Option<String> {
    let (longest, (from, to)) = (longest?, span?);
    let lasted = to.since(from);
    (lasted > longest).then(|| {
        let (lasted, longest) = (Seconds(lasted), Seconds(longest));
        format!("{what} for {lasted}, from {from} s to {to} s; expected at most {longest}")
    })
}

/// `expected 0 wrong writes, but found 2`
fn unlike_writes(expected: Option<u32>, actual: u32, what: &str) -> Option<String> {
    let expected = expected.filter(|it| *it != actual)?;
    let expected = count(expected.into(), what);
    Some(format!("expected {expected}, but found {actual}"))
}

fn counted(events: usize) -> String {
    match events {
        1 => "1 event".to_owned(),
        _ => format!("{events} events"),
    }
}

/// `'a', 'b' and 'c'`; none if there are no names.
fn listed(names: &[impl AsRef<str>]) -> Option<String> {
    let (last, others) = names.split_last()?;
    let last = format!("'{}'", last.as_ref());
    let others: Vec<String> = others.iter().map(|it| format!("'{}'", it.as_ref())).collect();
    Some(if others.is_empty() { last } else { format!("{} and {last}", others.join(", ")) })
}
