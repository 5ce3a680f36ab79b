//! Those who wait for calls that the reference server has not answered at once.

use futures::channel::oneshot;
use locket_sim::cluster::{Finished, WaitingCall};
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Response;
use locket_sim::time::{Duration, Time};

/// How a call has ended for its caller.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) result: Result<Response, LockError>,
    /// How long from now until it reaches the caller.
    pub(super) after: Duration,
}

/// The callers.
#[derive(Debug, Default)]
pub(super) struct Waiting(Vec<Waiter>);

#[derive(Debug)]
struct Waiter {
    call: WaitingCall,
    /// Until when it waits.
    deadline: Option<Time>,
    ended: oneshot::Sender<Ended>,
}

impl Waiting {
    pub(super) fn wait(
        &mut self,
        call: WaitingCall,
        deadline: Option<Time>,
    ) -> oneshot::Receiver<Ended> {
        let (ended, receiver) = oneshot::channel();
        self.0.push(Waiter { call, deadline, ended });
        receiver
    }

    /// When the next one gives up.
    pub(super) fn deadline(&self) -> Option<Time> {
        self.0.iter().filter_map(|waiter| waiter.deadline).min()
    }

    /// Tells what has become of calls, each of whose answers takes `latency`; and those whose time
    /// is over, that it is.
    pub(super) fn settle(&mut self, finished: Vec<Finished>, latency: Duration, now: Time) {
        for Finished { call, at, result } in finished {
            if let Some(place) = self.0.iter().position(|waiter| waiter.call == call) {
                self.0.remove(place).end(result, at + latency, now);
            }
        }
        let is_over = |waiter: &mut Waiter| waiter.deadline.is_some_and(|it| it <= now);
        for waiter in self.0.extract_if(.., is_over) {
            waiter.end(Err(LockError::DeadlineExceeded), now, now);
        }
    }
}

impl Waiter {
    /// An answer at the very instant of the deadline is in time.
    fn end(self, result: Result<Response, LockError>, arrives: Time, now: Time) {
        let missed = self.deadline.filter(|&deadline| deadline < arrives);
        let (result, arrives) = match missed {
            Some(deadline) => (Err(LockError::DeadlineExceeded), deadline),
            None => (result, arrives),
        };
        let after = arrives.since(now);
        // Who has stopped listening wants no answer.
        let _ = self.ended.send(Ended { result, after });
    }
}
