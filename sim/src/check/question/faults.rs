//! The one list of all faults: of each its words, when it may begin, which action of a scenario it is,
//! how much one may do, and the facts for a search and for a proof for any number. Nodes and links know
//! [acts](crate::environment::happening::Act), not faults.

use super::Question;
pub(super) use super::fault_facts::Extent;
use super::fault_facts::Facts;
pub(in crate::check) use super::fault_facts::{Among, Begins, ByRows, Does, On};
pub use super::fault_facts::{FaultArgument, FaultKind};
use crate::environment::acts::{Act, Store};
use crate::scenario::ActionKind;

/// Declares the faults: the facts that each has to say, and those that differ from the usual.
macro_rules! faults {
    ($( $(#[doc = $doc:literal])* $fault:ident {
        field: $field:literal, nouns: $nouns:expr, happens: $happens:literal, begins: $begins:expr,
        $($more:tt)*
    } )*) => {
        /// A fault that a question can allow. The first sentence of each is its line in a list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault { $( $(#[doc = $doc])* $fault, )* }

        impl Fault {
            /// All of them, each at the place of its number.
            pub const ALL: [Self; FAULTS] = [$( Self::$fault, )*];

            /// Its meaning.
            #[cfg(feature = "schema")]
            pub(crate) fn meaning(self) -> String {
                match self { $( Self::$fault => [$($doc.trim_start()),*].join("\n"), )* }
            }

            pub(super) const fn facts(self) -> &'static Facts {
                match self { $( Self::$fault => &const { Facts {
                    field: $field, nouns: $nouns, happens: $happens, begins: $begins,
                    $($more)*
                    ..USUAL
                } }, )* }
            }
        }

        /// How many kinds of faults there are.
        pub(in crate::check) const FAULTS: usize = [$( stringify!($fault) ),*].len();
    };
}

/// The facts of most faults. A proof can take any number: nothing of it grows, or one begins only as
/// the one before is over ([there](crate::check::explorer::any_count)).
const USUAL: Facts = Facts {
    field: "",
    nouns: ("", ""),
    happens: "",
    begins: Begins::AtAnyTime,
    extent: Extent::Same,
    action: None,
    does: &[],
    without_limit: |_| true,
    among_others: Among::OneClient,
    by_rows: ByRows::Calls,
};

const CUTS_LINKS: &[Does] =
    &[Does::FailsPings, Does::GrowsWithProcesses, Does::LosesCalls, Does::PreventsConnections];

const ENDS_PROCESS: &[Does] =
    &[Does::EndsProcess, Does::GrowsWithProcesses, Does::MakesSend, Does::PreventsConnections];

// Words and visits are in this order.
faults! {
    /// A client crashes. Its row stays until the TTL ends.
    Crash {
        field: "faults.crash",
        nouns: ("crash", "crashes"),
        happens: "a client crashes",
        begins: Begins::WhileActive,
        action: Some((ActionKind::Crash, On::Client)),
        by_rows: ByRows::Tried,
    }

    /// The database crashes. While it is down it refuses every query, and it keeps its rows.
    DatabaseCrash {
        field: "faults.databaseCrash",
        nouns: ("database crash", "database crashes"),
        happens: "the database crashes",
        begins: Begins::WithBusiness,
        extent: Extent::Down,
        action: Some((ActionKind::Crash, On::Database)),
        does: &[Does::GrowsWithProcesses, Does::PreventsConnections],
        // A process that is paused or down executes no query of others.
        among_others: Among::All,
    }

    /// The connection of a client breaks while Locket is up. Messages on their way over it are
    /// lost, and the client knows it at once.
    Disconnect {
        field: "faults.disconnect",
        nouns: ("broken connection", "broken connections"),
        happens: "the connection of a client breaks",
        begins: Begins::WhileConnected,
        action: Some((ActionKind::Disconnect, On::Client)),
        does: &[Does::GrowsWithProcesses],
    }

    /// A message arrives twice. The second time is within the longest latency too.
    Duplicate {
        field: "faults.duplicate",
        nouns: ("duplicate message", "duplicate messages"),
        happens: "a message arrives twice",
        begins: Begins::WithAMessage,
    }

    /// An operator deletes the row.
    RowDeletion {
        field: "faults.rowDeletion",
        nouns: ("row deleted", "rows deleted"),
        happens: "an operator deletes the row",
        begins: Begins::WithARow,
        action: Some((ActionKind::DeleteRow, On::Database)),
        does: &[Does::ChangesRows],
        among_others: Among::Row,
        by_rows: ByRows::Tried,
    }

    /// The database fails over to a replica that has not seen the last commits.
    Failover {
        field: "faults.failover",
        nouns: ("failover", "failovers"),
        happens: "the database fails over",
        begins: Begins::AtAnyTime,
        extent: Extent::Loses,
        action: Some((ActionKind::FailOver, On::Database)),
        does: &[Does::ChangesRows],
        among_others: Among::Commits,
        by_rows: ByRows::NotAsked,
    }

    /// A client is cut off from all Locket processes at once, as by a fault of its own network. That
    /// begins while none of its links is cut.
    Isolation {
        field: "faults.isolation",
        nouns: ("isolation", "isolations"),
        happens: "a client is cut off from all Locket processes",
        begins: Begins::WithAMessage,
        extent: Extent::Lasts,
        action: Some((ActionKind::Cut, On::Client)),
        does: CUTS_LINKS,
    }

    /// A Locket process crashes. It loses its timers, and its connections break.
    LocketCrash {
        field: "faults.locketCrash",
        nouns: ("Locket crash", "Locket crashes"),
        happens: "a Locket process crashes",
        begins: Begins::AtAnyTime,
        extent: Extent::Down,
        action: Some((ActionKind::Crash, On::Locket)),
        does: ENDS_PROCESS,
        // A process that is paused or down executes no query of others.
        among_others: Among::All,
    }

    /// A Locket process drains, as in a rolling deploy. It accepts no connection, finishes its
    /// calls, stops and starts again. The first process drains first, then the next; each once
    /// the one before it runs again.
    LocketDrain {
        field: "faults.locketDrain",
        nouns: ("Locket drain", "Locket drains"),
        happens: "a Locket process drains",
        begins: Begins::InTurn,
        extent: Extent::Down,
        action: Some((ActionKind::Drain, On::Locket)),
        does: ENDS_PROCESS,
        among_others: Among::Calls,
    }

    /// A Locket process is paused. Its timers do not fire, and what arrives waits.
    LocketPause {
        field: "faults.locketPause",
        nouns: ("Locket pause", "Locket pauses"),
        happens: "a Locket process is paused",
        begins: Begins::WithBusiness,
        extent: Extent::Lasts,
        action: Some((ActionKind::Pause, On::Locket)),
        does: &[Does::FailsPings, Does::GrowsWithProcesses, Does::HoldsUpAnswers],
        // A process that is paused or down executes no query of others.
        among_others: Among::All,
    }

    /// A message between a client and a Locket process is lost.
    LostMessage {
        field: "faults.lostMessage",
        nouns: ("message lost", "messages lost"),
        happens: "a message is lost",
        begins: Begins::WithAMessage,
        does: &[Does::LosesCalls],
    }

    /// A reply of the database is lost, although the transaction is committed.
    LostReply {
        field: "faults.lostReply",
        nouns: ("lost database reply", "lost database replies"),
        happens: "an answer of the database is lost",
        begins: Begins::WithAMessage,
        does: &[Does::GrowsWithProcesses, Does::HoldsUpAnswers],
        // Calls of others that wait for it are those that keep a process from ending its drain.
    }

    /// The link between a client and a Locket process is cut, in one direction or in both. It
    /// loses its messages. One begins while the link is whole.
    Partition {
        field: "faults.partition",
        nouns: ("partition", "partitions"),
        happens: "a link is cut",
        begins: Begins::WithAMessage,
        extent: Extent::Lasts,
        action: Some((ActionKind::Cut, On::Link)),
        does: CUTS_LINKS,
    }

    /// A client is paused, and may believe meanwhile that it holds the lock.
    Pause {
        field: "faults.pause",
        nouns: ("pause", "pauses"),
        happens: "a client is paused",
        begins: Begins::WithBusiness,
        extent: Extent::Lasts,
        action: Some((ActionKind::Pause, On::Client)),
        by_rows: ByRows::Tried,
    }

    /// A client that is down or has exited starts again, with the same owner.
    Restart {
        field: "faults.restart",
        nouns: ("restart", "restarts"),
        happens: "a client starts again",
        begins: Begins::WhileEnded,
        action: Some((ActionKind::Start, On::Client)),
        does: &[Does::GrowsWithProcesses, Does::MakesSend],
        // Late calls of all lives count, which help only their client where no commit can be lost.
        without_limit: |it| {
            Fault::Failover.allowed(&it.bounds).is_never() && it.property.asks_for_last_owner()
        },
        by_rows: ByRows::Tried,
    }

    /// The connection of a client is slow for a while. A message that is sent over it meanwhile takes
    /// up to that time longer. Pings are answered as usual.
    SlowConnection {
        field: "faults.slowConnection",
        nouns: ("slow connection", "slow connections"),
        happens: "the connection of a client is slow",
        begins: Begins::WhileActive,
        extent: Extent::Lasts,
        action: Some((ActionKind::SetLatency, On::Client)),
        // Only its messages are late, not those of all calls.
        by_rows: ByRows::NotAsked,
    }

    /// The database stalls. It answers no query, and afterwards all of them.
    Stall {
        field: "faults.stall",
        nouns: ("database stall", "database stalls"),
        happens: "the database stalls",
        begins: Begins::WithAQuery,
        extent: Extent::Lasts,
        action: Some((ActionKind::Stall, On::Database)),
        does: &[Does::GrowsWithProcesses, Does::HoldsUpAnswers],
        among_others: Among::Queries,
    }

    /// A client is stopped in order.
    Stop {
        field: "faults.stop",
        nouns: ("stop", "stops"),
        happens: "a client receives the stop signal",
        begins: Begins::WhileAlive,
        action: Some((ActionKind::Stop, On::Client)),
        does: &[Does::MakesSend],
        by_rows: ByRows::Tried,
    }

    /// The machine of a client is suspended, a pause in which its clock is frozen. So the client
    /// does not notice how much time has passed.
    Suspend {
        field: "faults.suspend",
        nouns: ("suspend", "suspends"),
        happens: "the machine of a client is suspended",
        begins: Begins::WhileActive,
        extent: Extent::Lasts,
        action: Some((ActionKind::Suspend, On::Client)),
        does: &[Does::FreezesClock],
        // No step is exact.
        without_limit: |_| false,
        by_rows: ByRows::Tried,
    }
}

impl Fault {
    /// The fault of a search that an act is, unless it ends one.
    pub(in crate::check) const fn of(act: Act) -> Option<Self> {
        let (kind, on) = act.action();
        Self::of_action(kind, on)
    }

    /// The fault that an action of a scenario is.
    pub(in crate::check) const fn of_action(kind: ActionKind, on: On) -> Option<Self> {
        BY_ACTION[kind as usize][on as usize]
    }

    /// The action of a scenario that is one.
    pub(super) const fn action(self) -> Option<(ActionKind, On)> {
        self.facts().action
    }

    /// How much one may do.
    pub(super) const fn extent(self) -> Extent {
        self.facts().extent
    }

    /// True if it lasts for a time of its own.
    pub(in crate::check) fn lasts(self) -> bool {
        self.extent() == Extent::Lasts
    }

    /// True if what it brings down has to start again.
    pub(super) fn ends_by_start(self) -> bool {
        self.extent() == Extent::Down
    }

    /// The kind of node that it brings down.
    pub(super) fn brings_down(self) -> Option<On> {
        let on = self.action().map(|(_, on)| on);
        on.filter(|_| self.ends_by_start())
    }

    /// True if a proof can take any number of it.
    pub(in crate::check) fn can_be_without_limit(self, question: &Question) -> bool {
        (self.facts().without_limit)(question)
    }

    /// When it may begin.
    pub(in crate::check) const fn begins(self) -> Begins {
        self.facts().begins
    }

    /// True if it does something.
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

    /// True if it also depends on clients with other keys: a process that drains waits for their calls,
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

/// The fault that an action is, by the numbers of both: a search asks often.
static BY_ACTION: [[Option<Fault>; On::ALL.len()]; ActionKind::COUNT] = {
    let mut faults = [[None; On::ALL.len()]; ActionKind::COUNT];
    let mut number = 0;
    while number < FAULTS {
        let fault = Fault::ALL[number];
        if let Some((kind, on)) = fault.action() {
            faults[kind as usize][on as usize] = Some(fault);
        }
        number += 1;
    }
    faults
};

impl Act {
    /// The action of a scenario that it is.
    pub(in crate::check) const fn action(self) -> (ActionKind, On) {
        match self {
            Self::Crash(node) => (ActionKind::Crash, On::node(node)),
            Self::Cut { process, .. } => (ActionKind::Cut, On::link(process)),
            Self::DeleteRow => (ActionKind::DeleteRow, On::Database),
            Self::Disconnect(_) => (ActionKind::Disconnect, On::Client),
            Self::Drain(_) => (ActionKind::Drain, On::Locket),
            Self::FailOver => (ActionKind::FailOver, On::Database),
            Self::Heal { process, .. } => (ActionKind::Heal, On::link(process)),
            Self::Pause(node) => (ActionKind::Pause, On::node(node)),
            Self::Slow(_) => (ActionKind::SetLatency, On::Client),
            Self::Stall => (ActionKind::Stall, On::Database),
            Self::Start(node) => (ActionKind::Start, On::node(node)),
            Self::Store { what, .. } => {
                let kind = match what {
                    Store::Arrive => ActionKind::Arrive,
                    Store::TakeToken => ActionKind::TakeToken,
                    Store::Write => ActionKind::Write,
                };
                (kind, On::Client)
            }
            Self::Stop(_) => (ActionKind::Stop, On::Client),
            Self::Suspend(_) => (ActionKind::Suspend, On::Client),
        }
    }
}
