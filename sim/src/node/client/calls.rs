//! A client's calls: how they leave, and what their answers say of the connection.

use std::sync::Arc;

use super::{ClientContext, ClientNode, ClientOutput, Departure, InFlight};
use crate::node::connection::Route;
use crate::node::message::{IncomingCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{Call, CallId, RequestIds};
use crate::time::{Duration, Time};

impl ClientNode {
    pub(super) fn call_by_hand(
        &mut self,
        request: Arc<Request>,
        timeout: Option<Duration>,
        around: &mut ClientContext<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let Ok(request_id) = around.ids.next_request_id() else {
            return;
        };
        let deadline = timeout.map(|timeout| around.now + timeout);
        let call = Call { request, request_id: Some(request_id), deadline, wait_for_ready: false };
        self.make_call(call, deadline, around, out);
    }

    pub(super) fn make_call(
        &mut self,
        call: Call,
        given_up: Option<Time>,
        around: &ClientContext<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let departure = match self.connection.connect(around.processes, around.now, false) {
            Some(route) => Departure::Leaves(route),
            None if call.wait_for_ready => Departure::Waits,
            None => Departure::Fails,
        };
        if matches!(departure, Departure::Leaves(_)) {
            self.connection.call_left(around.now);
        }
        let call_id = self.wait_for(&call, departure == Departure::Waits, given_up);
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
        call: &Call,
        waits_for_connection: bool,
        given_up: Option<Time>,
    ) -> CallId {
        let id = call.id();
        let request = Arc::clone(&call.request);
        self.in_flight = Some(InFlight { call: id, request, waits_for_connection, given_up });
        id
    }

    /// Makes the call of a renewal over a connection to this process, if that is all that is due `now`.
    pub(crate) fn begin_renewal(
        &mut self,
        to: Route,
        now: Time,
        ids: &mut dyn RequestIds,
    ) -> Option<(CallId, Call)> {
        let call = self.renewing(to, now)?.begin_renewal(now, ids)?;
        self.connection.call_left(now);
        Some((self.wait_for(&call, false, None), call))
    }

    /// True if a process has got the call of a renewal, and it is all that the client waits for.
    pub(crate) fn waits_to_renew(&self, call: &IncomingCall) -> bool {
        call.session == self.session
            && self.call().is_some_and(|(it, _)| it == call.call)
            && self
                .runner
                .as_ref()
                .is_some_and(|runner| Arc::ptr_eq(&call.request, runner.lock_request()))
    }

    /// Takes the answer to a renewal, if that is all that comes of it. Gives back the request.
    pub(crate) fn finish_renewal(&mut self, reply: &Reply, now: Time) -> Option<Arc<Request>> {
        let is_all = reply.session == self.session
            && reply.result == Ok(Response::Lock)
            && self.call().is_some_and(|(it, _)| it == reply.call);
        let process = reply.from.filter(|_| is_all)?;
        if !self.runner.as_mut()?.finish_renewal(reply.call, now) {
            return None;
        }
        self.connection.answered(process, false, now);
        self.in_flight.take().map(|it| it.request)
    }

    /// Tries to connect, if it has a reason to, and sends the call that has waited for that.
    pub(super) fn reconnect(&mut self, around: &ClientContext<'_>, out: &mut Vec<ClientOutput>) {
        if self.calling() != Some(true) && self.reconnects().is_none() {
            return;
        }
        let to = self.connection.connect(around.processes, around.now, true);
        if let Some(to) = to
            && let Some(waiting) = self.in_flight.as_mut().filter(|it| it.waits_for_connection)
        {
            waiting.waits_for_connection = false;
            self.connection.call_left(around.now);
            let (call, request) = (waiting.call, Arc::clone(&waiting.request));
            out.push(ClientOutput::Sent { call, request, to });
        }
    }

    pub(super) fn take_reply(
        &mut self,
        reply: Reply,
        around: &mut ClientContext<'_>,
        out: &mut Vec<ClientOutput>,
    ) {
        let Reply { session, call, result, from } = reply;
        if session != self.session {
            return;
        }
        if let Some(process) = from {
            let another_waits = self.call().is_some_and(|(it, _)| it != call);
            self.connection.answered(process, another_waits, around.now);
        }
        let Some(InFlight { request, .. }) = self.in_flight.take_if(|it| it.call == call) else {
            return;
        };
        if result == Err(LockError::Unavailable) {
            self.connection.close();
        }
        out.push(ClientOutput::Answered { request, result: result.clone() });
        self.drive(around, out, |runner, now, _| runner.handle_reply(call, result, now, &mut ()));
    }
}
