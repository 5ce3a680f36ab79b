//! Metadata of a fault: its name, words, bound and effect on a proof.

use serde::Serialize;

use super::Question;
use crate::environment::happening::Node;
use crate::scenario::ActionKind;

/// Metadata of a fault; its rules are elsewhere.
pub(super) struct Facts {
    /// Its place in a question, whose last part is its name.
    pub(super) field: &'static str,
    /// One of them and several.
    pub(super) nouns: (&'static str, &'static str),
    /// The event, as a sentence.
    pub(super) happens: &'static str,
    pub(super) extent: Extent,
    /// The action of a scenario that is one, unless a message has another fate by it.
    pub(super) action: Option<(ActionKind, On)>,
    pub(super) begins: Begins,
    pub(super) does: &'static [Does],
    /// True if a proof can take any number of it. Think about what of it grows in the state of one
    /// client, and what stands for any number of that ([there](crate::check::explorer)).
    pub(super) without_limit: fn(&Question) -> bool,
    pub(super) among_others: Among,
    pub(super) by_rows: ByRows,
}

/// How much one fault may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A node is down for at most this long. Faults that bring down the same node share the length.
    Down,
    /// It lasts at most this long.
    Lasts,
    /// It loses this many commits.
    Loses,
    /// It is the same each time.
    Same,
}

/// The kind of node that an action is on, or the link between a client and a Locket process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum On {
    Client,
    Database,
    Link,
    Locket,
}

impl On {
    pub(super) const ALL: [Self; 4] = [Self::Client, Self::Database, Self::Link, Self::Locket];

    pub(super) const fn node(node: Node) -> Self {
        match node {
            Node::Client(_) => Self::Client,
            Node::Database => Self::Database,
            Node::Locket(_) => Self::Locket,
        }
    }

    /// The link of a client to a process, or all links of the client.
    pub(super) const fn link(process: Option<u8>) -> Self {
        match process {
            Some(_) => Self::Link,
            None => Self::Client,
        }
    }
}

/// When a fault may begin. An act that can do no more now than later is tried later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Begins {
    /// At any time.
    AtAnyTime,
    /// At any time, on one process after the other.
    InTurn,
    /// At any time at which something can still come of a client.
    WhileActive,
    /// At any time at which the runner of a client has started and not ended.
    WhileAlive,
    /// At any time at which a client has a connection.
    WhileConnected,
    /// At any time at which a client is down or has ended.
    WhileEnded,
    /// While a message is sent, or, for a fault that cuts a link, may be sent.
    WithAMessage,
    /// While a query may arrive at the database.
    WithAQuery,
    /// At any time at which the table has a row.
    WithARow,
    /// While its node has something to do, or gets something to do.
    WithBusiness,
}

/// The effects of a fault that rules of a search depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Does {
    /// Rows change by it, which no process has asked for.
    ChangesRows,
    /// A process ends, and its connections break.
    EndsProcess,
    /// Pings of a client fail.
    FailsPings,
    /// The clock of a client is frozen.
    FreezesClock,
    /// It gives a search that follows the calls at each of several processes many states.
    GrowsWithProcesses,
    /// A process waits for an answer of the database.
    HoldsUpAnswers,
    /// A message between a client and a process is lost while both go on.
    LosesCalls,
    /// A client or a process sends something at once because of it.
    MakesSend,
    /// While it lasts, a client cannot connect to a process.
    PreventsConnections,
}

/// The effect of a fault on one client among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Among {
    /// It happens to one client, or to a message or link of one. That of another client only
    /// decides when rows of others come and go.
    OneClient,
    /// It happens to a process or the database, and to all clients alike.
    All,
    /// It happens to all, and their renewals count for it.
    Commits,
    /// It happens to all, and calls of others may keep it from ending.
    Calls,
    /// It happens to all, and queries of others come between those of one client as it ends.
    Queries,
    /// It is to a row of one client. To that of another, a drop stands for it.
    Row,
}

/// The part of a fault that is left in a search of one client that follows only the rows of Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum ByRows {
    /// Nothing is left to do of it by calls that fail, are late, lost or repeated.
    Calls,
    /// No question with one is asked by rows alone.
    NotAsked,
    /// It is tried: it is the client's own, or to its row.
    Tried,
}

/// The argument of a fault beside its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum FaultArgument {
    /// How long what it brings down is down, at most.
    Downtime,
    /// How long it lasts, at most; without a length it does nothing.
    Length,
    /// How many commits it loses.
    LostCommits,
    /// Nothing.
    None,
}

/// A kind of fault, for a list to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaultKind {
    /// Its name in a question.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub name: &'static str,
    /// Its argument beside its count.
    pub takes: FaultArgument,
    /// One of them.
    pub one: &'static str,
    /// Several of them.
    pub several: &'static str,
}
