//! Clients, network and Locket together: what can happen in a state, in every order, and what
//! follows.
//!
//! Times are in units that divide every time of a question; one move lets one unit pass. No time
//! passes while an event is due.

mod database;
mod drain;
mod links;
mod moves;
mod steps;
mod watch;

use locket_sim::check::{Fault, Property};

use super::locket::{Due, Locket, LocketRules};
use super::runner::{Call, Reply, Runner, RunnerRules};

/// The rules with a question's numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) locket: LocketRules,
    pub(crate) processes: usize,
    pub(crate) clients: Vec<RunnerRules>,
    /// For each client the first with the same owner string, by which rows name it.
    pub(crate) owners: Vec<u8>,
    pub(crate) property: Property,
    /// How long what must not last may last.
    pub(crate) within: u16,
    /// Up to how long it is counted how long it lasts.
    pub(crate) counted: u16,
    /// How long a message may take.
    pub(crate) delay: u16,
    /// How long each fault may last.
    pub(crate) lengths: [u16; FAULTS],
    /// How long a call waits until its connection counts as dead, if pings can fail.
    pub(crate) keepalive: Option<u16>,
    /// How often each fault may happen.
    pub(crate) allowed: [u8; FAULTS],
}

pub(crate) const FAULTS: usize = Fault::ALL.len();
/// The most clients.
pub(crate) const CLIENTS_MAX: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) clients: Vec<Client>,
    pub(crate) locket: Locket,
    /// In a fixed order: that of their sending does not matter.
    messages: Vec<Message>,
    /// For how long the database has stalled.
    stalled_for: Option<u16>,
    /// For how long it has been down.
    database_down_for: Option<u16>,
    cuts: Vec<Cut>,
    used: [u8; FAULTS],
    /// True if a client has held the lock, or a row existed, where the property asks.
    had: bool,
    /// For how long it has been as it must not last, by client where that is about one.
    wrong_for: [u16; CLIENTS_MAX],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(crate) runner: Runner,
    paused_for: Option<u16>,
    /// True if it was paused, and has not yet done what waited for the end of that.
    has_woken: bool,
    connection: Option<usize>,
    /// For how long no process has answered a call, where pings can fail.
    unanswered_for: Option<u16>,
    /// The process whose connection died last.
    avoids: Option<usize>,
    /// A call that waits for a process to connect to.
    waits: Option<Call>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Message {
    client: usize,
    what: What,
    process: usize,
    age: u16,
    /// True if the client waits for what comes of it.
    is_awaited: bool,
    /// True if an answer shows the client that its connection is alive.
    is_noticed: bool,
    copy: Copies,
}

/// A link that passes nothing, in one direction or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cut {
    client: usize,
    process: usize,
    to_locket: bool,
    from_locket: bool,
    age: u16,
}

/// Whether a message arrives twice, and which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Copies {
    Only,
    First,
    /// As late as a message may be.
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum What {
    Request(Call),
    Reply(Reply),
    /// The client's own word that there is no process to connect to.
    NoConnection,
}

/// Something that can happen. Messages are named by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    /// A unit of time.
    Pass,
    // Events that need no decision.
    Runner(usize),
    Arrive(usize),
    /// A client sends the call that has waited for a process.
    Connect(usize),
    Locket(Due),
    /// A question to the database arrives.
    Ask(usize),
    /// An answer of the database arrives.
    Answer(usize),
    /// A process gives up on a question.
    GiveUp(usize),
    /// A client finds out whether its ping is answered.
    Ping(usize),
    // Events that may happen at any time.
    Start(usize),
    Wake(usize),
    StartLocket(usize),
    /// The database goes on, and answers what waits there.
    StallEnds,
    StartDatabase,
    WakeLocket(usize),
    Heal(usize),
    // Faults.
    Crash(usize),
    /// The database refuses all questions, and keeps its rows.
    CrashDatabase,
    /// The connection of a client breaks.
    Disconnect(usize),
    Restart(usize),
    Stop(usize),
    Pause(usize),
    CrashLocket(usize),
    Cut(Cut),
    DrainLocket(usize),
    PauseLocket(usize),
    Evict,
    FailOver,
    /// A message that was just sent is lost.
    Lose(usize),
    /// An answer of the database that was just given is lost.
    LoseAnswer(usize),
    Stall,
    /// A message that was just sent arrives twice.
    Twice(usize),
}

impl World {
    pub(crate) fn new(rules: &Rules) -> Self {
        let client = Client {
            runner: Runner::NEW,
            paused_for: None,
            has_woken: false,
            connection: None,
            unanswered_for: None,
            avoids: None,
            waits: None,
        };
        Self {
            clients: vec![client; rules.clients.len()],
            locket: Locket::new(rules.processes, &rules.locket),
            messages: Vec::new(),
            stalled_for: None,
            database_down_for: None,
            cuts: Vec::new(),
            used: [0; FAULTS],
            had: false,
            wrong_for: [0; CLIENTS_MAX],
        }
    }

    /// How many faults it took.
    pub(crate) fn faults(&self) -> u32 {
        self.used.iter().map(|&count| u32::from(count)).sum()
    }

    /// A move in words: messages by what they are.
    pub(crate) fn words(&self, happens: Move) -> String {
        if let Move::Answer(question)
        | Move::Ask(question)
        | Move::GiveUp(question)
        | Move::LoseAnswer(question) = happens
        {
            return format!("{happens:?} {:?}", self.locket.questions[question]);
        }
        let (Move::Arrive(message) | Move::Lose(message) | Move::Twice(message)) = happens else {
            return format!("{happens:?}");
        };
        format!("{happens:?} {:?}", self.messages[message])
    }
}

impl Move {
    /// The fault that it is.
    const fn fault(self) -> Option<Fault> {
        match self {
            Self::Pass | Self::Runner(_) | Self::Arrive(_) | Self::Connect(_) | Self::Locket(_) => {
                None
            }
            Self::Start(_) | Self::Wake(_) | Self::StartLocket(_) | Self::StallEnds => None,
            Self::Answer(_) | Self::Ask(_) | Self::GiveUp(_) | Self::Ping(_) => None,
            Self::Heal(_) | Self::StartDatabase | Self::WakeLocket(_) => None,
            Self::Cut(_) => Some(Fault::Partition),
            Self::PauseLocket(_) => Some(Fault::LocketPause),
            Self::Crash(_) => Some(Fault::Crash),
            Self::CrashDatabase => Some(Fault::DatabaseCrash),
            Self::Disconnect(_) => Some(Fault::Disconnect),
            Self::Restart(_) => Some(Fault::Restart),
            Self::Stop(_) => Some(Fault::Stop),
            Self::Pause(_) => Some(Fault::Pause),
            Self::CrashLocket(_) => Some(Fault::LocketCrash),
            Self::DrainLocket(_) => Some(Fault::LocketDrain),
            Self::Evict => Some(Fault::RowDeletion),
            Self::FailOver => Some(Fault::Failover),
            Self::Lose(_) => Some(Fault::LostMessage),
            Self::LoseAnswer(_) => Some(Fault::LostReply),
            Self::Stall => Some(Fault::Stall),
            Self::Twice(_) => Some(Fault::Duplicate),
        }
    }
}

impl Message {
    const fn is_on_its_way(&self) -> bool {
        matches!(self.what, What::Request(_) | What::Reply(_))
    }

    /// True if it was just sent, and its fate is open.
    fn is_new(&self) -> bool {
        self.age == 0 && self.copy == Copies::Only && self.is_on_its_way()
    }
}

impl Rules {
    const fn length(&self, fault: Fault) -> u16 {
        self.lengths[fault as usize]
    }

    /// How long a message may take.
    const fn longest(&self, what: What) -> u16 {
        match what {
            What::Request(_) | What::Reply(_) => self.delay,
            What::NoConnection => 0,
        }
    }
}
