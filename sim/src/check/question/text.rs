//! Questions as JSON, for callers in other languages.
//!
//! ```json
//! {
//!   "runner": "upstream", "ttl": "15s", "retryInterval": "5s",
//!   "latency": "2s", "faults": { "pause": { "length": "5s", "count": 1 } },
//!   "property": { "is": "one-owner" }
//! }
//! ```

use serde::Deserialize;

use super::bounds::Bounds;
use super::clients_text::{ClientText, ClientsText};
use super::count::Count;
use super::faults::Fault;
use super::faults_text::FaultsText;
use super::limits::NAMES;
use super::preset::RunnerText;
use super::storage::StorageQuestion;
use super::{ClientQuestion, Property, Question, QuestionError};
use crate::node::ConnectionKind;
use crate::protocol::profile::Profile;
use crate::scenario::{self, ClientKind, Share};
use crate::time::Duration;

/// A question about settings, as the module reads it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "Question", transform = crate::schema::without_null))]
pub(crate) struct QuestionText {
    /// The text of a scenario. It lists the clients, and its faults are bounds where the question has
    /// no others.
    scenario: Option<String>,
    /// The runner of all clients, `safe` by default: a name, a rule, a job of a release of Cloud
    /// Foundry such as `diego-bbs@2.102.0`, which has a TTL, a retry interval and a Locket, too, or a
    /// known library such as `consul-lock@14691f7e`, which has a TTL.
    runner: Option<RunnerText>,
    /// The kind of resource that all clients take; a lock by default.
    kind: Option<ClientKind>,
    /// The TTL of all clients; 15 s by default.
    ttl: Option<Duration>,
    /// The retry interval of all clients.
    retry_interval: Option<Duration>,
    /// How long before the row can expire a safe runner stops.
    margin: Option<Duration>,
    /// True if the first attempt has a deadline.
    first_attempt_deadline: Option<bool>,
    /// How all clients connect: `grpc` by default for the runners of Cloud Foundry on an `upstream`
    /// Locket, else `fetch`.
    connection: Option<ConnectionKind>,
    /// How many microseconds all clocks gain each second.
    rate_ppm: Option<i32>,
    /// The clients, each with the settings that differ; two equal clients by default. `any` asks for a
    /// proof for any number of equal clients.
    clients: Option<ClientsText>,
    /// True if all clients present the same owner string, as two processes with the same
    /// configuration do. Locket takes them for one owner.
    #[serde(default)]
    same_owner: bool,
    /// The Locket: a preset, `documented` by default.
    profile: Option<Profile>,
    /// The longest latency of a message, 1 s by default; each message takes any time up to it. A
    /// scenario's latency replaces the default.
    latency: Option<Duration>,
    /// The longest latency of a query to the database, and of its reply, none by default; each takes
    /// any time up to it. A scenario's latency of the database replaces the default.
    database_latency: Option<Duration>,
    /// The longest time of a transaction, from its statement until it commits, none by default; each
    /// takes any time up to it. Other transactions on the same key wait behind it, in order. A
    /// scenario's transaction time replaces the default.
    transaction_time: Option<Duration>,
    /// By how much the rate of each clock may differ from that of real time, up to 50%: of clients,
    /// processes and the database, constant or varying. None by default.
    drift: Option<Share>,
    /// The faults that may happen. Each that is given replaces that of the scenario.
    #[serde(default)]
    faults: FaultsText,
    /// The property to search for a violation of; by default two owners at the same time, or with a
    /// `storage` no wrong write.
    property: Option<Property>,
    /// The storage that holders write to.
    storage: Option<StorageQuestion>,
    /// The step of time at which messages arrive and faults begin and end.
    grid: Option<Duration>,
    /// How many Locket processes share the database; 1 by default.
    processes: Option<usize>,
}

/// Which settings a question gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Given {
    pub(in crate::check) runner: bool,
    pub(in crate::check) ttl: bool,
    pub(in crate::check) retry_interval: bool,
    pub(in crate::check) property: bool,
}

/// The members that a scenario may leave to a question.
#[derive(Deserialize)]
struct Said {
    profile: Option<Profile>,
    processes: Option<usize>,
}

/// The most that may go wrong, in place of what a scenario or run has.
pub(super) struct BoundsText {
    latency: Option<Duration>,
    database_latency: Option<Duration>,
    transaction_time: Option<Duration>,
    drift: Option<Share>,
    faults: FaultsText,
}

impl BoundsText {
    /// A question with them, where a fault without a count may happen any number of times, or once
    /// where that is neither proved nor broken.
    ///
    /// # Errors
    ///
    /// The first fault that makes no sense.
    pub(super) fn asked(&self, mut question: Question) -> Result<Question, QuestionError> {
        self.faults.check()?;
        let Bounds { latency, database_latency, transaction_time, drift, faults } =
            &mut question.bounds;
        *latency = self.latency.unwrap_or(*latency);
        *database_latency = self.database_latency.unwrap_or(*database_latency);
        *transaction_time = self.transaction_time.unwrap_or(*transaction_time);
        *drift = self.drift.unwrap_or(*drift);
        self.faults.put_in(faults);
        question.limit(self.faults.without_count());
        Ok(question)
    }
}

impl Question {
    /// Reads a question. A fault without a count may happen any number of times, or once where
    /// that is neither proved nor broken.
    ///
    /// # Errors
    ///
    /// The first validation error, with its path.
    pub fn from_json(text: &str) -> Result<Self, QuestionError> {
        let question = read::<QuestionText>(text)?.question()?;
        question.check()?;
        Ok(question)
    }
}

/// Reads JSON. An error has its path, but no line and column, because a program wrote the text.
pub(in crate::check) fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, QuestionError> {
    scenario::read(text).map_err(|error| QuestionError::new(&error.path, &error.message))
}

impl QuestionText {
    pub(in crate::check) fn question(mut self) -> Result<Question, QuestionError> {
        let question = match self.scenario.take() {
            Some(scenario) => self.of_scenario(&scenario)?,
            None => self.of_settings(),
        };
        let by_storage = self.storage.map(|_| Property::NoWrongWrite);
        self.bounds().asked(Question {
            property: self.property.or(by_storage).unwrap_or(question.property),
            storage: self.storage.or(question.storage),
            grid: self.grid.or(question.grid),
            ..question
        })
    }

    /// The bounds that it gives.
    pub(super) const fn bounds(&self) -> BoundsText {
        BoundsText {
            latency: self.latency,
            database_latency: self.database_latency,
            transaction_time: self.transaction_time,
            drift: self.drift,
            faults: self.faults,
        }
    }

    /// The question where a fault without a count may happen once.
    pub(in crate::check) fn question_with_limits(self) -> Result<Question, QuestionError> {
        let faults = self.faults;
        let mut question = self.question()?;
        for fault in faults.without_count() {
            let count = &mut question.bounds.faults[fault].count;
            *count = (*count).min(Count::UpTo(1));
        }
        Ok(question)
    }

    /// Which settings it gives.
    pub(in crate::check) const fn given(&self) -> Given {
        Given {
            runner: self.runner.is_some(),
            ttl: self.ttl.is_some(),
            retry_interval: self.retry_interval.is_some(),
            property: self.property.is_some(),
        }
    }

    /// True if it says how often a fault may happen.
    pub(in crate::check) fn is_counted(&self, fault: Fault) -> bool {
        self.faults.without_count().all(|it| it != fault)
    }

    /// A question with a scenario takes its clients from the scenario alone.
    fn of_scenario(&self, scenario: &str) -> Result<Question, QuestionError> {
        let in_both = [
            ("runner", self.runner.is_some()),
            ("kind", self.kind.is_some()),
            ("sameOwner", self.same_owner),
            ("ttl", self.ttl.is_some()),
            ("retryInterval", self.retry_interval.is_some()),
            ("margin", self.margin.is_some()),
            ("firstAttemptDeadline", self.first_attempt_deadline.is_some()),
            ("connection", self.connection.is_some()),
            ("ratePpm", self.rate_ppm.is_some()),
            ("clients", self.clients.is_some()),
        ];
        if let Some((field, _)) = in_both.iter().find(|(_, is_set)| *is_set) {
            let message = "the scenario lists the clients; say it there, and leave this out";
            return Err(QuestionError::new(field, message));
        }
        let question = Question::of_scenario(scenario)?;
        let said = scenario::read::<Said>(scenario)?;
        let twice = [
            ("profile", said.profile.is_some() && self.profile.is_some()),
            ("processes", said.processes.is_some() && self.processes.is_some()),
        ];
        if let Some((field, _)) = twice.iter().find(|(_, is_set)| *is_set) {
            let message = "the scenario already has this; leave one of them out";
            return Err(QuestionError::new(field, message));
        }
        Ok(Question {
            profile: self.profile.unwrap_or(question.profile),
            processes: self.processes.unwrap_or(question.processes),
            ..question
        })
    }

    fn of_settings(&mut self) -> Question {
        let shared = ClientText {
            runner: self.runner.take(),
            kind: self.kind,
            ttl: self.ttl,
            retry_interval: self.retry_interval,
            margin: self.margin,
            first_attempt_deadline: self.first_attempt_deadline,
            connection: self.connection,
            rate_ppm: self.rate_ppm,
        };
        let one = shared.client(&shared);
        // No cell of a job of Cloud Foundry wants the presence of another one.
        let is_cell = shared.preset().is_some() && one.kind == ClientKind::Presence;
        let (any_clients, listed) = match self.clients.take() {
            None => (false, vec![ClientText::default(); if is_cell { 1 } else { 2 }]),
            Some(ClientsText::Any) => (true, vec![ClientText::default()]),
            Some(ClientsText::Listed(clients)) => (false, clients),
        };
        let is_shipped = listed.iter().chain([&shared]).any(|it| it.preset().is_some());
        let profile = if is_shipped { Profile::UPSTREAM } else { Profile::DOCUMENTED };
        let owner = self.same_owner.then(|| NAMES[0].to_owned());
        let clients =
            listed.iter().map(|own| ClientQuestion { owner: owner.clone(), ..own.client(&shared) });
        Question {
            profile: self.profile.unwrap_or(profile),
            clients: clients.collect(),
            any_clients,
            processes: self.processes.unwrap_or(1),
            property: match is_cell {
                true => Property::PresenceGap { allow: Duration::ZERO },
                false => Property::OneOwner { allow: Duration::ZERO },
            },
            ..Question::one_owner(one)
        }
    }
}
