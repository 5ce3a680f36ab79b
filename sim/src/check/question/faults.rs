//! The one list of all faults: how often each may happen, and its words.

use super::Question;
use super::bounds::Bounds;
use super::count::Count;
use crate::amounts::{Seconds, count};
use crate::environment::happening::{Act, Node};
use crate::time::Duration;

/// All that there is to say about a fault, but for its rules, which are the explorer's.
struct Facts {
    /// The field of a question that says how often it may happen.
    field: &'static str,
    /// How often it may happen.
    allowed: fn(&Bounds) -> Count,
    /// One of them and several.
    nouns: (&'static str, &'static str),
    extent: Extent,
    /// The event, as a sentence.
    happens: &'static str,
}

/// How much one fault may do.
enum Extent {
    /// A node is down for at most so long.
    Down(fn(&Bounds) -> Duration),
    /// It lasts at most so long.
    Lasts(fn(&Bounds) -> Duration),
    /// It loses so many commits.
    Loses(fn(&Bounds) -> u8),
    /// A message does not arrive.
    Lost,
    /// It is the same each time.
    Same,
}

/// Declares the faults, each with its facts.
macro_rules! faults {
    ($( $fault:ident { $field:literal, $allowed:expr, $nouns:expr, $extent:expr, $happens:literal } )*) => {
        /// A fault that may happen so often.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(in crate::check) enum Fault { $( $fault, )* }

        impl Fault {
            /// All of them, each at the place of its number.
            pub(in crate::check) const ALL: [Self; FAULTS] = [$( Self::$fault, )*];
        }

        /// How many kinds of faults there are.
        pub(in crate::check) const FAULTS: usize = FACTS.len();

        static FACTS: &[Facts] = &[$( Facts {
            field: $field,
            allowed: $allowed,
            nouns: $nouns,
            extent: $extent,
            happens: $happens,
        }, )*];
    };
}

faults! {
    Crash {
        "bounds.crashes",
        |it| it.crashes,
        ("crash", "crashes"),
        Extent::Same,
        "a client crashes"
    }
    DatabaseCrash {
        "bounds.databaseCrashes",
        |it| it.database_crashes,
        ("database crash", "database crashes"),
        Extent::Down(|it| it.database_downtime),
        "the database crashes"
    }
    Disconnect {
        "bounds.disconnects",
        |it| it.disconnects,
        ("broken connection", "broken connections"),
        Extent::Same,
        "the connection of a client breaks"
    }
    Duplicate {
        "bounds.duplicates",
        |it| it.duplicates,
        ("duplicate message", "duplicate messages"),
        Extent::Same,
        "a message arrives twice"
    }
    RowDeletion {
        "bounds.rowDeletions",
        |it| it.row_deletions,
        ("row deleted", "rows deleted"),
        Extent::Same,
        "an operator deletes the row"
    }
    Failover {
        "bounds.failovers",
        |it| it.failovers,
        ("failover", "failovers"),
        Extent::Loses(|it| it.lost_commits),
        "the database fails over"
    }
    LocketCrash {
        "bounds.locketCrashes",
        |it| it.locket_crashes,
        ("Locket crash", "Locket crashes"),
        Extent::Down(|it| it.locket_downtime),
        "a Locket process crashes"
    }
    LocketDrain {
        "bounds.locketDrains",
        |it| it.locket_drains,
        ("Locket drain", "Locket drains"),
        Extent::Down(|it| it.locket_downtime),
        "a Locket process drains"
    }
    LocketPause {
        "bounds.locketPauses",
        |it| it.locket_pauses,
        ("Locket pause", "Locket pauses"),
        Extent::Lasts(|it| it.locket_pause),
        "a Locket process is paused"
    }
    LostMessage {
        "bounds.lostMessages",
        |it| it.lost_messages,
        ("message", "messages"),
        Extent::Lost,
        "a message is lost"
    }
    LostReply {
        "bounds.lostReplies",
        |it| it.lost_replies,
        ("lost database reply", "lost database replies"),
        Extent::Same,
        "an answer of the database is lost"
    }
    Partition {
        "bounds.partitions",
        |it| it.partitions,
        ("partition", "partitions"),
        Extent::Lasts(|it| it.partition),
        "a link is cut"
    }
    Pause {
        "bounds.pauses",
        |it| it.pauses,
        ("pause", "pauses"),
        Extent::Lasts(|it| it.pause),
        "a client is paused"
    }
    Restart {
        "bounds.restarts",
        |it| it.restarts,
        ("restart", "restarts"),
        Extent::Same,
        "a client starts again"
    }
    Stall {
        "bounds.stalls",
        |it| it.stalls,
        ("database stall", "database stalls"),
        Extent::Lasts(|it| it.stall),
        "the database stalls"
    }
    Stop {
        "bounds.stops",
        |it| it.stops,
        ("stop", "stops"),
        Extent::Same,
        "a client receives the stop signal"
    }
    Suspend {
        "bounds.suspends",
        |it| it.suspends,
        ("suspend", "suspends"),
        Extent::Lasts(|it| it.suspend),
        "the machine of a client is suspended"
    }
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
    const fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

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

    /// How often it may happen.
    pub(in crate::check) fn allowed(self, bounds: &Bounds) -> Count {
        (self.facts().allowed)(bounds)
    }

    /// How long one may last, or what it brings down may be down.
    pub(in crate::check) fn longest(self, bounds: &Bounds) -> Duration {
        match self.facts().extent {
            Extent::Down(longest) | Extent::Lasts(longest) => longest(bounds),
            Extent::Loses(_) | Extent::Lost | Extent::Same => Duration::ZERO,
        }
    }

    /// The field of a question that says how often it may happen.
    pub(in crate::check) const fn field(self) -> &'static str {
        self.facts().field
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
            allowed,
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
                let is_longer = longest(has) > longest(may);
                is_longer.then(|| format!("a {one} of {}", Seconds(longest(has))))
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
        let each = match self.facts().extent {
            Extent::Down(longest) => format!(" (down ≤ {})", Seconds(longest(bounds))),
            Extent::Lasts(longest) => format!(" (≤ {})", Seconds(longest(bounds))),
            Extent::Loses(commits) => {
                format!(" (losing {})", count(commits(bounds).into(), "commit"))
            }
            Extent::Lost => " lost".to_owned(),
            Extent::Same => String::new(),
        };
        Some(number + &each)
    }
}
