//! The actions of a scenario: to which node, and when.

use serde::Deserialize;

use super::network::Latency;
use super::share::Share;
use crate::by_name::read_by_name;
use crate::time::{Duration, Time};

/// An action or a fault, once or repeatedly.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::schema::without_null))]
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
    /// How long it lasts; how long a write or a request for a token takes, the storage's
    /// `writeLatency` by default. Without it, a paused or suspended node waits for `resume`, and a link
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
    /// How long a transaction holds its row.
    pub transaction_time: Option<Latency>,
    /// The text of the note.
    pub text: Option<String>,
    /// The key of the row.
    pub key: Option<String>,
    /// The owner.
    pub owner: Option<String>,
    /// The TTL of the row, in whole seconds; 15 s by default.
    pub ttl: Option<Duration>,
    /// True if only the direction from `from` to `to` is affected.
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
pub(super) const fn missing() -> Duration {
    Duration::from_ms(u64::MAX)
}

/// An action: a call, a fault, an operator's command or a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, rename_all = "kebab-case"))]
pub enum ActionKind {
    /// A client's write, or its request for a token, arrives at the storage earlier than by itself. Of
    /// several, the first does.
    Arrive,
    /// A node crashes and loses what it knows; it releases nothing. A database that is down refuses
    /// every query, and keeps its rows.
    Crash,
    /// A link loses every message, for a time or until `heal`, in both directions unless `oneWay`
    /// is true.
    Cut,
    /// An operator deletes the row of a key, unless the database is down.
    DeleteRow,
    /// The connection of a client to its Locket process breaks: what is on its way over it is lost,
    /// and calls under way fail. Of a Locket process: the connections of all its clients.
    Disconnect,
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
    /// A transaction of the database holds its row for another time, for a time or from now on.
    SetTransactionTime,
    /// The database answers no query for a time, unless it is down. A crash ends that.
    Stall,
    /// A node that is down starts. A Locket process starts as soon as the database is up.
    Start,
    /// A client stops in order: its runner releases its key and ends.
    Stop,
    /// A machine is suspended, until `resume` or for a time. Its clock stops.
    Suspend,
    /// A client that acts asks the storage for a token.
    TakeToken,
    /// A client that acts decides on a write to the storage. A pause that has begun at this very
    /// instant holds the write up until it ends.
    Write,
}

read_by_name!(pub ActionKind:
    Arrive Crash Cut DeleteRow Disconnect Drain DropTable FailOver Fetch FetchAll Heal Lock
    LockWithoutResource LoseMessages LoseReplies Note Pause PutRow Release Restart Resume
    SetLatency SetLoss SetTransactionTime Stall Start Stop Suspend TakeToken Write
);

impl ActionKind {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Write as usize + 1;

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
            Self::Pause | Self::Suspend | Self::TakeToken | Self::Write => (&["node"], &["for"]),
            Self::PutRow => (&["key", "owner"], &["ttl"]),
            Self::Restart => (&["node"], &["owner"]),
            Self::SetLatency => (&["from", "to", "latency"], &["for", "oneWay"]),
            Self::SetLoss => (&["from", "to", "loss"], &["for", "oneWay"]),
            Self::SetTransactionTime => (&["transactionTime"], &["for"]),
            Self::Stall => (&["for"], &[]),
            Self::Arrive
            | Self::Crash
            | Self::Disconnect
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

    /// True if something goes wrong by it; else it is what clients do, or says something.
    pub(crate) const fn is_fault(self) -> bool {
        match self {
            Self::Crash
            | Self::Cut
            | Self::DeleteRow
            | Self::Disconnect
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
            | Self::SetTransactionTime
            | Self::Stall
            | Self::Suspend => true,
            Self::Arrive
            | Self::Fetch
            | Self::FetchAll
            | Self::Heal
            | Self::Lock
            | Self::Note
            | Self::Release
            | Self::Resume
            | Self::Start
            | Self::Stop
            | Self::TakeToken
            | Self::Write => false,
        }
    }

    /// True if it is about the storage.
    pub(super) const fn is_of_storage(self) -> bool {
        matches!(self, Self::Arrive | Self::TakeToken | Self::Write)
    }

    /// True if it is a call that a client makes by hand.
    pub(super) const fn is_call(self) -> bool {
        matches!(
            self,
            Self::Fetch | Self::FetchAll | Self::Lock | Self::LockWithoutResource | Self::Release
        )
    }
}

impl Action {
    /// True if it says when it is done.
    pub(crate) fn is_dated(&self) -> bool {
        self.at != missing()
    }

    /// How often it is done.
    pub(crate) fn repetitions(&self) -> u64 {
        match (self.every, self.until) {
            (Some(every), Some(until)) if every > Duration::ZERO => {
                until.as_ms().saturating_sub(self.at.as_ms()) / every.as_ms() + 1
            }
            _ => 1,
        }
    }

    /// The moment of its last repetition.
    pub(crate) fn last(&self) -> Time {
        let every = self.every.unwrap_or_default().as_ms();
        let after_first = every.saturating_mul(self.repetitions() - 1);
        Time::ZERO + self.at + Duration::from_ms(after_first)
    }

    /// When it is done next, after a time at which it is done.
    pub(super) fn repeats_after(&self, time: Time) -> Option<Time> {
        let next = self.every.map(|every| time + every);
        next.filter(|&next| next <= self.last() && next > time)
    }
}
