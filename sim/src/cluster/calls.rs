//! Calls of a cluster that wait for their answer.

use std::sync::Arc;

use crate::node::message::IncomingCall;
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{CallId, RequestId};
use crate::time::Time;

/// The state of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It is answered.
    Answered(Result<Response, LockError>),
    /// It waits for the database, and will be among the [finished](super::Cluster::take_finished).
    /// Only the call that caused a fault of the database waits.
    Waits(WaitingCall),
}

impl Handled {
    /// The answer, if it is there.
    pub fn answer(self) -> Option<Result<Response, LockError>> {
        match self {
            Self::Answered(result) => Some(result),
            Self::Waits(_) => None,
        }
    }
}

/// Names a call that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitingCall(u64);

/// A call that waited and is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finished {
    /// Which.
    pub call: WaitingCall,
    /// When it was answered.
    pub at: Time,
    /// How.
    pub result: Result<Response, LockError>,
}

/// Calls that wait, and those that have waited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Calls {
    named: u64,
    /// With the process that handles it.
    waiting: Vec<(WaitingCall, usize)>,
    finished: Vec<Finished>,
}

impl Calls {
    /// Names a call as its process will.
    pub(super) fn name(&mut self, process: usize, request: &Request) -> (Named, IncomingCall) {
        self.named += 1;
        let call = WaitingCall(self.named);
        let incoming = IncomingCall {
            client: 0,
            session: 0,
            call: call.in_process(request),
            request: Arc::new(request.clone()),
        };
        (Named { call, process }, incoming)
    }

    pub(super) fn wait(&mut self, Named { call, process }: Named) {
        self.waiting.push((call, process));
    }

    /// The state of a call that has just begun.
    pub(super) fn outcome(&mut self, Named { call, .. }: Named) -> Handled {
        let place = self.finished.iter().position(|it| it.call == call);
        match place.map(|place| self.finished.remove(place)) {
            Some(finished) => Handled::Answered(finished.result),
            None => Handled::Waits(call),
        }
    }

    pub(super) fn finish(&mut self, call: CallId, at: Time, result: Result<Response, LockError>) {
        let named = |it: &(WaitingCall, usize)| Some(it.0.request_id()) == call.request_id;
        if let Some(place) = self.waiting.iter().position(named) {
            let (call, _) = self.waiting.remove(place);
            self.finished.push(Finished { call, at, result });
        }
    }

    /// Ends all calls to this process without an answer.
    pub(super) fn process_ended(&mut self, process: usize, at: Time) {
        let is_lost = |it: &mut (WaitingCall, usize)| it.1 == process;
        let lost = self.waiting.extract_if(.., is_lost);
        self.finished.extend(lost.map(|(call, _)| Finished {
            call,
            at,
            result: Err(LockError::Unavailable),
        }));
    }

    pub(super) fn take_finished(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.finished)
    }
}

/// A call and the process that handles it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    call: WaitingCall,
    process: usize,
}

impl WaitingCall {
    fn in_process(self, request: &Request) -> CallId {
        CallId { method: request.method(), request_id: Some(self.request_id()) }
    }

    fn request_id(self) -> RequestId {
        RequestId::from_bytes(u128::from(self.0).to_be_bytes())
    }
}
