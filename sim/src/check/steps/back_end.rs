//! The shipped Locket processes and their database under exploration, as one component: versions
//! of rows are compared across them.
//!
//! Where no event can come between process and database, they answer each other within an input.
//! Else queries and answers [travel](internal), each as its own input. Knows one key with numbered
//! clients, and nothing of the links to them.

mod answered;
mod internal;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use self::answered::ask;
use self::internal::Internal;
use crate::check::question::limits::{CLIENTS_MAX, KEY, PROCESSES_MAX};
use crate::check::question::owners::Owners;

pub(in crate::check) use self::internal::InternalFacts;
use super::clients::Accepting;
use super::interned::{InternedId, NoStep, Steps, next_id};
use super::replies::Replies;
use crate::node::canonical::CanonicalLocket;
use crate::node::database::{Database, DatabaseInput, Direct};
use crate::node::locket_process::{LocketProcess, ProcessInput};
use crate::protocol::error::LockError;
use crate::protocol::message::{Method, Request, Response};
use crate::protocol::profile::Profile;
use crate::protocol::resource::{Resource, TypeCode};
use crate::time::{Duration, Time};

/// An input of Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Input {
    /// A process ends: it crashes, or has drained.
    Crash(u8),
    /// A process begins to drain: it accepts no connection.
    Drain(u8),
    /// An operator deletes the row.
    Evict,
    /// The table removes what has expired.
    Expire,
    /// The database fails over to a replica that lacks its last commits.
    FailOver(u8),
    /// An answer of the database arrives at its process, by its place.
    Internal(u8),
    /// A process gives up on a question to the database, by its place among those it waits for.
    GiveUp { process: u8, place: u8 },
    /// Time passes, in milliseconds.
    Pass(u32),
    /// A process polls.
    Poll(u8, Reception),
    /// A call arrives.
    Request {
        process: u8,
        client: u8,
        method: Method,
        /// Tells the calls of a client apart that a process waits for.
        tag: u8,
        reception: Reception,
    },
    /// The database does not stall any more: the queries that wait there are answered, and the
    /// answers to those with a bit here are lost.
    StallEnds(u16),
    /// A process starts.
    Start(u8),
    /// A process's timers fire.
    Timer(u8, Reception),
}

/// The path of a process's transactions. A query arrives when it is sent: an event in
/// between could as well come before the input that caused the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Reception {
    /// The answer arrives at once.
    Answered,
    /// The answer travels.
    AnswerTravels,
    /// The answer is lost.
    AnswerLost,
    /// The database stalls: the query waits.
    Waits,
}

/// The effect of an input on Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct BackEndStep {
    pub(in crate::check) next: InternedId,
    /// The answer to a call, if there is one.
    pub(in crate::check) answer: Option<Answered>,
}

/// A call that a process answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct Answered {
    pub(in crate::check) client: u8,
    pub(in crate::check) tag: u8,
    /// The number of the answer.
    pub(in crate::check) number: u8,
}

/// An answer before it has a number.
type Answer = (u8, u8, Result<Response, LockError>);

/// The facts about a state that other modules need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct BackEndFacts {
    /// Who the row says is the owner.
    pub(in crate::check) owner: Option<u8>,
    /// When the table removes the row by itself, in milliseconds from now.
    pub(in crate::check) expiry_ms: Option<u64>,
    /// When each process's timers fire.
    pub(in crate::check) timer_ms: [Option<u64>; PROCESSES_MAX],
    /// When each process polls.
    pub(in crate::check) poll_ms: [Option<u64>; PROCESSES_MAX],
    /// Which processes accept connections.
    pub(in crate::check) accepting: Accepting,
    /// Which processes drain.
    pub(in crate::check) draining: Accepting,
    /// The answers on their way from the database to processes, and queries that wait there.
    pub(in crate::check) internal: Vec<InternalFacts>,
    /// How many of these queries are transactions that will be committed.
    pub(in crate::check) waiting: u8,
    /// When processes give up on what they have asked, each with its place among those of its
    /// process.
    pub(in crate::check) operations: Vec<(u8, u8, u64)>,
}

/// The fixed part: the clients and processes.
#[derive(Clone, Debug)]
pub(in crate::check) struct BackEndSettings {
    pub(in crate::check) profile: Profile,
    pub(in crate::check) processes: usize,
    pub(in crate::check) ttl_in_seconds: i64,
    pub(in crate::check) type_code: TypeCode,
    pub(in crate::check) owners: Owners,
    /// Whether processes poll. With one process, an instant database and no faults between
    /// them a poll finds nothing new.
    pub(in crate::check) polls: bool,
    /// Whether something can come between a process and the database.
    pub(in crate::check) queued: bool,
    /// How many commits a failover can lose.
    pub(in crate::check) lost_commits: usize,
    /// The pairs of clients that can change places without changing anything.
    pub(in crate::check) swaps: Vec<(u8, u8)>,
}

/// All known states of Locket.
#[derive(Clone, Debug)]
pub(in crate::check) struct BackEnds {
    settings: BackEndSettings,
    known: Vec<Known>,
    by_canonical: HashMap<Vec<u64>, InternedId, FxBuildHasher>,
}

#[derive(Clone, Debug)]
struct Known {
    back_end: BackEnd,
    facts: BackEndFacts,
    steps: Steps<BackEndStep>,
    /// The states in which the clients of each swap have changed places.
    images: [InternedId; CLIENTS_MAX - 1],
}

#[derive(Clone, Debug)]
struct BackEnd {
    now: Time,
    database: Database,
    processes: Vec<LocketProcess>,
    /// Which of them drain.
    draining: [bool; PROCESSES_MAX],
    /// The messages on their way, and queries that wait at a stalled database.
    internal: Vec<Internal>,
}

/// The state at the start.
pub(in crate::check) const START: InternedId = 0;

impl BackEnds {
    pub(in crate::check) fn new(settings: BackEndSettings) -> Self {
        let BackEndSettings {
            profile,
            processes,
            lost_commits,
            ..
        } = settings;
        let back_end = BackEnd {
            now: Time::ZERO,
            database: Database::new(profile, 0, lost_commits),
            processes: vec![LocketProcess::new(profile, Time::ZERO); processes],
            draining: [false; PROCESSES_MAX],
            internal: Vec::new(),
        };
        let mut back_ends = Self {
            known: Vec::new(),
            by_canonical: HashMap::default(),
            settings,
        };
        let first = back_ends.intern(back_end);
        debug_assert_eq!(first, Ok(START));
        back_ends
    }

    pub(in crate::check) fn facts(&self, id: InternedId) -> &BackEndFacts {
        &self.known[id as usize].facts
    }

    /// How many states there are.
    pub(in crate::check) const fn len(&self) -> usize {
        self.known.len()
    }

    /// The state in which the clients of a swap have changed places.
    pub(in crate::check) fn image(&self, id: InternedId, swap: usize) -> InternedId {
        self.known[id as usize].images[swap]
    }

    pub(in crate::check) fn step(
        &mut self,
        id: InternedId,
        input: Input,
        replies: &mut Replies,
    ) -> Result<BackEndStep, NoStep> {
        if let Some(step) = self.known_step(id, input) {
            return Ok(step);
        }
        let mut to_do = vec![(id, input)];
        // A new state is found together with its images, so that each always knows the others.
        while let Some((id, input)) = to_do.pop() {
            let next = self.step_alone(id, input, replies)?.next;
            for swap in 0..self.settings.swaps.len() {
                let (of_id, of_input) = (self.image(id, swap), self.mirrored(input, swap));
                let known = self.known.len();
                let image = self.step_alone(of_id, of_input, replies)?.next;
                self.known[next as usize].images[swap] = image;
                self.known[image as usize].images[swap] = next;
                if known < self.known.len() {
                    to_do.push((of_id, of_input));
                }
            }
        }
        self.known_step(id, input).ok_or(NoStep)
    }

    /// A step that was computed already.
    pub(in crate::check) fn known_step(&self, id: InternedId, input: Input) -> Option<BackEndStep> {
        self.known[id as usize].steps.get(input.number())
    }

    fn step_alone(
        &mut self,
        id: InternedId,
        input: Input,
        replies: &mut Replies,
    ) -> Result<BackEndStep, NoStep> {
        if let Some(step) = self.known_step(id, input) {
            return Ok(step);
        }
        let mut back_end = self.known[id as usize].back_end.clone();
        let answer = back_end.perform(input, &self.settings);
        let answer = answer.map(|(client, tag, answer)| Answered {
            client,
            tag,
            number: replies.number(answer),
        });
        let next = self.intern(back_end)?;
        let step = BackEndStep { next, answer };
        self.known[id as usize].steps.insert(input.number(), step);
        Ok(step)
    }

    fn intern(&mut self, mut back_end: BackEnd) -> Result<InternedId, NoStep> {
        let canonical = back_end.canonical(&self.settings);
        if let Some(&id) = self.by_canonical.get(&canonical) {
            return Ok(id);
        }
        let id = next_id(self.known.len())?;
        let facts = back_end.facts(&self.settings);
        self.known.push(Known {
            back_end,
            facts,
            steps: Steps::default(),
            images: [id; CLIENTS_MAX - 1],
        });
        self.by_canonical.insert(canonical, id);
        Ok(id)
    }

    /// The same input with the two clients of a swap exchanged.
    fn mirrored(&self, mut input: Input, swap: usize) -> Input {
        let (one, other) = self.settings.swaps[swap];
        if let Input::Request { client, .. } = &mut input {
            *client = match *client {
                it if it == one => other,
                it if it == other => one,
                it => it,
            };
        }
        input
    }
}

impl BackEnd {
    fn perform(&mut self, input: Input, settings: &BackEndSettings) -> Option<Answer> {
        let now = self.now;
        let tell = |database: &mut Database, input| database.handle(input, now, &mut Vec::new());
        match input {
            Input::Crash(process) => {
                self.processes[usize::from(process)].end();
                self.draining[usize::from(process)] = false;
                self.forget_answers();
            }
            Input::Drain(process) => self.draining[usize::from(process)] = true,
            Input::Evict => tell(&mut self.database, DatabaseInput::DeleteRow(KEY.to_owned())),
            Input::Expire => tell(&mut self.database, DatabaseInput::Expire),
            Input::FailOver(commits) => {
                tell(&mut self.database, DatabaseInput::FailOver(commits.into()));
            }
            Input::GiveUp { process, place } => return self.give_up(process, place),
            Input::Internal(place) => return self.arrive(place),
            Input::Pass(ms) => self.now = now + Duration::from_ms(ms.into()),
            Input::Poll(process, reception) if settings.queued => {
                return self.tell_process(process, ProcessInput::PollTimer, reception);
            }
            Input::Poll(process, _) => {
                let (process, mut ask) = self.direct(process);
                process.poll(now, &mut ask, &mut ());
            }
            Input::Request {
                process,
                client,
                method,
                tag,
                reception,
            } => {
                let request = settings.request(client, method);
                if settings.queued {
                    return self.take_request(process, (client, tag), request, reception);
                }
                let (process, database) = self.direct(process);
                let answer = ask(process, &request, database, reception)?;
                return Some((client, tag, answer));
            }
            Input::StallEnds(lost) => self.stall_ends(lost),
            Input::Start(process) => {
                tell(&mut self.database, DatabaseInput::CreateTable);
                self.processes[usize::from(process)].start(now);
            }
            Input::Timer(process, reception) if settings.queued => {
                return self.tell_process(process, ProcessInput::ExpiryTimer, reception);
            }
            Input::Timer(process, _) => {
                let (process, mut ask) = self.direct(process);
                process.fire_timers(now, &mut ask, &mut ());
            }
        }
        None
    }

    /// A process, and the database that answers it at once.
    fn direct(&mut self, process: u8) -> (&mut LocketProcess, Direct<'_>) {
        let Self {
            now,
            database,
            processes,
            ..
        } = self;
        let ask = Direct::new(database, *now);
        (&mut processes[usize::from(process)], ask)
    }

    /// The lives of the processes that run and drain, or run and do not.
    fn lives(&self, drain: bool) -> Accepting {
        let processes = self.processes.iter().zip(self.draining);
        let lives = processes.map(|(it, drains)| it.life().filter(|_| drains == drain));
        Accepting::new(lives)
    }

    fn canonical(&mut self, settings: &BackEndSettings) -> Vec<u64> {
        let mut canonical = CanonicalLocket::new(self.now);
        canonical.add_database(&mut self.database, KEY);
        for process in &self.processes {
            canonical.add_process(process, settings.polls);
        }
        canonical.add_draining(&self.draining);
        self.add_internal(&mut canonical);
        canonical.finish()
    }

    fn facts(&mut self, settings: &BackEndSettings) -> BackEndFacts {
        let now = self.now;
        let left = |due: Time| due.since(now).as_ms();
        let owner = self.database.table().row(KEY).and_then(|row| row.owner);
        let mut facts = BackEndFacts {
            owner: owner.and_then(|owner| owner.parse().ok()),
            expiry_ms: self.database.deadline(Time::MAX).map(left),
            accepting: self.lives(false),
            draining: self.lives(true),
            internal: self.internal_facts(),
            waiting: self.waiting(),
            operations: self.operations(),
            ..BackEndFacts::default()
        };
        for (number, process) in self.processes.iter_mut().enumerate() {
            facts.timer_ms[number] = process.expiry_deadline(Time::MAX).map(left);
            let poll = process.poll_deadline().filter(|_| settings.polls);
            facts.poll_ms[number] = poll.map(left);
        }
        facts
    }
}

impl BackEndSettings {
    fn request(&self, client: u8, method: Method) -> Request {
        let resource = Resource {
            key: KEY.to_owned(),
            owner: self.owners.first(client).to_string(),
            type_code: self.type_code,
            ..Resource::default()
        };
        match method {
            Method::Fetch => Request::Fetch { key: resource.key },
            Method::FetchAll => Request::FetchAll {
                type_name: String::new(),
                type_code: self.type_code,
            },
            Method::Lock => Request::Lock {
                resource: Some(resource),
                ttl_in_seconds: self.ttl_in_seconds,
            },
            Method::Release => Request::Release {
                resource: Some(resource),
            },
        }
    }
}

impl Input {
    const fn number(self) -> u64 {
        let (kind, detail) = match self {
            Self::Crash(process) => (0, process as u64),
            Self::Evict => (1, 0),
            Self::Expire => (2, 0),
            Self::FailOver(commits) => (3, commits as u64),
            Self::Pass(ms) => (4, ms as u64),
            Self::Poll(process, reception) => (5, (process as u64) << 2 | reception as u64),
            Self::Request {
                process,
                client,
                method,
                tag,
                reception,
            } => {
                let call = (process as u64) << 16 | (client as u64) << 8 | method as u64;
                (6, call << 10 | (tag as u64) << 2 | reception as u64)
            }
            Self::Start(process) => (7, process as u64),
            Self::Timer(process, reception) => (8, (process as u64) << 2 | reception as u64),
            Self::Internal(place) => (9, place as u64),
            Self::GiveUp { process, place } => (10, (process as u64) << 8 | place as u64),
            Self::StallEnds(lost) => (11, lost as u64),
            Self::Drain(process) => (12, process as u64),
        };
        detail << 4 | kind
    }
}
