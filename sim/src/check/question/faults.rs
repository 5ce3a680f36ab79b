//! The one list of all faults. Its file says of a fault how often it may happen and for how long, when it
//! may begin, its words, and which action of a scenario it is. It has the facts for a search and for
//! a proof for any number. Nodes and links know [acts](crate::environment::happening::Act), not faults.

mod crash;
mod database_crash;
mod disconnect;
mod duplicate;
mod failover;
mod isolation;
mod locket_crash;
mod locket_drain;
mod locket_pause;
mod lost_message;
mod lost_reply;
mod partition;
mod pause;
mod restart;
mod row_deletion;
mod stall;
mod stop;
mod suspend;

use serde::Serialize;

use super::Question;
pub(super) use super::fault_facts::Extent;
pub use super::fault_facts::FaultArgument;
pub(in crate::check) use super::fault_facts::{Among, Begins, ByRows, Does, On};
use crate::scenario::ActionKind;

/// All that there is to say about a fault, but for its rules.
struct Facts {
    /// Its place in a question, whose last part is its name.
    field: &'static str,
    /// One of them and several.
    nouns: (&'static str, &'static str),
    /// The event, as a sentence.
    happens: &'static str,
    extent: Extent,
    /// The action of a scenario that is one, unless a message has another fate by it.
    action: Option<(ActionKind, On)>,
    begins: Begins,
    does: &'static [Does],
    /// Whether a proof can take any number of it. Think about what of it grows in the state of one
    /// client, and what stands for any number of that ([there](crate::check::explorer)).
    without_limit: fn(&Question) -> bool,
    among_others: Among,
    by_rows: ByRows,
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

/// Declares the faults, each with its file.
macro_rules! faults {
    ($( $(#[doc = $doc:literal])* $fault:ident: $file:ident )*) => {
        /// A fault that may happen so often. The first sentence of each is its line in a list.
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

            const fn facts(self) -> &'static Facts {
                match self { $( Self::$fault => &$file::FACTS, )* }
            }
        }

        /// How many kinds of faults there are.
        pub(in crate::check) const FAULTS: usize = [$( stringify!($fault) ),*].len();
    };
}

// Words and visits are in this order.
faults! {
    /// A client crashes. Its row stays until the TTL ends.
    Crash: crash
    /// The database crashes. While it is down it refuses every query, and it keeps its rows.
    DatabaseCrash: database_crash
    /// The connection of a client breaks while Locket is up. Messages on their way over it are
    /// lost, and the client knows it at once.
    Disconnect: disconnect
    /// A message arrives twice. The second time is within the longest latency too.
    Duplicate: duplicate
    /// An operator deletes the row.
    RowDeletion: row_deletion
    /// The database fails over to a replica that has not seen the last commits.
    Failover: failover
    /// A client is cut off from all Locket processes at once, as by a fault of its own network. That
    /// begins while none of its links is cut.
    Isolation: isolation
    /// A Locket process crashes. It loses its timers, and its connections break.
    LocketCrash: locket_crash
    /// A Locket process drains, as in a rolling deploy. It accepts no connection, finishes its
    /// calls, stops and starts again. The first process drains first, then the next; each once
    /// the one before it runs again.
    LocketDrain: locket_drain
    /// A Locket process is paused. Its timers do not fire, and what arrives waits.
    LocketPause: locket_pause
    /// A message between a client and a Locket process is lost.
    LostMessage: lost_message
    /// A reply of the database is lost, although the transaction is committed.
    LostReply: lost_reply
    /// The link between a client and a Locket process is cut, in one direction or in both. It
    /// loses its messages. One begins while the link is whole.
    Partition: partition
    /// A client is paused, and may believe meanwhile that it holds the lock.
    Pause: pause
    /// A client that is down or has exited starts again, with the same owner.
    Restart: restart
    /// The database stalls. It answers no query, and afterwards all of them.
    Stall: stall
    /// A client is stopped in order.
    Stop: stop
    /// The machine of a client is suspended, a pause in which its clock is frozen. So the client
    /// does not notice how much time has passed.
    Suspend: suspend
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
