//! A client's calls: how they leave, and what their answers say of the connection.

use std::sync::Arc;

use super::{ClientNode, ClientOutput, Departure, InFlight, Surroundings};
use crate::node::message::{ClientCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::message::Request;
use crate::protocol::runner::Call;
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
        let call = Call {
            request,
            request_id: Some(request_id),
            deadline,
            wait_for_ready: false,
        };
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
        let id = call.id();
        let departure = match self.connection.connect(around.processes) {
            Some(route) => Departure::Leaves(route),
            None if call.wait_for_ready => Departure::Waits,
            None => Departure::Fails,
        };
        if matches!(departure, Departure::Leaves(_)) {
            self.connection.call_left(around.now);
        }
        let call_id = ClientCall { member, id };
        self.in_flight.retain(|it| it.call.member != member);
        self.in_flight.reserve_exact(1);
        self.in_flight.push(InFlight {
            call: call_id,
            request: Arc::clone(&call.request),
            waits_for_connection: departure == Departure::Waits,
            given_up,
        });
        out.push(ClientOutput::Called {
            call: call_id,
            request: call.request,
            deadline: call.deadline,
            departure,
        });
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
        let Reply {
            session,
            call,
            result,
            from,
        } = reply;
        if session != self.session {
            return;
        }
        if let Some(process) = from {
            let mut others = self.in_flight.iter();
            let another_waits = others.any(|it| it.call != call);
            let process = process.into();
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
