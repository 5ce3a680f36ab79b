//! The coverage of a search: the events in it, and the states of its runners.

use serde::Serialize;

use crate::check::explorer::Explorer;
use crate::check::explorer::moves::{Fates, Move};
use crate::check::question::bounds::Fault;
use crate::check::steps::clients::ClientFacts;
use crate::environment::happening::{Act, Due, Happening, Node};

/// Declares the kinds of things that happen, in words.
macro_rules! kinds {
    ($( $kind:ident $words:literal, )*) => {
        #[derive(Clone, Copy)]
        enum Kind { $( $kind, )* }

        const KINDS: &[(Kind, &str)] = &[$( (Kind::$kind, $words), )*];
    };
}

kinds! {
    Answer "an answer of the database arrives at its process",
    Arrive "a message arrives",
    CallLeaves "a call that waited for a connection is sent",
    Crash "a client crashes",
    CrashLocket "a Locket process crashes",
    Cut "a link is cut",
    DeleteRow "an operator deletes the row",
    DrainLocket "a Locket process drains",
    Disconnect "the connection of a client breaks",
    Expire "the table deletes an expired row",
    FailLocally "a client finds no Locket process",
    FailOver "the database fails over",
    Heal "a cut link is healed",
    GiveUp "a Locket process gives up on the database",
    Lose "a message is lost",
    LoseAnswer "an answer of the database is lost",
    Pass "time passes",
    Pause "a client is paused",
    PauseLocket "a Locket process is paused",
    Ping "a client finds out whether its ping is answered",
    Poll "a Locket process polls",
    ProcessTimer "the timer of a Locket process fires",
    Query "a query arrives at the database",
    Restart "a client starts again",
    Stall "the database stalls",
    StallEnds "the database resumes",
    Start "a client starts",
    StartLocket "a Locket process starts again",
    Stop "a client receives the stop signal",
    Timer "a client does what is due",
    Twice "a message arrives twice",
    Wake "a paused client resumes",
    WakeLocket "a paused Locket process resumes",
}

/// Which kinds of things have happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Happened(u64);

impl Happened {
    pub(in crate::check) fn note(&mut self, what: Move, fates: Fates) {
        self.add(kind(what));
        if fates.unanswered != 0 {
            self.add(Kind::LoseAnswer);
        }
        if fates.lost != 0 {
            self.add(Kind::Lose);
        }
        if fates.twice != 0 {
            self.add(Kind::Twice);
        }
    }

    pub(in crate::check) const fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    const fn add(&mut self, kind: Kind) {
        self.0 |= 1 << kind as u64;
    }

    const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u64 & 1 != 0
    }
}

/// The coverage of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// The events that occurred, as sentences.
    pub happened: Vec<&'static str>,
    /// The allowed faults that never occurred, by their names in the question. Their effects were
    /// not tried.
    pub never_happened: Vec<&'static str>,
    /// The states of runners that occurred, as sentences.
    pub runners: Vec<&'static str>,
    /// The number of different client states.
    pub client_states: usize,
    /// The number of different states of Locket with its database.
    pub locket_states: usize,
}

impl Coverage {
    pub(in crate::check) fn of(explorer: &Explorer, happened: Happened) -> Self {
        let kinds = KINDS.iter().filter(|(kind, _)| happened.has(*kind));
        let bounds = &explorer.question.bounds;
        let allowed = Fault::ALL.iter().filter(|it| it.allowed(bounds) > 0);
        let never = allowed.filter(|it| !happened.has(of_fault(**it)));
        let facts = || explorer.client_facts();
        let met = RUNNERS.iter().filter(|(is_so, _)| facts().any(is_so));
        Self {
            happened: kinds.map(|(_, words)| *words).collect(),
            never_happened: never
                .map(|it| it.field().trim_start_matches("bounds."))
                .collect(),
            runners: met.map(|(_, words)| *words).collect(),
            client_states: facts().count(),
            locket_states: explorer.locket_states(),
        }
    }
}

type IsSo = fn(&ClientFacts) -> bool;

/// How a runner can be met.
const RUNNERS: [(IsSo, &str); 6] = [
    (|it| it.is_new, "was not started"),
    (
        |it| it.is_alive && !it.believes && it.calls,
        "asks for the lock",
    ),
    (
        |it| it.is_alive && !it.believes && !it.calls,
        "waits for its next attempt",
    ),
    (
        |it| it.is_alive && it.believes && it.calls,
        "renews its lock",
    ),
    (
        |it| it.is_alive && it.believes && !it.calls,
        "holds its lock",
    ),
    (|it| !it.is_new && !it.is_alive, "has ended"),
];

/// The sentence of a step.
pub(in crate::check) fn words_of(what: Move, fates: Fates) -> String {
    let mut happened = Happened::default();
    happened.note(what, fates);
    let kinds = KINDS.iter().filter(|(kind, _)| happened.has(*kind));
    let words: Vec<&str> = kinds.map(|(_, words)| *words).collect();
    words.join(", ")
}

const fn kind(what: Move) -> Kind {
    match what {
        Happening::Act(act) => kind_of_act(act),
        Happening::Due(due) => kind_of_due(due),
        Happening::Pass(_) => Kind::Pass,
    }
}

const fn kind_of_act(act: Act) -> Kind {
    match act {
        Act::Crash(Node::Client(_)) => Kind::Crash,
        Act::Crash(Node::Locket(_)) => Kind::CrashLocket,
        Act::Cut { .. } => Kind::Cut,
        Act::DeleteRow(_) => Kind::DeleteRow,
        Act::Disconnect(_) => Kind::Disconnect,
        Act::Drain(_) => Kind::DrainLocket,
        Act::FailOver => Kind::FailOver,
        Act::Heal { .. } => Kind::Heal,
        Act::Pause(Node::Client(_)) => Kind::Pause,
        Act::Pause(Node::Locket(_)) => Kind::PauseLocket,
        Act::Stall => Kind::Stall,
        Act::Start(Node::Client(_)) => Kind::Restart,
        Act::Start(Node::Locket(_)) => Kind::StartLocket,
        Act::Stop(_) => Kind::Stop,
    }
}

const fn kind_of_due(due: Due<u8>) -> Kind {
    match due {
        Due::Answer { .. } => Kind::Answer,
        Due::Arrive(_) => Kind::Arrive,
        Due::CallLeaves(_) => Kind::CallLeaves,
        Due::Expire => Kind::Expire,
        Due::FailLocally { .. } => Kind::FailLocally,
        Due::GiveUp { .. } => Kind::GiveUp,
        Due::Ping(_) => Kind::Ping,
        Due::Poll(_) => Kind::Poll,
        Due::ProcessTimer(_) => Kind::ProcessTimer,
        Due::Query { .. } => Kind::Query,
        Due::StallEnds => Kind::StallEnds,
        Due::Start(_) => Kind::Start,
        Due::Timer(_) => Kind::Timer,
        Due::Wake(Node::Client(_)) => Kind::Wake,
        Due::Wake(Node::Locket(_)) => Kind::WakeLocket,
    }
}

const fn of_fault(fault: Fault) -> Kind {
    match fault {
        Fault::Crash => Kind::Crash,
        Fault::Disconnect => Kind::Disconnect,
        Fault::Duplicate => Kind::Twice,
        Fault::RowDeletion => Kind::DeleteRow,
        Fault::Failover => Kind::FailOver,
        Fault::LocketCrash => Kind::CrashLocket,
        Fault::LocketDrain => Kind::DrainLocket,
        Fault::LocketPause => Kind::PauseLocket,
        Fault::LostMessage => Kind::Lose,
        Fault::LostReply => Kind::LoseAnswer,
        Fault::Partition => Kind::Cut,
        Fault::Pause => Kind::Pause,
        Fault::Restart => Kind::Restart,
        Fault::Stall => Kind::Stall,
        Fault::Stop => Kind::Stop,
    }
}
