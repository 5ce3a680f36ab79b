//! The settings of one lock or presence: the same value starts a runner at a reference server, and
//! is what a question asks about.

use crate::check::{ClientQuestion, Question};
use crate::protocol::runner::RunnerSettings;
use crate::scenario::{Client, ClientKind, RUNNER_DEFAULT, RunnerKind};
use crate::time::Duration;

/// The settings of a runner that keeps a lock or a presence.
///
/// The defaults are a TTL of 15 s, a retry interval of 5 s, and the safe runner.
///
/// ```
/// use locket_sim::scenario::RunnerKind;
/// use locket_sim::settings::LockSettings;
/// use locket_sim::time::DurationExt as _;
///
/// let bbs = LockSettings::new("bbs", "bbs-0").runner(RunnerKind::Upstream).ttl(30.seconds());
/// let standby = bbs.clone().owner("bbs-1");
/// let cell = LockSettings::presence("cell-7", "cell-7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct LockSettings(Client);

impl LockSettings {
    /// A lock, and who wants it.
    pub fn new(key: &str, owner: &str) -> Self {
        Self(Client { runner: Some(RUNNER_DEFAULT), ..Client::new(owner, key) })
    }

    /// A presence, and who is present. Its runner never gives up: after a loss it goes on trying.
    pub fn presence(key: &str, owner: &str) -> Self {
        let mut settings = Self::new(key, owner);
        settings.0.kind = ClientKind::Presence;
        settings
    }

    /// The same for another owner.
    pub fn owner(mut self, owner: &str) -> Self {
        owner.clone_into(&mut self.0.name);
        self
    }

    /// A text that Locket stores with the key.
    pub fn value(mut self, value: &str) -> Self {
        value.clone_into(&mut self.0.value);
        self
    }

    /// How long the row lives, in whole seconds.
    pub fn ttl(mut self, ttl: impl Into<Duration>) -> Self {
        self.0.ttl = ttl.into();
        self
    }

    /// The time between the attempts.
    pub fn retry_interval(mut self, interval: impl Into<Duration>) -> Self {
        self.0.retry_interval = Some(interval.into());
        self
    }

    /// Which runner keeps it.
    pub fn runner(mut self, runner: RunnerKind) -> Self {
        self.0.runner = Some(runner);
        self
    }

    /// How long before the row can expire a safe runner stops.
    pub fn margin(mut self, margin: impl Into<Duration>) -> Self {
        self.0.margin = Some(margin.into());
        self
    }

    /// The settings of the runner itself.
    pub fn runner_settings(&self) -> RunnerSettings {
        self.0.runner_settings(self.0.owner())
    }

    /// Whether two clients with these settings can ever believe at the same time that they hold the
    /// lock, if each message takes up to 1 s. Set `bounds` and `property` to ask for more.
    pub fn question(&self) -> Question {
        Question::one_owner(ClientQuestion {
            kind: self.0.kind,
            margin: self.0.margin,
            ..ClientQuestion::new(self.0.kind_of_runner().clone(), self.0.ttl, self.0.interval())
        })
    }
}
