//! A client's calls: how they leave, and what their answers say of the connection.

use std::sync::Arc;

use super::{ClientNode, ClientOutput, Departure, InFlight, Surroundings};
use crate::node::connection::Route;
use crate::node::message::{ClientCall, IncomingCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::machine::Machine;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{Call, RequestIds};
use crate::time::{Duration, Time};

impl ClientNode {
    pub(super) fn call_by_hand(
        &mut self,
        request: Arc<Request>,
        timeout: Option<Duration>,
        around: &mut Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let Ok(request_id) = around.ids.next_request_id() else {
            return;
        };
        let deadline = timeout.map(|timeout| around.now + timeout);
        let call = Call { request, request_id: Some(request_id), deadline, wait_for_ready: false };
        self.make_call(0, call, deadline, around, out);
    }

    pub(super) fn make_call(
        &mut self,
        member: u16,
        call: Call,
        given_up: Option<Time>,
        around: &Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let departure = match self.connection.connect(around.processes) {
            Some(route) => Departure::Leaves(route),
            None if call.wait_for_ready => Departure::Waits,
            None => Departure::Fails,
        };
        if matches!(departure, Departure::Leaves(_)) {
            self.connection.call_left(around.now);
        }
        self.in_flight.retain(|it| it.call.member != member);
        let call_id = self.wait_for(member, &call, departure == Departure::Waits, given_up);
        out.push(ClientOutput::Called {
            call: call_id,
            request: call.request,
            deadline: call.deadline,
            departure,
        });
    }

    /// Waits for the answer to a call.
    fn wait_for(
        &mut self,
        member: u16,
        call: &Call,
        waits_for_connection: bool,
        given_up: Option<Time>,
    ) -> ClientCall {
        let name = ClientCall { member, id: call.id() };
        self.in_flight.reserve_exact(1);
        self.in_flight.push(InFlight {
            call: name,
            request: Arc::clone(&call.request),
            waits_for_connection,
            given_up,
        });
        name
    }

    /// Makes the call of a renewal over a connection to this process, if that is all that is due `now`.
    pub(crate) fn begin_renewal(
        &mut self,
        to: Route,
        now: Time,
        ids: &mut dyn RequestIds,
    ) -> Option<(ClientCall, Call)> {
        let call = self.renewing(to, now)?.begin_renewal(now, ids)?;
        self.connection.call_left(now);
        Some((self.wait_for(0, &call, false, None), call))
    }

    /// Whether a process has got the call of a renewal, and it is all that the client waits for.
    pub(crate) fn waits_to_renew(&self, call: &IncomingCall) -> bool {
        let Some(Machine::Runner(runner)) = &self.machine else {
            return false;
        };
        call.session == self.session
            && matches!(&self.in_flight[..], [it] if it.call == call.call)
            && Arc::ptr_eq(&call.request, runner.lock_request())
    }

    /// Takes the answer to a renewal, if that is all that comes of it. Gives back the request.
    pub(crate) fn finish_renewal(&mut self, reply: &Reply, now: Time) -> Option<Arc<Request>> {
        let (Some(Machine::Runner(runner)), Some(process)) = (&mut self.machine, reply.from) else {
            return None;
        };
        let is_all = reply.session == self.session
            && reply.result == Ok(Response::Lock)
            && matches!(&self.in_flight[..], [it] if it.call == reply.call);
        if !is_all || !runner.finish_renewal(reply.call.id, now) {
            return None;
        }
        self.connection.answered(process, false, now);
        self.in_flight.pop().map(|it| it.request)
    }

    /// Sends the calls that have waited for a connection.
    pub(super) fn send_waiting_calls(
        &mut self,
        around: &Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        for waiting in &mut self.in_flight {
            if !waiting.waits_for_connection {
                continue;
            }
            if let Some(to) = self.connection.connect(around.processes) {
                waiting.waits_for_connection = false;
                self.connection.call_left(around.now);
                let (call, request) = (waiting.call, Arc::clone(&waiting.request));
                out.push(ClientOutput::Sent { call, request, to });
            }
        }
    }

    pub(super) fn take_reply(
        &mut self,
        reply: Reply,
        around: &mut Surroundings<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let Reply { session, call, result, from } = reply;
        if session != self.session {
            return;
        }
        if let Some(process) = from {
            let mut others = self.in_flight.iter();
            let another_waits = others.any(|it| it.call != call);
            self.connection.answered(process, another_waits, around.now);
        }
        let Some(place) = self.in_flight.iter().position(|it| it.call == call) else {
            return;
        };
        if result == Err(LockError::Unavailable) {
            self.connection.close();
        }
        out.push(ClientOutput::Answered {
            request: self.in_flight.remove(place).request,
            result: result.clone(),
        });
        if self.in_flight.is_empty() {
            self.in_flight = Vec::new();
        }
        self.drive(around, out, |machine, now, ids| {
            machine.handle_reply(call.member.into(), call.id, result, now, ids);
        });
    }
}
