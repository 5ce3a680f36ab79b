//! One thing at a time.

use super::choice::{Choices, Site, SiteKind};
use super::event::{EventId, LossReason, Observer, Seen};
use super::event_queue::Ranked;
use super::message::{Body, Message};
use super::network::{Fate, NodeId};
use super::{DATABASE, Due, World, process_number};
use crate::environment::happening::Node;
use crate::environment::rules::Environment as _;
use crate::node::client::ClientInput;
use crate::node::connection::Route;
use crate::node::locket_process::ProcessInput;
use crate::node::message::Reply;
use crate::protocol::error::LockError;
use crate::time::Time;

/// A world about to do something, with who chooses and who watches.
///
/// Its methods are all that can be done to a world: let it go on, or act on it from outside.
pub struct Step<'a> {
    pub(super) world: &'a mut World,
    pub(super) choices: &'a mut dyn Choices,
    pub(super) observer: &'a mut dyn Observer,
    /// True if it may do more than one thing where nothing comes between.
    pub(super) may_run_fast: bool,
    /// The number of further events that it has handled.
    pub(super) inline_steps: u32,
    /// True if it is one of [many](World::run_batch), after which no caller looks for changes.
    pub(super) in_batch: bool,
    /// The part of a renewal that it has done by handles, if it did.
    pub(super) part: Option<Part>,
}

/// A part of a renewal that was done at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The client, if it was the end.
    pub(super) renewed: Option<usize>,
}

impl World {
    /// Lets something happen to the world.
    pub fn act<'a>(
        &'a mut self,
        choices: &'a mut dyn Choices,
        observer: &'a mut dyn Observer,
    ) -> Step<'a> {
        Step {
            world: self,
            choices,
            observer,
            may_run_fast: false,
            inline_steps: 0,
            in_batch: false,
            part: None,
        }
    }

    /// Does the next thing, if there is one at `limit` or before. Says whether there was.
    pub fn step(
        &mut self,
        limit: Time,
        choices: &mut dyn Choices,
        observer: &mut dyn Observer,
    ) -> bool {
        self.act(choices, observer).one(limit)
    }

    /// Does everything that is due by `until`, and lets time pass to it.
    pub fn run_until(
        &mut self,
        until: Time,
        choices: &mut dyn Choices,
        observer: &mut dyn Observer,
    ) {
        while self.step(until, choices, observer) {}
        self.now = self.now.max(until);
    }
}

impl Step<'_> {
    pub(super) fn one(&mut self, limit: Time) -> bool {
        while let Some((time, due)) = self.next_due(limit) {
            self.world.now = self.world.now.max(time);
            let has_happened = self.perform(due);
            self.world.schedule_giving_up();
            // A timer may have been moved since it was set; then nothing was due.
            if has_happened {
                return true;
            }
        }
        false
    }

    fn next_due(&mut self, limit: Time) -> Option<(Time, Due)> {
        let world = &mut *self.world;
        let time = world.queue.next_time().filter(|next| *next <= limit)?;
        if world.ties.0 != time {
            world.ties = (time, 0);
        }
        if !self.choices.asks_about(SiteKind::Tie) {
            let (time, due, is_tie) = world.queue.pop()?;
            world.ties.1 += u32::from(is_tie);
            return Some((time, due));
        }
        let (choices, ties) = (&mut *self.choices, &mut world.ties.1);
        world.queue.pop_one_of(|options| {
            if options < 2 {
                return 0;
            }
            // Named by its time, so that one more or less before it changes nothing.
            let site = Site {
                kind: SiteKind::Tie,
                subject: time.as_ms() & u64::from(u32::MAX),
                count: *ties,
            };
            *ties += 1;
            choices.pick(site, u32::try_from(options).unwrap_or(u32::MAX)) as usize
        })
    }

    pub(super) fn perform(&mut self, due: Due) -> bool {
        match due {
            Due::Arrival(message) => {
                let message = self.world.messages.remove(message);
                message.map(|message| self.arrive(message)).is_some()
            }
            Due::ClientTimer(client) => self.client_timer(client as usize),
            Due::Commit { process, token } => self.commit(process as usize, token),
            Due::Grant { process, token } => self.grant(process as usize, token),
            Due::Keepalive(client) => self.keepalive(client as usize),
            Due::LinkChangesEnd => {
                let now = self.world.now;
                self.world.network.end_changes(now);
                false
            }
            Due::OperationTimeout { process, token } => {
                self.operation_timeout(process as usize, token)
            }
            Due::ProcessPoll(process) => self.process_poll(process as usize),
            Due::ProcessTimer(process) => self.process_timer(process as usize),
            Due::StallEnds => self.stall_ends(),
            Due::TableExpiry => self.table_expiry(),
            Due::Wake { node, pause } => self.wake(node, pause),
        }
    }
}

/// Messages.
impl Step<'_> {
    /// Sends a message from one node to another; it arrives if the network lets it.
    pub(super) fn send(&mut self, from: NodeId, to: NodeId, cause: Option<EventId>, body: Body) {
        let now = self.world.now;
        let (number, fate) = self.world.network.send_one((from, to), self.choices);
        let (first, second) = match fate {
            Fate::Arrives(first, second) => (Some(now + first), second.map(|it| now + it)),
            Fate::Lost => (None, None),
        };
        if self.observer.watches_messages() {
            for arrives in std::iter::once(first).chain(second.map(Some)) {
                let flight = body.flight(from, to, now, arrives, cause);
                flight.into_iter().for_each(|it| self.observer.sent(it));
            }
        }
        let Some(first) = first else {
            let why = LossReason::Link;
            self.record(from, cause, Seen::MessageLost { to, why });
            return;
        };
        let message = Message { from, to, number, cause, body };
        if let Some(second) = second {
            self.world.schedule_arrival(second, message.clone());
        }
        self.world.schedule_arrival(first, message);
    }

    fn arrive(&mut self, message: Message) {
        let (from, to) = (message.from, message.to);
        if self.world.is_void(&message) {
            let why = LossReason::Disconnected;
            self.record(from, message.cause, Seen::MessageLost { to, why });
            return;
        }
        if !self.world.is_up(self.world.place(to)) {
            // A message to itself is lost with the node.
            if from != to {
                let why = LossReason::NodeDown;
                self.record(from, message.cause, Seen::MessageLost { to, why });
                self.refuse(message);
            }
            return;
        }
        match &mut self.world.node_mut(to).pause {
            Some(pause) => pause.inbox.push(message),
            None => self.deliver(message),
        }
    }

    /// A message reaches a node that runs.
    fn deliver(&mut self, message: Message) {
        debug_assert!(
            self.world.runs(self.world.place(message.to)),
            "a node that is paused or down takes no message"
        );
        let cause = message.cause;
        match (message.body, self.world.place(message.to)) {
            (Body::Answer { token, answer }, Node::Locket(process)) => {
                self.deliver_to_process(process, ProcessInput::Answer(token, answer), cause);
            }
            (Body::Query(query), Node::Database) => self.query(query, cause),
            (Body::Ready { life }, Node::Client(client)) => {
                if self.world.clients[client].machine.life() == life {
                    self.deliver_to_client(client, ClientInput::Connect, cause);
                }
            }
            (Body::Reply(reply), Node::Client(client)) => {
                if self.finish_renewal(client, &reply, cause) {
                    return;
                }
                self.deliver_to_client(client, ClientInput::Reply(reply), cause);
            }
            // The connection broke; its caller already knows.
            (Body::Request { life, call }, Node::Locket(process)) => {
                let to = Route { process, life };
                if self.answers_at_once(to) {
                    if self.serve_renewal(to, &call, cause) {
                        return;
                    }
                    if self.is_served_at_once(&call) {
                        return self.serve_directly(to, call, cause);
                    }
                }
                self.deliver_to_process(process, ProcessInput::Request(life, call), cause);
                self.notify_callers_gone();
            }
            (Body::Signal { life }, Node::Client(client)) => self.signal(client, life, cause),
            (Body::Signal { life }, Node::Locket(process)) => {
                self.begin_to_drain(process, life, cause);
            }
            (body, _) => debug_assert!(false, "sent to a node of another kind: {body:?}"),
        }
    }

    /// A connection to a node that is down is refused, and the caller learns it.
    fn refuse(&mut self, message: Message) {
        match message.body {
            Body::Query(query) => self.query(query, message.cause),
            Body::Request { call, .. } => {
                let body = Body::Reply(Reply {
                    session: call.session,
                    call: call.call,
                    result: Err(LockError::Unavailable),
                    from: Some(process_number(message.to.index() - 1)),
                });
                self.send(message.to, message.from, message.cause, body);
            }
            Body::Answer { .. } | Body::Ready { .. } | Body::Reply(_) | Body::Signal { .. } => {}
        }
    }

    pub(super) fn record(
        &mut self,
        node: NodeId,
        cause: Option<EventId>,
        what: Seen<'_>,
    ) -> EventId {
        let event = self.world.new_event(node, cause);
        self.observer.observe(event.about(what));
        event.id
    }

    /// Records the last change of the table, which was one of the row of `key`.
    pub(super) fn record_row_change(&mut self, key: &str, cause: Option<EventId>) -> EventId {
        let event = self.world.new_event(DATABASE, cause);
        let table = self.world.back_end.database.table();
        self.observer.observe(event.about(match table.last_written() {
            Some(row) => Seen::RowWritten(row),
            None => Seen::RowDeleted { path: key.to_owned() },
        }));
        event.id
    }
}

impl World {
    /// True if the connection of a message has broken since it was sent.
    pub(super) fn is_void(&self, message: &Message) -> bool {
        let (client, session) = match (&message.body, self.place(message.to)) {
            (Body::Request { call, .. }, _) => (call.client as usize, call.session),
            (Body::Reply(reply), Node::Client(client)) => (client, reply.session),
            _ => return false,
        };
        self.clients[client].machine.was_broken(session)
    }
}

/// The rank of messages.
pub(super) const ARRIVAL: u8 = 5;

impl Ranked for Due {
    /// The usual order of the events of one instant. Expiry comes first, so a renewal at the very
    /// end of a TTL is too late.
    fn rank(&self) -> u8 {
        match self {
            Self::TableExpiry => 0,
            Self::ProcessTimer(_) => 1,
            Self::ProcessPoll(_) => 2,
            Self::Commit { .. } | Self::Grant { .. } | Self::LinkChangesEnd | Self::StallEnds => 3,
            Self::OperationTimeout { .. } => 4,
            Self::Arrival(_) => ARRIVAL,
            Self::Wake { .. } => 6,
            Self::Keepalive(_) => 7,
            Self::ClientTimer(_) => 8,
        }
    }
}
