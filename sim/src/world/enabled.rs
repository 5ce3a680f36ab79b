//! What may happen next in the world, and its state relative to now.

use super::World;
use super::pending::LinkMessage;
use crate::environment::acts::{Act, Counts, Happening};
use crate::environment::canonical::Canonical;
use crate::node::canonical::{CanonicalLocket, OwnerNumber};

/// A world, and the key whose row acts are about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now<'a> {
    pub(crate) world: &'a World,
    pub(crate) key: &'a str,
}

impl<'a> Now<'a> {
    /// What may happen at this instant, by name: what is due, in its usual order, and what may
    /// be done from outside. Else time passes.
    pub(crate) fn enabled(self) -> Vec<Happening<LinkMessage>> {
        let due = self.world.due_at(self.world.now).into_iter().flatten();
        let acts = Act::all(self.counts()).into_iter();
        let possible = acts.filter(|act| act.is_possible(self.world, self.key));
        due.map(Happening::Due).chain(possible.map(Happening::Act)).collect()
    }

    /// How the world stands, and whether each of these acts is possible. Polls count only where
    /// they matter.
    pub(crate) fn canonical(self, acts: &[Act], owner: OwnerNumber, polls: bool) -> Canonical {
        let world = self.world;
        let runners = world.clients.iter().map(|client| {
            let local = client.state.local(world.now);
            client.machine.runner().map(|runner| runner.canonical(local))
        });
        let mut locket = CanonicalLocket::new(world.now, self.key, owner);
        locket.add_rows(&world.back_end.database, polls);
        for process in &world.back_end.processes {
            locket.add_running_timers(process, polls);
        }
        let possible = acts.iter().map(|act| act.is_possible(self.world, self.key));
        Canonical {
            runners: runners.collect(),
            locket: locket.finish(),
            possible: possible.collect(),
        }
    }

    /// The counts, as far as names can tell them apart.
    fn counts(self) -> Counts {
        let small = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        Counts { clients: small(self.world.clients()), processes: small(self.world.processes()) }
    }
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    use super::*;
    use crate::environment::acts::processes_of;
    use crate::environment::happening::{Directions, Node};
    use crate::environment::rules::Environment as _;
    use crate::protocol::resource::{Resource, TypeCode};
    use crate::protocol::runner::RunnerSettings;
    use crate::time::{Duration, Time};
    use crate::world::choice::Script;
    use crate::world::event::WorldEvent;
    use crate::world::network::{LinkChange, LinkRule, NodeId};
    use crate::world::{ClientSettings, DATABASE, Step, WorldSettings};

    const ACTS: Counts = Counts { clients: 2, processes: 2 };

    fn client(owner: &str) -> ClientSettings {
        let resource = Resource {
            key: "k".into(),
            owner: owner.into(),
            type_code: TypeCode::Lock,
            ..Resource::default()
        };
        let runner = RunnerSettings::upstream(resource, 15, Duration::from_seconds(5));
        ClientSettings { runner: Some(runner.into()), ..ClientSettings::default() }
    }

    fn is_possible(world: &World, act: Act) -> bool {
        act.is_possible(world, "k")
    }

    /// Does an act, and says whether it had an effect.
    fn perform(world: &mut World, act: Act) -> bool {
        let mut events: Vec<WorldEvent> = Vec::new();
        let passing = |world: &World| {
            let links = (0..2).flat_map(|client| (0..2).map(move |process| (client, process)));
            let each =
                |(client, process)| Directions::ALL.map(|ways| world.passes(client, process, ways));
            links.map(each).collect::<Vec<_>>()
        };
        let before = passing(world);
        perform_on(world.act(&mut Script::default(), &mut events), act);
        !events.is_empty() || before != passing(world)
    }

    fn perform_on(mut step: Step<'_>, act: Act) {
        let id = |step: &Step<'_>, node: Node| -> NodeId {
            match node {
                Node::Client(client) => step.world.client(client.into()),
                Node::Database => DATABASE,
                Node::Locket(process) => step.world.process(process.into()),
            }
        };
        let links = |step: &Step<'_>, client: u8, process| -> Vec<(NodeId, NodeId)> {
            let client = step.world.client(client.into());
            let processes = processes_of(process, step.world.processes());
            processes.map(|it| (client, step.world.process(it))).collect()
        };
        match act {
            Act::Crash(Node::Client(client)) => step.crash_client(client.into()),
            Act::Crash(Node::Database) => step.crash_database(),
            Act::Crash(Node::Locket(process)) => step.crash_process(process.into()),
            Act::Cut { client, process, ways } => {
                let links = links(&step, client, process);
                let links = links.into_iter().flat_map(|(client, process)| match ways {
                    Directions::Both => vec![(client, process), (process, client)],
                    Directions::FromLocket => vec![(process, client)],
                    Directions::ToLocket => vec![(client, process)],
                });
                let links: Vec<_> = links.collect();
                step.change_links(&links, LinkChange::Cut(true), None);
            }
            Act::DeleteRow => drop(step.delete_row("k")),
            Act::Disconnect(client) => step.disconnect(client.into()),
            Act::Drain(process) => step.drain_process(process.into()),
            Act::FailOver => step.fail_over(1),
            Act::Heal { client, process } => {
                let links = links(&step, client, process);
                let links = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
                let links: Vec<_> = links.collect();
                step.change_links(&links, LinkChange::Cut(false), None);
            }
            Act::Pause(_) | Act::Suspend(_) => {
                let node = id(&step, act.node());
                step.pause(node, None, matches!(act, Act::Suspend(_)));
            }
            Act::Slow(client) => {
                let links = links(&step, client, None);
                let slow = LinkChange::Latency(LinkRule::fixed(Duration::from_seconds(3)));
                step.change_links(&links, slow, Some(Duration::from_seconds(5)));
            }
            Act::Stall => step.stall_database(Duration::from_seconds(7)),
            Act::Start(Node::Client(client)) => step.start_client(client.into()),
            Act::Start(Node::Database) => step.start_database(),
            Act::Start(Node::Locket(process)) => step.start_process(process.into()),
            Act::Stop(client) => step.signal_client(client.into()),
            Act::Store { .. } => unreachable!("a world has no storage"),
        }
    }

    /// True if it may have no effect at once although it is possible: a paused client keeps a stop
    /// signal for later, a second one means nothing, and only later messages are slow.
    fn may_be_unseen(act: Act) -> bool {
        matches!(act, Act::Slow(_) | Act::Stop(_))
    }

    #[test]
    fn an_act_is_possible_exactly_if_it_has_an_effect() {
        let mut random = Pcg64::new(1, 0);
        let mut below = |limit: usize| (random.next_u64() % limit as u64) as usize;
        for _ in 0..100 {
            let mut world = World::new(WorldSettings {
                processes: 2,
                clients: vec![client("a"), client("b")],
                lost_commits: 2,
                ..WorldSettings::default()
            });
            for _ in 0..40 {
                for act in Act::all(ACTS) {
                    let has_effect = perform(&mut world.clone(), act);
                    let is_possible = is_possible(&world, act);
                    let is_right = is_possible == has_effect || is_possible && may_be_unseen(act);
                    assert!(is_right, "{act:?} is possible: {is_possible}, in {world:#?}");
                }
                let acts = Act::all(ACTS);
                perform(&mut world, acts[below(acts.len())]);
                let until = Time::from_ms(world.now().as_ms() + below(4_000) as u64);
                world.run_until(until, &mut Script::default(), &mut ());
                for node in [DATABASE, world.process(0), world.process(1), world.client(0)] {
                    if below(4) == 0 {
                        world.act(&mut Script::default(), &mut ()).resume(node);
                    }
                }
            }
        }
    }
}
