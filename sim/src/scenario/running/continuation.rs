//! The rest of a run from a moment on, with no further fault or with one.
//!
//! Knows which actions of a scenario are faults, and when there are two owners; not which
//! moments and which faults are worth a look.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::{Planned, Rank, Running};
use crate::scenario::nodes::Node;
use crate::scenario::{Cast, StepsExceeded};
use crate::time::{Duration, Time};
use crate::world::World;
use crate::world::choice::{Choices, Site, SiteKind};
use crate::world::network::NodeId;

/// A run that goes on without the faults of its scenario: those under way have ended, and none
/// of those that are planned follows. Clients still start, stop and call as planned.
#[derive(Clone)]
pub(crate) struct Continuation {
    cast: Arc<Cast>,
    world: World,
    plan: BinaryHeap<Reverse<(Time, Rank, Planned)>>,
    /// When a node that is cut off is reached again.
    heals: Option<Time>,
}

/// A fault of a node for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeFault {
    /// Nothing that it sends arrives, and nothing reaches it.
    Cut,
    /// It is paused.
    Pause,
    /// It is paused, and its clock is frozen.
    Suspend,
}

impl Running {
    /// The run from here on, if all that is wrong ends now and nothing more goes wrong.
    pub(crate) fn continuation(&self) -> Continuation {
        let cast = Arc::clone(&self.cast);
        let mut world = self.world.clone();
        let links = cast.scenario.links();
        world.act(&mut Usual, &mut ()).end_faults(links);
        let is_kept = |planned: &Planned| match *planned {
            Planned::Action(index) => !cast.scenario.actions[index].kind.is_fault(),
            Planned::Expectation(_) => false,
            Planned::StartClient(_) => true,
        };
        let plan = self.plan.iter().filter(|Reverse((.., it))| is_kept(it));
        Continuation {
            plan: plan.copied().collect(),
            world,
            heals: None,
            cast,
        }
    }

    /// Whether two clients or more believe now to hold the same key.
    pub(crate) fn has_two_owners(&self) -> bool {
        self.cast.has_two_owners(&self.world)
    }
}

impl Continuation {
    /// The same rest of the run, with a fault of a node from now on for `duration`.
    pub(crate) fn with(&self, fault: NodeFault, node: NodeId, duration: Duration) -> Self {
        let mut faulty = self.clone();
        let is_suspended = fault == NodeFault::Suspend;
        match fault {
            NodeFault::Cut => {
                for (other, _) in self.cast.names.iter() {
                    faulty.world.network().cut(node, other);
                    faulty.world.network().cut(other, node);
                }
                faulty.heals = Some(self.world.now() + duration);
            }
            NodeFault::Pause | NodeFault::Suspend => {
                let (mut usual, mut nobody) = (Usual, ());
                let mut step = faulty.world.act(&mut usual, &mut nobody);
                step.pause(node, Some(duration), is_suspended);
            }
        }
        faulty
    }

    /// Runs until there are two owners at the same time, or to `until`. Returns whether there are,
    /// and the number of steps.
    ///
    /// # Errors
    ///
    /// It takes more steps than that.
    pub(crate) fn has_two_owners_by(
        mut self,
        until: Time,
        max_steps: u64,
    ) -> Result<(bool, u64), StepsExceeded> {
        let mut done = 0;
        loop {
            let next = self.next_time().filter(|next| *next <= until);
            // At an instant that is not over what is so may change before any time passes.
            let passes = next.is_none_or(|next| next > self.world.now());
            if passes && self.cast.has_two_owners(&self.world) {
                return Ok((true, done));
            }
            if next.is_none() {
                return Ok((false, done));
            }
            if done >= max_steps {
                return Err(StepsExceeded {
                    max_steps,
                    reached: self.world.now(),
                    until,
                });
            }
            self.tick(until);
            done += 1;
        }
    }

    fn next_time(&self) -> Option<Time> {
        let planned = self.plan.peek().map(|Reverse((time, ..))| *time);
        let times = [self.world.next_time(), planned, self.heals];
        times.into_iter().flatten().min()
    }

    /// Does the next thing by `limit`, in the order of [`Running::tick`].
    fn tick(&mut self, limit: Time) {
        if let Some(heals) = self.heals.filter(|&heals| self.next_time() == Some(heals)) {
            self.world.pass_to(heals);
            *self.world.network() = self.cast.scenario.links();
            self.heals = None;
            return;
        }
        let planned = self.plan.peek().map(|Reverse(planned)| *planned);
        let until = match planned {
            Some((time, rank, _)) if rank.is_placed() => {
                Time::from_ms(time.as_ms().saturating_sub(1))
            }
            Some((time, ..)) => time,
            None => limit,
        };
        if self.world.step(until.min(limit), &mut Usual, &mut ()) {
            return;
        }
        if planned.is_some_and(|(time, ..)| time <= limit)
            && let Some(Reverse(planned)) = self.plan.pop()
        {
            self.world.pass_to(planned.0);
            self.carry_out(planned);
        }
    }

    fn carry_out(&mut self, planned: (Time, Rank, Planned)) {
        let (time, rank, what) = planned;
        let cast = Arc::clone(&self.cast);
        let (mut usual, mut nobody) = (Usual, ());
        let mut step = self.world.act(&mut usual, &mut nobody);
        match what {
            Planned::Action(index) => {
                let action = &cast.scenario.actions[index];
                let name = action.node.as_deref().unwrap_or_default();
                for node in cast.nodes.resolve(name) {
                    if let Node::Client(client) = node {
                        cast.scenario.clients[client].perform(client, action.kind, &mut step);
                    }
                }
                let again = action.repeats_after(time);
                let again = again.map(|next| Reverse((next, rank, what)));
                self.plan.extend(again);
            }
            Planned::Expectation(_) => {}
            Planned::StartClient(client) => step.start_client(client),
        }
    }
}

/// No message is lost or duplicated, each takes the minimum latency of its link, and events at one
/// instant happen in the world's own order.
struct Usual;

impl Choices for Usual {
    fn pick(&mut self, _: Site, _: u32) -> u32 {
        0
    }

    /// Not even where a link loses everything.
    fn fault_happens(&mut self, _: Site, _: u32) -> bool {
        false
    }

    fn asks_about(&self, _: SiteKind) -> bool {
        false
    }
}
