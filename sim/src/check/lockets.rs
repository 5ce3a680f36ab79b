//! The shipped Locket processes and their database as one machine under exploration.
//!
//! Process and database answer each other at once here; what goes wrong between them is an
//! input. Knows one key, whose would-be owners are numbered, and nothing of the network.

mod outlook;

use std::collections::VecDeque;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::machine::{NoStep, SituationId, Steps, next_id};
use crate::protocol::error::LockError;
use crate::protocol::id_source::IdSource;
use crate::protocol::lock_table::LockTable;
use crate::protocol::message::{Method, Request, Response};
use crate::protocol::operation::Operation;
use crate::protocol::profile::Profile;
use crate::protocol::resource::{Resource, TypeCode};
use crate::protocol::server::{Caller, Server};
use crate::time::{Duration, Time};

/// The one key.
pub(super) const KEY: &str = "lock";

/// What happens to Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocketInput {
    /// A process crashes.
    Crash(u8),
    /// An operator deletes the row.
    Evict,
    /// The table removes what has expired.
    Expire,
    /// The database fails over to a replica that lacks its last commits.
    FailOver(u8),
    /// Time passes, in milliseconds.
    Pass(u32),
    /// A process polls.
    Poll(u8),
    /// A call arrives.
    Request {
        process: u8,
        client: u8,
        method: Method,
        /// Whether the database's answer is lost on its way to the process.
        answer_lost: bool,
    },
    /// A process starts.
    Start(u8),
    /// A process's timers fire.
    Timer(u8),
}

/// What an input made of Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocketStep {
    pub(super) next: SituationId,
    /// The number of the answer to a request, if there is one.
    pub(super) answer: Option<u8>,
}

/// What others ask about a situation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LocketFacts {
    /// Who the row says is the owner.
    pub(super) owner: Option<u8>,
    /// When the table removes the row by itself, in milliseconds from now.
    pub(super) expiry_ms: Option<u64>,
    /// When each process's timers fire.
    pub(super) timer_ms: [Option<u64>; PROCESSES_MAX],
    /// When each process polls.
    pub(super) poll_ms: [Option<u64>; PROCESSES_MAX],
    /// Which processes run.
    pub(super) runs: [bool; PROCESSES_MAX],
}

/// The most Locket processes of a question.
pub const PROCESSES_MAX: usize = 3;

/// What does not change: who takes part.
#[derive(Clone, Debug)]
pub(super) struct LocketSettings {
    pub(super) profile: Profile,
    pub(super) processes: usize,
    pub(super) ttl_in_seconds: i64,
    pub(super) type_code: TypeCode,
    /// Whether processes poll. With one process, an instant database and no faults between
    /// them a poll finds nothing new.
    pub(super) polls: bool,
    /// How many commits a failover can lose.
    pub(super) failover_commits: usize,
    /// Whether exchanging two clients leaves everything as it is.
    pub(super) symmetric: bool,
}

/// All known situations of Locket.
#[derive(Clone, Debug)]
pub(super) struct Lockets {
    settings: LocketSettings,
    known: Vec<Known>,
    by_outlook: HashMap<Vec<u64>, SituationId, FxBuildHasher>,
    answers: Vec<Result<Response, LockError>>,
}

#[derive(Clone, Debug)]
struct Known {
    locket: Locket,
    facts: LocketFacts,
    steps: Steps<LocketStep>,
    /// The situation in which the two clients have changed places.
    twin: SituationId,
}

#[derive(Clone, Debug)]
struct Locket {
    now: Time,
    table: LockTable,
    servers: Vec<Option<Server>>,
    /// The table before each of the last commits.
    history: VecDeque<LockTable>,
    ids: IdSource,
}

/// The situation at the start.
pub(super) const START: SituationId = 0;

impl Lockets {
    pub(super) fn new(settings: LocketSettings) -> Self {
        let mut lockets = Self {
            known: Vec::new(),
            by_outlook: HashMap::default(),
            answers: Vec::new(),
            settings,
        };
        let server = Server::new(lockets.settings.profile, Time::ZERO);
        let locket = Locket {
            now: Time::ZERO,
            table: LockTable::new(lockets.settings.profile),
            servers: vec![Some(server); lockets.settings.processes],
            history: VecDeque::new(),
            ids: IdSource::new(0),
        };
        // The first is not one too many, and its own twin.
        let _ = lockets.situation(locket);
        lockets
    }

    pub(super) fn facts(&self, id: SituationId) -> &LocketFacts {
        &self.known[usize::from(id)].facts
    }

    pub(super) fn twin(&self, id: SituationId) -> SituationId {
        self.known[usize::from(id)].twin
    }

    /// The answer of a number.
    pub(super) fn answer(&self, number: u8) -> &Result<Response, LockError> {
        &self.answers[usize::from(number)]
    }

    pub(super) fn step(
        &mut self,
        id: SituationId,
        input: LocketInput,
    ) -> Result<LocketStep, NoStep> {
        if let Some(step) = self.known_step(id, input) {
            return Ok(step);
        }
        let step = self.compute(id, input)?;
        if self.settings.symmetric {
            // Both are found together, so that each always knows the other.
            let mirrored = self.compute(self.twin(id), input.mirrored())?;
            self.known[usize::from(step.next)].twin = mirrored.next;
            self.known[usize::from(mirrored.next)].twin = step.next;
        }
        self.known[usize::from(id)]
            .steps
            .insert(input.number(), step);
        Ok(step)
    }

    /// A step that was computed already.
    pub(super) fn known_step(&self, id: SituationId, input: LocketInput) -> Option<LocketStep> {
        self.known[usize::from(id)].steps.get(input.number())
    }

    fn compute(&mut self, id: SituationId, input: LocketInput) -> Result<LocketStep, NoStep> {
        let mut locket = self.known[usize::from(id)].locket.clone();
        let answer = locket.perform(input, &self.settings);
        let answer = answer.map(|answer| self.answer_number(answer));
        let next = self.situation(locket)?;
        Ok(LocketStep { next, answer })
    }

    fn answer_number(&mut self, answer: Result<Response, LockError>) -> u8 {
        let known = self.answers.iter().position(|known| *known == answer);
        let number = known.unwrap_or(self.answers.len());
        if number == self.answers.len() {
            self.answers.push(answer);
        }
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    fn situation(&mut self, mut locket: Locket) -> Result<SituationId, NoStep> {
        let outlook = locket.outlook(self.settings.polls);
        if let Some(&id) = self.by_outlook.get(&outlook) {
            return Ok(id);
        }
        let id = next_id(self.known.len())?;
        let facts = locket.facts(self.settings.polls);
        self.known.push(Known {
            locket,
            facts,
            steps: Steps::default(),
            twin: id,
        });
        self.by_outlook.insert(outlook, id);
        Ok(id)
    }
}

impl Locket {
    fn perform(
        &mut self,
        input: LocketInput,
        settings: &LocketSettings,
    ) -> Option<Result<Response, LockError>> {
        let before = (settings.failover_commits > 0).then(|| self.table.clone());
        let writes = self.table.writes();
        let mut answer = None;
        match input {
            LocketInput::Crash(process) => self.servers[usize::from(process)] = None,
            LocketInput::Evict => {
                self.table.delete_row(KEY);
            }
            LocketInput::Expire => self.table.handle_timeout(self.now, &mut ()),
            LocketInput::FailOver(commits) => {
                let kept = self.history.len().saturating_sub(commits.into());
                if let Some(table) = self.history.drain(kept..).next() {
                    self.table = table;
                }
                return None;
            }
            LocketInput::Pass(ms) => self.now = self.now + Duration::from_ms(ms.into()),
            LocketInput::Poll(process) => self.poll(process),
            LocketInput::Request {
                process,
                client,
                method,
                answer_lost,
            } => {
                let request = settings.request(client, method);
                answer = self.request(process, &request, answer_lost);
            }
            LocketInput::Start(process) => {
                let server = Server::new(settings.profile, self.now);
                self.servers[usize::from(process)] = Some(server);
            }
            LocketInput::Timer(process) => self.fire(process),
        }
        if let Some(before) = before.filter(|_| self.table.writes() != writes) {
            if self.history.len() == settings.failover_commits {
                self.history.pop_front();
            }
            self.history.push_back(before);
        }
        answer
    }

    fn request(
        &mut self,
        process: u8,
        request: &Request,
        answer_lost: bool,
    ) -> Option<Result<Response, LockError>> {
        let Self {
            now,
            table,
            servers,
            ids,
            ..
        } = self;
        let server = servers[usize::from(process)].as_mut()?;
        let (call, operation) = server.begin(request, *now);
        let result = operation
            .and_then(|operation| table.apply(operation, *now, || Ok(ids.next_id()), &mut ()));
        let result = if answer_lost {
            // What the process says when it gives up, which it does later; until then nothing
            // that it does depends on this call.
            Err(LockError::DeadlineExceeded)
        } else {
            result
        };
        Some(server.finish(call, request, result, Caller::default(), *now, &mut ()))
    }

    fn poll(&mut self, process: u8) {
        let rows: Vec<_> = self.table.registrations().collect();
        if let Some(server) = &mut self.servers[usize::from(process)] {
            server.begin_poll(self.now);
            server.handle_polled_rows(Ok(rows.into_iter()), self.now, &mut ());
        }
    }

    fn fire(&mut self, process: u8) {
        let Self {
            now,
            table,
            servers,
            ids,
            ..
        } = self;
        let Some(server) = &mut servers[usize::from(process)] else {
            return;
        };
        while let Some((fired, registration)) = server.poll_fired(*now) {
            let operation = Operation::CompareAndDelete(&registration);
            let result = table.apply(operation, *now, || Ok(ids.next_id()), &mut ());
            server.handle_attempt(fired, result, &mut ());
        }
    }

    fn facts(&mut self, polls: bool) -> LocketFacts {
        let now = self.now;
        let left = |due: Time| due.since(now).as_ms();
        let owner = self.table.row(KEY).and_then(|row| row.owner);
        let mut facts = LocketFacts {
            owner: owner.and_then(|owner| owner.parse().ok()),
            expiry_ms: self.table.deadline(Time::MAX).map(left),
            ..LocketFacts::default()
        };
        for (process, server) in self.servers.iter_mut().enumerate() {
            let Some(server) = server else {
                continue;
            };
            facts.runs[process] = true;
            facts.timer_ms[process] = server.deadline(Time::MAX).map(left);
            facts.poll_ms[process] = server.poll_deadline().filter(|_| polls).map(left);
        }
        facts
    }
}

impl LocketSettings {
    fn request(&self, client: u8, method: Method) -> Request {
        let resource = Resource {
            key: KEY.to_owned(),
            owner: client.to_string(),
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

impl LocketInput {
    /// The same input with the two clients exchanged.
    const fn mirrored(self) -> Self {
        match self {
            Self::Request {
                process,
                client,
                method,
                answer_lost,
            } => Self::Request {
                process,
                client: 1 - client,
                method,
                answer_lost,
            },
            Self::Crash(_)
            | Self::Evict
            | Self::Expire
            | Self::FailOver(_)
            | Self::Pass(_)
            | Self::Poll(_)
            | Self::Start(_)
            | Self::Timer(_) => self,
        }
    }

    const fn number(self) -> u32 {
        let (kind, detail) = match self {
            Self::Crash(process) => (0, process as u32),
            Self::Evict => (1, 0),
            Self::Expire => (2, 0),
            Self::FailOver(commits) => (3, commits as u32),
            Self::Pass(ms) => (4, ms),
            Self::Poll(process) => (5, process as u32),
            Self::Request {
                process,
                client,
                method,
                answer_lost,
            } => {
                let detail = (process as u32) << 16 | (client as u32) << 8 | (method as u32) << 1;
                (6, detail | answer_lost as u32)
            }
            Self::Start(process) => (7, process as u32),
            Self::Timer(process) => (8, process as u32),
        };
        kind << 28 | detail
    }
}
