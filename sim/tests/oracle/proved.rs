//! The other direction: no random run of the full world, within the bounds of a question, does what
//! the checker has proved to be impossible.
//!
//! Times are whole milliseconds here, not steps of a grid; faults come at any point of an instant,
//! and what is due together in any order.

use locket_sim::check::{Bounds, Property, Question, Reductions, Search, Verdict};
use locket_sim::node::clock::NodeClock;
use locket_sim::protocol::machine::MachineSettings;
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::runner::{Event, LeaseAccounting, LossPolicy, RunnerSettings};
use locket_sim::scenario::ClientKind;
use locket_sim::time::{Duration, Time};
use locket_sim::world::choice::Script;
use locket_sim::world::event::{What, WorldEvent};
use locket_sim::world::network::{LinkRule, Network};
use locket_sim::world::{ClientSettings, DATABASE, Step, World, WorldSettings};

use super::case::Case;
use super::sample::{Random, number};

const SEED: u64 = 1;
/// How many questions, and how many runs of each that is proved.
const CASES: u64 = 400;
const RUNS: u64 = 40;
/// A question that takes the checker more states is left out.
const STATES_MAX: usize = 50_000;
/// The moment at which a run ends, in milliseconds: before a keepalive, which the checker leaves out,
/// could notice a dead connection.
const END: u64 = 30_000;
/// After how many things of its instant something is done, at most.
const AFTER_MAX: u64 = 8;
const KEY: &str = "lock";

/// Something that is done to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    Crash(usize),
    CrashLocket(usize),
    Evict,
    FailOver,
    LoseAnswer,
    LoseReply(usize, usize),
    LoseRequest(usize, usize),
    Pause(usize, Duration),
    Start(usize),
    StartLocket(usize),
    Stop(usize),
}

/// A deed, when it is done, and after how many things of its instant.
type Planned = (u64, u64, Deed);

/// What will be done within a question's bounds.
fn plan(random: &mut Random, question: &Question) -> Vec<Planned> {
    let bounds = &question.bounds;
    let times = Times {
        unit: question.exact_grid().as_ms(),
        soon: END / 3,
    };
    let mut deeds = Vec::new();
    for client in 0..question.clients.len() {
        let at = if client == 0 { 0 } else { times.any(random) };
        deeds.push((at, Deed::Start(client)));
    }
    for (count, fault) in counts(bounds) {
        for _ in 0..count {
            let client = random.below(question.clients.len() as u64) as usize;
            let process = random.below(question.processes as u64) as usize;
            let at = times.any(random);
            let deed = match fault {
                Deed::Crash(_) => Deed::Crash(client),
                Deed::CrashLocket(_) => {
                    let down = times.up_to(random, bounds.locket_down.as_ms());
                    deeds.push((at + down, Deed::StartLocket(process)));
                    Deed::CrashLocket(process)
                }
                Deed::LoseRequest(..) if random.in_a_hundred(50) => {
                    Deed::LoseReply(client, process)
                }
                Deed::LoseRequest(..) => Deed::LoseRequest(client, process),
                Deed::Pause(..) => {
                    let pause = times.up_to(random, bounds.pause.as_ms());
                    Deed::Pause(client, Duration::from_ms(pause))
                }
                Deed::Start(_) => Deed::Start(client),
                Deed::Stop(_) => Deed::Stop(client),
                other => other,
            };
            deeds.push((at, deed));
        }
    }
    let mut after = |deed| match deed {
        // It comes after its crash.
        Deed::StartLocket(_) => AFTER_MAX,
        _ => random.below(AFTER_MAX),
    };
    let deeds = deeds.into_iter();
    let mut plan: Vec<_> = deeds.map(|(at, deed)| (at, after(deed), deed)).collect();
    plan.sort_unstable();
    plan
}

/// Where times come from: any, those of the grid, and the longest.
struct Times {
    unit: u64,
    /// The longest of what is not bounded.
    soon: u64,
}

impl Times {
    fn any(&self, random: &mut Random) -> u64 {
        match random.below(2) {
            0 => random.below(self.soon),
            _ => self.unit * random.below(self.soon / self.unit),
        }
    }

    fn up_to(&self, random: &mut Random, most: u64) -> u64 {
        match random.below(3) {
            0 => random.below(most + 1),
            1 => self.unit * random.below(most / self.unit + 1),
            _ => most,
        }
    }
}

fn counts(bounds: &Bounds) -> [(u8, Deed); 9] {
    [
        (bounds.crashes, Deed::Crash(0)),
        (bounds.evictions, Deed::Evict),
        (bounds.failovers, Deed::FailOver),
        (bounds.locket_crashes, Deed::CrashLocket(0)),
        (bounds.losses, Deed::LoseRequest(0, 0)),
        (bounds.lost_answers, Deed::LoseAnswer),
        (bounds.pauses, Deed::Pause(0, Duration::ZERO)),
        (bounds.restarts, Deed::Start(0)),
        (bounds.stops, Deed::Stop(0)),
    ]
}

/// A run under way, with what is watched.
struct Run<'a> {
    question: &'a Question,
    world: World,
    script: Script,
    /// Those of one step.
    events: Vec<WorldEvent>,
    had: bool,
    /// For how long it has been as it must not last, in milliseconds, by client where that is
    /// about one.
    wrong_for: Vec<u64>,
    is_broken: bool,
}

impl<'a> Run<'a> {
    fn new(question: &'a Question, random: &mut Random) -> Self {
        let settings = WorldSettings {
            profile: question.profile,
            seed: random.below(1 << 32),
            processes: question.processes,
            clients: clients(question),
            network: network(question, random),
            failover_commits: question.bounds.failover_commits.into(),
            answer_loss_per_mille: 0,
        };
        Self {
            question,
            world: World::new(settings),
            script: Script {
                seed: Some(random.below(1 << 32)),
                ..Script::default()
            },
            events: Vec::new(),
            had: false,
            wrong_for: vec![0; question.clients.len()],
            is_broken: false,
        }
    }

    /// Whether the property is broken.
    fn run(mut self, plan: &[Planned]) -> bool {
        for &(at, after, deed) in plan {
            while at > 0 && self.step(at - 1) {}
            for _ in 0..after {
                self.step(at);
            }
            self.pass(Time::from_ms(at));
            self.world.pass_to(Time::from_ms(at));
            self.act(deed);
        }
        while self.step(END) {}
        self.pass(Time::from_ms(END));
        self.is_broken
    }

    /// Does the next thing that is due by a moment. Says whether there was one.
    fn step(&mut self, limit: u64) -> bool {
        let next = self.world.next_time();
        let Some(next) = next.filter(|next| next.as_ms() <= limit) else {
            return false;
        };
        self.pass(next);
        self.world.pass_to(next);
        let did = self.world.step(next, &mut self.script, &mut self.events);
        self.look();
        // Nothing was due at that moment after all.
        did || self.world.next_time().is_some_and(|it| it.as_ms() <= limit)
    }

    fn act(&mut self, deed: Deed) {
        let (commits, world) = (self.question.bounds.failover_commits, &mut self.world);
        let link = |world: &World, client, process| (world.client(client), world.process(process));
        match deed {
            Deed::LoseRequest(client, process) => {
                let (client, process) = link(world, client, process);
                return world.network().drop_next(client, process, 1);
            }
            Deed::LoseReply(client, process) => {
                let (client, process) = link(world, client, process);
                return world.network().drop_next(process, client, 1);
            }
            _ => {}
        }
        let client = |world: &World, client| world.client(client);
        let node = match deed {
            Deed::Pause(it, _) => client(world, it),
            _ => DATABASE,
        };
        let mut step: Step<'_> = world.act(&mut self.script, &mut self.events);
        match deed {
            Deed::Crash(client) => step.crash_client(client),
            Deed::CrashLocket(process) => step.crash_process(process, None),
            Deed::Evict => drop(step.delete_row(KEY)),
            Deed::FailOver => step.fail_over(commits.into()),
            Deed::LoseAnswer => step.lose_commit_answers(1),
            Deed::LoseReply(..) | Deed::LoseRequest(..) => {}
            Deed::Pause(_, length) => step.pause(node, Some(length), false),
            Deed::Start(client) => step.start_client(client),
            Deed::StartLocket(process) => step.start_process(process),
            Deed::Stop(client) => step.signal_client(client),
        }
        self.look();
    }

    fn owner(&self) -> Option<String> {
        self.world.row(KEY).and_then(|row| row.owner)
    }

    /// Looks at what is so, or has happened, if only for an instant.
    fn look(&mut self) {
        self.had |= match self.question.property {
            Property::PresenceGap { .. } => self.owner().is_some(),
            _ => self.believers(self.world.now()) > 0,
        };
        let events = std::mem::take(&mut self.events);
        if self.question.property != Property::FalseLoss {
            return;
        }
        let lost = events
            .iter()
            .filter(|event| matches!(event.what, What::Runner(Event::Lost(_))));
        for event in lost {
            let clients = 0..self.question.clients.len();
            let mut own = clients.filter(|&it| self.world.client(it) == event.node);
            let owner = self.owner();
            self.is_broken |= own.any(|it| owner == Some(it.to_string()));
        }
    }

    /// Time passes; nothing but beliefs that end by themselves changes meanwhile.
    fn pass(&mut self, until: Time) {
        let mut now = self.world.now();
        while now < until {
            let clients = 0..self.question.clients.len();
            let ends = clients.clone().map(|it| self.world.belief_ends(it));
            let next = ends.filter(|end| *end > now).fold(until, Time::min);
            let ms = next.since(now).as_ms();
            for client in clients {
                let is_wrong = self.is_wrong(client, now);
                let wrong_for = &mut self.wrong_for[client];
                *wrong_for = if is_wrong { *wrong_for + ms } else { 0 };
                self.is_broken |= *wrong_for > bound(self.question.property).as_ms();
            }
            now = next;
        }
    }

    fn believes(&self, client: usize, now: Time) -> bool {
        self.world.believes_held(client) && self.world.belief_ends(client) > now
    }

    fn believers(&self, now: Time) -> usize {
        let clients = 0..self.question.clients.len();
        clients.filter(|&it| self.believes(it, now)).count()
    }

    /// Whether it is as it must not last, of a client where that is about one.
    fn is_wrong(&self, client: usize, now: Time) -> bool {
        let mut clients = 0..self.question.clients.len();
        let is_wanted = clients.any(|it| {
            let runner = self.world.runner(it);
            // One that was not started makes no calls, and its deadline is none.
            runner.is_some_and(|it| it.exited().is_none() && it.deadline().is_some())
                || self.world.call_under_way(it).is_some()
        });
        match self.question.property {
            Property::FalseLoss => false,
            Property::Handover { .. } => self.had && self.believers(now) == 0 && is_wanted,
            Property::OneOwner { .. } => self.believers(now) > 1,
            Property::Owned { .. } => !self.had && is_wanted && self.believers(now) == 0,
            Property::PresenceGap { .. } => self.had && self.owner().is_none() && is_wanted,
            Property::RowAgrees { .. } => {
                self.believes(client, now) && self.owner() != Some(client.to_string())
            }
        }
    }
}

const fn bound(property: Property) -> Duration {
    match property {
        Property::FalseLoss => Duration::ZERO,
        Property::OneOwner { tolerated } => tolerated,
        Property::Handover { within }
        | Property::Owned { within }
        | Property::PresenceGap { within }
        | Property::RowAgrees { within } => within,
    }
}

/// The question's runners; their owners are their numbers.
fn clients(question: &Question) -> Vec<ClientSettings> {
    let clients = question.clients.iter().enumerate();
    let clients = clients.map(|(index, client)| {
        let resource = Resource {
            key: KEY.to_owned(),
            owner: index.to_string(),
            type_code: match client.kind {
                ClientKind::Presence => TypeCode::Presence,
                ClientKind::Joint | ClientKind::Lock => TypeCode::Lock,
            },
            ..Resource::default()
        };
        let ttl = (client.ttl.as_ms() / 1000) as i64;
        let preset = client.runner.settings(resource, ttl, client.retry);
        let (first_attempt_timeout, fetch_owner) = match client.first_attempt_deadline {
            true => (preset.acquire_timeout, Some(preset.renew_timeout)),
            false => (preset.first_attempt_timeout, preset.fetch_owner),
        };
        let loss_policy = match client.kind {
            ClientKind::Presence => LossPolicy::Retry,
            ClientKind::Joint | ClientKind::Lock => LossPolicy::Exit,
        };
        let lease = match (preset.lease, client.margin) {
            (LeaseAccounting::FromSend { .. }, Some(margin)) => {
                LeaseAccounting::FromSend { margin }
            }
            (lease, _) => lease,
        };
        let settings = RunnerSettings {
            first_attempt_timeout,
            fetch_owner,
            loss_policy,
            lease,
            ..preset
        };
        ClientSettings {
            machine: Some(MachineSettings::from(settings)),
            prefers: index % question.processes,
            clock: NodeClock::default(),
        }
    });
    clients.collect()
}

/// Links between clients and processes take up to the delay, in grains of some length.
fn network(question: &Question, random: &mut Random) -> Network {
    let delay = question.bounds.delay;
    let step = [Duration::from_ms(1), Duration::from_ms(500), delay][random.below(3) as usize];
    let mut network = Network::new(LinkRule {
        latency_max: delay,
        latency_step: step,
        ..LinkRule::default()
    });
    for process in 0..question.processes {
        let process = locket_sim::world::network::NodeId(process as u16 + 1);
        network.set_rule(process, DATABASE, LinkRule::default());
        network.set_rule(DATABASE, process, LinkRule::default());
    }
    network
}

#[test]
fn no_random_run_of_the_world_breaks_what_the_checker_has_proved() {
    let seed = number("SEED").unwrap_or(SEED);
    let cases = number("CASES").unwrap_or(CASES);
    let cases = number("CASE").map_or(0..cases, |case| case..case + 1);
    let (mut proved, mut broken, mut wrong) = (0, 0, Vec::new());
    for case in cases {
        let mut random = Random::new(seed, case);
        let Case { text, question, .. } = &Case::random(seed, case);
        let is_proved = match verdict(question) {
            Verdict::NeverExercised | Verdict::Proved => true,
            Verdict::Violated => false,
            Verdict::NotFinished | Verdict::Running => continue,
        };
        proved += u32::from(is_proved);
        for run in 0..RUNS {
            let plan = plan(&mut random, question);
            let is_broken = Run::new(question, &mut random).run(&plan);
            broken += u32::from(is_broken && !is_proved);
            if is_broken && is_proved {
                println!("seed {seed}, case {case}, run {run}: {plan:?}\nbreaks {text}");
                wrong.push((case, run));
            }
        }
    }
    assert_eq!(wrong, [], "SEED={seed} CASE=… replays one");
    // Such runs do break what can be broken.
    assert!(proved < 100 || broken > proved, "{proved} {broken}");
}

fn verdict(question: &Question) -> Verdict {
    let search = Search::new(question.clone(), Reductions::default(), STATES_MAX);
    let mut search = search.expect("the question makes sense");
    search.run(u64::MAX)
}
