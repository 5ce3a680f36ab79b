//! What is done to the world from outside: pauses, crashes, restarts, operators.

use super::event::{EventId, What};
use super::message::Body;
use super::network::NodeId;
use super::node::Status;
use super::step::Step;
use super::{DATABASE, Due, number};
use crate::protocol::error::LockError;
use crate::protocol::machine::MachineSettings;
use crate::protocol::row::Row;
use crate::protocol::server::Server;
use crate::time::{Duration, Time};

/// Pauses.
impl Step<'_> {
    /// Pauses a node: its timers do not fire and its messages wait, and burst when it goes on.
    /// If it is `suspended`, its clock stands still too, as a suspended machine's does.
    pub fn pause(&mut self, node: NodeId, duration: Option<Duration>, suspended: bool) {
        let now = self.world.now;
        let state = self.world.node_mut(node);
        if !state.is_running() {
            return;
        }
        state.status = Status::Paused {
            since: now,
            suspended,
            inbox: Vec::new(),
        };
        state.timer = None;
        let life = state.life;
        if let Some(duration) = duration {
            let since = now;
            let wake = Due::Wake { node, life, since };
            self.world.queue.schedule(now + duration, wake);
        }
        self.record(node, None, What::Paused);
    }

    /// Lets a paused node go on.
    pub fn resume(&mut self, node: NodeId) {
        let now = self.world.now;
        let state = self.world.node_mut(node);
        if !matches!(state.status, Status::Paused { .. }) {
            return;
        }
        let Status::Paused {
            since,
            suspended,
            inbox,
        } = std::mem::take(&mut state.status)
        else {
            return;
        };
        if suspended {
            state.clock.stand_still(now.since(since));
        }
        let event = self.record(node, None, What::Resumed);
        // In either order with the timers that are due: that is a tie like any other.
        for message in inbox {
            self.world.schedule_arrival(now, message);
        }
        self.schedule_node(node, event);
    }

    /// What a process would have given up on while it was paused it gives up on now.
    fn schedule_overdue(&mut self, process: usize) {
        let now = self.world.now;
        let locket = &mut self.world.lockets[process];
        let life = locket.state.life;
        for token in std::mem::take(&mut locket.overdue) {
            self.world.queue.schedule(
                now,
                Due::OperationTimeout {
                    process: number(process),
                    life,
                    token,
                },
            );
        }
    }

    /// The end of the pause that began at `began`; nothing if that was ended before.
    pub(super) fn wake(&mut self, node: NodeId, life: u32, began: Time) -> bool {
        let state = self.world.node_mut(node);
        let paused = state.life == life && state.pauses_since(began);
        if paused {
            self.resume(node);
        }
        paused
    }

    fn schedule_node(&mut self, node: NodeId, cause: EventId) {
        let number = usize::from(node.0);
        let processes = self.world.lockets.len();
        if node == DATABASE {
            self.schedule_table();
        } else if number <= processes {
            self.schedule_overdue(number - 1);
            self.world.schedule_process(number - 1);
            self.world.schedule_poll(number - 1);
        } else {
            self.world.schedule_client(number - 1 - processes);
            self.world.schedule_keepalive(number - 1 - processes);
            // A process may have come up meanwhile.
            self.send_waiting_calls_of(number - 1 - processes, cause);
        }
    }
}

/// Crashes and starts.
impl Step<'_> {
    /// Crashes a client: its runner is gone, and its row stays until the TTL ends.
    pub fn crash_client(&mut self, client: usize) {
        let node = &mut self.world.clients[client];
        if node.state.status == Status::Down {
            return;
        }
        node.machine = None;
        node.leads = false;
        node.in_flight.clear();
        node.connection = None;
        node.keepalive = false;
        node.state.status = Status::Down;
        node.state.life += 1;
        node.state.timer = None;
        let id = node.state.id;
        self.record(id, None, What::Crashed);
    }

    /// Changes what a client's machine is made from at its next start.
    pub fn reconfigure_client(&mut self, client: usize, settings: MachineSettings) {
        self.world.clients[client].settings = Some(settings);
    }

    /// Crashes a Locket process: its timers are gone, rows stay, its connections break.
    pub fn crash_process(&mut self, process: usize, cause: Option<EventId>) {
        let locket = &mut self.world.lockets[process];
        if locket.server.take().is_none() {
            return;
        }
        let life = locket.state.life;
        locket.asked.clear();
        locket.overdue.clear();
        locket.state.status = Status::Down;
        locket.state.life += 1;
        locket.state.timer = None;
        let node = locket.state.id;
        let event = self.record(node, cause, What::Crashed);
        for client in 0..self.world.clients.len() {
            let it = &self.world.clients[client];
            let connected = it
                .connection
                .is_some_and(|to| to.process == process && to.life == life);
            if !connected {
                continue;
            }
            let (life, to) = (it.state.life, it.state.id);
            let calls: Vec<_> = it.in_flight.iter().map(|waiting| waiting.call).collect();
            // The peer's machine says that nobody is there any more (S24).
            for call in calls {
                let body = Body::Reply {
                    client: number(client),
                    life,
                    call,
                    result: Err(LockError::Unavailable),
                };
                self.send(node, to, Some(event), body);
            }
        }
    }

    /// Starts a Locket process that is down; it registers every row with its full TTL (B75).
    pub fn start_process(&mut self, process: usize) {
        let world = &mut *self.world;
        let locket = &mut world.lockets[process];
        if locket.server.is_some() {
            return;
        }
        let now = locket.state.clock.local(world.now);
        locket.server = Some(Server::new(world.profile, now));
        locket.state.status = Status::Running;
        let node = locket.state.id;
        world.database.table.create_table();
        let event = self.record(node, None, What::Started);
        self.world.schedule_process(process);
        self.world.schedule_poll(process);
        self.send_waiting_calls(event);
    }
}

/// Operators.
impl Step<'_> {
    /// Writes a whole row behind Locket's back.
    ///
    /// # Errors
    ///
    /// The database's own.
    pub fn put_row(&mut self, row: Row) -> Result<(), LockError> {
        let now = self.world.now;
        let before = self.world.database.copy_of_table();
        self.world.database.table.put_row(row, now)?;
        self.world.database.remember(before);
        self.schedule_table();
        if let Some(row) = self.world.database.table.last_written() {
            self.record(DATABASE, None, What::RowWritten(row));
        }
        Ok(())
    }

    /// Deletes a row behind Locket's back; says whether there was one.
    pub fn delete_row(&mut self, path: &str) -> bool {
        let before = self.world.database.copy_of_table();
        let deleted = self.world.database.table.delete_row(path);
        if deleted {
            self.world.database.remember(before);
            self.record(
                DATABASE,
                None,
                What::RowDeleted {
                    path: path.to_owned(),
                },
            );
        }
        deleted
    }

    /// Drops the table: whoever notices stops (B29).
    pub fn drop_table(&mut self) {
        self.world.database.table.drop_table();
        self.record(DATABASE, None, What::TableDropped);
    }

    /// Cuts links: from `a` to `b`, and back if `both`.
    pub fn cut(&mut self, a: NodeId, b: NodeId, both: bool) {
        self.world.network.cut(a, b);
        if both {
            self.world.network.cut(b, a);
        }
    }
}
