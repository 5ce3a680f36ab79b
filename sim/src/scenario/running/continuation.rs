//! The rest of a run from a moment on, with no further fault or with one.
//!
//! Knows which actions of a scenario are faults, and when a run is harmed; not which
//! moments and which faults are worth a look.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use serde::Deserialize;

use super::{Planned, Rank, Running};
use crate::scenario::{Action, ActionKind, Cast, Harm, StepsExceeded};
use crate::time::{Duration, Time};
use crate::world::choice::{Choices, Site, SiteKind};
use crate::world::network::{Link, NodeId};
use crate::world::view::NodeStatus;
use crate::world::{Step, World};

/// A run that goes on without further faults. Clients still start, stop and call as planned, and
/// what ends a fault happens as planned.
#[derive(Clone)]
pub(crate) struct Continuation {
    cast: Arc<Cast>,
    world: World,
    plan: BinaryHeap<Reverse<(Time, Rank, Item)>>,
    /// What a user does later.
    outside: Arc<[Action]>,
    /// The clients whose presences have had a row.
    listed: Vec<usize>,
    /// The node that has a further fault, and until when.
    faulty: Option<(NodeId, Time)>,
}

/// An item of the plan: of the scenario's, or an act of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Planned(Planned),
    Outside(usize),
}

/// A fault of a node for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SafetyMarginFault"))]
pub enum NodeFault {
    /// It is cut off: nothing that it sends arrives, and nothing reaches it.
    Isolation,
    /// It is paused.
    Pause,
    /// It is paused, and its clock is frozen.
    Suspend,
}

impl Running {
    /// The run from here on, if nothing more goes wrong: the faults in force go on, and end as they
    /// would. Of later acts of a user, those happen that are no faults.
    pub(crate) fn continuation(&self, later: impl Iterator<Item = Action>) -> Continuation {
        let outside: Arc<[Action]> = later.filter(|it| !it.kind.is_fault()).collect();
        let cast = Arc::clone(&self.cast);
        let is_kept = |planned: &Planned| match *planned {
            Planned::Action(index) => !cast.scenario.actions[index].kind.is_fault(),
            Planned::Expectation(_) | Planned::Stored(_) | Planned::Writes => false,
            Planned::StartClient(_) => true,
        };
        let plan = self.plan.iter().filter(|Reverse((.., it))| is_kept(it));
        let plan = plan.map(|Reverse((at, rank, it))| Reverse((*at, *rank, Item::Planned(*it))));
        let acts = outside.iter().enumerate().map(|(index, act)| {
            let after_all = Rank::new(None, Planned::Action(0));
            Reverse((Time::ZERO + act.at, after_all, Item::Outside(index)))
        });
        Continuation {
            plan: plan.chain(acts).collect(),
            world: self.world.clone(),
            outside,
            listed: self.listed().collect(),
            faulty: None,
            cast,
        }
    }

    /// True if there is this harm now.
    pub(crate) fn has(&self, harm: Harm) -> bool {
        match harm {
            Harm::PresenceGap => {
                let mut listed = self.listed();
                listed.any(|client| self.cast.misses_row(client, &self.world))
            }
            Harm::TwoOwners => self.cast.has_two_owners(&self.world),
        }
    }

    /// The clients whose presences have had a row.
    fn listed(&self) -> impl Iterator<Item = usize> {
        let presences = self.cast.presences();
        let listed = presences.filter(|(_, it)| self.vacancies.had_owner(&it.key, &self.cast));
        listed.map(|(client, _)| client)
    }
}

impl Continuation {
    /// The same if all faults end now.
    pub(crate) fn rescued(mut self) -> Self {
        let links = self.cast.scenario.links();
        self.world.act(&mut Usual, &mut ()).end_faults(links);
        self
    }

    /// True if a node has this fault already.
    pub(crate) fn is_faulty(&self, fault: NodeFault, node: NodeId) -> bool {
        match fault {
            NodeFault::Isolation => self.links_of(node).iter().all(|&(from, to)| {
                let network = self.world.links();
                network.is_cut(from, to)
            }),
            NodeFault::Pause | NodeFault::Suspend => {
                matches!(self.world.status(node), NodeStatus::Paused { .. })
            }
        }
    }

    /// The same with a fault of a node from now on for `duration`. If it has the fault already, that
    /// lasts so much longer from now on.
    pub(crate) fn with(&self, fault: NodeFault, node: NodeId, duration: Duration) -> Self {
        let mut faulty = self.clone();
        let until = self.world.now() + duration;
        let links = self.links_of(node);
        let (mut usual, mut nobody) = (Usual, ());
        let mut step = faulty.world.act(&mut usual, &mut nobody);
        match fault {
            NodeFault::Isolation => step.cut_until(&links, until),
            NodeFault::Pause => step.pause_until(node, until, false),
            NodeFault::Suspend => step.pause_until(node, until, true),
        }
        faulty.faulty = Some((node, until));
        faulty
    }

    /// Both directions of the links of a node.
    fn links_of(&self, node: NodeId) -> Vec<Link> {
        let others = self.cast.names.iter().map(|(other, _)| other);
        let linked = others.filter(|&other| self.world.are_linked(node, other));
        linked.flat_map(|it| [(node, it), (it, node)]).collect()
    }

    /// Runs until there is this harm, or to `until`. Returns whether there is, and the number of
    /// steps.
    ///
    /// # Errors
    ///
    /// It takes more steps than that.
    pub(crate) fn has_by(
        mut self,
        harm: Harm,
        until: Time,
        max_steps: u64,
    ) -> Result<(bool, u64), StepsExceeded> {
        let mut done = 0;
        loop {
            let next = self.next_time().filter(|next| *next <= until);
            // At an instant that is not over what is so may change before any time passes.
            let passes = next.is_none_or(|next| next > self.world.now());
            if passes && self.has(harm) {
                return Ok((true, done));
            }
            let Some(next) = next else {
                return Ok((false, done));
            };
            if done >= max_steps {
                return Err(StepsExceeded { max_steps, reached: self.world.now(), until });
            }
            // Instant by instant, since what was due may have been moved on.
            self.tick(next);
            done += 1;
        }
    }

    fn has(&self, harm: Harm) -> bool {
        let mut listed = self.listed.iter();
        match harm {
            Harm::PresenceGap => listed.any(|&it| self.cast.misses_row(it, &self.world)),
            Harm::TwoOwners => self.cast.has_two_owners(&self.world),
        }
    }

    fn next_time(&self) -> Option<Time> {
        let planned = self.plan.peek().map(|Reverse((time, ..))| *time);
        let times = [self.world.next_time(), planned];
        times.into_iter().flatten().min()
    }

    /// Does the next thing by `limit`, in the order of [`Running::tick`].
    fn tick(&mut self, limit: Time) {
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

    fn carry_out(&mut self, planned: (Time, Rank, Item)) {
        let (time, rank, item) = planned;
        let (cast, outside) = (Arc::clone(&self.cast), Arc::clone(&self.outside));
        let action = match item {
            Item::Planned(Planned::Action(index)) => &cast.scenario.actions[index],
            Item::Planned(Planned::Expectation(_) | Planned::Stored(_) | Planned::Writes) => return,
            Item::Planned(Planned::StartClient(client)) => {
                return self.act(|step| step.start_client(client));
            }
            Item::Outside(index) => &outside[index],
        };
        let is_put_off = self.perform(&cast, action);
        let again = action.repeats_after(time).into_iter().chain(is_put_off);
        let again = again.map(|next| Reverse((next, rank, item)));
        self.plan.extend(again);
    }

    /// Performs an action. An end of the further fault is put off to the time that it gives back.
    fn perform(&mut self, cast: &Cast, action: &Action) -> Option<Time> {
        let faulty = self.faulty.filter(|it| it.1 > self.world.now());
        let is_faulty = |node: NodeId| faulty.is_some_and(|it| it.0 == node);
        let mut is_put_off = false;
        for node in cast.nodes.resolve(action.node.as_deref().unwrap_or_default()) {
            if action.kind == ActionKind::Resume && is_faulty(node.id(cast.scenario.processes)) {
                is_put_off = true;
            } else {
                self.act(|step| cast.perform_on(action, node, step));
            }
        }
        let (kept, links): (Vec<Link>, Vec<Link>) = cast
            .links(action)
            .into_iter()
            .partition(|&(from, to)| is_faulty(from) || is_faulty(to));
        is_put_off |= !kept.is_empty();
        self.act(|step| step.change(action, &links));
        faulty.filter(|_| is_put_off).map(|(_, until)| until)
    }

    fn act(&mut self, act: impl FnOnce(&mut Step<'_>)) {
        act(&mut self.world.act(&mut Usual, &mut ()));
    }
}

/// No message is duplicated, and none is lost but where a link loses all; each takes the minimum
/// latency of its link, and events at one instant happen in the world's own order.
struct Usual;

impl Choices for Usual {
    fn pick(&mut self, _: Site, _: u32) -> u32 {
        0
    }

    fn fault_happens(&mut self, _: Site, per_mille: u32) -> bool {
        per_mille >= 1000
    }

    fn asks_about(&self, _: SiteKind) -> bool {
        false
    }
}
