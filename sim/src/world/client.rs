//! The inputs that reach a client, and the effects of its outputs.

use std::sync::Arc;

use super::choice::{Site, SiteKind};
use super::direct::Leaving;
use super::event::{EventId, Seen};
use super::message::{Body, Message};
use super::network::{LinkRule, NodeId};
use super::node::Client;
use super::step::Step;
use super::{Due, World, number};
use crate::environment::happening::Node;
use crate::environment::rules::{Environment as _, answers_ping};
use crate::node::client::{ClientContext, ClientInput, ClientOutput, Departure};
use crate::node::message::{IncomingCall, Reply};
use crate::protocol::error::LockError;
use crate::protocol::message::Request;
use crate::protocol::runner::CallId;
use crate::time::{Duration, Time};

impl Step<'_> {
    /// Starts a client that is down, or whose runner has not started yet or has ended. It is
    /// the same machine, so its clock goes on.
    pub fn start_client(&mut self, client: usize) {
        let node = &mut self.world.clients[client];
        if !node.machine.is_down() && node.machine.is_under_way() {
            return;
        }
        node.state.pause = None;
        let id = node.state.id;
        node.keepalive = None;
        let event = self.record(id, None, Seen::Started);
        self.deliver_to_client(client, ClientInput::Start, Some(event));
    }

    /// Sends a client's runner a signal to stop; a paused one sees it when it goes on.
    pub fn signal_client(&mut self, client: usize) {
        let node = &mut self.world.clients[client];
        let life = node.machine.life();
        if !node.state.keep_signal(life) {
            self.signal(client, life, None);
        }
    }

    pub(super) fn signal(&mut self, client: usize, life: u32, cause: Option<EventId>) {
        if self.world.clients[client].machine.life() == life {
            self.deliver_to_client(client, ClientInput::Signal, cause);
        }
    }

    /// Makes a call by hand, for a client without a runner; after `timeout` it is not waited for
    /// any more.
    pub fn call(&mut self, client: usize, request: Request, timeout: Option<Duration>) {
        if self.world.runs(Node::Client(client)) {
            let input = ClientInput::Call(Arc::new(request), timeout);
            self.deliver_to_client(client, input, None);
        }
    }

    pub(super) fn client_timer(&mut self, client: usize) -> bool {
        let state = &mut self.world.clients[client].state;
        if state.pause.is_some() || state.timer != Some(self.world.now) {
            return false;
        }
        state.timer = None;
        let cause = state.last_event;
        debug_assert!(self.world.runs(Node::Client(client)), "a node that is down has no timer");
        if self.begin_renewal(client) {
            return true;
        }
        self.deliver_to_client(client, ClientInput::Timer, cause);
        true
    }

    /// A client pings the other end of its connection.
    pub(super) fn keepalive(&mut self, client: usize) -> bool {
        let world = &mut *self.world;
        let node = &mut world.clients[client];
        if node.keepalive != Some(world.now) {
            return false;
        }
        node.keepalive = None;
        let deadline = node.machine.connection_deadline();
        let route = node.machine.route();
        let deadline = deadline.filter(|_| route.is_some() && node.state.pause.is_none());
        let Some(deadline) = deadline else {
            return false;
        };
        if node.state.clock.world(deadline) > world.now {
            world.schedule_keepalive(client);
            return false;
        }
        let cause = node.state.last_event;
        let is_answered = answers_ping(world, client);
        self.deliver_to_client(client, ClientInput::Ping { is_answered }, cause);
        true
    }

    /// A process accepts connections: the calls that have waited for one leave at this instant, in
    /// any order with what else happens at it. A client that backs off does not learn of it.
    pub(super) fn notify_of_process(&mut self, cause: EventId) {
        for client in 0..self.world.clients.len() {
            let node = &self.world.clients[client];
            if node.machine.calling() == Some(true) && node.machine.reconnects().is_none() {
                let body = Body::Ready { life: node.machine.life() };
                let (id, now) = (node.state.id, self.world.now);
                self.world.deliver_to_itself(id, now, Some(cause), body);
            }
        }
    }

    /// Gives a client an input.
    pub(super) fn deliver_to_client(
        &mut self,
        client: usize,
        input: ClientInput,
        mut cause: Option<EventId>,
    ) {
        let world = &mut *self.world;
        let mut outputs = std::mem::take(&mut world.client_outputs);
        let node = &mut world.clients[client];
        if matches!(input, ClientInput::Crash | ClientInput::Start) {
            node.known = None;
        }
        let mut around = ClientContext {
            now: node.state.local(world.now),
            processes: &world.back_end,
            ids: &mut world.request_ids,
        };
        let window = node.machine.reconnects();
        node.machine.handle(input, &mut around, &mut outputs);
        let (jitter, is_new) = (node.machine.take_jitter(), node.machine.reconnects() != window);
        if is_new {
            self.back_off(client);
        }
        if let Some(jitter) = jitter {
            let by = self.draw(client, Duration::ZERO, jitter);
            self.world.clients[client].machine.defer(by);
        }
        let world = &mut *self.world;
        world.schedule_client(client);
        world.schedule_keepalive(client);
        let is_alone = outputs.len() == 1;
        let mut leaving = None;
        for output in outputs.drain(..) {
            let left = self.take_client_output(client, output, &mut cause);
            if let Some(left) = left {
                if is_alone && self.is_undisturbed(client, left.to) {
                    leaving = Some(left);
                } else {
                    self.send_call(client, left);
                }
            }
        }
        self.world.client_outputs = outputs;
        if let Some(leaving) = leaving {
            self.call_directly(client, leaving);
        }
        self.notify_callers_gone();
    }

    /// Lets a client that backs off try to connect in time; chance decides when.
    fn back_off(&mut self, client: usize) {
        let world = &mut *self.world;
        let Client { state, machine, .. } = &world.clients[client];
        let Some(window) = machine.reconnects() else {
            return;
        };
        let in_world = |local| state.clock.world(local).max(world.now);
        let (first, last) = (in_world(window.0), in_world(window.1));
        let (id, body) = (state.id, Body::Ready { life: machine.life() });
        let now = world.now;
        let wait = self.draw(client, first.since(now), last.since(now));
        self.world.deliver_to_itself(id, now + wait, None, body);
    }

    /// A wait of a client, which chance draws.
    #[inline(never)]
    fn draw(&mut self, client: usize, shortest: Duration, longest: Duration) -> Duration {
        let Client { state, .. } = &self.world.clients[client];
        let (network, link) = (&mut self.world.network, (state.id, state.id));
        let rule = LinkRule {
            latency_min: shortest,
            latency_max: longest,
            ..network.rule(link.0, link.1)
        };
        let site = Site::on_link(SiteKind::Delay, link, network.sent(link.0, link.1));
        network.count(link.0, link.1);
        rule.delay(site, self.choices)
    }

    /// Takes an output; gives back a call that leaves.
    pub(super) fn take_client_output(
        &mut self,
        client: usize,
        output: ClientOutput,
        cause: &mut Option<EventId>,
    ) -> Option<Leaving> {
        let node = self.world.client(client);
        match output {
            ClientOutput::Answered { request, result } => {
                let what = Seen::Answered { request: &request, result: &result };
                *cause = Some(self.record(node, *cause, what));
            }
            ClientOutput::Called { call, request, deadline, departure } => {
                let clock = &self.world.clients[client].state.clock;
                let what = Seen::Called {
                    request: &request,
                    deadline: deadline.map(|local| clock.world(local)),
                };
                let event = Some(self.record(node, *cause, what));
                match departure {
                    Departure::Fails => self.fail_locally(client, call, event),
                    Departure::Leaves(to) => {
                        return Some(Leaving { call, request, to, cause: event });
                    }
                    Departure::Waits => {}
                }
            }
            ClientOutput::Failed(call) => self.fail_locally(client, call, *cause),
            ClientOutput::Runner(event) => {
                self.record(node, *cause, Seen::Runner(&event));
            }
            ClientOutput::Sent { call, request, to } => {
                return Some(Leaving { call, request, to, cause: *cause });
            }
        }
        None
    }

    pub(super) fn send_call(&mut self, client: usize, leaving: Leaving) {
        let Leaving { call, request, to, cause } = leaving;
        let node = &self.world.clients[client];
        let from = node.state.id;
        let call =
            IncomingCall { client: number(client), session: node.machine.session(), call, request };
        let process = self.world.process(to.process);
        let life = to.life;
        self.send(from, process, cause, Body::Request { life, call });
    }

    /// A client's own connection says that its call has failed.
    fn fail_locally(&mut self, client: usize, call: CallId, cause: Option<EventId>) {
        let node = &self.world.clients[client];
        let body = Body::Reply(Reply {
            session: node.machine.session(),
            call,
            result: Err(LockError::Unavailable),
            from: None,
        });
        let (id, now) = (node.state.id, self.world.now);
        self.world.deliver_to_itself(id, now, cause, body);
    }
}

impl World {
    /// A message of a node to itself arrives at this time, or when its pause ends.
    fn deliver_to_itself(&mut self, node: NodeId, at: Time, cause: Option<EventId>, body: Body) {
        let message = Message { from: node, to: node, number: 0, cause, body };
        self.schedule_arrival(at, message);
    }

    /// Puts the next look at a client's connection into the queue, if none is there.
    pub(super) fn schedule_keepalive(&mut self, client: usize) {
        let node = &mut self.clients[client];
        if node.keepalive.is_none()
            && let Some(deadline) = node.machine.connection_deadline()
        {
            let time = node.state.clock.world(deadline).max(self.now);
            node.keepalive = Some(time);
            self.queue.schedule(time, Due::Keepalive(number(client)));
        }
    }

    /// Puts a client's next timer into the queue, if it is not there.
    pub(super) fn schedule_client(&mut self, client: usize) {
        let node = &mut self.clients[client];
        let deadline = node.machine.deadline();
        let deadline = deadline.map(|local| node.state.clock.world(local).max(self.now));
        if deadline != node.state.timer {
            node.state.timer = deadline;
            if let Some(deadline) = deadline {
                let due = Due::ClientTimer(number(client));
                self.queue.schedule(deadline, due);
            }
        }
    }
}
