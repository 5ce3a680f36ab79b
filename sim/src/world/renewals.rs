//! Renewals whose call and answer take time: three events at three times, each by cached handles.
//!
//! Call and answer are ordinary messages, and between them the machines are in their ordinary states,
//! so no other code knows about this fast path. A run of single steps does without it.

use super::direct::Leaving;
use super::event::{EventId, Observer, Seen, WorldEvent};
use super::network::NodeId;
use super::step::{Part, Step};
use super::{DATABASE, World};
use crate::node::connection::Route;
use crate::node::message::{IncomingCall, Reply};
use crate::protocol::message::Response;
use crate::protocol::runner;

impl Step<'_> {
    /// Makes the call of a client whose timer is due, if that is a renewal and all that is due. Says
    /// whether it did.
    pub(super) fn begin_renewal(&mut self, client: usize) -> bool {
        let World { now, clients, lockets, back_end, network, request_ids, .. } = &mut *self.world;
        let node = &mut clients[client];
        let Some(to) = node.known.as_ref().map(|known| known.to) else {
            return false;
        };
        let (locket, process) = (&lockets[to.process], &back_end.processes[to.process]);
        if !self.may_run_fast || process.accepting() != Some(to.life) {
            return false;
        }
        // Where messages take no time, a call and its answer are one thing; in batch it costs less if
        // each is one.
        if !self.in_batch && network.is_instant_between(node.state.id, locket.state.id) {
            return false;
        }
        let clock = node.state.clock;
        let begun = node.machine.begin_renewal(to, clock.local(*now), request_ids);
        let Some((name, call)) = begun else {
            return false;
        };
        let (id, cause) = (node.state.id, node.state.last_event);
        self.world.schedule_client(client);
        self.world.schedule_keepalive(client);
        let what = Seen::Called {
            request: &call.request,
            deadline: call.deadline.map(|local| clock.world(local)),
        };
        let cause = Some(self.record_of_renewal(id, cause, what));
        let leaving = Leaving { call: name, request: call.request, to, cause };
        self.send_call(client, leaving);
        self.part = Some(Part { renewed: None });
        true
    }

    /// Answers a call by handles, if it [can be answered at once](Self::answers_at_once) and nothing
    /// has happened to the row that it renews. Says whether it did.
    pub(super) fn serve_renewal(
        &mut self,
        to: Route,
        call: &IncomingCall,
        cause: Option<EventId>,
    ) -> bool {
        let World { now, clients, lockets, database, back_end, .. } = &mut *self.world;
        let node = &mut clients[call.client as usize];
        let Some(known) = node.known.as_mut().filter(|known| known.to == to) else {
            return false;
        };
        if !node.machine.waits_to_renew(call) {
            return false;
        }
        let handles = (&mut known.row, known.timer);
        let at_process = lockets[to.process].state.clock.local(*now);
        let at_database = database.state.clock.local(*now);
        let written = back_end.renew_known(to.process, handles, at_process, at_database);
        if written.is_none() {
            return false;
        }
        let (client, process) = (node.state.id, lockets[to.process].state.id);
        self.world.network.count_both(DATABASE, process);
        self.world.set_timers_of_renewal(to.process);
        let event = self.world.new_event(DATABASE, cause);
        if let Some(row) = self.world.back_end.database.table().last_written() {
            let event = event.about(Seen::RowWritten(row));
            tell(self.observer, event, self.in_batch);
        }
        let what = Seen::Handled { client, request: &call.request, result: &Ok(Response::Lock) };
        let handled = self.record_of_renewal(process, Some(event.id), what);
        self.send_reply(to.process, call, Ok(Response::Lock), handled);
        self.inline_steps += 2;
        self.part = Some(Part { renewed: None });
        true
    }

    /// Takes the answer to a renewal, if nothing else comes of it. Says whether it did.
    pub(super) fn finish_renewal(
        &mut self,
        client: usize,
        reply: &Reply,
        cause: Option<EventId>,
    ) -> bool {
        let node = &mut self.world.clients[client];
        if !self.may_run_fast || node.known.is_none() {
            return false;
        }
        let local = node.state.clock.local(self.world.now);
        let Some(request) = node.machine.finish_renewal(reply, local) else {
            return false;
        };
        let id = node.state.id;
        self.world.schedule_client(client);
        let what = Seen::Answered { request: &request, result: &reply.result };
        let answered = self.record_of_renewal(id, cause, what);
        let what = Seen::Runner(&runner::Event::Renewed);
        self.record_of_renewal(id, Some(answered), what);
        let renewed = Some(client);
        self.part = Some(Part { renewed });
        true
    }

    fn record_of_renewal(
        &mut self,
        node: NodeId,
        cause: Option<EventId>,
        what: Seen<'_>,
    ) -> EventId {
        let event = self.world.new_event(node, cause);
        tell(self.observer, event.about(what), self.in_batch);
        event.id
    }
}

/// Tells an event of a renewal. In batch, no caller looks at its node and its row afterwards.
fn tell(observer: &mut dyn Observer, event: WorldEvent<Seen<'_>>, in_batch: bool) {
    match in_batch {
        true => observer.observe_renewal(event),
        false => observer.observe(event),
    }
}
