//! The actions of a scenario: to which node, and when.

use serde::Deserialize;

use super::network::Latency;
use super::nodes::{ClientByName, Node, Nodes};
use super::share::Share;
use crate::time::{Duration, Time};

/// An action or a fault, once or repeatedly.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(transform = crate::schema::without_null)
)]
pub struct Action {
    /// When it happens first, from the start of the run.
    #[serde(default = "missing")]
    pub at: Duration,
    /// The action.
    #[serde(rename = "do")]
    pub kind: ActionKind,
    /// The node: a client's name, `locket-0`, `locket` for all Locket processes, or `database`.
    pub node: Option<String>,
    /// One end of the link: a node.
    pub from: Option<String>,
    /// The other end of the link: a node.
    pub to: Option<String>,
    /// How long it lasts. Without it, a paused or suspended node waits for `resume`, and a link
    /// stays as it is until the next change. After it, a link is as it was before.
    #[serde(rename = "for")]
    pub duration: Option<Duration>,
    /// How many messages or replies are lost; 1 message by default.
    pub count: Option<u32>,
    /// How many commits are lost.
    pub lost_commits: Option<u32>,
    /// The new latency of the link.
    pub latency: Option<Latency>,
    /// The share of messages that the link loses.
    pub loss: Option<Share>,
    /// The text of the note.
    pub text: Option<String>,
    /// The key of the row.
    pub key: Option<String>,
    /// The owner.
    pub owner: Option<String>,
    /// The TTL of the row, in whole seconds; 15 s by default.
    pub ttl: Option<Duration>,
    /// Whether only the direction from `from` to `to` is affected.
    pub one_way: Option<bool>,
    /// How many events of that instant happen before it. By default it happens after all events
    /// that no action causes.
    pub after: Option<u32>,
    /// The interval of repetitions.
    pub every: Option<Duration>,
    /// The end of repetitions, from the start of the run.
    pub until: Option<Duration>,
}

/// The moment of an action without one: an action from outside happens now.
const fn missing() -> Duration {
    Duration::from_ms(u64::MAX)
}

/// An action: a call, a fault, an operator's command or a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum ActionKind {
    /// A node crashes and loses what it knows; it releases nothing. A database that is down refuses
    /// every query, and keeps its rows.
    Crash,
    /// A link loses every message, for a time or until `heal`, in both directions unless `oneWay`
    /// is true.
    Cut,
    /// An operator deletes the row of a key.
    DeleteRow,
    /// A Locket process stops in order: it accepts no connection and finishes its calls.
    Drain,
    /// An operator drops the table.
    DropTable,
    /// The database fails over to a replica that lacks its last `lostCommits` commits.
    FailOver,
    /// A client reads the owner of its key.
    Fetch,
    /// A client lists all resources of its kind.
    FetchAll,
    /// A link that was cut carries messages again.
    Heal,
    /// A client takes or renews its key.
    Lock,
    /// A client sends a Lock request without a resource, as no library does.
    LockWithoutResource,
    /// A link loses its next messages, in the direction from `from` to `to` unless `oneWay` is false.
    LoseMessages,
    /// The database commits its next transactions, and their replies are lost.
    LoseReplies,
    /// The author comments on this moment.
    Note,
    /// A node is paused, until `resume` or for a time. Its clock runs on.
    Pause,
    /// An operator writes the row of a key.
    PutRow,
    /// A client releases its key.
    Release,
    /// A node crashes and starts again at once, a client perhaps with another owner.
    Restart,
    /// A paused or suspended node continues.
    Resume,
    /// A link gets another latency, for a time or from now on, in both directions unless `oneWay` is true.
    SetLatency,
    /// A link loses another share of its messages, for a time or from now on, in both directions unless `oneWay` is true.
    SetLoss,
    /// The database answers no query for a time.
    Stall,
    /// A node that is down starts.
    Start,
    /// A client stops in order: its runner releases its key and ends.
    Stop,
    /// A machine is suspended, until `resume` or for a time. Its clock stops.
    Suspend,
}

/// An optional member of an action, and whether it is there.
type Member = (&'static str, bool);

impl ActionKind {
    /// Its name in a scenario.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Cut => "cut",
            Self::DeleteRow => "delete-row",
            Self::Drain => "drain",
            Self::DropTable => "drop-table",
            Self::FailOver => "fail-over",
            Self::Fetch => "fetch",
            Self::FetchAll => "fetch-all",
            Self::Heal => "heal",
            Self::Lock => "lock",
            Self::LockWithoutResource => "lock-without-resource",
            Self::LoseMessages => "lose-messages",
            Self::LoseReplies => "lose-replies",
            Self::Note => "note",
            Self::Pause => "pause",
            Self::PutRow => "put-row",
            Self::Release => "release",
            Self::Restart => "restart",
            Self::Resume => "resume",
            Self::SetLatency => "set-latency",
            Self::SetLoss => "set-loss",
            Self::Stall => "stall",
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Suspend => "suspend",
        }
    }

    /// The members that an action needs, and those that it may have.
    pub(super) const fn members(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Cut => (&["from", "to"], &["for", "oneWay"]),
            Self::Heal => (&["from", "to"], &["oneWay"]),
            Self::DeleteRow => (&["key"], &[]),
            Self::DropTable => (&[], &[]),
            Self::FailOver => (&["lostCommits"], &[]),
            Self::LoseMessages => (&["from", "to"], &["count", "oneWay"]),
            Self::LoseReplies => (&["count"], &[]),
            Self::Note => (&["text"], &[]),
            Self::Pause | Self::Suspend => (&["node"], &["for"]),
            Self::PutRow => (&["key", "owner"], &["ttl"]),
            Self::Restart => (&["node"], &["owner"]),
            Self::SetLatency => (&["from", "to", "latency"], &["for", "oneWay"]),
            Self::SetLoss => (&["from", "to", "loss"], &["for", "oneWay"]),
            Self::Stall => (&["for"], &[]),
            Self::Crash
            | Self::Drain
            | Self::Fetch
            | Self::FetchAll
            | Self::Lock
            | Self::LockWithoutResource
            | Self::Release
            | Self::Resume
            | Self::Start
            | Self::Stop => (&["node"], &[]),
        }
    }

    /// Whether something goes wrong by it; else it is what clients do, or says something.
    pub(super) const fn is_fault(self) -> bool {
        match self {
            Self::Crash
            | Self::Cut
            | Self::DeleteRow
            | Self::Drain
            | Self::DropTable
            | Self::FailOver
            | Self::LockWithoutResource
            | Self::LoseMessages
            | Self::LoseReplies
            | Self::Pause
            | Self::PutRow
            | Self::Restart
            | Self::SetLatency
            | Self::SetLoss
            | Self::Stall
            | Self::Suspend => true,
            Self::Fetch
            | Self::FetchAll
            | Self::Heal
            | Self::Lock
            | Self::Note
            | Self::Release
            | Self::Resume
            | Self::Start
            | Self::Stop => false,
        }
    }

    /// Whether it is a call that a client makes by hand.
    pub(super) const fn is_call(self) -> bool {
        matches!(
            self,
            Self::Fetch | Self::FetchAll | Self::Lock | Self::LockWithoutResource | Self::Release
        )
    }
}

/// Actions for a [scenario in Rust](super::ScenarioBuilder), which says when they happen.
impl Action {
    /// An action without members; set those that its kind needs.
    pub const fn new(kind: ActionKind) -> Self {
        Self {
            at: missing(),
            kind,
            node: None,
            from: None,
            to: None,
            duration: None,
            count: None,
            lost_commits: None,
            latency: None,
            loss: None,
            text: None,
            key: None,
            owner: None,
            ttl: None,
            one_way: None,
            after: None,
            every: None,
            until: None,
        }
    }

    /// A node crashes and loses what it knows.
    pub fn crash(node: &str) -> Self {
        Self::of(ActionKind::Crash, node)
    }

    /// The link between two nodes loses every message for a time.
    pub fn cut(from: &str, to: &str, duration: impl Into<Duration>) -> Self {
        Self {
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
            duration: Some(duration.into()),
            ..Self::new(ActionKind::Cut)
        }
    }

    /// A client that is no runner takes or renews its key.
    pub fn lock(client: &str) -> Self {
        Self::of(ActionKind::Lock, client)
    }

    /// A node is paused for a time. Its clock runs on.
    pub fn pause(node: &str, duration: impl Into<Duration>) -> Self {
        Self {
            duration: Some(duration.into()),
            ..Self::of(ActionKind::Pause, node)
        }
    }

    /// A client that is no runner releases its key.
    pub fn release(client: &str) -> Self {
        Self::of(ActionKind::Release, client)
    }

    /// A node crashes and starts again at once.
    pub fn restart(node: &str) -> Self {
        Self::of(ActionKind::Restart, node)
    }

    /// The database answers no query for a time.
    pub fn stall(duration: impl Into<Duration>) -> Self {
        Self {
            duration: Some(duration.into()),
            ..Self::new(ActionKind::Stall)
        }
    }

    /// A node that is down starts.
    pub fn start(node: &str) -> Self {
        Self::of(ActionKind::Start, node)
    }

    /// A client stops in order: its runner releases its key and ends.
    pub fn stop(client: &str) -> Self {
        Self::of(ActionKind::Stop, client)
    }

    fn of(kind: ActionKind, node: &str) -> Self {
        Self {
            node: Some(node.to_owned()),
            ..Self::new(kind)
        }
    }
}

impl Action {
    /// Whether it says when it is done.
    pub(crate) fn is_dated(&self) -> bool {
        self.at != missing()
    }

    /// How often it is done.
    pub(super) fn repetitions(&self) -> u64 {
        match (self.every, self.until) {
            (Some(every), Some(until)) if every > Duration::ZERO => {
                until.as_ms().saturating_sub(self.at.as_ms()) / every.as_ms() + 1
            }
            _ => 1,
        }
    }

    /// The moment of its last repetition.
    pub(super) fn last(&self) -> Time {
        let every = self.every.unwrap_or_default().as_ms();
        let after_first = every.saturating_mul(self.repetitions() - 1);
        Time::ZERO + self.at + Duration::from_ms(after_first)
    }

    /// When it is done next, after a time at which it is done.
    pub(super) fn repeats_after(&self, time: Time) -> Option<Time> {
        let next = self.every.map(|every| time + every);
        next.filter(|&next| next <= self.last() && next > time)
    }

    /// Its validation error, if it has one: the field and a message.
    pub(crate) fn validation_error(&self, nodes: &Nodes) -> Option<(&'static str, String)> {
        if self.at == missing() {
            return Some(("at", "missing field `at`".to_owned()));
        }
        self.member_error()
            .or_else(|| self.node_error(nodes))
            .or_else(|| self.value_error())
            .or_else(|| self.repetition_error())
    }

    /// A member that is missing, or one that means nothing here.
    fn member_error(&self) -> Option<(&'static str, String)> {
        let (needed, allowed) = self.kind.members();
        for (name, is_there) in self.members() {
            if needed.contains(&name) && !is_there {
                return Some((
                    name,
                    format!("missing; this action needs {}", needed.join(", ")),
                ));
            }
            if is_there && !needed.contains(&name) && !allowed.contains(&name) {
                let known = [needed, allowed].concat().join(", ");
                let known = if known.is_empty() {
                    "no members".to_owned()
                } else {
                    known
                };
                return Some((
                    name,
                    format!("means nothing to this action; it takes: {known}"),
                ));
            }
        }
        None
    }

    const fn members(&self) -> [Member; 13] {
        [
            ("node", self.node.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("for", self.duration.is_some()),
            ("count", self.count.is_some()),
            ("lostCommits", self.lost_commits.is_some()),
            ("latency", self.latency.is_some()),
            ("loss", self.loss.is_some()),
            ("text", self.text.is_some()),
            ("key", self.key.is_some()),
            ("owner", self.owner.is_some()),
            ("ttl", self.ttl.is_some()),
            ("oneWay", self.one_way.is_some()),
        ]
    }

    fn node_error(&self, nodes: &Nodes) -> Option<(&'static str, String)> {
        for (field, name) in [("node", &self.node), ("from", &self.from), ("to", &self.to)] {
            if let Some(name) = name
                && nodes.resolve(name).is_empty()
            {
                return Some((
                    field,
                    format!("no node is named {name:?}; there are {}", nodes.names()),
                ));
            }
        }
        let name = self.node.as_deref()?;
        let of_kind = self.kind_error(nodes.resolve(name).first(), nodes, name);
        of_kind.or_else(|| self.owner_error(&nodes.clients_named(name)))
    }

    /// Whether it is for nodes of another kind.
    fn kind_error(
        &self,
        node: Option<&Node>,
        nodes: &Nodes,
        name: &str,
    ) -> Option<(&'static str, String)> {
        let wrong = |field, message: &str| Some((field, message.to_owned()));
        match (self.kind, node?) {
            (kind, Node::Client(client)) if kind.is_call() && nodes.is_runner(*client) => {
                let why =
                    "is a runner and makes its own calls; leave out its retryInterval and runner";
                wrong("node", &format!("{name} {why}"))
            }
            (kind, Node::Database | Node::Process(_)) if kind.is_call() => {
                wrong("node", "only a client makes calls")
            }
            (ActionKind::Drain, Node::Client(_)) => wrong(
                "do",
                "only a Locket process drains; a client stops: use `stop`",
            ),
            (ActionKind::Drain | ActionKind::Stop, Node::Database) => {
                wrong("do", "the database has no stop in order; use `crash`")
            }
            (ActionKind::Stop, Node::Process(_)) => wrong(
                "do",
                "only a client stops; a Locket process drains: use `drain`",
            ),
            _ => None,
        }
    }

    fn owner_error(&self, clients: &[ClientByName]) -> Option<(&'static str, String)> {
        if self.kind != ActionKind::Restart || self.owner.is_none() {
            return None;
        }
        match clients {
            [] => Some(("owner", "only a client has an owner".into())),
            [_] => None,
            _ => Some((
                "owner",
                "several clients would have one owner; restart them one by one".into(),
            )),
        }
    }

    fn value_error(&self) -> Option<(&'static str, String)> {
        if self
            .ttl
            .is_some_and(|ttl| !ttl.as_ms().is_multiple_of(1000))
        {
            return Some((
                "ttl",
                "expected whole seconds: Locket has no fractions".into(),
            ));
        }
        let latency = self.latency.as_ref().and_then(Latency::validation_error);
        latency.map(|message| ("latency", message))
    }

    fn repetition_error(&self) -> Option<(&'static str, String)> {
        let wrong = |field, message: &str| Some((field, message.to_owned()));
        match (self.every, self.until) {
            (Some(Duration::ZERO), _) => wrong("every", "expected more than 0"),
            (Some(_), None) => wrong(
                "until",
                "missing; `every` needs the moment of the last repetition",
            ),
            (None, Some(_)) => wrong(
                "every",
                "missing; `until` needs the interval of the repetitions",
            ),
            (Some(_), Some(until)) if until < self.at => {
                wrong("until", "expected a moment not before `at`")
            }
            _ => None,
        }
    }
}
