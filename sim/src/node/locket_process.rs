//! A Locket process: calls come in, the database is asked, answers go out; timers fire, and the
//! table is polled.
//!
//! Each of these is here once, whether the [database answers at once](super::database::Direct)
//! or a query travels to it. Knows no client but by number, and not how anything reaches it.

#[cfg(test)]
mod poll_tests;
mod queries;

use std::collections::VecDeque;

use self::queries::Queued;
use super::ask::{Ask, TableVersion};
use super::message::{Answer, IncomingCall, Transaction};
use crate::protocol::error::LockError;
use crate::protocol::expiry::{Fired, KnownTimer};
use crate::protocol::log::Log;
use crate::protocol::message::{Request, Response};
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::profile::Profile;
use crate::protocol::row::Registration;
use crate::protocol::server::{Call, Caller, DRIVER_TIMEOUT, OPERATION_TIMEOUT, Server};
use crate::time::Time;

/// A Locket process, which runs or is down.
///
/// After every input ask when its timers are due: [`expiry_deadline`](Self::expiry_deadline),
/// [`poll_deadline`](Self::poll_deadline), and for a question that it has just asked
/// [`operation_deadline`](Self::operation_deadline). A timer's input that comes early does
/// nothing.
#[derive(Clone, Debug)]
pub(crate) struct LocketProcess {
    profile: Profile,
    /// `None` while it is down.
    server: Option<Server>,
    /// True if it finishes its calls and accepts no connection, until it is stopped (B90).
    drains: bool,
    /// Its unanswered transactions, in the order of the tokens.
    asked: VecDeque<(u64, Asked)>,
    /// How many questions it has asked in all its lives.
    tokens: u64,
    /// How often it has ended.
    life: u32,
    /// The last version of the table known to have a timer for each row, so that
    /// a poll would change nothing.
    registered: Option<TableVersion>,
}

/// Something that it waits for, and when it gives that up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    why: Why,
    deadline: Time,
}

/// Why it has asked the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Why {
    /// For a client's call.
    Call(Call, IncomingCall),
    /// For a timer that fired.
    Expiry(Fired),
    /// For the poll.
    Poll,
}

impl Reason<'_> {
    /// The timer, if one fired.
    pub(crate) const fn expiry(&self) -> Option<Fired> {
        match self {
            Self::Expiry(fired) => Some(*fired),
            Self::Call(_) | Self::Poll => None,
        }
    }
}

/// Why a process has asked the database, for views of its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason<'a> {
    /// For a client's call.
    Call(&'a IncomingCall),
    /// For a timer that fired.
    Expiry(Fired),
    /// For the poll.
    Poll,
}

/// An input of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ProcessInput {
    /// The database has answered the question of this token.
    Answer(u64, Answer),
    /// The caller has gone for whose call the question of this token is, where that matters.
    CallerGone(u64),
    /// The timers of rows that are due fire.
    ExpiryTimer,
    /// It gives up on the question of this token, if it has waited for too long.
    OperationTimer(u64),
    /// It polls if a poll is due.
    PollTimer,
    /// A call has come over a connection that was made in this life of the process.
    Request(u32, IncomingCall),
}

/// An output of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProcessOutput {
    /// It has ended without a signal: a call killed it, or it found no table.
    Exited,
    /// It had a row deleted whose TTL had ended.
    Expired {
        /// The row's key.
        key: String,
        /// The owner that it had.
        owner: String,
    },
    /// It answers a call.
    Handled(IncomingCall, Result<Response, LockError>),
    /// It asks the database.
    Query(u64, Transaction),
}

/// How far a call has come.
#[derive(Debug)]
pub(crate) enum Progress<L> {
    /// It is answered.
    Answered(Result<Response, LockError>),
    /// Its answer comes later.
    Begun(Call, L),
}

impl LocketProcess {
    /// A process that starts at `now`.
    pub(crate) fn new(profile: Profile, now: Time) -> Self {
        Self {
            profile,
            server: Some(Server::new(profile, now)),
            drains: false,
            asked: VecDeque::new(),
            tokens: 0,
            life: 0,
            registered: None,
        }
    }

    /// Takes an input, and adds what comes of it to `out`.
    pub(crate) fn handle(&mut self, input: ProcessInput, now: Time, out: &mut Vec<ProcessOutput>) {
        match input {
            ProcessInput::Answer(token, answer) => self.take_answer(token, answer, now, out),
            ProcessInput::CallerGone(token) => self.roll_back(token, now, out),
            ProcessInput::ExpiryTimer => {
                self.fire_timers(now, &mut Queued::new(None, out), &mut ());
            }
            ProcessInput::OperationTimer(token) => self.give_up(token, now, out),
            ProcessInput::PollTimer => {
                self.poll(now, &mut Queued::new(None, out), &mut ());
            }
            ProcessInput::Request(life, call) => {
                if life == self.life {
                    self.take_call(call, now, out);
                }
            }
        }
    }

    /// Its server, while it runs.
    pub(crate) const fn server(&self) -> Option<&Server> {
        self.server.as_ref()
    }

    /// Which life it lives, if it runs: how often it has ended before.
    pub(crate) fn life(&self) -> Option<u32> {
        self.server.as_ref().map(|_| self.life)
    }

    /// The life that it lives, or else has lived last.
    pub(crate) fn last_life(&self) -> u32 {
        self.life - u32::from(self.server.is_none())
    }

    /// The life in which it accepts connections.
    pub(crate) fn accepting(&self) -> Option<u32> {
        self.life().filter(|_| !self.drains)
    }

    /// The life in which it finishes its calls and accepts no connection.
    pub(crate) fn draining(&self) -> Option<u32> {
        self.life().filter(|_| self.drains)
    }

    /// True if it has calls to answer.
    pub(crate) fn has_calls(&self) -> bool {
        let mut asked = self.asked.iter();
        asked.any(|(_, it)| matches!(it.why, Why::Call(..)))
    }

    /// Drops all timers, for a search in which those of any process stand for them.
    pub(crate) fn drop_timers(&mut self) {
        if let Some(server) = &mut self.server {
            server.drop_timers();
        }
    }

    /// Counts its lives from the first again: no client knows of an earlier one.
    pub(crate) const fn forget_lives(&mut self) {
        self.life = 0;
    }

    /// How often it has ended.
    pub(crate) const fn ended(&self) -> u32 {
        self.life
    }

    /// Its unanswered transactions in order: tokens, reasons, and when it gives up.
    pub(crate) fn questions(&self) -> impl Iterator<Item = (u64, Reason<'_>, Time)> {
        self.asked.iter().map(|(token, asked)| {
            let reason = match &asked.why {
                Why::Call(_, call) => Reason::Call(call),
                Why::Expiry(fired) => Reason::Expiry(*fired),
                Why::Poll => Reason::Poll,
            };
            (*token, reason, asked.deadline)
        })
    }

    /// True if it waits for the answer to the question of this token.
    pub(crate) fn waits_for(&self, token: u64) -> bool {
        self.place(token).is_some()
    }
}

/// When it has something to do by itself.
impl LocketProcess {
    /// When a timer of a row fires next, if that is not after `limit`.
    pub(crate) fn expiry_deadline(&mut self, limit: Time) -> Option<Time> {
        self.server.as_mut()?.deadline(limit)
    }

    /// True if certainly no timer of a row fires before `time`; cheap enough to ask always.
    pub(crate) fn is_idle_before(&self, time: Time) -> bool {
        self.server.as_ref().is_none_or(|server| server.expiry().is_idle_before(time))
    }

    /// When it gives up on the question of this token, if it waits for its answer.
    pub(crate) fn operation_deadline(&self, token: u64) -> Option<Time> {
        self.place(token).map(|place| self.asked[place].1.deadline)
    }

    /// When it polls next; `None` where the table expires its rows by itself.
    pub(crate) fn poll_deadline(&self) -> Option<Time> {
        self.server.as_ref()?.poll_deadline()
    }
}

/// Its actions, with any way to execute its transactions.
impl LocketProcess {
    /// Begins a call, and finishes it if the database answers at once.
    pub(crate) fn begin_call<A: Ask>(
        &mut self,
        request: &Request,
        caller: Caller<'_>,
        now: Time,
        ask: &mut A,
        log: &mut dyn Log,
    ) -> Progress<A::Later> {
        let Some(server) = &mut self.server else {
            return Progress::Answered(Err(LockError::Unavailable));
        };
        let (call, operation) = server.begin(request, now);
        let before = ask.version();
        let result = match operation.map(|it| ask.transact(self.tokens, it, log)) {
            Ok(Ok(result)) => result,
            Ok(Err(later)) => return Progress::Begun(call, later),
            Err(error) => Err(error),
        };
        let is_other = |row: &Registration| !ask.has_stored(row);
        let has_missed = matches!(&result, Ok(Outcome::Locked(Some(row))) if is_other(row));
        self.note_version(before, ask.version().filter(|_| !has_missed));
        Progress::Answered(self.finish_call(call, request, result, caller, now, log))
    }

    /// Takes a renewal that the database has committed at this instant.
    pub(crate) fn renew_known(
        &mut self,
        timer: Option<KnownTimer>,
        now: Time,
        before: TableVersion,
        after: TableVersion,
    ) {
        if let Some(server) = &mut self.server {
            server.renew_known(timer, now);
        }
        self.note_version(Some(before), Some(after));
    }

    /// Finishes a call with what validation or the database said.
    fn finish_call(
        &mut self,
        call: Call,
        request: &Request,
        result: Result<Outcome, LockError>,
        caller: Caller<'_>,
        now: Time,
        log: &mut dyn Log,
    ) -> Result<Response, LockError> {
        let server = self.server.as_mut().expect(HAS_BEGUN);
        let response = server.finish(call, request, result, caller, now, log);
        if server.exits() {
            self.end();
        }
        response
    }

    /// Lets the timers fire that are due, each of which asks to delete its row. Says whether any
    /// did.
    pub(crate) fn fire_timers<A: Ask>(
        &mut self,
        now: Time,
        ask: &mut A,
        log: &mut dyn Log,
    ) -> bool {
        let mut has_fired = false;
        while let Some(server) = &mut self.server
            && let Some((fired, row)) = server.poll_fired(now)
        {
            has_fired = true;
            let before = ask.version();
            match ask.transact(self.tokens, Operation::CompareAndDelete(&row), log) {
                Ok(result) => {
                    let is_deleted = result == Ok(Outcome::Deleted(true));
                    server.handle_attempt(fired, result, log);
                    self.note_version(before, ask.version().filter(|_| is_deleted));
                }
                Err(_) => self.wait_for(Why::Expiry(fired), now),
            }
        }
        has_fired
    }

    /// Polls the table if that is due, one poll at a time: ticks while one waits are dropped
    /// (B80). Says whether it did.
    pub(crate) fn poll<A: Ask>(&mut self, now: Time, ask: &mut A, log: &mut dyn Log) -> bool {
        let knows_all = self.knows_all(ask);
        let Some(server) = &mut self.server else {
            return false;
        };
        if !server.begin_poll(now) || self.asked.iter().any(|(_, it)| it.why == Why::Poll) {
            return false;
        }
        if knows_all && !log.is_read() {
            return true;
        }
        let version = ask.version();
        match ask.list(self.tokens) {
            Ok(rows) => {
                server.handle_polled_rows(rows, now, log);
                self.registered = version;
            }
            Err(_) => self.wait_for(Why::Poll, now),
        }
        true
    }

    /// True if a poll would change nothing.
    fn knows_all<A: Ask>(&self, ask: &A) -> bool {
        self.registered.is_some() && self.registered == ask.version()
    }

    /// The process has seen to all that has changed since the version before, if there is one
    /// after.
    fn note_version(&mut self, before: Option<TableVersion>, after: Option<TableVersion>) {
        let known = self.registered.filter(|it| Some(*it) == before);
        self.registered = known.and(after);
    }

    /// Leaves out polls before `now`, which would have found nothing new. The rhythm stays.
    pub(crate) fn skip_polls_before(&mut self, now: Time) {
        if let Some(server) = &mut self.server {
            server.skip_polls_before(now);
        }
    }

    /// Starts, if it is down; it will register every row with its full TTL (B75).
    pub(super) fn start(&mut self, now: Time) {
        self.server.get_or_insert_with(|| Server::new(self.profile, now));
    }

    /// Accepts no connection from now on, if it runs.
    pub(crate) const fn drain(&mut self) {
        self.drains = self.server.is_some();
    }

    /// Ends, and loses its state.
    pub(crate) fn end(&mut self) {
        if self.server.take().is_some() {
            self.life += 1;
            self.drains = false;
            self.asked.clear();
            self.registered = None;
        }
    }
}

/// Its unanswered transactions.
impl LocketProcess {
    /// Remembers what it has asked with the next token.
    fn wait_for(&mut self, why: Why, now: Time) {
        // Expiry and poll have no timeout of their own but the driver's (B23).
        let timeout = match why {
            Why::Call(..) => OPERATION_TIMEOUT,
            Why::Expiry(_) | Why::Poll => DRIVER_TIMEOUT,
        };
        debug_assert!(self.server.is_some(), "{HAS_BEGUN}");
        let deadline = now + timeout;
        self.asked.push_back((self.tokens, Asked { why, deadline }));
        self.tokens += 1;
    }

    fn place(&self, token: u64) -> Option<usize> {
        self.asked.binary_search_by_key(&token, |it| it.0).ok()
    }
}

/// The invariant behind what waits for an answer.
const HAS_BEGUN: &str = "a process waits for answers only while it runs";
