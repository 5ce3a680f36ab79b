//! A question: the settings of clients, the bounds of faults, and a property.

pub(super) mod any_number;
pub(super) mod axis;
pub(super) mod bounds;
pub(super) mod bounds_words;
pub(super) mod clients_text;
pub(super) mod count;
mod drift;
mod fault_facts;
pub(super) mod fault_in_bounds;
pub(super) mod faults;
pub(super) mod faults_text;
pub(super) mod grid;
pub(super) mod limits;
pub(super) mod local;
pub(super) mod of_run;
pub(super) mod outside;
pub(super) mod owners;
mod preset;
pub(super) mod property;
pub(super) mod run_faults;
pub(super) mod run_links;
pub(super) mod run_question;
pub(super) mod storage;
pub(super) mod text;
pub(super) mod visible;

use std::fmt;

use crate::amounts::Seconds;
use crate::node::ConnectionKind;
use crate::protocol::profile::Profile;
use crate::protocol::resource::TypeCode;
use crate::protocol::runner::RunnerSettings;
use crate::scenario::{Client, ClientKind, Clock, RunnerKind, ScenarioError};
use crate::time::Duration;
use bounds::Bounds;
use drift::DRIFT_MAX;
use faults::{Does, Fault};
use limits::{CLIENTS_MAX, FAULT_COUNT_MAX, KEY, PROCESSES_MAX, TIME_MAX, UNITS_MAX};
use outside::Outside;
pub use property::Property;
use storage::StorageQuestion;

/// A question about settings, answered by trying every schedule; see the [module](super).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Which Locket it is.
    pub profile: Profile,
    /// The runners that want the same key, 1 to [`CLIENTS_MAX`]. Client `i` prefers the Locket
    /// process `i` modulo their number.
    pub clients: Vec<ClientQuestion>,
    /// True if there are any number of clients of each of these settings, and any of them may prefer
    /// any process. Then a proof is asked, and no schedule is searched.
    pub any_clients: bool,
    /// The property.
    pub property: Property,
    /// The storage that holders write to, for [`Property::NoWrongWrite`].
    pub storage: Option<StorageQuestion>,
    /// The bounds of faults.
    pub bounds: Bounds,
    /// The faults that were given without a count, of which one is allowed where any number is neither
    /// proved nor broken.
    pub uncounted: Vec<Fault>,
    /// The step of time at which messages arrive and faults begin and end. Left out, it divides
    /// every setting and bound, which makes the answer exact; a coarser one gives a
    /// [preview](Question::is_preview).
    pub grid: Option<Duration>,
    /// How many Locket processes there are, 1 to [`PROCESSES_MAX`].
    pub processes: usize,
    /// The parts of its scenario or run that no search tries; see [`Self::of_run`].
    pub outside: Vec<Outside>,
}

/// A runner that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientQuestion {
    /// Which runner it is.
    pub runner: RunnerKind,
    /// Whether it wants a lock or a presence.
    pub kind: ClientKind,
    /// The owner string that it presents; by default no other client presents the same. Two
    /// clients with the same one are one owner to Locket, which then refuses neither.
    pub owner: Option<String>,
    /// Its TTL, whole seconds.
    pub ttl: Duration,
    /// How long it waits between attempts.
    pub retry_interval: Duration,
    /// By how much the safe runner shortens its lease; by default 1 s from a TTL of 10 s on,
    /// see [`default_margin`](crate::protocol::runner::default_margin).
    pub margin: Option<Duration>,
    /// True if the first attempt has a deadline too, as upstream's has not.
    pub first_attempt_deadline: bool,
    /// How it connects; by default as the program of its runner does.
    pub connection: Option<ConnectionKind>,
    /// How many microseconds a second its clock gains; negative if it is slow.
    pub rate_ppm: i32,
}

/// How long a message may take where a question does not say.
const DELAY_DEFAULT: Duration = Duration::from_seconds(1);

impl ClientQuestion {
    /// A lock runner.
    pub const fn new(runner: RunnerKind, ttl: Duration, retry_interval: Duration) -> Self {
        Self {
            runner,
            kind: ClientKind::Lock,
            owner: None,
            ttl,
            retry_interval,
            margin: None,
            first_attempt_deadline: false,
            connection: None,
            rate_ppm: 0,
        }
    }

    const fn ttl_in_seconds(&self) -> i64 {
        (self.ttl.as_ms() / 1000) as i64
    }

    /// The client as a scenario has it, under a name that is also its owner.
    pub(super) fn client(&self, name: &str) -> Client {
        Client {
            kind: self.kind,
            ttl: self.ttl,
            retry_interval: Some(self.retry_interval),
            runner: Some(self.runner.clone()),
            margin: self.margin,
            first_attempt_deadline: self.first_attempt_deadline,
            connection: self.connection,
            clock: Clock { offset: Duration::ZERO, rate_ppm: self.rate_ppm },
            ..Client::new(name, KEY)
        }
    }

    /// The settings of its runner, for an owner that does not matter.
    pub(super) fn runner_settings(&self) -> RunnerSettings {
        self.client("").runner_settings("")
    }
}

impl Question {
    /// Whether two runners of the same settings can ever believe at once that they hold the lock,
    /// on a Locket as documented, if each message takes up to a second and nothing goes wrong.
    pub fn one_owner(client: ClientQuestion) -> Self {
        Self {
            profile: Profile::DOCUMENTED,
            clients: vec![client.clone(), client],
            any_clients: false,
            property: Property::OneOwner { allow: Duration::ZERO },
            storage: None,
            bounds: Bounds { latency: DELAY_DEFAULT, ..Bounds::default() },
            uncounted: Vec::new(),
            grid: None,
            processes: 1,
            outside: Vec::new(),
        }
    }

    /// The name of the profile in a scenario, if it has one.
    pub(super) fn profile_name(&self) -> Option<&'static str> {
        let presets = [(Profile::DOCUMENTED, "documented"), (Profile::UPSTREAM, "upstream")];
        let preset = presets.iter().find(|(preset, _)| *preset == self.profile);
        preset.map(|(_, name)| *name)
    }

    /// True if the clients can change places without anything changing.
    pub(super) fn is_symmetric(&self) -> bool {
        self.clients.len() == 2 && self.clients[0] == self.clients[1] && self.processes == 1
    }

    /// True if polls can find anything new.
    pub(super) fn polls_matter(&self) -> bool {
        self.processes > 1
            || self.bounds.end_processes()
            || self.bounds.part_process_and_database()
            || self.bounds.allow_any_that(Does::ChangesRows)
    }

    pub(super) fn type_code(&self) -> TypeCode {
        match self.clients[0].kind {
            ClientKind::Lock => TypeCode::Lock,
            ClientKind::Presence => TypeCode::Presence,
        }
    }

    /// The TTL of each client.
    pub(super) fn ttls_in_seconds(&self) -> Vec<i64> {
        let clients = self.clients.iter();
        clients.map(ClientQuestion::ttl_in_seconds).collect()
    }

    /// True if a client backs off, and something may keep it from connecting.
    pub(super) fn has_back_off(&self) -> bool {
        self.clients.iter().any(|it| self.backs_off(it))
    }

    /// The same of this client.
    pub(super) fn backs_off(&self, client: &ClientQuestion) -> bool {
        self.bounds.allow_any_that(Does::PreventsConnections)
            && self.connection(client) == ConnectionKind::Grpc
    }

    /// How a client connects.
    pub(super) fn connection(&self, client: &ClientQuestion) -> ConnectionKind {
        client.connection.unwrap_or_else(|| client.runner.connection(&self.profile))
    }

    /// True if a clock has a rate of its own, so that its timers are due between the instants of
    /// the search.
    pub(super) fn has_rates(&self) -> bool {
        self.clients.iter().any(|client| client.rate_ppm != 0)
    }

    /// The first thing that is wrong with the question.
    ///
    /// # Errors
    ///
    /// The kind of error.
    pub fn check(&self) -> Result<(), QuestionError> {
        let wrong = |field: &str, message: &str| Err(QuestionError::new(field, message));
        if !(1..=CLIENTS_MAX).contains(&self.clients.len()) {
            return wrong("clients", &format!("expected 1 to {CLIENTS_MAX}"));
        }
        if !(1..=PROCESSES_MAX).contains(&self.processes) {
            return wrong("processes", &format!("expected 1 to {PROCESSES_MAX}"));
        }
        if self.profile_name().is_none() {
            return wrong("profile", "expected documented or upstream");
        }
        self.check_grid()?;
        for client in &self.clients {
            if client.ttl == Duration::ZERO || !client.ttl.as_ms().is_multiple_of(1000) {
                return wrong("ttl", "expected whole seconds, at least 1");
            }
            if client.retry_interval == Duration::ZERO {
                return wrong("retryInterval", "expected more than 0");
            }
            if let Err(message) = client.runner.check_times(client.ttl, client.retry_interval) {
                return wrong("runner", &message);
            }
            let first = &self.clients[0];
            if client.kind != first.kind {
                let message = "expected clients of one kind; ask about each kind by itself";
                return wrong("kind", message);
            }
            // The TTL of a row follows from its owner.
            if client.ttl != first.ttl && self.owners().are_shared() {
                let message = format!(
                    "clients have {} and {}, but those of one owner have one TTL; ask about each by \
                     itself",
                    Seconds(first.ttl),
                    Seconds(client.ttl)
                );
                return wrong("ttl", &message);
            }
            if !(-900_000..=9_000_000).contains(&client.rate_ppm) {
                return wrong("ratePpm", "expected -900000 to 9000000");
            }
        }
        self.check_storage()?;
        self.check_counts()?;
        if self.bounds.drift.per_mille() > DRIFT_MAX {
            return wrong("drift", "expected at most 50%");
        }
        self.check_times()?;
        self.check_any_number()
    }

    pub(super) fn check_grid(&self) -> Result<(), QuestionError> {
        if self.grid == Some(Duration::ZERO) {
            return Err(QuestionError::new("grid", "expected more than 0"));
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), QuestionError> {
        let mut counts = Fault::ALL
            .iter()
            .map(|it| (it.field(), it.allowed(&self.bounds).limit().unwrap_or_default()));
        let too_many = counts.find(|(_, count)| *count > FAULT_COUNT_MAX);
        match too_many {
            Some((field, count)) => {
                let message = format!("expected at most {FAULT_COUNT_MAX}, not {count}");
                Err(QuestionError::new(field, &message))
            }
            None => Ok(()),
        }
    }

    fn check_times(&self) -> Result<(), QuestionError> {
        let own = [("grid", self.grid()), ("property", self.property.bound())];
        let faults = Fault::ALL.into_iter().map(|it| (it.field(), self.lasts(it)));
        let mut times = self.given_times();
        times.extend(faults.chain(own));
        let Some((field, longest)) = times.into_iter().max_by_key(|(_, time)| *time) else {
            return Ok(());
        };
        let wrong = |message: String| Err(QuestionError::new(field, &message));
        if longest > TIME_MAX {
            return wrong(format!("expected at most {TIME_MAX}, not {longest}"));
        }
        let unit = self.unit_ms();
        if longest.as_ms() / unit > u64::from(UNITS_MAX) {
            let most = Duration::from_ms(unit * u64::from(UNITS_MAX));
            return wrong(format!(
                "expected at most {most} where all times are multiples of no more than {unit}ms"
            ));
        }
        Ok(())
    }
}

/// Why a question cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionError {
    /// The path of the value, such as `faults.pause`; empty where there is none.
    pub field: String,
    /// The message: what is wrong, and what was expected.
    pub message: String,
    /// The validation error of the question's scenario, if the error is there.
    pub in_scenario: Option<ScenarioError>,
}

impl QuestionError {
    pub(super) fn new(field: &str, message: &str) -> Self {
        Self { field: field.to_owned(), message: message.to_owned(), in_scenario: None }
    }
}

impl From<ScenarioError> for QuestionError {
    fn from(error: ScenarioError) -> Self {
        Self { in_scenario: Some(error.clone()), ..Self::new("scenario", &error.to_string()) }
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for QuestionError {}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// One whose messages take no time.
    pub(in crate::check) fn question(retry_ms: u64) -> Question {
        let retry_interval = Duration::from_ms(retry_ms);
        let ttl = Duration::from_seconds(15);
        Question {
            bounds: Bounds::default(),
            ..Question::one_owner(ClientQuestion::new(RunnerKind::Upstream, ttl, retry_interval))
        }
    }
}
