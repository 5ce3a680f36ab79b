//! Over a database to which queries travel: what is asked waits for its answer, or is given up.

use std::iter;
use std::sync::Arc;

use super::{HAS_BEGUN, LocketProcess, ProcessOutput, Progress, Why};
use crate::node::ask::{Ask, TableVersion};
use crate::node::message::{Answer, IncomingCall, Transaction};
use crate::node::unseen::Unseen;
use crate::protocol::error::{LockError, MissingResource};
use crate::protocol::log::Log;
use crate::protocol::message::{Request, Response};
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::profile::CallerGone;
use crate::protocol::resource::{LOCK, PRESENCE};
use crate::protocol::row::Registration;
use crate::protocol::server::Caller;
use crate::time::Time;

impl LocketProcess {
    pub(super) fn take_call(
        &mut self,
        call: IncomingCall,
        now: Time,
        out: &mut Vec<ProcessOutput>,
    ) {
        match self.begin_call_by_query(call, Caller::default(), now, &mut (), out) {
            Ok(()) => {}
            Err((call, result)) => self.answer(call, result, out),
        }
    }

    /// Begins a call, for which it gives out a query.
    ///
    /// # Errors
    ///
    /// The call and its answer, if it takes no query to answer it.
    pub(crate) fn begin_call_by_query(
        &mut self,
        call: IncomingCall,
        caller: Caller<'_>,
        now: Time,
        log: &mut dyn Log,
        out: &mut Vec<ProcessOutput>,
    ) -> Result<(), (IncomingCall, Result<Response, LockError>)> {
        let mut ask = Queued::new(Some(&call.request), out);
        match self.begin_call(&call.request, caller, now, &mut ask, log) {
            Progress::Answered(result) => Err((call, result)),
            Progress::Begun(begun, ()) => {
                self.wait_for(Why::Call(begun, call), now);
                Ok(())
            }
        }
    }

    fn answer(
        &mut self,
        call: IncomingCall,
        result: Result<Response, LockError>,
        out: &mut Vec<ProcessOutput>,
    ) {
        // It dies of it and answers nothing (B18).
        if result == Err(LockError::InvalidResource(MissingResource::Crashes)) {
            self.end();
        } else {
            out.push(ProcessOutput::Handled(call, result));
        }
        if self.server.is_none() {
            out.push(ProcessOutput::Exited);
        }
    }

    /// Takes what the database says. An answer that it has given up on, or that an earlier life
    /// waited for, says nothing.
    pub(super) fn take_answer(
        &mut self,
        token: u64,
        answer: Answer,
        now: Time,
        out: &mut Vec<ProcessOutput>,
    ) {
        let Some((_, asked)) = self.place(token).and_then(|place| self.asked.remove(place)) else {
            return;
        };
        let server = self.server.as_mut().expect(HAS_BEGUN);
        match (asked.why, answer) {
            (Why::Call(begun, call), Answer::Outcome(result, Unseen(version))) => {
                // Without a write there is nothing that it has missed.
                if version.is_some() {
                    self.note_version(version.and_then(TableVersion::before), version);
                }
                let caller = Caller::default();
                let result = self.finish_call(begun, &call.request, result, caller, now, &mut ());
                self.answer(call, result, out);
            }
            (Why::Expiry(fired), Answer::Outcome(result, Unseen(version))) => {
                let is_deleted = result == Ok(Outcome::Deleted(true));
                let row = server.expiry().registration(fired).filter(|_| is_deleted);
                out.extend(row.map(|row| ProcessOutput::Expired {
                    key: row.key.to_string(),
                    owner: row.owner.to_string(),
                }));
                server.handle_attempt(fired, result, &mut ());
                self.note_version(version.and_then(TableVersion::before), version);
            }
            (Why::Poll, Answer::Rows(rows)) => {
                server.handle_polled_rows(rows.map(Vec::into_iter), now, &mut ());
            }
            (Why::Call(..) | Why::Expiry(_), Answer::Rows(_))
            | (Why::Poll, Answer::Outcome(..)) => {
                debug_assert!(false, "the database answers what it was asked");
            }
        }
    }

    /// Drops the calls of other clients and the attempts to delete rows of other owners. The client
    /// has number 0 then.
    #[cfg(test)]
    pub(crate) fn keep_questions_of(&mut self, client: u32, owner: &str) {
        let server = self.server.as_ref();
        self.asked.retain_mut(|(_, asked)| match &mut asked.why {
            Why::Call(_, call) if call.client == client => {
                call.client = 0;
                true
            }
            Why::Call(..) => false,
            Why::Expiry(fired) => {
                let row = server.and_then(|it| it.expiry().registration(*fired));
                row.is_none_or(|row| *row.owner == *owner)
            }
            Why::Poll => true,
        });
    }

    /// Drops polls and attempts to delete rows.
    #[cfg(test)]
    pub(crate) fn keep_calls(&mut self) {
        self.asked.retain(|(_, asked)| matches!(asked.why, Why::Call(..)));
    }

    /// Drops a call that its client has given up, after the answer of the database was lost. To
    /// give it up later would change nothing else.
    pub(crate) fn forget(&mut self, token: u64) {
        if let Some(place) = self.place(token) {
            self.asked.remove(place);
        }
    }

    /// The transaction of a call is rolled back, since its caller has gone.
    pub(super) fn roll_back(&mut self, token: u64, now: Time, out: &mut Vec<ProcessOutput>) {
        if self.profile.caller_gone == CallerGone::RollsBack {
            let answer = Answer::unwritten(Err(LockError::DeadlineExceeded));
            self.take_answer(token, answer, now, out);
        }
    }

    /// The unanswered transaction of a call ends with the call's deadline; that of a timer or a
    /// poll, with the driver's.
    pub(super) fn give_up(&mut self, token: u64, now: Time, out: &mut Vec<ProcessOutput>) {
        let Some(place) = self.place(token).filter(|&it| self.asked[it].1.deadline <= now) else {
            return;
        };
        let timed_out = LockError::database("i/o timeout");
        let answer = match self.asked[place].1.why {
            Why::Call(..) => Answer::unwritten(Err(LockError::DeadlineExceeded)),
            Why::Expiry(_) => Answer::unwritten(Err(timed_out)),
            Why::Poll => Answer::Rows(Err(timed_out)),
        };
        self.take_answer(token, answer, now, out);
    }
}

/// A database to which queries travel.
pub(super) struct Queued<'a> {
    /// The request that a call's transaction shares.
    request: Option<&'a Arc<Request>>,
    out: &'a mut Vec<ProcessOutput>,
}

impl<'a> Queued<'a> {
    pub(super) const fn new(
        request: Option<&'a Arc<Request>>,
        out: &'a mut Vec<ProcessOutput>,
    ) -> Self {
        Self { request, out }
    }
}

impl Ask for Queued<'_> {
    type Later = ();

    fn transact(
        &mut self,
        token: u64,
        operation: Operation<'_>,
        _: &mut dyn Log,
    ) -> Result<Result<Outcome, LockError>, ()> {
        let transaction = transaction(&operation, self.request);
        self.out.push(ProcessOutput::Query(token, transaction));
        Err(())
    }

    fn list(
        &mut self,
        token: u64,
    ) -> Result<Result<impl Iterator<Item = Registration>, LockError>, ()> {
        self.out.push(ProcessOutput::Query(token, Transaction::Poll));
        Err::<Result<iter::Empty<_>, _>, _>(())
    }
}

/// A transaction that can travel; that of a call shares its request.
fn transaction(operation: &Operation<'_>, request: Option<&Arc<Request>>) -> Transaction {
    let type_filter = match operation {
        Operation::CompareAndDelete(row) => {
            return Transaction::CompareAndDelete(Box::new((*row).clone()));
        }
        Operation::FetchAll { type_filter } if *type_filter == LOCK => LOCK,
        Operation::FetchAll { .. } => PRESENCE,
        Operation::Fetch { .. } | Operation::Lock { .. } | Operation::Release { .. } => "",
    };
    Transaction::Call {
        request: Arc::clone(request.expect("all other transactions are those of calls")),
        type_filter,
    }
}
