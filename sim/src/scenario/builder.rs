//! A scenario made in Rust, for tests that want no JSON.
//!
//! It has the same checks as a text. Names in its errors are those of the text.

use std::fmt;

use super::Clients;
use super::error::shown;
use super::{Action, Client, DatabaseRules, Expectation, Latency, NetworkRules, Scenario, Storage};
use crate::protocol::profile::Profile;
use crate::time::Duration;

/// Makes a [`Scenario`], part by part.
///
/// ```
/// use locket_sim::scenario::{Action, Expectation, Scenario};
/// use locket_sim::settings::LockSettings;
/// use locket_sim::time::DurationExt as _;
///
/// let bbs = LockSettings::new("bbs", "bbs-0");
/// let run = Scenario::builder("the active BBS is paused")
///     .until(1.minutes())
///     .clients([bbs.clone(), bbs.owner("bbs-1")])
///     .at(7.seconds(), Action::pause("bbs-0", 20.seconds()))
///     .expect(Expectation::one_owner("bbs"))
///     .expect(Expectation::held_at(30.seconds(), "bbs", "bbs-1"))
///     .build()?
///     .run();
/// run.assert_passed();
/// # Ok::<(), locket_sim::scenario::BuildError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ScenarioBuilder(Scenario);

/// A validation error of a scenario that was made in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The path to it, as in a scenario's text: `actions[2].node`; empty where there is none.
    pub path: String,
    /// The error, and what is expected.
    pub message: String,
}

impl Scenario {
    /// A scenario with this name, and nothing in it.
    pub fn builder(name: &str) -> ScenarioBuilder {
        ScenarioBuilder(Self {
            schema: None,
            name: name.to_owned(),
            description: String::new(),
            profile: Profile::default(),
            seed: 0,
            random: false,
            overrides: None,
            processes: 1,
            network: NetworkRules::default(),
            database: DatabaseRules::default(),
            storage: None,
            until: Duration::ZERO,
            clients: Clients::default(),
            actions: Vec::new(),
            expect: Vec::new(),
        })
    }
}

impl ScenarioBuilder {
    /// The Locket of the run; by default that of the documents.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.0.profile = profile;
        self
    }

    /// Lets this seed decide latencies, losses and the order of events at one instant.
    pub const fn random(mut self, seed: u64) -> Self {
        self.0.random = true;
        self.0.seed = seed;
        self
    }

    /// How many Locket processes share the database; 1 by default.
    pub const fn processes(mut self, processes: usize) -> Self {
        self.0.processes = processes;
        self
    }

    /// How long each message between a client and Locket takes.
    pub fn latency(mut self, latency: impl Into<Duration>) -> Self {
        self.0.network.latency = Latency::fixed(latency.into());
        self
    }

    /// The storage that holders write to.
    pub const fn storage(mut self, storage: Storage) -> Self {
        self.0.storage = Some(storage);
        self
    }

    /// When the run ends.
    pub fn until(mut self, end: impl Into<Duration>) -> Self {
        self.0.until = end.into();
        self
    }

    /// One more client.
    pub fn client(mut self, client: impl Into<Client>) -> Self {
        let mut client = client.into();
        client.entry.index = self.0.clients.len();
        self.0.clients.list(client, 1);
        self
    }

    /// More clients.
    pub fn clients(self, clients: impl IntoIterator<Item = impl Into<Client>>) -> Self {
        clients.into_iter().fold(self, Self::client)
    }

    /// An action or a fault at a moment.
    pub fn at(mut self, at: impl Into<Duration>, action: Action) -> Self {
        let at = at.into();
        self.0.actions.push(Action { at, ..action });
        self
    }

    /// A condition that must hold.
    pub fn expect(mut self, expectation: Expectation) -> Self {
        self.0.expect.push(expectation);
        self
    }

    /// The scenario.
    ///
    /// # Errors
    ///
    /// The first validation error.
    pub fn build(self) -> Result<Scenario, BuildError> {
        let error = self.0.validation_error(&self.0.nodes());
        match error.or_else(|| self.0.size_error()) {
            None => Ok(self.0),
            Some((path, message)) => Err(BuildError { path: shown(&path), message }),
        }
    }
}

impl fmt::Display for BuildError {
    /// `actions[2].node: no node is named "bbs-7"`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for BuildError {}
