//! The coverage of a search: the events in it, and the states of its runners.

use crate::check::model::Model;
use crate::check::model::moves::{Fates, Move};
use crate::check::question::bounds::Fault;
use crate::check::steps::clients::ClientFacts;
use crate::json::Json;

/// Declares the kinds of things that happen, in words.
macro_rules! kinds {
    ($( $kind:ident $words:literal, )*) => {
        #[derive(Clone, Copy)]
        enum Kind { $( $kind, )* }

        const KINDS: &[(Kind, &str)] = &[$( (Kind::$kind, $words), )*];
    };
}

kinds! {
    Crash "a client crashes",
    CrashLocket "a Locket process crashes",
    Cut "a link is cut",
    Deliver "a message arrives",
    DrainLocket "a Locket process drains",
    Evict "an operator deletes the row",
    Expire "the table deletes an expired row",
    FailOver "the database fails over",
    Heal "a cut link is healed",
    Leave "a call that waited for a connection is sent",
    GiveUp "a Locket process gives up on the database",
    Internal "an answer of the database arrives at its process",
    Lose "a message is lost",
    LoseAnswer "an answer of the database is lost",
    Pass "time passes",
    Pause "a client is paused",
    PauseLocket "a Locket process is paused",
    Ping "a client finds out whether its ping is answered",
    Poll "a Locket process polls",
    ProcessTimer "the timer of a Locket process fires",
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
pub(in crate::check) struct Happened(u32);

impl Happened {
    pub(in crate::check) fn note(&mut self, what: Move, fates: Fates) {
        self.add(kind(what));
        if matches!(what, Move::StallEnds(lost) if lost != 0) {
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
        self.0 |= 1 << kind as u32;
    }

    const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u32 & 1 != 0
    }
}

/// The coverage of a search so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The events in it, as sentences.
    pub happened: Vec<&'static str>,
    /// The faults that the question allows and that never happened, by their names in it: nothing
    /// that they could do was tried.
    pub never_happened: Vec<&'static str>,
    /// How runners were met, as sentences.
    pub runners: Vec<&'static str>,
    /// The number of states of clients.
    pub client_states: usize,
    /// The number of states of Locket with its database.
    pub locket_states: usize,
}

impl Coverage {
    pub(in crate::check) fn write(&self, json: &mut Json) {
        json.open('{');
        let lists = [
            ("happened", &self.happened),
            ("neverHappened", &self.never_happened),
            ("runners", &self.runners),
        ];
        for (name, list) in lists {
            json.key(name).open('[');
            for text in list {
                json.string(text);
            }
            json.close(']');
        }
        json.key("clientStates").plain(self.client_states);
        json.key("locketStates").plain(self.locket_states);
        json.close('}');
    }
}

impl Coverage {
    pub(in crate::check) fn of(model: &Model, happened: Happened) -> Self {
        let kinds = KINDS.iter().filter(|(kind, _)| happened.has(*kind));
        let bounds = &model.question.bounds;
        let allowed = Fault::ALL.iter().filter(|it| it.allowed(bounds) > 0);
        let never = allowed.filter(|it| !happened.has(of_fault(**it)));
        let facts = || model.client_facts();
        let met = RUNNERS.iter().filter(|(is_so, _)| facts().any(is_so));
        Self {
            happened: kinds.map(|(_, words)| *words).collect(),
            never_happened: never
                .map(|it| it.field().trim_start_matches("bounds."))
                .collect(),
            runners: met.map(|(_, words)| *words).collect(),
            client_states: facts().count(),
            locket_states: model.locket_states(),
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
        Move::Crash(_) => Kind::Crash,
        Move::CrashLocket(_) => Kind::CrashLocket,
        Move::Cut { .. } => Kind::Cut,
        Move::Deliver(_) => Kind::Deliver,
        Move::DrainLocket(_) => Kind::DrainLocket,
        Move::Evict => Kind::Evict,
        Move::Expire => Kind::Expire,
        Move::FailOver => Kind::FailOver,
        Move::Heal(_) => Kind::Heal,
        Move::Leave(_) => Kind::Leave,
        Move::GiveUp { .. } | Move::GiveUpOn(_) => Kind::GiveUp,
        Move::Internal(_) => Kind::Internal,
        Move::LoseAnswer(_) => Kind::LoseAnswer,
        Move::Pass(_) => Kind::Pass,
        Move::Pause(_) => Kind::Pause,
        Move::PauseLocket(_) => Kind::PauseLocket,
        Move::Ping(_) => Kind::Ping,
        Move::Poll(_) => Kind::Poll,
        Move::ProcessTimer(_) => Kind::ProcessTimer,
        Move::Restart(_) => Kind::Restart,
        Move::Stall => Kind::Stall,
        Move::StallEnds(_) => Kind::StallEnds,
        Move::Start(_) => Kind::Start,
        Move::StartLocket(_) => Kind::StartLocket,
        Move::Stop(_) => Kind::Stop,
        Move::Timer(_) => Kind::Timer,
        Move::Wake(_) => Kind::Wake,
        Move::WakeLocket(_) => Kind::WakeLocket,
    }
}

const fn of_fault(fault: Fault) -> Kind {
    match fault {
        Fault::Crash => Kind::Crash,
        Fault::Duplicate => Kind::Twice,
        Fault::RowDeletion => Kind::Evict,
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
