//! A counterexample in words: what happens when, how much the row has left, and which numbers
//! could be others.

use std::fmt;
use std::sync::Arc;

use super::lockets::KEY;
use super::replay::Counterexample;
use crate::json::Json;
use crate::protocol::runner;
use crate::scenario::{Cast, Deed, Running, Scenario};
use crate::time::{Duration, Time};
use crate::trace::{Event, Recorder, Run};
use crate::world::choice::{Site, SiteKind};
use crate::world::event::What;

/// A counterexample in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What happens, in order.
    pub lines: Vec<StoryLine>,
    /// For how long two owners act at once.
    pub two_owners_for: Duration,
    /// The numbers that could be others, each with all else as it is.
    pub ranges: Vec<Range>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryLine {
    /// When.
    pub time: Time,
    /// What, a sentence.
    pub words: String,
    /// Whose row there is, and how long it lives from then on if nobody renews it.
    pub slack: Option<(String, Duration)>,
}

/// A number of a schedule, and what else it could be for two owners to act at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// What the number says.
    pub what: String,
    /// The number.
    pub value: Duration,
    /// The least that does.
    pub least: Duration,
    /// The most that does, of what the question allows.
    pub most: Duration,
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
        Story {
            lines: lines(&scenario, &run),
            two_owners_for: self.two_owners_for,
            ranges: if self.two_owners_for > Duration::ZERO {
                ranges(&scenario)
            } else {
                Vec::new()
            },
        }
    }
}

impl Story {
    /// Adds the story to a JSON text.
    pub(super) fn write(&self, json: &mut Json) {
        json.open('{').key("lines").open('[');
        for line in &self.lines {
            json.open('{').key("time").plain(line.time.as_ms());
            json.key("words").string(&line.words);
            if let Some((owner, slack)) = &line.slack {
                json.key("rowOf")
                    .string(owner)
                    .key("slack")
                    .plain(slack.as_ms());
            }
            json.close('}');
        }
        json.close(']').key("ranges").open('[');
        for range in &self.ranges {
            json.open('{').key("what").string(&range.what);
            json.key("value").plain(range.value.as_ms());
            json.key("least").plain(range.least.as_ms());
            json.key("most").plain(range.most.as_ms()).close('}');
        }
        json.close(']').close('}');
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for StoryLine { time, words, slack } in &self.lines {
            write!(f, "{time:>8}  {words}")?;
            match slack {
                Some((owner, left)) => {
                    writeln!(f, " (the row of {owner} has {} left)", Seconds(*left))?;
                }
                None => writeln!(f)?,
            }
        }
        if self.two_owners_for > Duration::ZERO {
            writeln!(
                f,
                "Two owners act at once for {}.",
                Seconds(self.two_owners_for)
            )?;
        }
        for range in &self.ranges {
            let Range {
                what,
                value,
                least,
                most,
            } = range;
            let value = Seconds(*value);
            if least == most {
                writeln!(f, "{what} {value}, and nothing else would do.")?;
            } else {
                let (least, most) = (Seconds(*least), Seconds(*most));
                writeln!(
                    f,
                    "{what} {value}; anything from {least} to {most} would do."
                )?;
            }
        }
        Ok(())
    }
}

/// A length of time in seconds: `6.0 s`.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_ms();
        let fraction = format!("{:03}", ms % 1000);
        let digits = fraction.trim_end_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits };
        write!(f, "{}.{digits} s", ms / 1000)
    }
}

/// The events that matter to somebody who asks how it came to this.
fn lines(scenario: &Scenario, run: &Run) -> Vec<StoryLine> {
    let ttl = scenario.clients.first().map(|client| client.ttl);
    let mut row: Option<(String, Time)> = None;
    let mut lines: Vec<StoryLine> = Vec::new();
    let mut gone: Option<(usize, Time)> = None;
    for event in &run.events {
        let Event::World(it) = event else {
            continue;
        };
        let mut has_slack = false;
        match &it.what {
            What::RowWritten(written) => {
                let owner = written.owner.to_string();
                row = ttl.map(|ttl| (owner, it.time + ttl));
                has_slack = true;
            }
            What::RowDeleted { .. } => row = None,
            // Said twice: by Locket, and by the client that hears it; and what follows from it.
            What::Handled { .. }
            | What::Runner(runner::Event::Ready | runner::Event::Exited(_)) => continue,
            What::Runner(_) | What::Resumed | What::Paused => has_slack = true,
            // A row that expires is gone, which was said; why, is said there.
            What::Expired { .. } if gone.is_some_and(|(_, time)| time == it.time) => {
                if let Some(line) = gone.and_then(|(line, _)| lines.get_mut(line)) {
                    line.words = event.words(&run.names);
                }
                continue;
            }
            What::Answered { .. }
            | What::Called { .. }
            | What::Crashed
            | What::Expired { .. }
            | What::FailedOver { .. }
            | What::Joint(_)
            | What::Member { .. }
            | What::MessageLost { .. }
            | What::Stalled { .. }
            | What::Started
            | What::TableDropped => {}
        }
        if matches!(it.what, What::RowDeleted { .. }) {
            gone = Some((lines.len(), it.time));
        }
        let slack = row.as_ref().filter(|_| has_slack);
        let slack = slack.map(|(owner, dies)| (owner.clone(), dies.since(it.time)));
        lines.push(StoryLine {
            time: it.time,
            words: event.words(&run.names),
            slack,
        });
    }
    lines
}

/// The numbers that a schedule is made of, one at a time with all else as it is.
fn ranges(scenario: &Scenario) -> Vec<Range> {
    let delays = scenario
        .overrides
        .iter()
        .filter(|(site, _)| site.kind == SiteKind::Delay);
    let mut ranges: Vec<Range> = delays
        .map(|(site, picked)| delay_range(scenario, *site, *picked))
        .collect();
    for (index, action) in scenario.actions.iter().enumerate() {
        if action.deed == Deed::Pause {
            ranges.push(pause_range(scenario, index));
        }
    }
    ranges
}

fn delay_range(scenario: &Scenario, site: Site, picked: u32) -> Range {
    let step = scenario.network.latency.step.as_ms();
    let most = scenario.network.latency.max.as_ms() / step.max(1);
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let (least, most) = range(picked, most, |picked| {
        let mut other = scenario.clone();
        other.overrides.insert(site, picked);
        other
    });
    let time = |steps: u32| Duration::from_ms(step * u64::from(steps));
    let names = Cast::new(scenario.clone()).names;
    let name = |number: u32| {
        names
            .of(crate::world::network::NodeId(number as u16))
            .to_owned()
    };
    let (from, to) = (name(site.subject >> 16), name(site.subject & 0xffff));
    Range {
        what: format!("Message {} from {from} to {to} takes", site.count + 1),
        value: time(picked),
        least: time(least),
        most: time(most),
    }
}

/// How long a pause may last, in milliseconds, up to twice as long.
fn pause_range(scenario: &Scenario, index: usize) -> Range {
    let action = &scenario.actions[index];
    let step = scenario.network.latency.step.as_ms().max(1);
    let value = action.duration.unwrap_or_default();
    let steps = u32::try_from(value.as_ms() / step).unwrap_or(u32::MAX);
    let time = |steps: u32| Duration::from_ms(step * u64::from(steps));
    let (least, most) = range(steps, steps.saturating_mul(2), |steps| {
        let mut other = scenario.clone();
        other.actions[index].duration = Some(time(steps));
        other
    });
    Range {
        what: format!(
            "{} stands still for",
            action.node.as_deref().unwrap_or_default()
        ),
        value,
        least: time(least),
        most: time(most),
    }
}

/// The numbers around `value`, without a gap, for which two owners act at once.
fn range(value: u32, most: u32, scenario: impl Fn(u32) -> Scenario) -> (u32, u32) {
    let breaks = |&number: &u32| has_two_owners(scenario(number));
    let below = (0..value).rev().take_while(breaks).last();
    let above = (value + 1..=most).take_while(breaks).last();
    (below.unwrap_or(value), above.unwrap_or(value))
}

/// Whether two owners ever act at once in a scenario.
pub(super) fn has_two_owners(scenario: Scenario) -> bool {
    let end = scenario.end();
    let mut running = Running::new(Arc::new(Cast::new(scenario)));
    running.run_to(end, &mut Recorder::default());
    running.two_owners_for(KEY) > Duration::ZERO
}
