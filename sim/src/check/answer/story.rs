//! A counterexample in words: what happens when, how much the row has left, and what each number
//! could be with all else unchanged.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::replay::Counterexample;
use crate::amounts::Seconds;
use crate::check::question::Property;
use crate::protocol::runner;
use crate::scenario::{ActionKind, Cast, Running, Scenario};
use crate::time::{Duration, Time};
use crate::trace::{Event, Kind, Recorder, Run, RunnerKind};
use crate::world::choice::{Site, SiteKind};
use crate::world::event::{What, WorldEvent};
use crate::world::network::NodeId;
use crate::world::{DATABASE, TRANSACTION};

/// A counterexample in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Story {
    /// The events, in order.
    pub lines: Vec<StoryLine>,
    /// For how long there are two owners.
    #[serde(skip)]
    pub two_owners_for: Duration,
    /// The numbers on which it depends that there are two owners, each with all else unchanged.
    pub ranges: Vec<Range>,
}

/// One event of a story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoryLine {
    /// When it happens.
    #[serde(rename = "timeMs")]
    pub time: Time,
    /// The kind of event.
    pub kind: Kind,
    /// The kind of a runner's event; `null` for other events.
    pub runner: Option<RunnerKind>,
    /// A sentence.
    pub words: String,
    /// The owner of the row; `null` if it does not matter.
    pub row_of: Option<String>,
    /// How long the row still lives without a renewal.
    #[serde(rename = "slackMs")]
    pub slack: Option<Duration>,
    /// The client that does it, if one does.
    #[serde(skip)]
    client: Option<NodeId>,
    #[serde(skip)]
    turn: Option<Turn>,
}

/// The change by a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// A client becomes an owner.
    Acquired,
    /// The row goes, or becomes another's.
    RowGone,
    /// A client is an owner no longer.
    Stopped,
}

/// A number of a story, and its range that still gives two owners, with all else unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "StoryRange"))]
pub struct Range {
    /// The meaning of the number.
    pub what: String,
    /// The number.
    #[serde(rename = "valueMs")]
    pub value: Duration,
    /// The smallest number that does.
    #[serde(rename = "leastMs")]
    pub least: Duration,
    /// The largest number that does, of what was tried.
    #[serde(rename = "mostMs")]
    pub most: Duration,
    /// The largest value tried: the question's bound, or twice the pause.
    #[serde(rename = "triedMs")]
    pub tried: Duration,
}

impl Counterexample {
    /// The counterexample in words.
    pub fn story(&self) -> Story {
        // It was replayed, so it is a scenario.
        let Ok(scenario) = Scenario::from_json(&self.scenario) else {
            return Story {
                lines: Vec::new(),
                two_owners_for: self.two_owners_for,
                ranges: Vec::new(),
            };
        };
        let run = scenario.run();
        let mut lines = lines(&scenario, &run);
        let has_two_owners = self.two_owners_for > Duration::ZERO;
        if has_two_owners {
            let end =
                lines.iter().position(|it| it.time >= self.time && it.turn == Some(Turn::Stopped));
            lines.truncate(end.map_or(lines.len(), |end| end + 1));
        }
        Story {
            lines,
            two_owners_for: self.two_owners_for,
            ranges: if has_two_owners { ranges(&scenario) } else { Vec::new() },
        }
    }
}

impl Story {
    /// The line that decides that a property is broken at `time`. Where that takes two owners, the
    /// last one of the other client comes before it.
    pub(in crate::check) fn decisive(&self, time: Time, property: Property) -> Vec<&StoryLine> {
        let turn = match property {
            Property::OneOwner { .. } => Some(Turn::Acquired),
            Property::FalseLoss | Property::NoClientActs { .. } | Property::Acquired { .. } => {
                Some(Turn::Stopped)
            }
            Property::PresenceGap { .. } | Property::BeliefMatchesRow { .. } => Some(Turn::RowGone),
            // Any event may lead to a state of the property.
            Property::NoWrongWrite | Property::Own { .. } => None,
        };
        let lines = &self.lines;
        let is_decisive = |it: &StoryLine| turn.is_none() || it.turn == turn;
        let until = lines.iter().filter(|it| it.time <= time).count();
        let before = lines[..until].iter().rposition(is_decisive);
        let found = before.or_else(|| lines.iter().position(is_decisive));
        let Some(found) = found.or_else(|| until.checked_sub(1)) else {
            return Vec::new();
        };
        let decisive = &lines[found];
        let mut others = lines[..found].iter();
        let other = others.rfind(|it| it.client.is_some() && it.client != decisive.client);
        let other = other.filter(|_| turn == Some(Turn::Acquired));
        other.into_iter().chain([decisive]).collect()
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for StoryLine { time, words, row_of, slack, .. } in &self.lines {
            write!(f, "{time:>8}  {words}")?;
            match row_of.as_ref().zip(*slack) {
                Some((owner, left)) => {
                    writeln!(f, " (the row of {owner} has {} left)", Seconds(left))?;
                }
                None => writeln!(f)?,
            }
        }
        if self.two_owners_for > Duration::ZERO {
            let length = Seconds(self.two_owners_for);
            writeln!(f, "Two owners at the same time for {length} in this schedule.")?;
        }
        if !self.ranges.is_empty() {
            writeln!(f, "In this schedule, with all else unchanged:")?;
        }
        for range in &self.ranges {
            writeln!(f, "  {range}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, least, most] = [self.value, self.least, self.most].map(Seconds);
        write!(f, "{} {value}; ", self.what)?;
        if self.least == self.tried {
            f.write_str("no shorter time has two owners.")
        } else if self.least == self.most {
            f.write_str("no other time has two owners.")
        } else if self.most == self.tried {
            write!(f, "all times from {least} on have two owners (tried up to {most}).")
        } else {
            write!(f, "all times from {least} to {most} have two owners.")
        }
    }
}

/// The rows so far by key, each with its owner and the time at which it expires.
#[derive(Default)]
struct Rows(BTreeMap<String, (String, Time)>);

/// The row whose remaining time a line shows.
#[derive(Clone, Copy)]
enum SlackOf<'a> {
    /// The row of a key.
    Key(&'a str),
    /// The one that expires first.
    First,
}

impl Rows {
    fn note(&mut self, key: &str, row: Option<(String, Time)>) {
        match row {
            Some(row) => self.0.insert(key.to_owned(), row),
            None => self.0.remove(key),
        };
    }

    fn row(&self, of: SlackOf<'_>) -> Option<&(String, Time)> {
        match of {
            SlackOf::Key(key) => self.0.get(key),
            SlackOf::First => self.0.values().min_by_key(|(_, dies)| *dies),
        }
    }
}

/// The events that explain the violation.
fn lines(scenario: &Scenario, run: &Run) -> Vec<StoryLine> {
    let ttl = |owner: &str| {
        let mut clients = scenario.clients.iter();
        clients.find(|client| client.owner() == owner).map(|client| client.ttl)
    };
    let mut rows = Rows::default();
    let mut lines: Vec<StoryLine> = Vec::new();
    let mut gone: Option<(usize, Time)> = None;
    for event in &run.events {
        let it = match event {
            Event::World(it) => it,
            Event::Stored { time, client, .. } => {
                lines.push(StoryLine {
                    time: *time,
                    kind: event.kind(),
                    runner: None,
                    words: event.words(&run.names),
                    row_of: None,
                    slack: None,
                    client: Some(*client),
                    turn: None,
                });
                continue;
            }
            Event::Noted { .. } => continue,
        };
        let mut slack_of = None;
        match &it.what {
            What::RowWritten(written) => {
                let owner = written.owner.to_string();
                let ends = ttl(&owner).map(|ttl| (owner, it.time + ttl));
                rows.note(&written.path, ends);
                slack_of = Some(SlackOf::Key(&written.path));
            }
            What::RowDeleted { path } => rows.note(path, None),
            // Said twice: by Locket, and by the client that hears it; and what follows from it.
            What::Handled { .. }
            | What::Runner(runner::Event::Ready | runner::Event::Exited(_)) => continue,
            What::Runner(_) | What::Resumed | What::Paused { .. } => {
                slack_of = Some(SlackOf::First)
            }
            // The line about the expiry already says that the row is deleted, and why.
            What::Expired { .. } if gone.is_some_and(|(_, time)| time == it.time) => {
                if let Some(line) = gone.and_then(|(line, _)| lines.get_mut(line)) {
                    line.words = event.words(&run.names);
                }
                continue;
            }
            What::Answered { .. }
            | What::Called { .. }
            | What::Crashed
            | What::Disconnected { .. }
            | What::Draining
            | What::Expired { .. }
            | What::FailedOver { .. }
            | What::MessageLost { .. }
            | What::Stalled { .. }
            | What::Started
            | What::Stopped
            | What::TableDropped => {}
        }
        if matches!(it.what, What::RowDeleted { .. }) {
            gone = Some((lines.len(), it.time));
        }
        let client = client_of(it);
        // The answer before it has said so.
        let is_retrying = matches!(&it.what, What::Runner(runner::Event::Retrying { .. }));
        if is_retrying
            && lines.last().is_some_and(|last| (last.time, last.client) == (it.time, client))
        {
            continue;
        }
        let row = slack_of.and_then(|of| rows.row(of));
        lines.push(StoryLine {
            time: it.time,
            kind: event.kind(),
            runner: event.runner_kind(),
            words: event.words(&run.names),
            row_of: row.map(|(owner, _)| owner.clone()),
            slack: row.map(|(_, dies)| dies.since(it.time)),
            client,
            turn: turn_of(&it.what),
        });
    }
    lines
}

/// The client that does something, if one does.
const fn client_of(event: &WorldEvent) -> Option<NodeId> {
    match event.what {
        What::Answered { .. }
        | What::Called { .. }
        | What::Disconnected { .. }
        | What::Paused { .. }
        | What::Resumed
        | What::Runner(_) => Some(event.node),
        What::Crashed
        | What::Draining
        | What::Expired { .. }
        | What::FailedOver { .. }
        | What::Handled { .. }
        | What::MessageLost { .. }
        | What::RowDeleted { .. }
        | What::RowWritten(_)
        | What::Stalled { .. }
        | What::Started
        | What::Stopped
        | What::TableDropped => None,
    }
}

const fn turn_of(what: &What) -> Option<Turn> {
    match what {
        What::Runner(runner::Event::Acquired) => Some(Turn::Acquired),
        What::Crashed
        | What::Runner(
            runner::Event::Lost(_) | runner::Event::Signalled | runner::Event::Exited(_),
        ) => Some(Turn::Stopped),
        What::Expired { .. } | What::RowDeleted { .. } | What::TableDropped => Some(Turn::RowGone),
        What::Answered { .. }
        | What::Called { .. }
        | What::Disconnected { .. }
        | What::Draining
        | What::FailedOver { .. }
        | What::Handled { .. }
        | What::MessageLost { .. }
        | What::Paused { .. }
        | What::Resumed
        | What::RowWritten(_)
        | What::Runner(_)
        | What::Stalled { .. }
        | What::Started
        | What::Stopped => None,
    }
}

/// The numbers on which it depends that there are two owners, one at a time with all else
/// unchanged.
fn ranges(scenario: &Scenario) -> Vec<Range> {
    let delays =
        scenario.overrides.iter().flatten().filter(|(site, _)| site.kind == SiteKind::Delay);
    let mut ranges: Vec<Range> =
        delays.map(|(site, picked)| delay_range(scenario, *site, *picked)).collect();
    for (index, action) in scenario.actions.iter().enumerate() {
        if action.kind == ActionKind::Pause {
            ranges.push(pause_range(scenario, index));
        }
    }
    ranges.retain(|it| it.least > Duration::ZERO || it.most < it.tried);
    ranges
}

fn delay_range(scenario: &Scenario, site: Site, picked: u32) -> Range {
    let (from, to) = site.link();
    let is_transaction = (from, to) == TRANSACTION;
    let latency = match from == DATABASE || to == DATABASE {
        _ if is_transaction => scenario.database.transaction_time,
        true => scenario.database.latency,
        false => scenario.network.latency,
    };
    let step = latency.step.as_ms();
    let tried = latency.max.as_ms() / step.max(1);
    let tried = u32::try_from(tried).unwrap_or(u32::MAX);
    let (least, most) = range(picked, tried, |picked| {
        let mut other = scenario.clone();
        let overrides = other.overrides.get_or_insert_default();
        overrides.insert(site, picked);
        other
    });
    let time = |steps: u32| Duration::from_ms(step * u64::from(steps));
    let names = Cast::new(scenario.clone()).names;
    let (from, to) = (names.of(from), names.of(to));
    Range {
        what: match is_transaction {
            true => format!("Transaction {} holds its row for", site.count + 1),
            false => format!("Message {} from {from} to {to} takes", site.count + 1),
        },
        value: time(picked),
        least: time(least),
        most: time(most),
        tried: time(tried),
    }
}

/// How long a pause may last, in milliseconds, up to twice as long.
fn pause_range(scenario: &Scenario, index: usize) -> Range {
    let action = &scenario.actions[index];
    let step = scenario.network.latency.step.as_ms().max(1);
    let value = action.duration.unwrap_or_default();
    let steps = u32::try_from(value.as_ms() / step).unwrap_or(u32::MAX);
    let time = |steps: u32| Duration::from_ms(step * u64::from(steps));
    let tried = steps.saturating_mul(2);
    let (least, most) = range(steps, tried, |steps| {
        let mut other = scenario.clone();
        other.actions[index].duration = Some(time(steps));
        other
    });
    Range {
        what: format!("{} is paused for", action.node.as_deref().unwrap_or_default()),
        value,
        least: time(least),
        most: time(most),
        tried: time(tried),
    }
}

/// The numbers around `value`, without a gap, for which there are two owners.
fn range(value: u32, most: u32, scenario: impl Fn(u32) -> Scenario) -> (u32, u32) {
    let breaks = |&number: &u32| has_two_owners(scenario(number));
    let below = (0..value).rev().take_while(breaks).last();
    let above = (value + 1..=most).take_while(breaks).last();
    (below.unwrap_or(value), above.unwrap_or(value))
}

/// True if a scenario ever has two owners at the same time. All its clients want the same key.
pub(in crate::check) fn has_two_owners(scenario: Scenario) -> bool {
    let end = scenario.end();
    let first = scenario.clients.get(0);
    let key = first.map_or_else(String::new, |client| client.key.clone());
    let mut running = Running::new(Arc::new(Cast::new(scenario)));
    running.run_to(end, &mut Recorder::default());
    running.two_owners_for(&key) > Duration::ZERO
}
