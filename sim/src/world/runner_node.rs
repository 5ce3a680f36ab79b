//! A client: its machine's calls go out over a connection, and answers come back.

use std::sync::Arc;

use super::event::{EventId, What};
use super::message::{Body, Message};
use super::network::NodeId;
use super::node::{ClientCall, ClientNode, Connection, InFlight, Status};
use super::step::Step;
use super::{Due, KEEPALIVE, World, number};
use crate::protocol::error::LockError;
use crate::protocol::machine::Machine;
use crate::protocol::message::{Request, Response};
use crate::protocol::runner::{Call, Output, RequestIds, Runner};
use crate::time::{Duration, Time};

impl Step<'_> {
    /// Starts a client that is down, or whose runner has not started yet or has ended. It is
    /// the same machine, so its clock goes on.
    pub fn start_client(&mut self, client: usize) {
        let node = &mut self.world.clients[client];
        let lives = match (&node.machine, &node.settings) {
            (Some(machine), _) => machine.exited().is_none(),
            (None, settings) => settings.is_none(),
        };
        if node.state.status != Status::Down && lives {
            return;
        }
        node.state.status = Status::Running;
        node.state.life += 1;
        node.connection = None;
        node.keepalive = false;
        node.avoids = None;
        node.in_flight.clear();
        node.machine = node.settings.as_ref().map(Machine::new);
        node.leads = false;
        let id = node.state.id;
        let event = self.record(id, None, What::Started);
        self.with_machine(client, Some(event), |machine, now, ids| {
            machine.start(now, ids)
        });
    }

    /// Sends a client's runner a signal to stop; a paused one sees it when it goes on.
    pub fn signal_client(&mut self, client: usize) {
        let state = &mut self.world.clients[client].state;
        let (life, id) = (state.life, state.id);
        if let Status::Paused { inbox, .. } = &mut state.status {
            inbox.push(Message {
                from: id,
                to: id,
                number: 0,
                cause: None,
                body: Body::Signal {
                    client: number(client),
                    life,
                },
            });
            return;
        }
        self.signal(client, life, None);
    }

    pub(super) fn signal(&mut self, client: usize, life: u32, cause: Option<EventId>) {
        if self.world.clients[client].state.life != life {
            return;
        }
        self.with_machine(client, cause, |machine, now, ids| {
            machine.handle_signal(now, ids)
        });
    }

    /// Makes a call by hand, for a client without a runner; after `timeout` it is not waited for
    /// any more.
    pub fn call(&mut self, client: usize, request: Request, timeout: Option<Duration>) {
        let node = &mut self.world.clients[client];
        if !node.state.is_running() {
            return;
        }
        let now = node.state.clock.local(self.world.now);
        let Ok(request_id) = self.world.request_ids.next_request_id() else {
            return;
        };
        let call = Call {
            request: Arc::new(request),
            request_id: Some(request_id),
            deadline: timeout.map(|timeout| now + timeout),
            wait_for_ready: false,
        };
        let id = ClientCall {
            member: 0,
            id: call.id(),
        };
        let given_up = call.deadline.map(|deadline| (id, deadline));
        self.send_call(client, 0, call, None);
        if let Some((call, deadline)) = given_up {
            self.schedule_giving_up(client, call, deadline);
        }
    }

    /// A runner looks at its deadlines itself. For a caller without one, a word of its own
    /// machine arrives when it stops waiting; an answer that comes first makes it void.
    fn schedule_giving_up(&mut self, client: usize, call: ClientCall, deadline: Time) {
        let node = &self.world.clients[client];
        let (id, life) = (node.state.id, node.state.life);
        let at = node.state.clock.world(deadline);
        let body = Body::Reply {
            client: number(client),
            life,
            call,
            result: Err(LockError::DeadlineExceeded),
        };
        let message = Message {
            from: id,
            to: id,
            number: 0,
            cause: node.state.last_event,
            body,
        };
        self.world.schedule_arrival(at, message);
    }

    pub(super) fn client_timer(&mut self, client: usize) -> bool {
        let node = &mut self.world.clients[client];
        if !node.state.is_running() || node.state.timer != Some(self.world.now) {
            return false;
        }
        node.state.timer = None;
        let cause = node.state.last_event;
        self.with_machine(client, cause, |machine, now, ids| {
            machine.handle_timeout(now, ids)
        });
        true
    }

    /// An answer has reached a client.
    pub(super) fn reply(
        &mut self,
        client: usize,
        life: u32,
        call: ClientCall,
        result: Result<Response, LockError>,
        from: NodeId,
        cause: Option<EventId>,
    ) {
        let node = &mut self.world.clients[client];
        if node.state.life != life {
            return;
        }
        if let Some(connection) = node
            .connection
            .as_mut()
            .filter(|it| it.process + 1 == usize::from(from.0))
        {
            // Another member's call waits on, counted from this sign of life.
            let mut others = node.in_flight.iter();
            let another_waits = others.any(|waiting| waiting.call.member != call.member);
            connection.unanswered_since = another_waits.then_some(self.world.now);
            node.avoids = None;
        }
        let waiting = node.in_flight.iter().position(|it| it.call == call);
        let Some(in_flight) = waiting.map(|index| node.in_flight.remove(index)) else {
            return;
        };
        if result == Err(LockError::Unavailable) {
            node.connection = None;
        }
        let id = node.state.id;
        let what = What::Answered {
            request: in_flight.request,
            result: result.clone(),
        };
        let event = self.record(id, cause, what);
        self.with_machine(client, Some(event), |machine, now, ids| {
            machine.handle_reply(call.member.into(), call.id, result, now, ids)
        });
    }

    /// Gives the machine an input, and takes its outputs.
    fn with_machine(
        &mut self,
        client: usize,
        cause: Option<EventId>,
        input: impl FnOnce(&mut Machine, Time, &mut dyn RequestIds),
    ) {
        let world = &mut *self.world;
        let node = &mut world.clients[client];
        let Some(machine) = &mut node.machine else {
            return;
        };
        let now = node.state.clock.local(world.now);
        let joint = matches!(machine, Machine::Joint(_));
        let had_ended = joint && machine.exited().is_some();
        input(machine, now, &mut world.request_ids);
        // A call that a runner has given up on is not waited for.
        node.in_flight.retain(|waiting| {
            let member = machine.member(waiting.call.member.into());
            member.and_then(Runner::call_under_way) == Some(waiting.call.id)
        });
        if joint {
            self.take_joint_outputs(client, had_ended, now, cause);
        } else {
            while let Some((member, output)) = self.poll_output(client) {
                self.take_output(client, member, output, cause);
            }
        }
        self.world.schedule_client(client);
    }

    pub(super) fn poll_output(&mut self, client: usize) -> Option<(usize, Output)> {
        let machine = self.world.clients[client].machine.as_mut();
        machine.and_then(Machine::poll_output)
    }

    pub(super) fn take_output(
        &mut self,
        client: usize,
        member: usize,
        output: Output,
        cause: Option<EventId>,
    ) {
        match output {
            Output::Call(call) => self.send_call(client, member, call, cause),
            Output::Event(event) => {
                let ClientNode { state, machine, .. } = &self.world.clients[client];
                let what = match machine {
                    Some(Machine::Joint(group)) => What::Member {
                        key: group.members()[member].name().to_owned(),
                        event,
                    },
                    Some(Machine::Runner(_)) | None => What::Runner(event),
                };
                self.record(state.id, cause, what);
            }
        }
    }

    fn send_call(&mut self, client: usize, member: usize, call: Call, cause: Option<EventId>) {
        let id = ClientCall {
            member: number(member),
            id: call.id(),
        };
        let node = &mut self.world.clients[client];
        let request = call.request;
        let deadline = call.deadline.map(|local| node.state.clock.world(local));
        let node_id = node.state.id;
        let life = node.state.life;
        let what = What::Called {
            request: Arc::clone(&request),
            deadline,
        };
        let event = self.record(node_id, cause, what);
        let in_flight = InFlight {
            call: id,
            request: Arc::clone(&request),
            waits_for_connection: false,
        };
        let calls = &mut self.world.clients[client].in_flight;
        calls.retain(|waiting| waiting.call.member != id.member);
        calls.push(in_flight);
        match self.world.connect(client) {
            Some(process) => {
                let to = self.world.process(process);
                let process_life = self.world.lockets[process].state.life;
                self.world.expect_answer(client);
                let body = Body::Request {
                    client: number(client),
                    client_life: life,
                    call: id,
                    request,
                    process_life,
                };
                self.send(node_id, to, Some(event), body);
            }
            None if call.wait_for_ready => {
                if let Some(in_flight) = self.world.clients[client].in_flight.last_mut() {
                    in_flight.waits_for_connection = true;
                }
            }
            None => self.fail_locally(client, id, Some(event)),
        }
    }

    /// A client's own connection says that its call has failed.
    fn fail_locally(&mut self, client: usize, call: ClientCall, cause: Option<EventId>) {
        let ClientNode { state, .. } = &self.world.clients[client];
        let message = Message {
            from: state.id,
            to: state.id,
            number: 0,
            cause,
            body: Body::Reply {
                client: number(client),
                life: state.life,
                call,
                result: Err(LockError::Unavailable),
            },
        };
        let now = self.world.now;
        self.world.schedule_arrival(now, message);
    }

    /// A client looks whether somebody is there at the other end of its connection. Pings are
    /// answered by a process that runs, whatever becomes of single calls.
    pub(super) fn keepalive(&mut self, client: usize, life: u32) -> bool {
        let world = &mut *self.world;
        let node = &mut world.clients[client];
        if node.state.life != life {
            return false;
        }
        node.keepalive = false;
        let Some(connection) = node.connection.filter(|_| node.state.is_running()) else {
            return false;
        };
        let Some(since) = connection.unanswered_since else {
            return false;
        };
        if since + KEEPALIVE > world.now {
            world.schedule_keepalive(client);
            return false;
        }
        if world.is_reachable(client, connection.process) {
            let waits = !world.clients[client].in_flight.is_empty();
            let unanswered_since = waits.then_some(world.now);
            world.clients[client].connection = Some(Connection {
                unanswered_since,
                ..connection
            });
            world.schedule_keepalive(client);
            return false;
        }
        let node = &mut world.clients[client];
        node.connection = None;
        node.avoids = Some(connection.process);
        let cause = node.state.last_event;
        let calls: Vec<_> = node.in_flight.iter().map(|waiting| waiting.call).collect();
        for call in calls {
            self.fail_locally(client, call, cause);
        }
        true
    }

    /// Sends the calls that waited for a process to come up.
    pub(super) fn send_waiting_calls(&mut self, cause: EventId) {
        for client in 0..self.world.clients.len() {
            self.send_waiting_calls_of(client, cause);
        }
    }

    /// Sends those of one client; a paused one does so when it goes on.
    pub(super) fn send_waiting_calls_of(&mut self, client: usize, cause: EventId) {
        for index in 0..self.world.clients[client].in_flight.len() {
            let node = &self.world.clients[client];
            if node.state.is_running() && node.in_flight[index].waits_for_connection {
                self.send_waiting_call(client, index, cause);
            }
        }
    }

    fn send_waiting_call(&mut self, client: usize, index: usize, cause: EventId) {
        let Some(process) = self.world.connect(client) else {
            return;
        };
        let process_life = self.world.lockets[process].state.life;
        let node = &mut self.world.clients[client];
        let in_flight = &mut node.in_flight[index];
        in_flight.waits_for_connection = false;
        let body = Body::Request {
            client: number(client),
            client_life: node.state.life,
            call: in_flight.call,
            request: Arc::clone(&in_flight.request),
            process_life,
        };
        let from = node.state.id;
        let to = self.world.process(process);
        self.world.expect_answer(client);
        self.send(from, to, Some(cause), body);
    }
}

impl World {
    /// The process that a client's calls go to: the one it is connected to as long as that
    /// connection lives, else the first that runs, from the one it prefers (C30).
    fn connect(&mut self, client: usize) -> Option<usize> {
        let ClientNode {
            connection,
            prefers,
            avoids,
            ..
        } = &self.clients[client];
        if let Some(connection) = connection {
            let locket = &self.lockets[connection.process];
            if locket.state.life == connection.life && locket.server.is_some() {
                return Some(connection.process);
            }
        }
        let count = self.lockets.len();
        let order = (0..count).map(|step| (prefers + step) % count);
        let runs = |process: &usize| self.lockets[*process].server.is_some();
        // After a dead connection another process first.
        let process = order
            .clone()
            .filter(|process| Some(*process) != *avoids)
            .chain(order)
            .find(runs)?;
        let life = self.lockets[process].state.life;
        self.clients[client].connection = Some(Connection {
            process,
            life,
            unanswered_since: None,
        });
        Some(process)
    }

    /// Whether a client and a process can talk to each other now.
    fn is_reachable(&self, client: usize, process: usize) -> bool {
        let (a, b) = (self.client(client), self.process(process));
        let runs = self.lockets[process].state.is_running();
        runs && !self.network.is_cut(a, b) && !self.network.is_cut(b, a)
    }

    /// A call has left over the connection.
    fn expect_answer(&mut self, client: usize) {
        let now = self.now;
        if let Some(connection) = &mut self.clients[client].connection {
            connection.unanswered_since.get_or_insert(now);
        }
        self.schedule_keepalive(client);
    }

    /// Puts the next look at a client's connection into the queue, if none is there.
    pub(super) fn schedule_keepalive(&mut self, client: usize) {
        let node = &mut self.clients[client];
        let since = node.connection.and_then(|it| it.unanswered_since);
        if let Some(since) = since.filter(|_| !node.keepalive) {
            node.keepalive = true;
            let life = node.state.life;
            let time = (since + KEEPALIVE).max(self.now);
            let client = number(client);
            self.queue.schedule(time, Due::Keepalive { client, life });
        }
    }

    /// Puts a client's next timer into the queue, if it is not there.
    pub(super) fn schedule_client(&mut self, client: usize) {
        let node = &mut self.clients[client];
        let deadline = node.machine.as_ref().and_then(Machine::deadline);
        let deadline = deadline.map(|local| node.state.clock.world(local).max(self.now));
        if deadline != node.state.timer {
            node.state.timer = deadline;
            if let Some(deadline) = deadline {
                self.queue
                    .schedule(deadline, Due::ClientTimer(number(client)));
            }
        }
    }
}
