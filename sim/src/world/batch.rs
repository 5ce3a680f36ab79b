//! Renewals, one after the other: most of what happens in a long run of many clients.
//!
//! A renewal after which nothing has happened to its client, its row and its timer finds them by
//! handles, and gives the machines what they know already. Their rules are the same, and so are the
//! events. Where the network is instant they are [lent as one](WholeRenewal), and elsewhere a call and its
//! answer [travel](super::renewals). Anything unusual falls back to the [slow path](super::direct), which
//! refreshes the cached handles.

use super::choice::Choices;
use super::event::{EventId, Observer, WholeRenewal};
use super::node::Known;
use super::step::Step;
use super::{DATABASE, Due, World, number};
use crate::node::connection::{KEEPALIVE, Route};
use crate::protocol::profile::ExpiryRule;
use crate::time::Time;

/// The steps of a renewal where the network is instant.
const RENEWAL_STEPS: u32 = 5;

/// The work of [`World::run_batch`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Batch {
    /// Steps of the renewals, and of times at which only stale timers were due.
    pub(crate) steps: u64,
    /// The steps that did something.
    pub(crate) ticks: u64,
    /// The last instant with any, and how many those were.
    pub(crate) last: (Time, u32),
    /// Events left over from the step that ended the batch.
    pub(crate) other: u32,
}

impl World {
    /// Renews what clients hold, one after the other, until something else is due or `limit` has
    /// passed, or for about so many steps. After each renewal it calls `renewed`. Not for a run in
    /// which chance orders the things of one instant.
    pub(crate) fn run_batch(
        &mut self,
        limit: Time,
        budget: u64,
        choices: &mut dyn Choices,
        observer: &mut dyn Observer,
        renewed: &mut dyn FnMut(usize, &Self),
    ) -> Batch {
        let mut batch = Batch::default();
        let mut step = self.act(choices, observer);
        if !step.allows_batch() {
            return batch;
        }
        step.may_run_fast = true;
        step.in_batch = true;
        let is_instant = step.world.network.is_instant();
        let is_wanted = |due: &Due| {
            matches!(
                due,
                Due::Arrival(_)
                    | Due::ClientTimer(_)
                    | Due::Keepalive(_)
                    | Due::OperationTimeout { .. }
                    | Due::ProcessTimer(_)
            )
        };
        // The time of a stale timer: a step of its own if nothing else is due then.
        let mut stale = None;
        while batch.steps + u64::from(RENEWAL_STEPS) < budget {
            let Some((time, due)) = step.world.queue.pop_if(limit, is_wanted) else {
                break;
            };
            batch.steps += u64::from(stale.is_some_and(|at| at != time));
            stale = None;
            step.world.now = time;
            if let Due::ClientTimer(client) = due
                && is_instant
                && step.renew_directly(client as usize)
            {
                batch.take(time, RENEWAL_STEPS);
                renewed(client as usize, step.world);
                continue;
            }
            let has_happened = !step.has_moved_on(due) && step.perform(due);
            step.world.schedule_giving_up();
            if let Some(part) = step.part.take() {
                batch.take(time, 1 + std::mem::take(&mut step.inline_steps));
                if let Some(client) = part.renewed {
                    renewed(client, step.world);
                }
                continue;
            }
            if has_happened {
                batch.other = 1 + step.inline_steps;
                return batch;
            }
            stale = Some(time);
        }
        // What else is due at the instant of a stale timer is counted with it.
        let next = self.next_time();
        batch.steps += u64::from(stale.is_some() && stale != next);
        batch
    }
}

impl Batch {
    fn take(&mut self, time: Time, steps: u32) {
        self.steps += u64::from(steps);
        self.ticks += u64::from(steps);
        let before = if self.last.0 == time { self.last.1 } else { 0 };
        self.last = (time, before + steps);
    }
}

impl Step<'_> {
    /// True if calls can be answered in batch, as far as it is the same for all.
    fn allows_batch(&self) -> bool {
        let world = &*self.world;
        !self.observer.watches_messages()
            && world.database_answers_at_once()
            && world.back_end.database.keeps_commits()
            && !world.back_end.database.table().is_dropped()
    }

    /// True if the timer is stale: the client has re-armed it since.
    fn has_moved_on(&self, due: Due) -> bool {
        let Due::ClientTimer(client) = due else {
            return false;
        };
        self.world.clients[client as usize].state.timer != Some(self.world.now)
    }

    /// Remembers what a renewal has left.
    pub(super) fn know(&mut self, client: usize, to: Route) {
        let known = self.world.known(client, to);
        self.world.clients[client].known = known;
    }

    /// Makes the call of a client that renews what it holds, and takes its answer, if nothing has
    /// happened to its row since it did so last. Says whether it did.
    fn renew_directly(&mut self, client: usize) -> bool {
        let World {
            now,
            clients,
            lockets,
            database,
            back_end,
            network,
            queue,
            request_ids,
            next_event,
            ..
        } = &mut *self.world;
        let now = *now;
        let node = &mut clients[client];
        let Some(known) = &mut node.known else {
            return false;
        };
        let to = known.to;
        let locket = &mut lockets[to.process];
        let process = &back_end.processes[to.process];
        let is_undisturbed = node.state.pause.is_none()
            && node.state.timer == Some(now)
            && locket.state.pause.is_none()
            && process.accepting() == Some(to.life)
            && process.questions().next().is_none();
        if !is_undisturbed {
            return false;
        }
        let clock = node.state.clock;
        let local = clock.local(now);
        let Some(runner) = node.machine.renewing(to, local) else {
            return false;
        };
        let handles = (&mut known.row, known.timer);
        let at_process = locket.state.clock.local(now);
        let at_database = database.state.clock.local(now);
        let row = back_end.renew_known(to.process, handles, at_process, at_database);
        let Some(row) = row else {
            return false;
        };
        let deadline = runner.renewal_deadline(local);
        let first = EventId(*next_event);
        self.observer.observe_whole_renewal(&WholeRenewal {
            first,
            cause: node.state.last_event,
            time: now,
            client: node.state.id,
            process: locket.state.id,
            deadline: deadline.map(|local| clock.world(local)),
            request: runner.lock_request(),
            row,
        });
        *next_event += 5;
        database.state.last_event = Some(EventId(first.0 + 1));
        locket.state.last_event = Some(EventId(first.0 + 2));
        node.state.last_event = Some(EventId(first.0 + 4));
        request_ids.skip();
        network.count_both(locket.state.id, node.state.id);
        network.count_both(DATABASE, locket.state.id);
        // The timers that the call and its answer set.
        let at = |local: Option<Time>| local.map(|local| clock.world(local).max(now));
        let given_up = at(deadline.into_iter().chain(runner.lease_ends()).min());
        runner.renew(local, local);
        let next = at(runner.deadline());
        let timer = Due::ClientTimer(number(client));
        if let Some(time) = given_up {
            queue.schedule(time, timer);
        }
        if node.keepalive.is_none() {
            let time = clock.world(local + KEEPALIVE).max(now);
            node.keepalive = Some(time);
            queue.schedule(time, Due::Keepalive(number(client)));
        }
        if let Some(time) = next.filter(|_| next != given_up) {
            queue.schedule(time, timer);
        }
        node.state.timer = next;
        self.world.set_timers_of_renewal(to.process);
        true
    }
}

impl World {
    /// Sets the timers of a process and of the database after a renewal. A TTL that starts again moves no
    /// timer, if there is one.
    pub(super) fn set_timers_of_renewal(&mut self, process: usize) {
        if self.lockets[process].state.timer.is_none() {
            self.schedule_process(process);
        }
        if self.database.state.timer.is_none() {
            self.schedule_table();
        }
    }

    /// The handles for the next renewal of a client that has just been granted its row.
    fn known(&self, client: usize, to: Route) -> Option<Known> {
        let database = &self.back_end.database;
        let table = database.table();
        let (row, written) = (table.known_row()?, table.last_written()?);
        let server = self.back_end.processes[to.process].server()?;
        let timer = server.expiry().known_timer(written);
        let needs_timer = table.profile().expiry == ExpiryRule::UpstreamTimers;
        // A text that is cut to fit is not found as it was asked for.
        let runner = self.clients[client].machine.runner()?;
        let asked = runner.resource();
        let is_as_asked = *written.path == *asked.key
            && *written.owner == *asked.owner
            && *written.value == *asked.value
            && written.row_type.name() == asked.stored_type();
        // Jitter is drawn on the slow path.
        let is_usual = !runner.settings().rule.has_jitter() && database.keeps_commits();
        let is_known = is_as_asked && is_usual && timer.is_some() == needs_timer;
        is_known.then_some(Known { to, row, timer })
    }
}
