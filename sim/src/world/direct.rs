//! Calls and polls that can be answered inline: no other event is due before their reply.
//!
//! Machines, order and events are the same as with messages; only the queue is skipped, where a long
//! run spends much of its time. Anything unusual falls back to the slow path.

use std::sync::Arc;

use super::choice::{Choices, SiteKind};
use super::event::{EventId, Observer, Seen};
use super::step::{ARRIVAL, Step};
use super::{DATABASE, World, process_number};
use crate::node::client::ClientInput;
use crate::node::connection::Route;
use crate::node::locket_process::Progress;
use crate::node::message::{IncomingCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::CallId;
use crate::protocol::server::Caller;
use crate::time::Time;

/// The most steps that one call can take otherwise: the client's, and the arrival of its request,
/// the query, the answer and the reply.
pub(crate) const STEPS_MAX: u64 = 5;

/// A call that has left its client.
pub(super) struct Leaving {
    pub(super) call: CallId,
    pub(super) request: Arc<Request>,
    pub(super) to: Route,
    pub(super) cause: Option<EventId>,
}

impl Step<'_> {
    /// True if a call that a client makes now can be answered before anything else happens.
    pub(super) fn is_undisturbed(&self, client: usize, to: Route) -> bool {
        let caller = &self.world.clients[client];
        let process = self.world.process(to.process);
        caller.machine.runner().is_some()
            && self.world.network.is_instant_between(caller.state.id, process)
            && self.answers_at_once(to)
    }

    /// True if a call is answered at once by a process that [can](Self::answers_at_once). A call by
    /// hand may ask for what kills it.
    pub(super) fn is_served_at_once(&self, call: &IncomingCall) -> bool {
        let caller = &self.world.clients[call.client as usize];
        caller.machine.runner().is_some() && self.world.waits(call)
    }

    /// True if a process in this life answers at once what it gets now.
    pub(super) fn answers_at_once(&self, to: Route) -> bool {
        let machine = &self.world.back_end.processes[to.process];
        machine.accepting() == Some(to.life) && self.is_idle(to.process)
    }

    /// True if nothing can come between the messages of a process and the database now.
    fn is_idle(&self, process: usize) -> bool {
        self.is_before_all_else(ARRIVAL + 1) && self.is_quiet(process)
    }

    /// True if a process that polls now finds and learns the same as with messages. Of a single process,
    /// a call that arrives at this instant asks the database after the poll.
    pub(super) fn polls_directly(&self, process: usize) -> bool {
        let is_alone = self.world.processes() == 1;
        self.is_before_all_else(ARRIVAL + u8::from(!is_alone)) && self.is_quiet(process)
    }

    /// True if the messages of a process and the database take no time, and none is on its way.
    fn is_quiet(&self, process: usize) -> bool {
        let world = &*self.world;
        let machine = &world.back_end.processes[process];
        self.may_run_fast
            && !self.observer.watches_messages()
            && world.network.is_instant_between(DATABASE, world.process(process))
            && machine.accepting().is_some()
            && world.lockets[process].state.pause.is_none()
            && machine.questions().next().is_none()
            && world.database_answers_at_once()
            && !world.back_end.database.table().is_dropped()
    }

    /// True if all that is due at this instant has this rank or a later one. Where the order of an
    /// instant is chosen, something could come before.
    fn is_before_all_else(&self, least: u8) -> bool {
        let rank = self.world.queue.rank_at(self.world.now);
        rank.is_none_or(|rank| rank >= least && !self.choices.asks_about(SiteKind::Tie))
    }

    /// Makes the call of a client, which [nothing comes between](Self::is_undisturbed).
    pub(super) fn call_directly(&mut self, client: usize, leaving: Leaving) {
        let Leaving { call, request, to, cause } = leaving;
        // A call that follows from the answer takes the ordinary way: the fast path has one call.
        self.may_run_fast = false;
        let world = &mut *self.world;
        let (caller, process) = (world.client(client), world.process(to.process));
        world.network.count(caller, process);
        self.inline_steps += 2;
        let (result, cause) = self.answer(to, client, &request, cause);
        self.world.network.count(process, caller);
        let reply = Reply {
            session: self.world.clients[client].machine.session(),
            call,
            result,
            from: Some(process_number(to.process)),
        };
        self.deliver_to_client(client, ClientInput::Reply(reply), Some(cause));
    }

    /// Answers the call that a process has got, which [nothing comes between](Self::is_served_at_once).
    pub(super) fn serve_directly(&mut self, to: Route, call: IncomingCall, cause: Option<EventId>) {
        let (result, event) = self.answer(to, call.client as usize, &call.request, cause);
        self.send_reply(to.process, &call, result, event);
    }

    /// The answer of a process to a call, and the event of that.
    fn answer(
        &mut self,
        to: Route,
        client: usize,
        request: &Arc<Request>,
        cause: Option<EventId>,
    ) -> (Result<Response, LockError>, EventId) {
        let world = &mut *self.world;
        let (caller, process) = (world.client(client), world.process(to.process));
        let writes = world.back_end.database.table().writes();
        let now = world.database.state.local(world.now);
        let (locket, mut database) = world.back_end.direct(to.process, now);
        let now = world.lockets[to.process].state.clock.local(world.now);
        let Progress::Answered(result) =
            locket.begin_call(request, Caller::default(), now, &mut database, &mut ());
        if database.was_asked {
            self.inline_steps += 2;
            world.network.count(process, DATABASE);
            world.network.count(DATABASE, process);
        }
        world.schedule_table();
        world.schedule_process(to.process);
        let has_changed = world.back_end.database.table().writes() != writes;
        let cause = match has_changed {
            true => Some(self.record_row_change(request.key(), cause)),
            false => cause,
        };
        let what = Seen::Handled { client: caller, request, result: &result };
        let event = self.record(process, cause, what);
        if has_changed && result == Ok(Response::Lock) {
            self.know(client, to);
        }
        (result, event)
    }

    /// Makes a process poll, which [comes to the same](Self::polls_directly): no list of all rows is
    /// made to travel.
    pub(super) fn poll_directly(&mut self, process: usize) {
        let world = &mut *self.world;
        let node = world.process(process);
        world.network.count(node, DATABASE);
        world.network.count(DATABASE, node);
        let now = world.database.state.local(world.now);
        let (locket, mut database) = world.back_end.direct(process, now);
        let now = world.lockets[process].state.clock.local(world.now);
        locket.poll(now, &mut database, &mut ());
        self.inline_steps += 2;
        world.schedule_process(process);
    }
}

impl World {
    /// Does the next thing, if there is one at `limit` or before, and with a call also what follows
    /// of it, if nothing comes between. Says how many steps that was.
    pub fn run_fast(
        &mut self,
        limit: Time,
        choices: &mut dyn Choices,
        observer: &mut dyn Observer,
    ) -> u32 {
        let mut step = self.act(choices, observer);
        step.may_run_fast = true;
        match step.one(limit) {
            true => 1 + step.inline_steps,
            false => 0,
        }
    }
}
