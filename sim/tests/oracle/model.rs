//! Clients, network and Locket together: what can happen in a state, in every order, and what
//! follows.
//!
//! Times are in units that divide every time of a question; one move lets one unit pass. No time
//! passes while an event is due.

mod moves;
mod steps;
mod watch;

use locket_sim::check::VisibleStates;

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
    pub(crate) pause: u16,
    pub(crate) locket_downtime: u16,
    /// How long a process waits for an answer of the database.
    pub(crate) patience: u16,
    /// How often each fault may happen.
    pub(crate) allowed: [u8; FAULTS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    FalseLoss,
    Handover,
    OneOwner,
    Own(VisibleStates),
    Owned,
    PresenceGap,
    RowAgrees,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Crash,
    Duplicate,
    Eviction,
    Failover,
    LocketCrash,
    Loss,
    LostAnswer,
    Pause,
    Restart,
    Stop,
}

pub(crate) const FAULTS: usize = 10;
/// The most clients.
const CLIENTS_MAX: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) clients: Vec<Client>,
    pub(crate) locket: Locket,
    /// In a fixed order: that of their sending does not matter.
    messages: Vec<Message>,
    used: [u8; FAULTS],
    /// Whether a client has held the lock, or a row existed, where the property asks.
    had: bool,
    /// For how long it has been as it must not last, by client where that is about one.
    wrong_for: [u16; CLIENTS_MAX],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(crate) runner: Runner,
    paused_for: Option<u16>,
    connection: Option<usize>,
    /// A call that waits for a process to connect to.
    waits: Option<Call>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Message {
    client: usize,
    what: What,
    process: usize,
    age: u16,
    /// Whether the client waits for what comes of it.
    is_awaited: bool,
    copy: Copies,
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
    /// A process waits for the database, whose answer is lost.
    Held,
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
    // Events that may happen at any time.
    Start(usize),
    Wake(usize),
    StartLocket(usize),
    // Faults.
    Crash(usize),
    Restart(usize),
    Stop(usize),
    Pause(usize),
    CrashLocket(usize),
    Evict,
    FailOver,
    /// A message that was just sent is lost.
    Lose(usize),
    /// A request arrives, and its process does not hear what the database did.
    LoseAnswer(usize),
    /// A message that was just sent arrives twice.
    Twice(usize),
}

impl World {
    pub(crate) fn new(rules: &Rules) -> Self {
        let client = Client {
            runner: Runner::NEW,
            paused_for: None,
            connection: None,
            waits: None,
        };
        Self {
            clients: vec![client; rules.clients.len()],
            locket: Locket::new(rules.processes, &rules.locket),
            messages: Vec::new(),
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
        let (Move::Arrive(message)
        | Move::Lose(message)
        | Move::LoseAnswer(message)
        | Move::Twice(message)) = happens
        else {
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
            Self::Start(_) | Self::Wake(_) | Self::StartLocket(_) => None,
            Self::Crash(_) => Some(Fault::Crash),
            Self::Restart(_) => Some(Fault::Restart),
            Self::Stop(_) => Some(Fault::Stop),
            Self::Pause(_) => Some(Fault::Pause),
            Self::CrashLocket(_) => Some(Fault::LocketCrash),
            Self::Evict => Some(Fault::Eviction),
            Self::FailOver => Some(Fault::Failover),
            Self::Lose(_) => Some(Fault::Loss),
            Self::LoseAnswer(_) => Some(Fault::LostAnswer),
            Self::Twice(_) => Some(Fault::Duplicate),
        }
    }
}

impl Message {
    const fn is_on_its_way(&self) -> bool {
        matches!(self.what, What::Request(_) | What::Reply(_))
    }

    /// Whether it was just sent, and its fate is open.
    fn is_new(&self) -> bool {
        self.age == 0 && self.copy == Copies::Only && self.is_on_its_way()
    }
}

impl Rules {
    /// How long a message may take.
    const fn longest(&self, what: What) -> u16 {
        match what {
            What::Request(_) | What::Reply(_) => self.delay,
            What::Held => self.patience,
            What::NoConnection => 0,
        }
    }
}
