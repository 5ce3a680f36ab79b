//! The one list of all faults. All that a question says of one is in its file: how often it may happen,
//! how long one lasts, its words, and what a proof for any number has to know of it. When it may begin
//! and what it does are the [explorer's](crate::check::explorer).

/// A bound, by the field of a question and the field of the bounds.
macro_rules! bound {
    ($field:literal, $name:ident) => {
        $crate::check::question::faults::Bound {
            field: $field,
            get: |it| it.$name,
            place: |it| &mut it.$name,
        }
    };
}

mod crash;
mod database_crash;
mod disconnect;
mod duplicate;
mod failover;
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

use super::Question;
use super::bounds::Bounds;
use super::count::Count;
use crate::amounts::{Seconds, count};
use crate::environment::happening::{Act, Node};
use crate::scenario::ActionKind;
use crate::time::Duration;

/// All that there is to say about a fault, but for its rules.
struct Facts {
    /// How often it may happen.
    count: Bound<Count>,
    /// One of them and several.
    nouns: (&'static str, &'static str),
    /// The event, as a sentence.
    happens: &'static str,
    extent: Extent,
    /// The action of a scenario on a node that is one.
    action: Option<(ActionKind, On)>,
    begins: Begins,
    /// Whether a client or a process sends something at once because of it.
    makes_send: bool,
    /// Whether a proof can take any number of it. Think about what of it grows in the state of one
    /// client, and what stands for any number of that ([there](crate::check::explorer)).
    without_limit: fn(&Question) -> bool,
    /// Whether it gives a search that follows the calls at each of several processes many states.
    grows_with_processes: bool,
    among_others: Among,
    by_rows: ByRows,
}

/// A bound of a question.
struct Bound<T: 'static> {
    /// Its field.
    field: &'static str,
    get: fn(&Bounds) -> T,
    place: fn(&mut Bounds) -> &mut T,
}

/// How much one fault may do.
enum Extent {
    /// A node is down for at most so long.
    Down(Bound<Duration>),
    /// It lasts at most so long.
    Lasts(Bound<Duration>),
    /// It loses so many commits.
    Loses(fn(&Bounds) -> u8),
    /// A message does not arrive.
    Lost,
    /// It is the same each time.
    Same,
}

/// The kind of node that an action is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Client,
    Database,
    Locket,
}

/// When a fault may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Begins {
    /// At any time.
    AtAnyTime,
    /// At any time at which something can still come of a client.
    WhileActive,
    /// At any time at which the runner of a client has started and not ended.
    WhileAlive,
    /// At any time at which a client has a connection.
    WhileConnected,
    /// At any time at which a client is down or has ended.
    WhileEnded,
    /// Only as something else is due, such as a message. Begun earlier, it can do no more.
    WithAnother,
    /// At any time at which the table has a row.
    WithARow,
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

/// Declares the faults, each with its file.
macro_rules! faults {
    ($( $fault:ident: $file:ident )*) => {
        /// A fault that may happen so often.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(in crate::check) enum Fault { $( $fault, )* }

        impl Fault {
            /// All of them, each at the place of its number.
            pub(in crate::check) const ALL: [Self; FAULTS] = [$( Self::$fault, )*];

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
    Crash: crash
    DatabaseCrash: database_crash
    Disconnect: disconnect
    Duplicate: duplicate
    RowDeletion: row_deletion
    Failover: failover
    LocketCrash: locket_crash
    LocketDrain: locket_drain
    LocketPause: locket_pause
    LostMessage: lost_message
    LostReply: lost_reply
    Partition: partition
    Pause: pause
    Restart: restart
    Stall: stall
    Stop: stop
    Suspend: suspend
}

impl Question {
    /// The acts that are faults which it allows.
    pub(in crate::check) fn allowed_acts(&self) -> Vec<(Act, Fault)> {
        let with_fault = |act| Fault::of(act).map(|fault| (act, fault));
        let acts = Act::all(self.counts()).into_iter().filter_map(with_fault);
        acts.filter(|(_, fault)| fault.allowed(&self.bounds) > 0)
            .collect()
    }
}

impl Fault {
    /// The fault of a search that an act is, unless it ends one.
    pub(in crate::check) const fn of(act: Act) -> Option<Self> {
        Some(match act {
            Act::Crash(Node::Client(_)) => Self::Crash,
            Act::Crash(Node::Database) => Self::DatabaseCrash,
            Act::Crash(Node::Locket(_)) => Self::LocketCrash,
            Act::Cut { .. } => Self::Partition,
            Act::DeleteRow(_) => Self::RowDeletion,
            Act::Disconnect(_) => Self::Disconnect,
            Act::Drain(_) => Self::LocketDrain,
            Act::FailOver => Self::Failover,
            Act::Heal { .. }
            | Act::Pause(Node::Database)
            | Act::Start(Node::Database | Node::Locket(_)) => return None,
            Act::Pause(Node::Client(_)) => Self::Pause,
            Act::Pause(Node::Locket(_)) => Self::LocketPause,
            Act::Stall => Self::Stall,
            Act::Start(Node::Client(_)) => Self::Restart,
            Act::Stop(_) => Self::Stop,
            Act::Suspend(_) => Self::Suspend,
        })
    }

    /// The fault that an action of a scenario is.
    pub(super) fn of_action(kind: ActionKind, on: On) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.facts().action == Some((kind, on)))
    }

    /// How often it may happen.
    pub(in crate::check) fn allowed(self, bounds: &Bounds) -> Count {
        (self.facts().count.get)(bounds)
    }

    /// How long one may last, or what it brings down may be down.
    pub(in crate::check) fn longest(self, bounds: &Bounds) -> Duration {
        match &self.facts().extent {
            Extent::Down(longest) | Extent::Lasts(longest) => (longest.get)(bounds),
            Extent::Loses(_) | Extent::Lost | Extent::Same => Duration::ZERO,
        }
    }

    /// The bound of how often it may happen.
    pub(in crate::check) fn count(self, bounds: &mut Bounds) -> &mut Count {
        (self.facts().count.place)(bounds)
    }

    /// Whether what it brings down has to start again.
    pub(super) const fn ends_by_start(self) -> bool {
        matches!(self.facts().extent, Extent::Down(_))
    }

    /// The bound of how long one may last, or what it brings down may be down.
    pub(super) fn length(self, bounds: &mut Bounds) -> Option<&mut Duration> {
        match &self.facts().extent {
            Extent::Down(longest) | Extent::Lasts(longest) => Some((longest.place)(bounds)),
            Extent::Loses(_) | Extent::Lost | Extent::Same => None,
        }
    }

    /// Whether a proof can take any number of it.
    pub(in crate::check) fn can_be_without_limit(self, question: &Question) -> bool {
        (self.facts().without_limit)(question)
    }

    /// Whether it gives a search that follows the calls at each of several processes many states.
    pub(super) const fn grows_with_processes(self) -> bool {
        self.facts().grows_with_processes
    }

    /// When it may begin.
    pub(in crate::check) const fn begins(self) -> Begins {
        self.facts().begins
    }

    /// Whether a client or a process sends something at once because of it.
    pub(in crate::check) const fn makes_send(self) -> bool {
        self.facts().makes_send
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

    /// The field of a question that says how often it may happen.
    pub(in crate::check) const fn field(self) -> &'static str {
        self.facts().count.field
    }

    /// One of them and several.
    pub(in crate::check) const fn nouns(self) -> (&'static str, &'static str) {
        self.facts().nouns
    }

    /// The event, as a sentence.
    pub(in crate::check) const fn happens(self) -> &'static str {
        self.facts().happens
    }

    /// How much more of it some bounds allow than others, as the subject of a sentence; nothing if
    /// no more.
    pub(in crate::check) fn beyond(self, has: &Bounds, may: &Bounds) -> Option<String> {
        let Facts {
            count: Bound { get: allowed, .. },
            nouns: (one, several),
            extent,
            ..
        } = self.facts();
        let lost = if matches!(extent, Extent::Lost) {
            " lost"
        } else {
            ""
        };
        match (allowed(has), allowed(may)) {
            (Count::UpTo(has), Count::UpTo(may)) if has > may => {
                let more = has - may;
                let noun = if more == 1 { one } else { several };
                return Some(format!("{more} {noun}{lost}"));
            }
            (Count::Any, Count::UpTo(_)) => return Some(format!("more {several}{lost}")),
            (Count::UpTo(_) | Count::Any, _) => {}
        }
        if allowed(has) == 0 {
            return None;
        }
        match extent {
            Extent::Down(longest) | Extent::Lasts(longest) => {
                let (has, may) = ((longest.get)(has), (longest.get)(may));
                (has > may).then(|| format!("a {one} of {}", Seconds(has)))
            }
            Extent::Loses(commits) => (commits(has) > commits(may)).then(|| {
                format!(
                    "a {one} that loses {}",
                    count(commits(has).into(), "commit")
                )
            }),
            Extent::Lost | Extent::Same => None,
        }
    }

    /// How often it may happen, in words; nothing if never.
    pub(in crate::check) fn words(self, bounds: &Bounds) -> Option<String> {
        let number = self.allowed(bounds);
        let (one, several) = self.facts().nouns;
        let number = (number > 0).then(|| number.words(one, several))?;
        let each = match &self.facts().extent {
            Extent::Down(longest) => format!(" (down ≤ {})", Seconds((longest.get)(bounds))),
            Extent::Lasts(longest) => format!(" (≤ {})", Seconds((longest.get)(bounds))),
            Extent::Loses(commits) => {
                format!(" (losing {})", count(commits(bounds).into(), "commit"))
            }
            Extent::Lost => " lost".to_owned(),
            Extent::Same => String::new(),
        };
        Some(number + &each)
    }
}
