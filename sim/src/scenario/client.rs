//! Who takes part in a scenario.

use std::fmt;
use std::sync::Arc;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::by_name::read_by_name;
use crate::node::ConnectionKind;
use crate::node::clock::NodeClock;
use crate::protocol::message::Request;
use crate::protocol::profile::{ExpiryRule, Profile};
use crate::protocol::resource::{Resource, TypeCode};
use crate::protocol::runner::{CLOUD_CONTROLLER_TTL, OwnRule, Rule, RunnerSettings};
use crate::time::Duration;
use crate::world::ClientSettings;

use super::action::ActionKind;
use super::entry::Entry;

/// A client of Locket. With a `retryInterval` or a `runner` it is a runner, which takes its key and
/// renews it. Any other client makes only the calls among the actions. The settings of
/// `acquire` fit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ScenarioClient", transform = crate::schema::without_null))]
pub struct Client {
    /// Its name; no other node may have it.
    pub name: String,
    /// How many clients this entry stands for. In `name`, `key`, `owner` and `value`, `{i}` is
    /// the number of the client, from 0. The name with its `{i}` names all of them in actions.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = super::CLIENTS_MAX)))]
    pub count: Option<u32>,
    /// The kind of resource that it takes.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("default" = "lock")))]
    pub kind: ClientKind,
    /// Its key.
    pub key: String,
    /// Its owner in Locket; its name by default.
    pub owner: Option<String>,
    /// The value that it stores with the key.
    #[serde(default)]
    pub value: String,
    /// How long its row lives, in whole seconds. After a crash, other owners wait this long.
    #[serde(default = "default_ttl")]
    pub ttl: Duration,
    /// The time between the attempts of its runner. The default is the smaller of 5 s and a third
    /// of `ttl` − `margin`, rounded down to whole seconds or tenths.
    pub retry_interval: Option<Duration>,
    /// Its runner, by name or as a rule of its own; `safe` by default.
    #[cfg_attr(feature = "schema", schemars(with = "Option<RunnerChoice>"))]
    pub runner: Option<RunnerKind>,
    /// How long before the row can expire a safe runner stops. The default is 1 s (500 ms for a
    /// TTL below 10 s, 250 ms below 5 s, 100 ms below 3 s).
    pub margin: Option<Duration>,
    /// True if the first attempt has a deadline like the others; upstream's has none.
    #[serde(default)]
    pub first_attempt_deadline: bool,
    /// How it connects: `grpc` by default for the runners of Cloud Foundry on an `upstream` Locket,
    /// else `fetch`.
    pub connection: Option<ConnectionKind>,
    /// When its runner starts.
    #[serde(default)]
    pub start_at: Duration,
    /// The time between the starts of the clients that one entry stands for.
    #[serde(default)]
    pub start_every: Duration,
    /// How many events of that instant happen before the runner starts. By default it starts after
    /// all events that no action causes.
    pub start_after: Option<u32>,
    /// The index of the Locket process that it prefers.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = super::PROCESSES_MAX - 1)))]
    pub process: usize,
    /// The clock of its machine.
    #[serde(default)]
    pub clock: Clock,
    /// The entry that it comes from.
    #[serde(skip)]
    pub(crate) entry: Entry,
}

/// The kind of resource that a client takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, rename_all = "kebab-case"))]
pub enum ClientKind {
    /// A lock.
    #[default]
    Lock,
    /// A presence, which says that the client is alive.
    Presence,
}

read_by_name!(pub ClientKind: Lock Presence);

/// The runner that keeps a lock or a presence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RunnerName", rename_all = "kebab-case")
)]
pub enum RunnerKind {
    /// The Cloud Controller's loop, with a TTL of 15 s and a retry interval of 1 s.
    CloudController,
    /// Counts its lease from the moment it sends each request, and stops when the lease ends,
    /// whatever happens to the network or the process; only a suspend stops its clock. It tolerates
    /// one failed attempt.
    Safe,
    /// Locket's own runner today. It learns of a loss only from a failed attempt, so it may still
    /// believe that it holds the lock when another owner does. Any failure ends a lock.
    Upstream,
    /// Locket's own runner before October 2025, in which an attempt may take a whole TTL.
    #[cfg_attr(feature = "schema", schemars(rename = "upstream-before-2025-10"))]
    UpstreamBefore202510,
    /// A rule of its own.
    #[cfg_attr(feature = "schema", schemars(skip))]
    Rule(Arc<OwnRule>),
}

/// A runner as JSON has it.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its schema is of use")]
pub(crate) enum RunnerChoice {
    Name(RunnerKind),
    Rule(Rule),
}

impl RunnerKind {
    /// What it does.
    pub fn rule(&self) -> Rule {
        match self {
            Self::CloudController => Rule::cloud_controller(),
            Self::Safe => Rule::safe(),
            Self::Upstream => Rule::upstream(),
            Self::UpstreamBefore202510 => Rule::upstream_before_2025_10(),
            Self::Rule(own) => own.rule(),
        }
    }

    /// How a client with this runner connects that does not say it: the shipped Locket is called by
    /// jobs of Cloud Foundry over grpc-go, and this package follows the safe runner and rules.
    pub(crate) const fn connection(&self, locket: &Profile) -> ConnectionKind {
        match (self, locket.expiry) {
            (Self::Safe | Self::Rule(_), _) | (_, ExpiryRule::Exact) => ConnectionKind::Fetch,
            (_, ExpiryRule::UpstreamTimers) => ConnectionKind::Grpc,
        }
    }

    /// Refuses times that a runner of this kind cannot have.
    ///
    /// # Errors
    ///
    /// The Cloud Controller's program or a rule fixes times, and these are others.
    pub(crate) fn check_times(
        &self,
        ttl: Duration,
        retry_interval: Duration,
    ) -> Result<(), String> {
        self.check_ttl(ttl).and_then(|()| self.rule().check_retry_interval(retry_interval))
    }

    /// Refuses a TTL that a runner of this kind cannot have.
    ///
    /// # Errors
    ///
    /// The Cloud Controller's program fixes it.
    pub fn check_ttl(&self, ttl: Duration) -> Result<(), String> {
        if *self == Self::CloudController && ttl != CLOUD_CONTROLLER_TTL {
            return Err(format!("the Cloud Controller's TTL is {CLOUD_CONTROLLER_TTL}"));
        }
        Ok(())
    }

    /// The kinds that have a name in a scenario.
    pub const ALL: [(Self, &str); 4] = [
        (Self::CloudController, "cloud-controller"),
        (Self::Safe, "safe"),
        (Self::Upstream, "upstream"),
        (Self::UpstreamBefore202510, "upstream-before-2025-10"),
    ];

    /// The kind of this name in a scenario.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "cloud-controller" => Self::CloudController,
            "safe" => Self::Safe,
            "upstream" => Self::Upstream,
            "upstream-before-2025-10" => Self::UpstreamBefore202510,
            _ => return None,
        })
    }

    /// As scenarios have it.
    #[inline(never)]
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).expect("all of it has a text")
    }

    /// Its name in a scenario, or that of its rule.
    pub fn name(&self) -> &str {
        match self {
            Self::CloudController => "cloud-controller",
            Self::Safe => "safe",
            Self::Upstream => "upstream",
            Self::UpstreamBefore202510 => "upstream-before-2025-10",
            Self::Rule(own) => &own.name,
        }
    }
}

impl Serialize for RunnerKind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let Self::Rule(own) = self { own.serialize(to) } else { self.name().serialize(to) }
    }
}

impl<'de> Deserialize<'de> for RunnerKind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(RunnerVisitor)
    }
}

/// Reads the name of a runner, or a rule.
pub(crate) struct RunnerVisitor;

impl<'de> Visitor<'de> for RunnerVisitor {
    type Value = RunnerKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a runner, or a rule")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<RunnerKind, E> {
        const NAMES: &[&str] = &["cloud-controller", "safe", "upstream", "upstream-before-2025-10"];
        RunnerKind::named(name).ok_or_else(|| E::unknown_variant(name, NAMES))
    }

    fn visit_map<A: MapAccess<'de>>(self, rule: A) -> Result<RunnerKind, A::Error> {
        Ok(RunnerKind::Rule(Arc::new(OwnRule::read(rule)?)))
    }
}

/// The clock of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScenarioClock"))]
pub struct Clock {
    /// How far ahead the clock is.
    #[serde(default)]
    pub offset: Duration,
    /// How many microseconds the clock gains each second; negative for a slow clock.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(range(min = crate::node::clock::RATE_PPM_MIN, max = crate::node::clock::RATE_PPM_MAX))
    )]
    pub rate_ppm: i32,
}

/// The runner of a client that names none.
pub(crate) const RUNNER_DEFAULT: RunnerKind = RunnerKind::Safe;

/// The TTL of a client that names none.
pub(crate) const TTL_DEFAULT: Duration = Duration::from_seconds(15);

const fn default_ttl() -> Duration {
    TTL_DEFAULT
}

impl Client {
    /// A client that takes a lock and makes only the calls among the actions. Its name is its
    /// owner.
    pub fn new(name: &str, key: &str) -> Self {
        let (name, key) = (name.to_owned(), key.to_owned());
        Self { name, key, ttl: TTL_DEFAULT, ..Self::default() }
    }

    /// True if it acts by itself.
    pub const fn is_runner(&self) -> bool {
        self.retry_interval.is_some() || self.runner.is_some()
    }

    /// The owner it presents.
    pub fn owner(&self) -> &str {
        self.owner.as_deref().unwrap_or(&self.name)
    }

    /// How this client starts in a world with this Locket.
    pub(super) fn settings(&self, locket: &Profile) -> ClientSettings {
        let default = match self.is_runner() {
            true => self.kind_of_runner().connection(locket),
            false => ConnectionKind::Fetch,
        };
        ClientSettings {
            runner: self.is_runner().then(|| self.runner_settings(self.owner()).into()),
            prefers: self.process,
            connection: self.connection.unwrap_or(default),
            clock: NodeClock::new(self.clock.offset, self.clock.rate_ppm),
        }
    }

    /// The runner that it is, if it is one.
    pub(crate) fn kind_of_runner(&self) -> &RunnerKind {
        self.runner.as_ref().unwrap_or(&RUNNER_DEFAULT)
    }

    /// How long its runner waits between attempts.
    pub(crate) fn interval(&self) -> Duration {
        let default = || self.kind_of_runner().rule().default_retry_interval(self.ttl, self.margin);
        self.retry_interval.unwrap_or_else(default)
    }

    /// The settings of its runner if it presents `owner`.
    pub(crate) fn runner_settings(&self, owner: &str) -> RunnerSettings {
        let resource = self.resource(owner);
        let rule = self.kind_of_runner().rule();
        let mut settings =
            RunnerSettings::new(resource, self.ttl_in_seconds(), self.interval(), rule);
        if let Some(margin) = self.margin {
            settings.shorten_lease(margin);
        }
        if self.first_attempt_deadline {
            settings.limit_first_attempt();
        }
        match self.kind {
            ClientKind::Lock => settings,
            ClientKind::Presence => settings.presence(),
        }
    }

    /// The request of this client for an action; `None` for an action that is no call.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other actions are no calls")]
    pub(super) fn request(&self, kind: ActionKind) -> Option<Request> {
        let resource = || Some(self.resource(self.owner()));
        match kind {
            ActionKind::Fetch => Some(Request::Fetch { key: self.key.clone() }),
            ActionKind::FetchAll => {
                Some(Request::FetchAll { type_name: String::new(), type_code: self.type_code() })
            }
            ActionKind::Lock => {
                Some(Request::Lock { resource: resource(), ttl_in_seconds: self.ttl_in_seconds() })
            }
            ActionKind::LockWithoutResource => {
                Some(Request::Lock { resource: None, ttl_in_seconds: self.ttl_in_seconds() })
            }
            ActionKind::Release => Some(Request::Release { resource: resource() }),
            _ => None,
        }
    }

    /// How much of a trace its texts fill in each call, in bytes: the request and the row hold them.
    pub(super) fn trace_size(&self) -> u64 {
        (self.name.len() + 2 * (self.key.len() + self.owner().len() + self.value.len())) as u64
    }

    /// How many calls its runners make in `span`, or fewer.
    pub(super) fn attempts(&self, span: Duration) -> u64 {
        if !self.is_runner() {
            return 0;
        }
        let settings = self.runner_settings("");
        let interval = settings.retry_interval.min(settings.renewal_interval()).as_ms().max(1);
        span.as_ms() / interval + 1
    }

    fn resource(&self, owner: &str) -> Resource {
        Resource {
            key: self.key.clone(),
            owner: owner.to_owned(),
            value: self.value.clone(),
            type_name: String::new(),
            type_code: self.type_code(),
        }
    }

    const fn type_code(&self) -> TypeCode {
        match self.kind {
            ClientKind::Lock => TypeCode::Lock,
            ClientKind::Presence => TypeCode::Presence,
        }
    }

    fn ttl_in_seconds(&self) -> i64 {
        i64::try_from(self.ttl.as_ms() / 1000).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_one_attempt_may_fail() {
        let interval = |seconds, margin| {
            let ttl = Duration::from_seconds(seconds);
            Rule::safe().default_retry_interval(ttl, margin).as_ms()
        };
        let defaults = [1, 3, 15, 60].map(|seconds| interval(seconds, None));
        assert_eq!(defaults, [300, 1_000, 5_000, 5_000]);
        assert_eq!(interval(14, None), 4_000);
        assert_eq!(interval(15, Some(Duration::from_seconds(9))), 2_000);
    }
}
