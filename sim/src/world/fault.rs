//! Actions from outside: pauses, crashes, restarts, operators.

use super::Due;
use super::event::Seen;
use super::network::{Link, LinkChange, NodeId};
use super::node::Pause;
use super::step::Step;
use crate::environment::happening::Node;
use crate::environment::rules::{End, Environment as _};
use crate::node::client::{ClientContext, ClientInput};
use crate::node::database::DatabaseInput;
use crate::protocol::error::LockError;
use crate::protocol::row::Row;
use crate::protocol::runner::SharedSettings;
use crate::time::{Duration, Time};

/// Pauses.
impl Step<'_> {
    /// Pauses a node: its timers do not fire and its messages wait, and burst when it goes on.
    /// If it is `suspended`, its clock is frozen too, as a suspended machine's is.
    pub fn pause(&mut self, node: NodeId, duration: Option<Duration>, suspended: bool) {
        let now = self.world.now;
        if !self.world.runs(self.world.place(node)) {
            return;
        }
        let state = self.world.node_mut(node);
        state.pause = Some(Box::new(Pause { since: now, suspended, inbox: Vec::new() }));
        state.timer = None;
        state.pauses += 1;
        let pause = state.pauses;
        if let Some(duration) = duration {
            let wake = Due::Wake { node, pause };
            self.world.queue.schedule(now + duration, wake);
        }
        self.record(node, None, Seen::Paused { suspended });
    }

    /// Keeps a node paused until `until` at least. Its pause may have begun before.
    pub fn pause_until(&mut self, node: NodeId, until: Time, suspended: bool) {
        if self.world.runs(self.world.place(node)) {
            return self.pause(node, Some(until.since(self.world.now)), suspended);
        }
        let pause = self.world.node(node).pauses;
        let wakes = self.world.wakes_at(node, pause);
        let state = self.world.node_mut(node);
        if !state.is_in_pause(pause) || wakes.is_none_or(|wakes| wakes >= until) {
            return;
        }
        // The wake in the queue is then that of an earlier pause.
        state.pauses += 1;
        let wake = Due::Wake { node, pause: pause + 1 };
        self.world.queue.schedule(until, wake);
    }

    /// Lets a paused node go on.
    pub fn resume(&mut self, node: NodeId) {
        let now = self.world.now;
        let state = self.world.node_mut(node);
        let Some(pause) = state.pause.take() else {
            return;
        };
        if pause.suspended {
            state.clock.freeze(now.since(pause.since));
        }
        self.record(node, None, Seen::Resumed);
        // In either order with the timers that are due: that is a tie like any other.
        for message in pause.inbox {
            self.world.schedule_arrival(now, message);
        }
        self.schedule_node(node);
    }

    /// The process now gives up on transactions that timed out while it was paused.
    fn schedule_overdue(&mut self, process: usize) {
        let overdue = std::mem::take(&mut self.world.lockets[process].overdue);
        for token in overdue {
            self.world.schedule_giving_up_on(process, token);
        }
    }

    /// The end of a pause; nothing if that was ended before.
    pub(super) fn wake(&mut self, node: NodeId, pause: u32) -> bool {
        let is_paused = self.world.node_mut(node).is_in_pause(pause);
        if is_paused {
            self.resume(node);
        }
        is_paused
    }

    fn schedule_node(&mut self, node: NodeId) {
        match self.world.place(node) {
            Node::Client(client) => {
                self.world.schedule_client(client);
                self.world.schedule_keepalive(client);
            }
            Node::Database => {
                self.world.schedule_table();
                self.world.schedule_commits();
                self.world.schedule_grants();
            }
            Node::Locket(process) => {
                self.schedule_overdue(process);
                self.world.schedule_process(process);
                self.world.schedule_poll(process);
                self.notify_callers_gone();
            }
        }
    }
}

/// Crashes and starts.
impl Step<'_> {
    /// Crashes a client: it loses its runner, and its row stays until the TTL ends.
    pub fn crash_client(&mut self, client: usize) {
        let node = &mut self.world.clients[client];
        if node.machine.is_down() {
            return;
        }
        node.keepalive = None;
        node.state.pause = None;
        let id = node.state.id;
        self.deliver_to_client(client, ClientInput::Crash, None);
        self.record(id, None, Seen::Crashed);
    }

    /// Changes what a client's runner is made from at its next start.
    pub fn reconfigure_client(&mut self, client: usize, settings: SharedSettings) {
        self.world.clients[client].machine.reconfigure(settings);
    }

    /// Crashes a Locket process: it loses its timers, rows stay, its connections break.
    pub fn crash_process(&mut self, process: usize) {
        if self.world.back_end.processes[process].life().is_some() {
            self.end_process(process, End::Crash, None);
        }
    }

    /// Breaks the connection of a client to its Locket process, if it has one: what is on its way
    /// over it is lost, and calls under way fail.
    pub fn disconnect(&mut self, client: usize) {
        let world = &mut *self.world;
        let node = &mut world.clients[client];
        let Some(route) = node.machine.route() else {
            return;
        };
        let id = node.state.id;
        let mut outputs = Vec::new();
        let mut around = ClientContext {
            now: node.state.local(world.now),
            processes: &world.back_end,
            ids: &mut world.request_ids,
        };
        let broken = ClientInput::Disconnected;
        node.machine.handle(broken, &mut around, &mut outputs);
        let from = world.process(route.process);
        let mut cause = Some(self.record(id, None, Seen::Disconnected { from }));
        for output in outputs {
            self.take_client_output(client, output, &mut cause);
        }
        self.stop_if_drained(route.process);
        self.notify_callers_gone();
    }

    /// Breaks the connections of all clients of a Locket process.
    pub fn disconnect_all(&mut self, process: usize) {
        for client in 0..self.world.clients.len() {
            let route = self.world.clients[client].machine.route();
            if route.is_some_and(|route| route.process == process) {
                self.disconnect(client);
            }
        }
    }

    /// Starts a Locket process that is down, or after it has drained; it registers every row with
    /// its full TTL (B75). While the database is down a start fails, and is tried again until it
    /// is up (S27).
    pub fn start_process(&mut self, process: usize) {
        let world = &mut *self.world;
        let machine = &world.back_end.processes[process];
        if machine.accepting().is_some() {
            return;
        }
        if machine.draining().is_some() || world.back_end.database.is_down() {
            world.lockets[process].starts_later = true;
            return;
        }
        let locket = &mut world.lockets[process];
        let has_started = world.back_end.start(process, locket.state.local(world.now));
        debug_assert!(has_started, "it is down, and the database is up");
        let node = locket.state.id;
        let event = self.record(node, None, Seen::Started);
        self.world.schedule_process(process);
        self.world.schedule_poll(process);
        self.notify_of_process(event);
    }
}

/// Operators. None of them reaches a database that is down.
impl Step<'_> {
    /// Writes a whole row behind Locket's back.
    ///
    /// # Errors
    ///
    /// The database's own.
    pub fn put_row(&mut self, row: Row) -> Result<(), LockError> {
        let effect = self.send_to_database(DatabaseInput::PutRow(row), None);
        effect.refused.map_or(Ok(()), Err)
    }

    /// Deletes a row behind Locket's back; says whether there was one.
    pub fn delete_row(&mut self, path: &str) -> bool {
        let input = DatabaseInput::DeleteRow(path.to_owned());
        self.send_to_database(input, None).gave_out
    }

    /// Drops the table: a process that notices stops.
    pub fn drop_table(&mut self) {
        self.send_to_database(DatabaseInput::DropTable, None);
    }

    /// Changes directions of links, for a time or until the next change of the same kind.
    pub fn change_links(&mut self, links: &[Link], change: LinkChange, duration: Option<Duration>) {
        let until = duration.map(|duration| self.world.now + duration);
        self.world.network.change_until(links, change, until);
        if let Some(until) = until {
            self.world.queue.schedule(until, Due::LinkChangesEnd);
        }
    }

    /// Cuts links until `until` at least; some may be cut already.
    pub fn cut_until(&mut self, links: &[Link], until: Time) {
        self.world.network.cut_until(links, until);
        self.world.queue.schedule(until, Due::LinkChangesEnd);
    }

    /// Links lose their next `count` messages.
    pub fn lose_messages(&mut self, links: &[Link], count: u32) {
        self.world.network.drop_next(links, count);
    }

    /// Cuts links: from `a` to `b`, and back if `both`.
    pub fn cut(&mut self, a: NodeId, b: NodeId, both: bool) {
        self.world.network.cut(a, b);
        if both {
            self.world.network.cut(b, a);
        }
    }
}
