//! A simulation as a text that fits into a link: scenario, acts and cursor.
//!
//! `l1.` and, in URL-safe base64, a line of JSON and the scenario's text. The line holds what was
//! done from outside in the branch, where the cursor is, and the digest there: rules of another
//! version may tell something else, and then it can be said.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use super::error::SimulationError;
use super::player::{Simulation, read};
use crate::json::Json;
use crate::scenario::{Action, Latency, Position, STEPS_DEFAULT};
use crate::time::{Duration, Time};

/// The beginning of a link of this version.
const PREFIX: &str = "l1.";
/// The longest link that is read, in bytes.
const LINK_SIZE_MAX: usize = 4 << 20;

/// The part before the scenario's text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(default)]
    acts: Vec<ActAt>,
    at: Duration,
    count: u32,
    digest: String,
}

/// Something done from outside, after `count` things at its time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActAt {
    at: Duration,
    count: u32,
    act: Box<Action>,
}

impl Simulation {
    /// This branch up to this moment as a text for a link.
    pub fn link(&self) -> String {
        let done = &self.branch().acts[..self.running.acts];
        let mut json = Json::default();
        json.open('{');
        if !done.is_empty() {
            json.key("acts").open('[');
            for (place, act) in done {
                json.open('{');
                write_place(*place, &mut json);
                write_action(act, json.key("act"));
                json.close('}');
            }
            json.close(']');
        }
        self.link_after(json)
    }

    /// The same for a simulation in which nothing was done from outside. A module that asks for no
    /// other link is smaller by what writes acts.
    pub fn link_without_acts(&self) -> String {
        let mut json = Json::default();
        json.open('{');
        self.link_after(json)
    }

    fn link_after(&self, mut json: Json) -> String {
        write_place(self.position(), &mut json);
        json.key("digest").string(&self.digest().to_string());
        json.close('}');
        let payload = format!("{}\n{}", json.take(), self.source);
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(payload))
    }

    /// Reads a link, and is where it points. It goes as far as [`STEPS_DEFAULT`] steps lead.
    ///
    /// # Errors
    ///
    /// The text is no link of a known version, its scenario is not valid, or its place is after
    /// more steps.
    pub fn from_link(link: &str) -> Result<Self, SimulationError> {
        Self::from_link_within(link, STEPS_DEFAULT)
    }

    /// The same, but stops after this many steps.
    ///
    /// # Errors
    ///
    /// As for [`from_link`](Self::from_link).
    pub fn from_link_within(link: &str, max_steps: u64) -> Result<Self, SimulationError> {
        let (header, scenario) = payload(link.trim())?;
        let header: Header = read(&header, "link").map_err(|error| match error {
            SimulationError::Argument { message, .. } => SimulationError::Link(message),
            other @ (SimulationError::Link(_)
            | SimulationError::Scenario(_)
            | SimulationError::Steps(_)) => other,
        })?;
        let mut simulation = Self::from_json_within(&scenario, max_steps)?;
        for ActAt { at, count, act } in header.acts {
            simulation.check_act(&act)?;
            let place = place(at, count);
            let acts = &mut simulation.branches[0].acts;
            if acts.last().is_some_and(|(last, _)| *last >= place) {
                return Err(broken("its acts are not in order"));
            }
            acts.push((place, *act));
        }
        let cursor = place(header.at, header.count);
        simulation.check_size(cursor.time, None)?;
        simulation.go_to(cursor)?;
        simulation.is_faithful = simulation.digest().to_string() == header.digest;
        Ok(simulation)
    }
}

fn payload(link: &str) -> Result<(String, String), SimulationError> {
    if link.len() > LINK_SIZE_MAX {
        return Err(broken("it is too long"));
    }
    let Some(encoded) = link.strip_prefix(PREFIX) else {
        let version = link.split('.').next().unwrap_or_default();
        let is_version = version.len() < 5 && version.starts_with('l');
        return Err(broken(if is_version {
            "it is of another version of this package; this one reads l1"
        } else {
            "expected a text that begins with l1."
        }));
    };
    let bytes = URL_SAFE_NO_PAD.decode(encoded);
    let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let parts = text.as_deref().and_then(|text| text.split_once('\n'));
    let (header, scenario) = parts.ok_or_else(|| broken("it was changed, or is not complete"))?;
    Ok((header.to_owned(), scenario.to_owned()))
}

fn broken(message: &str) -> SimulationError {
    SimulationError::Link(message.to_owned())
}

fn place(at: Duration, count: u32) -> Position {
    Position { time: Time::ZERO + at, count }
}

fn write_place(place: Position, json: &mut Json) {
    json.key("at").moment(place.time);
    json.key("count").plain(place.count);
}

/// Writes an action as a scenario has it.
fn write_action(action: &Action, json: &mut Json) {
    json.open('{');
    json.key("at").duration(action.at);
    json.key("do").string(action.kind.name());
    let texts = [
        ("node", &action.node),
        ("from", &action.from),
        ("to", &action.to),
        ("text", &action.text),
        ("key", &action.key),
        ("owner", &action.owner),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            json.key(key).string(text);
        }
    }
    for (key, duration) in [("for", action.duration), ("ttl", action.ttl)] {
        if let Some(duration) = duration {
            json.key(key).duration(duration);
        }
    }
    for (key, number) in [("count", action.count), ("lostCommits", action.lost_commits)] {
        if let Some(number) = number {
            json.key(key).plain(number);
        }
    }
    if let Some(loss) = action.loss {
        json.key("loss").string(&loss.to_string());
    }
    if let Some(one_way) = action.one_way {
        json.key("oneWay").plain(one_way);
    }
    if let Some(Latency { min, max, step }) = action.latency {
        json.key("latency").open('{');
        for (key, duration) in [("min", min), ("max", max), ("step", step)] {
            json.key(key).duration(duration);
        }
        json.close('}');
    }
    json.close('}');
}
