//! The back end: Locket processes and their database, with all that they ask and answer each other.
//!
//! Its user only decides when a message between the two is [delivered](Delivery).
//!
//! * A [cluster](crate::cluster) delivers at once, a [search](crate::check) in every order.
//! * A [world](crate::world) has a network, clocks and causes for messages: each is an event of its own
//!   there. So it gives the inputs to the machines here itself.

use super::connection::Processes;
use super::database::{Database, DatabaseInput, DatabaseOutput, Direct};
use super::locket_process::{LocketProcess, ProcessInput, ProcessOutput};
use super::message::{DatabaseAnswer, IncomingCall, Query};
use crate::protocol::error::LockError;
use crate::protocol::expiry::KnownTimer;
use crate::protocol::lock_table::KnownRow;
use crate::protocol::message::Response;
use crate::protocol::profile::{CallerGone, Profile};
use crate::protocol::row::WrittenRow;
use crate::time::Time;

/// Locket processes and their database.
#[derive(Clone, Debug)]
pub(crate) struct BackEnd {
    /// The database.
    pub(crate) database: Database,
    /// Its processes, by number.
    pub(crate) processes: Vec<LocketProcess>,
}

/// Says when messages between processes and the database are delivered, and learns what comes of
/// them. Without more, each is delivered at once.
pub(crate) trait Delivery {
    /// A process asks the database. Gives back what is delivered at once.
    fn query(&mut self, query: Query) -> Option<Query> {
        Some(query)
    }

    /// The database answers a process. Gives back what is delivered at once.
    fn answer(&mut self, answer: DatabaseAnswer) -> Option<DatabaseAnswer> {
        Some(answer)
    }

    /// A process answers a call.
    fn handled(&mut self, call: IncomingCall, result: Result<Response, LockError>);

    /// A process has ended by itself.
    fn exited(&mut self, process: usize);
}

impl BackEnd {
    /// So many processes that run, and this database.
    pub(crate) fn new(profile: Profile, database: Database, processes: usize) -> Self {
        Self { database, processes: vec![LocketProcess::new(profile, Time::ZERO); processes] }
    }

    /// Adds a process that runs, and gives back its number.
    pub(crate) fn add_process(&mut self, profile: Profile, now: Time) -> usize {
        self.processes.push(LocketProcess::new(profile, now));
        if !self.database.is_down() {
            self.database.create_table();
        }
        self.processes.len() - 1
    }

    /// A process, and the database at this time of its clock, which answers it at once.
    pub(crate) fn direct(&mut self, process: usize, now: Time) -> (&mut LocketProcess, Direct<'_>) {
        let database = Direct::new(&mut self.database, now);
        (&mut self.processes[process], database)
    }

    /// Renews a row by its handle and by that of its timer, if a process has to do nothing else for
    /// it. Both have these times on their clocks.
    pub(crate) fn renew_known(
        &mut self,
        process: usize,
        (row, timer): (&mut KnownRow, Option<KnownTimer>),
        at_process: Time,
        at_database: Time,
    ) -> Option<&WrittenRow> {
        let process = &mut self.processes[process];
        let index = self.database.table().known_index(*row)?;
        let server = process.server()?;
        if timer.is_some_and(|timer| !server.expiry().is_current(timer, index)) {
            return None;
        }
        let before = self.database.version();
        self.database.renew_known(row, at_database);
        process.renew_known(timer, at_process, before, self.database.version());
        self.database.table().last_written()
    }

    /// Starts a process, which creates the table if there is none. Says whether it did: it has to be
    /// down, and a start without the database fails (B29).
    pub(crate) fn start(&mut self, process: usize, now: Time) -> bool {
        let starts = self.processes[process].life().is_none() && !self.database.is_down();
        if starts {
            self.database.create_table();
            self.processes[process].start(now);
        }
        starts
    }

    /// A stall of the database ends, which adds its answers to `out`.
    pub(crate) fn end_stall(&mut self, now: Time, out: &mut Vec<DatabaseOutput>) {
        let processes = &self.processes;
        let is_waited_for = |query: &Query| is_waited_for(processes, query);
        self.database.end_stall(is_waited_for, now, out);
    }

    /// A stall ends by one query.
    pub(crate) fn end_stall_by_one(&mut self, now: Time, out: &mut Vec<DatabaseOutput>) {
        let processes = &self.processes;
        let is_waited_for = |query: &Query| is_waited_for(processes, query);
        self.database.end_stall_by_one(is_waited_for, now, out);
    }

    /// True if a question of a process waits at the database for the end of a stall.
    pub(crate) fn waits_at_database(&self, process: usize, token: u64) -> bool {
        let waiting = self.database.waiting().iter();
        let transactions = self.database.transactions().iter();
        let mut all = waiting.chain(transactions.map(|it| &it.query));
        all.any(|it| (usize::from(it.process), it.token) == (process, token))
    }

    /// True if a query that arrives at the database is executed. Where transactions hold their rows
    /// for a while, or are rolled back with their callers, it is rolled back if its process has given
    /// up or ended since.
    pub(crate) fn takes_query(&self, query: &Query) -> bool {
        let commits = self.database.table().profile().caller_gone == CallerGone::Commits;
        commits && !self.database.holds_rows() || is_waited_for(&self.processes, query)
    }

    /// The transactions that no process waits for any more leave their queues.
    pub(crate) fn roll_back_unwaited(&mut self, out: &mut Vec<DatabaseOutput>) {
        if self.database.holds_rows() {
            let processes = &self.processes;
            let is_kept = |query: &Query| is_waited_for(processes, query);
            self.database.roll_back_unless(is_kept, out);
        }
    }
}

impl Processes for BackEnd {
    fn count(&self) -> usize {
        self.processes.len()
    }

    fn accepting(&self, process: usize) -> Option<u32> {
        self.processes[process].accepting()
    }
}

/// Everything that follows from an input.
impl BackEnd {
    /// Gives a process an input. Says whether anything came of it.
    pub(crate) fn deliver_to_process(
        &mut self,
        process: usize,
        input: ProcessInput,
        now: Time,
        delivery: &mut impl Delivery,
    ) -> bool {
        let mut outputs = Vec::new();
        self.processes[process].handle(input, now, &mut outputs);
        let came = !outputs.is_empty();
        self.deliver_queries(process, outputs, now, delivery);
        came
    }

    /// Delivers what a process gives out.
    pub(crate) fn deliver_queries(
        &mut self,
        process: usize,
        outputs: Vec<ProcessOutput>,
        now: Time,
        delivery: &mut impl Delivery,
    ) {
        for output in outputs {
            match output {
                ProcessOutput::Exited => delivery.exited(process),
                // The process counts it.
                ProcessOutput::Expired { .. } => {}
                ProcessOutput::Handled(call, result) => delivery.handled(call, result),
                ProcessOutput::Query(token, transaction) => {
                    let process = process as u16;
                    let query = delivery.query(Query { process, token, transaction });
                    if let Some(query) = query {
                        self.send_to_database(DatabaseInput::Query(query), now, delivery);
                    }
                }
            }
        }
    }

    /// Gives the database an input.
    pub(crate) fn send_to_database(
        &mut self,
        input: DatabaseInput,
        now: Time,
        delivery: &mut impl Delivery,
    ) {
        let mut outputs = Vec::new();
        self.database.handle(input, now, &mut outputs);
        self.deliver_answers(outputs, now, delivery);
    }

    /// Delivers what the database gives out.
    pub(crate) fn deliver_answers(
        &mut self,
        outputs: Vec<DatabaseOutput>,
        now: Time,
        delivery: &mut impl Delivery,
    ) {
        for output in outputs {
            let DatabaseOutput::Answer(answer) = output else {
                continue;
            };
            if let Some(answer) = delivery.answer(answer) {
                let process = answer.process.into();
                let input = ProcessInput::Answer(answer.token, answer.answer);
                self.deliver_to_process(process, input, now, delivery);
            }
        }
    }
}

/// True if the process that asked has neither given up nor ended since.
fn is_waited_for(processes: &[LocketProcess], query: &Query) -> bool {
    processes[usize::from(query.process)].waits_for(query.token)
}
