//! Faults of calls, planned by the number of the call.

use std::future::ready;

use futures::future::Either;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::Request;
use locket_sim::time::Duration;
use locket_sim::trace::asks;

use crate::transport::direct::{Called, Calling, DirectClient};

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    LateReply,
    LostMessage,
    LostReply,
}

impl Fault {
    pub(crate) const ALL: [Self; 3] = [Self::LateReply, Self::LostMessage, Self::LostReply];

    const fn words(self) -> &'static str {
        match self {
            Self::LateReply => "its answer comes 20 s late",
            Self::LostMessage => "its connection breaks before it arrives",
            Self::LostReply => "its connection breaks before the answer arrives",
        }
    }
}

/// How late an answer is: longer than a usual TTL.
const LATE: Duration = Duration::from_seconds(20);

/// The calls of a run, and the faults of some.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) plan: Vec<(usize, Fault)>,
    /// How many calls there were.
    pub(crate) calls: usize,
    /// The faults that have happened, as sentences.
    pub(crate) struck: Vec<String>,
}

impl Faults {
    /// Makes a call with its fault.
    pub(super) fn call(
        &mut self,
        client: &DirectClient,
        request: &Request,
        id: &str,
        timeout: Option<Duration>,
    ) -> Calling {
        let planned = self.plan.iter().find(|&&(call, _)| call == self.calls);
        self.calls += 1;
        let Some(&(_, fault)) = planned else {
            return client.call(request, id, timeout);
        };
        let (server, latency) = (&client.server, client.server.latency());
        let (now, owner) = (server.with_cluster(|_, now| now), request.owner());
        self.struck.push(format!("at {now} s, {owner} {}: {}", asks(request), fault.words()));
        if fault == Fault::LateReply {
            server.set_latency(latency + LATE);
        }
        let answer = (fault != Fault::LostMessage).then(|| client.call(request, id, timeout));
        server.set_latency(latency);
        let lost = Called { result: Err(LockError::Unavailable), after: Duration::ZERO };
        answer.filter(|_| fault == Fault::LateReply).unwrap_or(Either::Left(ready(lost)))
    }
}
