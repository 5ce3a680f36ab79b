//! A run as data: who takes part, what is done to them when, and what is expected, in JSON.
//!
//! ```json
//! {
//!   "name": "two owners, one lock",
//!   "profile": "upstream",
//!   "clients": [
//!     { "name": "bbs-0", "key": "bbs", "ttl": "15s", "retryInterval": "5s", "runner": "upstream" },
//!     { "name": "bbs-1", "key": "bbs", "ttl": "15s", "retryInterval": "5s", "runner": "upstream", "startAt": "1s" }
//!   ],
//!   "network": { "latency": "10ms" },
//!   "actions": [{ "at": "7s", "do": "crash", "node": "bbs-0" }],
//!   "until": "30s",
//!   "expect": [{ "key": "bbs", "at": "30s", "owner": "bbs-1" }, { "key": "bbs", "twoOwnersFor": "0s" }]
//! }
//! ```
//!
//! The same text gives the same [trace](crate::trace) everywhere. An error in it is reported
//! with line, column and what was expected.

mod action;
#[cfg(feature = "schema")]
mod action_schema;
mod action_validation;
mod beliefs;
mod by_text;
mod cast;
mod client;
mod client_validation;
mod clients;
mod entry;
mod error;
mod event_texts;
mod execution;
mod expectation;
mod network;
pub(crate) mod nodes;
mod perform;
mod position;
mod read;
mod run;
mod running;
mod share;
mod steps;
mod storage;
mod sweep;
mod vacancies;
mod writes;

pub use action::{Action, ActionKind};
pub(crate) use cast::Cast;
pub use cast::Harm;
pub(crate) use client::RunnerVisitor;
pub use client::{Client, ClientKind, Clock, RunnerKind};
pub(crate) use client::{RUNNER_DEFAULT, TTL_DEFAULT};
pub use clients::Clients;
pub use error::ScenarioError;
pub(crate) use error::Step;
pub use execution::Execution;
pub use expectation::Expectation;
#[cfg(feature = "schema")]
pub(crate) use network::LatencyRange;
pub use network::{DatabaseRules, Latency, NetworkRules};
pub use position::Position;
pub use read::{read, read_profile};
pub use running::NodeFault;
pub(crate) use running::{Continuation, Running};
pub use share::Share;
pub use steps::{STEPS_DEFAULT, StepsExceeded};
pub use storage::{Guard, Storage};
pub use sweep::{SeedRun, Sweep};

use std::cell::LazyCell;
use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::protocol::profile::Profile;
use crate::sorted::sorted;
use crate::time::{Duration, Time};
use crate::trace::Run;
use crate::world::choice::Site;
use nodes::Nodes;

/// A run as data: the clients, the actions and faults in it, and the expected outcome.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "a scenario, which is an object"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "Locket scenario"))]
pub struct Scenario {
    /// The schema of scenarios, for editors: `locket-wasm/scenario.schema.json`. It changes nothing.
    #[serde(rename = "$schema")]
    #[cfg_attr(feature = "schema", schemars(with = "String", default))]
    pub schema: Option<String>,
    /// The name of the run.
    pub name: String,
    /// A description for readers.
    #[serde(default)]
    pub description: String,
    /// The Locket of the run: a preset, or a preset with single switches changed.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "documented")))]
    pub profile: Profile,
    /// The seed of modified ids, and of every random decision.
    #[serde(default)]
    pub seed: u64,
    /// True if the seed decides latencies, lost and duplicated messages, and the order of events
    /// at one instant. If not, only the listed actions and faults happen.
    #[serde(default)]
    pub random: bool,
    /// Decisions that replace the seed's, by place: `{"l3.17": 1}`. `minimize` and counterexamples
    /// write them.
    #[serde(default, deserialize_with = "overrides")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            with = "BTreeMap<String, u32>",
            extend("propertyNames" = { "pattern": r"^[cdult][0-9]+\.[0-9]+$" })
        )
    )]
    pub overrides: Option<BTreeMap<Site, u32>>,
    /// How many Locket processes share the database.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = PROCESSES_MAX)))]
    pub processes: usize,
    /// The links between clients and Locket processes.
    #[serde(default)]
    pub network: NetworkRules,
    /// The link between Locket processes and their database.
    #[serde(default)]
    pub database: DatabaseRules,
    /// The storage that lock holders write to, and how it rejects late writes.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Storage", default))]
    pub storage: Option<Storage>,
    /// When the run ends. It goes on until the last action, expectation and start of a runner.
    #[serde(default)]
    pub until: Duration,
    /// The clients of Locket.
    #[serde(deserialize_with = "entry::clients")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Client>", length(max = CLIENTS_MAX)))]
    pub clients: Clients,
    /// The actions on clients, processes, links and the database.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<action_schema::DatedAction>"))]
    pub actions: Vec<Action>,
    /// The conditions that must hold in the run.
    #[serde(default)]
    pub expect: Vec<Expectation>,
}

/// The most Locket processes of a scenario.
pub const PROCESSES_MAX: usize = 16;
/// The most clients of a scenario.
pub const CLIENTS_MAX: usize = 100_000;
/// The most that a run's trace may fill, in bytes: more would not fit in a browser's memory.
pub const TRACE_SIZE_MAX: u64 = 64 << 20;
/// The size of the events of one call without their texts, in bytes.
const CALL_SIZE: u64 = 1_000;
/// The size of the events of one write to the storage, in bytes.
const STORED_SIZE: u64 = 300;

/// A run that is not random has no share of messages.
const NEEDS_CHANCE: &str = "needs a random run; add \"random\": true and perhaps a `seed` to the scenario, or lose \
                            messages one by one with the action lose-messages";

const fn one() -> usize {
    1
}

fn overrides<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BTreeMap<Site, u32>>, D::Error> {
    let texts = BTreeMap::<String, u32>::deserialize(deserializer)?;
    let mut overrides = BTreeMap::new();
    for (site, picked) in texts {
        overrides.insert(site.parse().map_err(D::Error::custom)?, picked);
    }
    Ok(Some(overrides))
}

/// A validation error: its path, and a message.
type ValidationError = (Vec<Step>, String);

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    ///
    /// The first validation error, with its place in the text.
    pub fn from_json(text: &str) -> Result<Self, ScenarioError> {
        let scenario = Self::from_json_of_any_length(text)?;
        match scenario.size_error() {
            None => Ok(scenario),
            Some((path, message)) => Err(ScenarioError::at(text, &path, message)),
        }
    }

    /// Reads a scenario whose trace may be too large to be kept; for [`run_without_trace`](Self::run_without_trace).
    ///
    /// # Errors
    ///
    /// As for [`from_json`](Self::from_json), but for the length of the run.
    pub fn from_json_of_any_length(text: &str) -> Result<Self, ScenarioError> {
        Self::read_with_nodes(text).map(|(scenario, _)| scenario)
    }

    /// The same, with its nodes by name, which the check of a scenario needs already.
    fn read_with_nodes(text: &str) -> Result<(Self, Nodes), ScenarioError> {
        let scenario: Self = read(text)?;
        let nodes = scenario.nodes();
        match scenario.validation_error(&nodes) {
            None => Ok((scenario, nodes)),
            Some((path, message)) => Err(ScenarioError::at(text, &path, message)),
        }
    }

    /// Its nodes by name.
    pub(crate) fn nodes(&self) -> Nodes {
        Nodes::new(&self.clients, self.processes)
    }

    /// The keys that a key means: itself, or all that an entry with this key stands for.
    pub(crate) fn keys_named(&self, key: &str) -> Vec<String> {
        let clients = self.clients.iter().filter(|it| it.has_key(key));
        let mut keys = sorted(clients.map(|it| it.key.clone()).collect());
        keys.dedup();
        if keys.is_empty() {
            keys.push(key.to_owned());
        }
        keys
    }

    /// The moment the run ends.
    pub fn end(&self) -> Time {
        let last_action = self.actions.iter().map(Action::last).max().unwrap_or_default();
        let last_look = self.expect.iter().filter_map(|it| it.at).max().unwrap_or_default();
        let runners = self.clients.entries().filter(|it| it.is_runner());
        let last_start = runners.map(Client::last_start).max().unwrap_or_default();
        last_action
            .max(Time::ZERO + self.until)
            .max(Time::ZERO + last_start)
            .max(Time::ZERO + last_look)
    }

    /// The validation error of a text that has the right form, with its path.
    fn validation_error(&self, nodes: &Nodes) -> Option<ValidationError> {
        let at = |list: &str, index: usize, (field, message): (&str, String)| {
            (vec![list.into(), index.into(), field.into()], message)
        };
        if let Some(error) = self.own_error() {
            return Some(error);
        }
        let doubles = nodes.doubles();
        for (index, client) in self.clients.iter().enumerate() {
            let taken = nodes::is_reserved(&client.name) || doubles.contains(&index);
            if let Some(error) = client.validation_error(taken, self.processes) {
                return Some(at("clients", client.entry.index, error));
            }
        }
        let actions = self.actions.iter().enumerate();
        let actions = actions.filter_map(|(index, action)| {
            Some(at("actions", index, self.action_error(action, nodes)?))
        });
        let expect = self.expect.iter().enumerate();
        let expect =
            expect.filter_map(|(index, it)| Some(at("expect", index, it.validation_error(nodes)?)));
        actions.chain(expect).next()
    }

    fn own_error(&self) -> Option<ValidationError> {
        if !(1..=PROCESSES_MAX).contains(&self.processes) {
            let message = format!("expected 1 to {PROCESSES_MAX} Locket processes");
            return Some((vec!["processes".into()], message));
        }
        if self.clients.len() > CLIENTS_MAX {
            return Some((vec!["clients".into()], format!("expected at most {CLIENTS_MAX}")));
        }
        if let Some((field, message)) = self.network.validation_error() {
            return Some((vec!["network".into(), field.into()], message));
        }
        if let Some((field, message)) = self.database.validation_error() {
            return Some((vec!["database".into(), field.into()], message));
        }
        let storage = self.storage.as_ref().and_then(Storage::validation_error);
        if let Some((field, message)) = storage {
            return Some((vec!["storage".into(), field.into()], message));
        }
        self.share_error()
    }

    /// True if chance, or decisions in its place, can lose messages.
    const fn has_chance(&self) -> bool {
        self.random || self.overrides.is_some()
    }

    /// A share of messages in a run without chance.
    fn share_error(&self) -> Option<ValidationError> {
        let shares = [
            ("network", "loss", self.network.loss),
            ("network", "duplicates", self.network.duplicates),
            ("database", "replyLoss", self.database.reply_loss),
        ];
        let mut shares = shares.into_iter();
        let (link, share, _) =
            shares.find(|(.., share)| !self.has_chance() && share.per_mille() > 0)?;
        Some((vec![link.into(), share.into()], NEEDS_CHANCE.to_owned()))
    }

    /// The validation error of an action in this scenario: the field and a message.
    pub(crate) fn action_error(
        &self,
        action: &Action,
        nodes: &Nodes,
    ) -> Option<(&'static str, String)> {
        let of_storage = || {
            let needs_storage = self.storage.is_none() && action.kind.is_of_storage();
            needs_storage.then(|| ("do", "needs a `storage` in the scenario".to_owned()))
        };
        action.validation_error(nodes).or_else(of_storage).or_else(|| {
            let share = action.loss.unwrap_or_default();
            let needs_chance = share.per_mille() > 0 && !self.has_chance();
            needs_chance.then(|| ("loss", NEEDS_CHANCE.to_owned()))
        })
    }

    fn size_error(&self) -> Option<ValidationError> {
        let size = self.trace_size(self.end(), &[]);
        (size > TRACE_SIZE_MAX).then(|| {
            let message = format!(
                "the run would fill {} MiB with all repetitions, more than {}; raise an `every` or a `retryInterval`, or lower an `until`",
                size >> 20,
                TRACE_SIZE_MAX >> 20,
            );
            let field = if self.actions.is_empty() { "until" } else { "actions" };
            (vec![field.into()], message)
        })
    }

    /// How much the trace fills by `end`, in bytes, roughly but not less, if more is done than
    /// the scenario says.
    pub(crate) fn trace_size(&self, end: Time, more: &[&Action]) -> u64 {
        let sizes = self.clients.iter().map(|it| it.trace_size());
        let sizes: Vec<u64> = sizes.collect();
        let all: u64 = sizes.iter().sum();
        let nodes = LazyCell::new(|| self.nodes());
        let actions = self.actions.iter().chain(more.iter().copied()).map(|action| {
            let name = action.node.as_deref().unwrap_or_default();
            let named = nodes.clients_named(name);
            let texts: u64 = if action.kind == ActionKind::FetchAll {
                // A list may show every row.
                all * named.len() as u64
            } else {
                named.iter().map(|it| sizes[*it]).sum()
            };
            let calls = CALL_SIZE * named.len().max(1) as u64;
            let note = action.text.as_ref().map_or(0, |text| text.len() as u64);
            action.repetitions().saturating_mul(calls + texts + note)
        });
        let span = end.since(Time::ZERO);
        let interval = self.storage.and_then(|it| it.write_interval);
        let writes = interval.map_or(0, |it| span.as_ms() / it.as_ms().max(1));
        let writes = writes.saturating_mul(STORED_SIZE * self.clients.len() as u64);
        let runners = self.clients.iter().zip(&sizes);
        let runners = runners.map(|(it, size)| it.attempts(span).saturating_mul(CALL_SIZE + size));
        let all = actions.chain(runners).chain([writes]);
        all.fold(0, u64::saturating_add)
    }
}

/// Reads a scenario and runs it, however many steps that takes; an [`Execution`] takes no more than it may.
///
/// # Errors
///
/// The first validation error in the text, with its place.
pub fn run_text(text: &str) -> Result<Run, ScenarioError> {
    Scenario::from_json(text).map(|scenario| scenario.run())
}

/// As [`run_text`], but [keeps no trace](Scenario::run_without_trace).
///
/// # Errors
///
/// The first validation error in the text, with its place.
pub fn run_text_without_trace(text: &str) -> Result<Run, ScenarioError> {
    let (scenario, nodes) = Scenario::read_with_nodes(text)?;
    Ok(run::without_trace(Cast::with_nodes(scenario, nodes)))
}
