//! A Locket process: calls come in, the database is asked, answers go out.

use std::sync::Arc;

use super::event::{EventId, What};
use super::message::{Answer, Body, Transaction};
use super::network::NodeId;
use super::node::{Asked, ClientCall, LocketNode, Query};
use super::step::Step;
use super::{DATABASE, Due, World, number};
use crate::protocol::error::{LockError, MissingResource};
use crate::protocol::message::Request;
use crate::protocol::operation::{Operation, Outcome};
use crate::protocol::resource::{LOCK, PRESENCE};
use crate::protocol::server::{Caller, DRIVER_TIMEOUT, OPERATION_TIMEOUT, Patience};
use crate::time::Time;

impl Step<'_> {
    /// A call has reached a process.
    pub(super) fn request(
        &mut self,
        process: usize,
        client: usize,
        client_life: u32,
        call: ClientCall,
        request: Arc<Request>,
        cause: Option<EventId>,
    ) {
        let locket = &mut self.world.lockets[process];
        let now = locket.state.clock.local(self.world.now);
        let Some(server) = &mut locket.server else {
            return;
        };
        let (server_call, operation) = server.begin(&request, now);
        let transaction = operation.map(|operation| transaction(&operation, &request));
        let asked = Asked::Call {
            server_call,
            call,
            client: number(client),
            client_life,
            request,
        };
        match transaction {
            Ok(transaction) => self.ask(process, asked, transaction, cause),
            Err(LockError::InvalidResource(MissingResource::Crashes)) => {
                self.crash_process(process, cause)
            }
            Err(error) => self.finish(process, asked, Err(error), cause),
        }
    }

    /// Asks the database.
    fn ask(
        &mut self,
        process: usize,
        asked: Asked,
        transaction: Transaction,
        cause: Option<EventId>,
    ) {
        let world = &mut *self.world;
        let locket = &mut world.lockets[process];
        let (token, life) = (locket.tokens, locket.state.life);
        locket.tokens += 1;
        // Expiry and poll have no timeout of their own but the driver's (B23).
        let timeout = match asked {
            Asked::Call { .. } => OPERATION_TIMEOUT,
            Asked::Expiry(_) | Asked::Poll => DRIVER_TIMEOUT,
        };
        locket.asked.push_back((token, asked));
        let from = locket.state.id;
        if self.database_may_wait(from) {
            let timeout = self.world.now + timeout;
            self.world.queue.schedule(
                timeout,
                Due::OperationTimeout {
                    process: number(process),
                    life,
                    token,
                },
            );
        }
        let query = Query {
            process: number(process),
            life,
            token,
            transaction,
        };
        self.send(from, DATABASE, cause, Body::Query(query));
    }

    /// Whether an answer might take longer than no time at all.
    fn database_may_wait(&self, from: NodeId) -> bool {
        let world = &*self.world;
        let instant = super::network::LinkRule::default();
        world.database.stalled_until > world.now
            || world.database.answers_to_lose > 0
            || world.database.answer_loss_per_mille > 0
            || !world.database.state.is_running()
            || world.network.rule(from, DATABASE) != instant
            || world.network.rule(DATABASE, from) != instant
            || world.network.is_cut(from, DATABASE)
            || world.network.is_cut(DATABASE, from)
    }

    /// The database has answered a process.
    pub(super) fn answer(
        &mut self,
        process: usize,
        life: u32,
        token: u64,
        answer: Answer,
        cause: Option<EventId>,
    ) {
        let locket = &mut self.world.lockets[process];
        // What an earlier life asked, or was given up on, nobody waits for.
        if locket.state.life != life {
            return;
        }
        let Some(asked) = locket.take_asked(token) else {
            return;
        };
        let now = locket.state.clock.local(self.world.now);
        match (asked, answer) {
            (asked @ Asked::Call { .. }, Answer::Outcome(result)) => {
                self.finish(process, asked, result, cause)
            }
            (Asked::Expiry(fired), Answer::Outcome(result)) => {
                let Some(server) = &mut locket.server else {
                    return;
                };
                let expired = result
                    .as_ref()
                    .ok()
                    .filter(|outcome| **outcome == Outcome::Deleted(true));
                let row = expired
                    .and_then(|_| server.expiry().registration(fired))
                    .cloned();
                server.handle_attempt(fired, result, &mut ());
                if let Some(row) = row {
                    let node = locket.state.id;
                    let (key, owner) = (row.key.to_string(), row.owner.to_string());
                    self.record(node, cause, What::Expired { key, owner });
                }
            }
            (Asked::Poll, Answer::Rows(rows)) => {
                if let Some(server) = &mut locket.server {
                    server.handle_polled_rows(rows.map(Vec::into_iter), now, &mut ());
                }
            }
            (Asked::Call { .. } | Asked::Expiry(_), Answer::Rows(_))
            | (Asked::Poll, Answer::Outcome(_)) => {}
        }
        self.world.schedule_process(process);
    }

    /// A process gives a client its answer.
    fn finish(
        &mut self,
        process: usize,
        asked: Asked,
        result: Result<Outcome, LockError>,
        cause: Option<EventId>,
    ) {
        let Asked::Call {
            server_call,
            call,
            client,
            client_life,
            request,
        } = asked
        else {
            return;
        };
        let locket = &mut self.world.lockets[process];
        let now = locket.state.clock.local(self.world.now);
        let Some(server) = &mut locket.server else {
            return;
        };
        let caller = Caller {
            request_id: "",
            patience: Patience::Waiting,
        };
        let result = server.finish(server_call, &request, result, caller, now, &mut ());
        let exits = server.exits();
        let node = locket.state.id;
        self.world.schedule_process(process);
        let client_node = self.world.client(client.into());
        let what = What::Handled {
            client: client_node,
            request,
            result: result.clone(),
        };
        let event = self.record(node, cause, what);
        self.send(
            node,
            client_node,
            Some(event),
            Body::Reply {
                client,
                life: client_life,
                call,
                result,
            },
        );
        if exits {
            self.crash_process(process, Some(event));
        }
    }

    pub(super) fn operation_timeout(&mut self, process: usize, life: u32, token: u64) -> bool {
        let locket = &mut self.world.lockets[process];
        if locket.state.life != life {
            return false;
        }
        let Some(asked) = locket.asked(token) else {
            return false;
        };
        let answer = match asked {
            Asked::Poll => Answer::Rows(Err(LockError::database(DRIVER_TIMED_OUT))),
            Asked::Expiry(_) => Answer::Outcome(Err(LockError::database(DRIVER_TIMED_OUT))),
            Asked::Call { .. } => Answer::Outcome(Err(LockError::DeadlineExceeded)),
        };
        if !locket.state.is_running() {
            locket.overdue.push(token);
            return false;
        }
        let cause = locket.state.last_event;
        self.answer(process, life, token, answer, cause);
        true
    }

    pub(super) fn process_timer(&mut self, process: usize) -> bool {
        let world = &mut *self.world;
        let locket = &mut world.lockets[process];
        if !locket.state.is_running() || locket.state.timer != Some(world.now) {
            return false;
        }
        locket.state.timer = None;
        let now = locket.state.clock.local(world.now);
        let mut fired = Vec::new();
        if let Some(server) = &mut locket.server {
            while let Some(one) = server.poll_fired(now) {
                fired.push(one);
            }
        }
        let cause = locket.state.last_event;
        let happened = !fired.is_empty();
        for (fired, registration) in fired {
            self.ask(
                process,
                Asked::Expiry(fired),
                Transaction::CompareAndDelete(Box::new(registration)),
                cause,
            );
        }
        self.world.schedule_process(process);
        happened
    }

    pub(super) fn process_poll(&mut self, process: usize) -> bool {
        let locket = &mut self.world.lockets[process];
        let now = locket.state.clock.local(self.world.now);
        let due = locket
            .server
            .as_ref()
            .and_then(|server| server.poll_deadline());
        if !locket.state.is_running() || due.is_none_or(|due| due > now) {
            return false;
        }
        // One poll at a time: ticks while it waits are dropped (B80).
        if let Some(server) = &mut locket.server {
            server.skip_polls_before(now + crate::time::Duration::from_ms(1));
        }
        let waits = locket.asked.iter().any(|(_, asked)| *asked == Asked::Poll);
        let cause = locket.state.last_event;
        if !waits {
            self.ask(process, Asked::Poll, Transaction::Poll, cause);
        }
        self.world.schedule_poll(process);
        !waits
    }
}

impl World {
    /// Puts a process's next timer into the queue, if it is not there.
    pub(super) fn schedule_process(&mut self, process: usize) {
        let locket = &mut self.lockets[process];
        let Some(server) = &mut locket.server else {
            return;
        };
        // A renewal moves a deadline on. The timer stays, and is set anew when it has fired in vain.
        let LocketNode { state, .. } = locket;
        let timer = state.timer.map(|timer| state.clock.local(timer));
        if timer.is_some_and(|timer| server.expiry().is_idle_before(timer)) {
            return;
        }
        let deadline = server
            .deadline(Time::MAX)
            .map(|local| locket.state.clock.world(local).max(self.now));
        if deadline != locket.state.timer {
            locket.state.timer = deadline;
            if let Some(deadline) = deadline {
                self.queue
                    .schedule(deadline, Due::ProcessTimer(number(process)));
            }
        }
    }

    pub(super) fn schedule_poll(&mut self, process: usize) {
        let LocketNode { state, server, .. } = &self.lockets[process];
        let next = server.as_ref().and_then(|server| server.poll_deadline());
        if let Some(next) = next {
            self.queue.schedule(
                state.clock.world(next).max(self.now),
                Due::ProcessPoll(number(process)),
            );
        }
    }
}

/// What the driver says of a query that took too long.
const DRIVER_TIMED_OUT: &str = "i/o timeout";

/// What a validated call asks, as a value that can travel.
fn transaction(operation: &Operation<'_>, request: &Arc<Request>) -> Transaction {
    let type_filter = match operation {
        Operation::FetchAll { type_filter } if *type_filter == LOCK => LOCK,
        Operation::FetchAll { .. } => PRESENCE,
        Operation::CompareAndDelete(_)
        | Operation::Fetch { .. }
        | Operation::Lock { .. }
        | Operation::Release { .. } => "",
    };
    Transaction::Call {
        request: Arc::clone(request),
        type_filter,
    }
}
