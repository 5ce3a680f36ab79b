//! The shipped Locket processes and their database under exploration, as one component: versions
//! of rows are compared across them.
//!
//! Where no event can come between process and database, they answer each other within an input.
//! Else queries and answers [travel](internal), each as its own input. All that follows of one is asked
//! of [the machines](machines::BackEnd). Knows one key with numbered clients, and nothing of the
//! links to them.

mod facts;
mod input;
mod internal;
mod rows;
#[cfg(test)]
mod seen_by;
mod settings;

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use self::internal::Mail;
use crate::check::question::limits::{CLIENTS_MAX, KEY};

pub(in crate::check) use self::facts::BackEndFacts;
pub(in crate::check) use self::input::{Input, Reception, Way};
pub(in crate::check) use self::internal::{InternalFacts, Lost, OperationFacts, Stage};
pub(in crate::check) use self::rows::RowFacts;
#[cfg(test)]
pub(in crate::check) use self::seen_by::SeenRow;
pub(in crate::check) use self::settings::{BackEndSettings, Timers};
use super::interned::{IdsMax, InternedId, NoStep, Steps, next_id};
use super::replies::Replies;
use crate::node::back_end as machines;
use crate::node::canonical::{CanonicalLocket, OwnerNumber};
use crate::node::database::{Database, DatabaseInput, DatabaseOutput};
use crate::node::locket_process::{LocketProcess, ProcessInput};
use crate::node::message::IncomingCall;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::CallId;
use crate::time::{Duration, Time};

/// The effect of an input on Locket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) struct BackEndStep {
    pub(in crate::check) next: InternedId,
    /// The answer to a call, if there is one.
    pub(in crate::check) answer: Option<Answered>,
    /// How many transactions the database answers that could be lost.
    pub(in crate::check) transactions: u8,
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

/// All known states of Locket.
#[derive(Clone, Debug)]
pub(in crate::check) struct BackEnds {
    settings: BackEndSettings,
    ids_max: IdsMax,
    known: Vec<Known>,
    by_canonical: HashMap<Vec<u64>, InternedId, FxBuildHasher>,
}

#[derive(Clone, Debug)]
struct Known {
    back_end: BackEnd,
    facts: BackEndFacts,
    steps: Steps<Input, BackEndStep>,
    /// The states in which the clients of each swap have changed places.
    images: [InternedId; CLIENTS_MAX - 1],
}

#[derive(Clone, Debug)]
struct BackEnd {
    now: Time,
    machines: machines::BackEnd,
    mail: Mail,
    /// The row as it was after the last input, and since when.
    written: Written,
}

/// The version of a row, and since when it stands.
#[derive(Clone, Debug, Default)]
struct Written {
    version: Option<(Option<String>, Option<i64>)>,
    since: Time,
}

/// The state at the start.
pub(in crate::check) const START: InternedId = 0;

impl BackEnds {
    pub(in crate::check) fn new(settings: BackEndSettings) -> Self {
        let BackEndSettings { profile, processes, lost_commits, transaction_time, .. } = settings;
        let database = Database::new(profile, 0, lost_commits);
        let database = database.with_transaction_time(transaction_time);
        let back_end = BackEnd {
            now: Time::ZERO,
            machines: machines::BackEnd::new(profile, database, processes),
            mail: Mail::default(),
            written: Written::default(),
        };
        let mut back_ends = Self {
            ids_max: IdsMax::default(),
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

    pub(in crate::check) const fn limit(&mut self, ids_max: IdsMax) {
        self.ids_max = ids_max;
    }

    /// The machines in this state.
    pub(in crate::check) fn machines(&self, id: InternedId) -> &machines::BackEnd {
        &self.known[id as usize].back_end.machines
    }

    /// The canonical state of the rows and of the timers of processes.
    pub(in crate::check) fn canonical_rows(&self, id: InternedId) -> Vec<u64> {
        let (back_end, settings) = (&self.known[id as usize].back_end, &self.settings);
        let mut canonical = CanonicalLocket::new(back_end.now, KEY, owner_number);
        canonical.add_rows(&back_end.machines.database, settings.polls);
        for process in &back_end.machines.processes {
            canonical.add_running_timers(process, settings.polls);
        }
        canonical.finish()
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
        match self.known_step(id, input) {
            Some(step) => Ok(step),
            None => self.compute(id, input, replies),
        }
    }

    /// A step that was not computed yet.
    #[cold]
    fn compute(
        &mut self,
        id: InternedId,
        input: Input,
        replies: &mut Replies,
    ) -> Result<BackEndStep, NoStep> {
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
        self.known[id as usize].steps.get(input)
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
        back_end.end_stale_waits();
        back_end.note_timers(&self.settings);
        let answer = answer.map(|(client, tag, answer)| {
            let number = replies.number(answer)?;
            Ok(Answered { client, tag, number })
        });
        let transactions = back_end.mail.transactions();
        let step =
            BackEndStep { next: self.intern(back_end)?, answer: answer.transpose()?, transactions };
        self.known[id as usize].steps.insert(input, step);
        Ok(step)
    }

    fn intern(&mut self, mut back_end: BackEnd) -> Result<InternedId, NoStep> {
        let canonical = back_end.canonical(&self.settings, owner_number);
        if let Some(&id) = self.by_canonical.get(&canonical) {
            return Ok(id);
        }
        let id = next_id(self.known.len(), self.ids_max)?;
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
    /// Gives back the answer to a call, if there is one.
    fn perform(&mut self, input: Input, settings: &BackEndSettings) -> Option<Answer> {
        self.mail.begin(self.now, input.reception());
        match input {
            Input::Answer { process, rank } => self.arrive(Stage::Answer, process, rank),
            Input::Commit { process, rank, .. } => self.commit(process, rank),
            Input::Crash(process) => self.crash(process, settings),
            Input::CrashDatabase => self.send_to_database(DatabaseInput::Crash),
            Input::DeleteRow => self.send_to_database(DatabaseInput::DeleteRow(KEY.to_owned())),
            Input::Drain(process) => self.machines.processes[usize::from(process)].drain(),
            Input::Expire => self.send_to_database(DatabaseInput::Expire),
            Input::FailOver(commits) => {
                self.send_to_database(DatabaseInput::FailOver(commits.into()));
            }
            Input::Forget { process, place } => {
                if let Some(token) = self.token(process, place) {
                    self.machines.processes[usize::from(process)].forget(token);
                }
            }
            Input::Grant { process, rank } => self.grant(process, rank),
            Input::GiveUp { process, place } => {
                if let Some(token) = self.token(process, place) {
                    self.deliver_to_process(process, ProcessInput::OperationTimer(token));
                }
            }
            Input::Others { has_row } => self.machines.database.commit_of_others(KEY, has_row),
            Input::Pass(ms) => self.now = self.now + Duration::from_ms(ms.into()),
            Input::Poll(process, _) => self.deliver_to_process(process, ProcessInput::PollTimer),
            Input::Request { process, client, method, tag, .. } => {
                self.call(process, (client, tag), settings.request(client, method))
            }
            Input::Stall => self.send_to_database(DatabaseInput::Stall),
            Input::StallEnds(_) => self.end_stall(machines::BackEnd::end_stall),
            Input::StallEndsByOne(_) => self.end_stall(machines::BackEnd::end_stall_by_one),
            Input::StartDatabase => self.send_to_database(DatabaseInput::Start),
            Input::Query { process, rank, .. } => self.arrive(Stage::Query, process, rank),
            Input::Start(process) => {
                self.machines.start(process.into(), self.now);
            }
            Input::Timer(process, _) => self.deliver_to_process(process, ProcessInput::ExpiryTimer),
        }
        self.roll_back_unwaited();
        self.mail.forget_answers(&self.machines.processes);
        self.mail.take_answer_to_call()
    }

    fn crash(&mut self, process: u8, settings: &BackEndSettings) {
        let ended = &mut self.machines.processes[usize::from(process)];
        ended.end();
        if settings.forgets_lives {
            ended.forget_lives();
        }
    }

    fn call(&mut self, process: u8, (client, tag): (u8, u8), request: Request) {
        let Some(life) = self.machines.processes[usize::from(process)].life() else {
            return;
        };
        let call = IncomingCall {
            client: client.into(),
            session: tag.into(),
            call: CallId { method: request.method(), request_id: None },
            request: Arc::new(request),
        };
        self.deliver_to_process(process, ProcessInput::Request(life, call));
    }

    fn deliver_to_process(&mut self, process: u8, input: ProcessInput) {
        let (now, mail) = (self.now, &mut self.mail);
        self.machines.deliver_to_process(process.into(), input, now, mail);
    }

    fn send_to_database(&mut self, input: DatabaseInput) {
        self.machines.send_to_database(input, self.now, &mut self.mail);
    }

    fn end_stall(&mut self, end: fn(&mut machines::BackEnd, Time, &mut Vec<DatabaseOutput>)) {
        let mut outputs = Vec::new();
        end(&mut self.machines, self.now, &mut outputs);
        let (now, mail) = (self.now, &mut self.mail);
        self.machines.deliver_answers(outputs, now, mail);
    }

    fn canonical(&self, settings: &BackEndSettings, owner: OwnerNumber) -> Vec<u64> {
        let mut canonical = CanonicalLocket::new(self.now, KEY, owner);
        canonical.add_database(&self.machines.database, settings.polls);
        for process in &self.machines.processes {
            canonical.add_process(process, settings.polls, settings.gives_up);
        }
        if settings.has_ages() {
            canonical.add_age(self.age(settings, owner));
        }
        self.add_internal(settings.database_latency, &mut canonical);
        self.add_transactions(&mut canonical);
        canonical.finish()
    }

    /// Notes whether the row was written, and drops timers where any process stands for all.
    fn note_timers(&mut self, settings: &BackEndSettings) {
        if settings.timers == Timers::Each {
            return;
        }
        let row = self.machines.database.table().row(KEY);
        let version = row.map(|it| (it.modified_id, it.modified_index));
        if self.written.version != version {
            self.written = Written { version, since: self.now };
        }
        if settings.timers == Timers::AnyProcess {
            let processes = self.machines.processes.iter_mut();
            processes.for_each(LocketProcess::drop_timers);
        }
    }

    /// For how long the row stands as it is, up to its TTL, if its owner has a number.
    fn age(&self, settings: &BackEndSettings, owner: OwnerNumber) -> Option<Duration> {
        let row = self.machines.database.table().row(KEY)?;
        let name = row.owner.as_deref()?;
        owner(name)?;
        let age = self.now.since(self.written.since);
        Some(age.min(settings.ttl(owner_number(name)? as u8)))
    }
}

/// Owners are numbers here.
fn owner_number(owner: &str) -> Option<u64> {
    owner.parse().ok()
}
