//! The coverage of a search: the events in it, and the states of its runners.

use serde::Serialize;

use crate::check::explorer::Explorer;
use crate::check::explorer::moves::{Fates, Move};
use crate::check::question::faults::Fault;
use crate::check::steps::clients::ClientFacts;
use crate::environment::acts::{Act, Happening};
use crate::environment::happening::{Due, Node, Others};
use crate::sorted::sorted;

/// Declares the kinds of events that are no faults, in words.
macro_rules! kinds {
    ($( $kind:ident $words:literal, )*) => {
        #[derive(Clone, Copy)]
        enum Kind { $( $kind, )* }

        const KINDS: &[(Kind, &str)] = &[$( (Kind::$kind, $words), )*];
    };
}

kinds! {
    AnotherDrops "another client's row is deleted",
    AnotherRenews "another client renews its row",
    AnotherTakes "another client takes the row",
    Answer "an answer of the database arrives at its process",
    Arrive "a message arrives",
    CallLeaves "a call that waited for a connection is sent",
    Commit "a transaction that holds its row commits",
    Expire "the table deletes an expired row",
    EndCalls "a draining Locket process has answered other clients",
    FailLocally "a client finds no Locket process",
    GiveUp "a Locket process gives up on the database",
    Grant "a transaction gets its row",
    Heal "a cut link is healed",
    Pass "time passes",
    Ping "a client finds out whether its ping is answered",
    Poll "a Locket process polls",
    ProcessTimer "the timer of a Locket process fires",
    Query "a query arrives at the database",
    StallEnds "the database resumes",
    Start "a client starts",
    StartDatabase "the database starts again",
    StartLocket "a Locket process starts again",
    Timer "a client does what is due",
    Wake "a paused client resumes",
    WakeLocket "a paused Locket process resumes",
}

/// Which faults and kinds of events have happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Happened {
    faults: u32,
    others: u32,
}

impl Happened {
    pub(in crate::check) fn note(&mut self, what: Move, fates: Fates) {
        match fault_or_kind(what) {
            Ok(fault) => self.add(fault),
            Err(kind) => self.others |= 1 << kind as u32,
        }
        if fates == Fates::default() {
            return;
        }
        let fates = [
            (fates.lost != 0, Fault::LostMessage),
            (fates.twice != 0, Fault::Duplicate),
            (fates.unanswered != 0, Fault::LostReply),
        ];
        for (_, fault) in fates.into_iter().filter(|(has_happened, _)| *has_happened) {
            self.add(fault);
        }
    }

    const fn add(&mut self, fault: Fault) {
        self.faults |= 1 << fault as u32;
    }

    pub(in crate::check) const fn join(&mut self, other: Self) {
        self.faults |= other.faults;
        self.others |= other.others;
    }

    /// Adds the faults that calls stand for which fail: each is one of the ways in which they do.
    fn with_what_it_stands_for(mut self, explorer: &Explorer) -> Self {
        if self.others >> Kind::FailLocally as u32 & 1 != 0 {
            let allowed = |it: &Fault| it.allowed(&explorer.question.bounds) > 0;
            let all = Fault::ALL.into_iter().filter(allowed);
            all.filter(|it| explorer.stands_for(*it)).for_each(|it| self.add(it));
        }
        self
    }

    const fn has(self, fault: Fault) -> bool {
        self.faults >> fault as u32 & 1 != 0
    }

    /// All of it as sentences, in the order of the alphabet.
    fn words(self) -> Vec<&'static str> {
        let kinds = KINDS.iter();
        let kinds = kinds.filter(|(kind, _)| self.others >> *kind as u32 & 1 != 0);
        let faults = Fault::ALL.into_iter().filter(|fault| self.has(*fault));
        let all = kinds.map(|(_, words)| *words);
        sorted(all.chain(faults.map(Fault::happens)).collect())
    }
}

/// The coverage of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
        let bounds = &explorer.question.bounds;
        let happened = happened.with_what_it_stands_for(explorer);
        let allowed = Fault::ALL.iter().filter(|it| it.allowed(bounds) > 0);
        let never = allowed.filter(|it| !happened.has(**it));
        let facts = || explorer.client_facts();
        let met = RUNNERS.iter().filter(|(is_so, _)| facts().any(is_so));
        Self {
            happened: happened.words(),
            never_happened: never.map(|it| it.name()).collect(),
            runners: met.map(|(_, words)| *words).collect(),
            client_states: facts().count(),
            locket_states: explorer.locket_states(),
        }
    }

    /// Adds that of another search of the same bounds.
    pub(super) fn join(&mut self, other: Self) {
        if self.client_states == 0 {
            return *self = other;
        }
        for (words, more) in
            [(&mut self.happened, other.happened), (&mut self.runners, other.runners)]
        {
            let new = more.into_iter().filter(|it| !words.contains(it));
            words.extend(new.collect::<Vec<_>>());
        }
        self.happened = sorted(std::mem::take(&mut self.happened));
        self.never_happened.retain(|it| other.never_happened.contains(it));
        self.client_states += other.client_states;
        self.locket_states += other.locket_states;
    }
}

type IsSo = fn(&ClientFacts) -> bool;

/// How a runner can be met.
const RUNNERS: [(IsSo, &str); 6] = [
    (|it| it.is_new, "was not started"),
    (|it| it.is_alive && !it.believes && it.calls, "asks for the lock"),
    (|it| it.is_alive && !it.believes && !it.calls, "waits for its next attempt"),
    (|it| it.is_alive && it.believes && it.calls, "renews its lock"),
    (|it| it.is_alive && it.believes && !it.calls, "holds its lock"),
    (|it| !it.is_new && !it.is_alive, "has ended"),
];

/// The fault that a step is, or else its kind.
const fn fault_or_kind(what: Move) -> Result<Fault, Kind> {
    Err(match what {
        Happening::Act(act) => match (Fault::of(act), act) {
            (Some(fault), _) => return Ok(fault),
            (None, Act::Heal { .. }) => Kind::Heal,
            (None, Act::Start(Node::Database)) => Kind::StartDatabase,
            (None, _) => Kind::StartLocket,
        },
        Happening::Due(due) => kind_of_due(due),
        Happening::Pass(_) => Kind::Pass,
    })
}

const fn kind_of_due(due: Due<u8>) -> Kind {
    match due {
        Due::Answer { .. } => Kind::Answer,
        Due::Arrive(_) => Kind::Arrive,
        Due::CallLeaves(_) => Kind::CallLeaves,
        Due::Commit { .. } => Kind::Commit,
        Due::Expire => Kind::Expire,
        Due::FailLocally(_) => Kind::FailLocally,
        Due::GiveUp { .. } => Kind::GiveUp,
        Due::Grant { .. } => Kind::Grant,
        Due::Others(Others::Drop) => Kind::AnotherDrops,
        Due::Others(Others::EndCalls { .. }) => Kind::EndCalls,
        Due::Others(Others::Expire) => Kind::ProcessTimer,
        Due::Others(Others::Renew) => Kind::AnotherRenews,
        Due::Others(Others::Take) => Kind::AnotherTakes,
        Due::Ping(_) => Kind::Ping,
        Due::Poll(_) => Kind::Poll,
        Due::ProcessTimer(_) => Kind::ProcessTimer,
        Due::Query { .. } => Kind::Query,
        Due::StallEnds | Due::Wake(Node::Database) => Kind::StallEnds,
        Due::Start(_) => Kind::Start,
        Due::Timer(_) => Kind::Timer,
        Due::Wake(Node::Client(_)) => Kind::Wake,
        Due::Wake(Node::Locket(_)) => Kind::WakeLocket,
    }
}
