//! What there is to say about a fault: the kinds of facts, and what follows from those of one.

use serde::Serialize;

use super::Question;
use super::faults::Fault;
use crate::environment::happening::Node;
use crate::scenario::ActionKind;

/// All that there is to say about a fault, but for its rules.
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
    /// Whether a proof can take any number of it. Think about what of it grows in the state of one
    /// client, and what stands for any number of that ([there](crate::check::explorer)).
    pub(super) without_limit: fn(&Question) -> bool,
    pub(super) among_others: Among,
    pub(super) by_rows: ByRows,
}

/// How much one fault may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A node is down for at most so long. Faults that bring the same down share the length.
    Down,
    /// It lasts at most so long.
    Lasts,
    /// It loses so many commits.
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
    /// As a message is sent, and what cuts a link as one may be.
    WithAMessage,
    /// As a query may arrive at the database.
    WithAQuery,
    /// At any time at which the table has a row.
    WithARow,
    /// As its node has something to do, or gets it to do.
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

impl Fault {
    /// The action of a scenario that is one.
    pub(super) const fn action(self) -> Option<(ActionKind, On)> {
        self.facts().action
    }

    /// How much one may do.
    pub(super) const fn extent(self) -> Extent {
        self.facts().extent
    }

    /// Whether it lasts for a time of its own.
    pub(in crate::check) fn lasts(self) -> bool {
        self.extent() == Extent::Lasts
    }

    /// Whether what it brings down has to start again.
    pub(super) fn ends_by_start(self) -> bool {
        self.extent() == Extent::Down
    }

    /// The kind of node that it brings down.
    pub(super) fn brings_down(self) -> Option<On> {
        let on = self.action().map(|(_, on)| on);
        on.filter(|_| self.ends_by_start())
    }

    /// Whether a proof can take any number of it.
    pub(in crate::check) fn can_be_without_limit(self, question: &Question) -> bool {
        (self.facts().without_limit)(question)
    }

    /// When it may begin.
    pub(in crate::check) const fn begins(self) -> Begins {
        self.facts().begins
    }

    /// Whether it does something.
    pub(in crate::check) fn does(self, what: Does) -> bool {
        self.facts().does.contains(&what)
    }

    /// Those that do something.
    pub(in crate::check) fn that(does: Does) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |it| it.does(does))
    }

    /// Its effect on one client among others.
    pub(in crate::check) const fn among_others(self) -> Among {
        self.facts().among_others
    }

    /// Whether it also depends on clients with other keys: a process that drains waits for their calls,
    /// and a failover may lose their commits instead.
    pub(in crate::check) const fn depends_on_other_keys(self) -> bool {
        match self.facts().among_others {
            Among::Calls | Among::Commits => true,
            Among::OneClient | Among::All | Among::Queries | Among::Row => false,
        }
    }

    /// The part of it that is left where only the rows of Locket are followed.
    pub(in crate::check) const fn by_rows(self) -> ByRows {
        self.facts().by_rows
    }

    /// Its place in a question.
    pub(in crate::check) const fn field(self) -> &'static str {
        self.facts().field
    }

    /// The argument that it takes beside its count.
    pub(crate) const fn takes(self) -> FaultArgument {
        match self.extent() {
            Extent::Down => FaultArgument::Downtime,
            Extent::Lasts => FaultArgument::Length,
            Extent::Loses => FaultArgument::LostCommits,
            Extent::Same => FaultArgument::None,
        }
    }

    /// All of them, for a list to choose from.
    pub(super) fn kinds() -> Vec<FaultKind> {
        let kind = |fault: Self| {
            let (one, several) = fault.nouns();
            let (name, takes) = (fault.name(), fault.takes());
            FaultKind { name, takes, one, several }
        };
        Self::ALL.map(kind).to_vec()
    }

    /// Its name in a question.
    pub(crate) fn name(self) -> &'static str {
        self.field().trim_start_matches("faults.")
    }

    /// One of them and several.
    pub(in crate::check) const fn nouns(self) -> (&'static str, &'static str) {
        self.facts().nouns
    }

    /// The event, as a sentence.
    pub(in crate::check) const fn happens(self) -> &'static str {
        self.facts().happens
    }
}
