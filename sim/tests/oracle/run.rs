//! A run of the full world, with what a question's property sees of it.

use locket_sim::check::{ClientQuestion, Fault, Property, Question, VisibleState};
use locket_sim::protocol::resource::{Resource, TypeCode};
use locket_sim::protocol::runner::{Event, Runner, RunnerSettings};
use locket_sim::scenario::ClientKind;
use locket_sim::time::{Duration, Time};
use locket_sim::world::choice::Script;
use locket_sim::world::event::{What, WorldEvent};
use locket_sim::world::network::{LinkRule, Network, NodeId};
use locket_sim::world::view::NodeStatus;
use locket_sim::world::{ClientSettings, DATABASE, World, WorldSettings};

use super::question::{bound, owner};
use super::random::Random;

/// When a run ends, in milliseconds: before a keepalive, which the checker leaves out where there
/// is no partition, could notice a dead connection.
const END: u64 = 30_000;
/// And where a ping can fail: after one has.
const END_WITH_PINGS: u64 = 50_000;
const KEY: &str = "lock";

/// Something that is done to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    Crash(usize),
    CrashDatabase,
    CrashLocket(usize),
    Disconnect(usize),
    DrainLocket(usize),
    /// One direction of a link.
    Cut(NodeId, NodeId),
    Evict,
    FailOver,
    Heal(NodeId, NodeId),
    /// The next message of a link is lost.
    Lose(NodeId, NodeId),
    LoseAnswer,
    Pause(NodeId, Duration),
    Stall(Duration),
    Start(usize),
    StartDatabase,
    StartLocket(usize),
    Stop(usize),
}

/// When a action is done, in milliseconds, and after how many things of its instant.
pub(crate) type Planned = (u64, u64, Action);

pub(crate) struct Run<'a> {
    question: &'a Question,
    pub(crate) world: World,
    script: Script,
    /// The last step.
    events: Vec<WorldEvent>,
    /// True if a client has held the lock, or a row existed, where the property asks.
    had: bool,
    /// For how long it has been as it must not last, in milliseconds, by client where that is
    /// about one.
    wrong_for: Vec<u64>,
    is_broken: bool,
}

impl<'a> Run<'a> {
    pub(crate) fn new(question: &'a Question, random: &mut Random) -> Self {
        let mut settings = WorldSettings {
            profile: question.profile,
            seed: random.below(1 << 32),
            processes: question.processes,
            lost_commits: question.bounds.faults[Fault::Failover].lost_commits.into(),
            ..WorldSettings::default()
        };
        for (index, client) in question.clients.iter().enumerate() {
            settings.clients.push(ClientSettings {
                runner: Some(runner(client, owner(question, index)).into()),
                prefers: index % question.processes,
                ..ClientSettings::default()
            });
        }
        let mut run = Self {
            question,
            world: World::new(settings),
            script: Script { seed: Some(random.below(1 << 32)), ..Script::default() },
            events: Vec::new(),
            had: false,
            wrong_for: vec![0; question.clients.len()],
            is_broken: false,
        };
        run.delay_messages(random);
        run
    }

    /// Links take any time up to the delay, in grains of some length.
    fn delay_messages(&mut self, random: &mut Random) {
        let delay = self.question.bounds.latency;
        let rule = LinkRule {
            latency_max: delay,
            latency_step: random.pick(&[Duration::from_ms(1), Duration::from_ms(500), delay]),
            ..LinkRule::default()
        };
        let mut network = Network::new(rule);
        let latency_max = self.question.bounds.database_latency;
        let to_database = LinkRule { latency_max, ..rule };
        for process in 0..self.question.processes {
            let process = self.world.process(process);
            network.set_rule(process, DATABASE, to_database);
            network.set_rule(DATABASE, process, to_database);
        }
        *self.world.network() = network;
    }

    /// Does all that is planned, and says whether the property is broken then.
    pub(crate) fn breaks_with(mut self, plan: &[Planned]) -> bool {
        for &(at, after, action) in plan {
            while at > 0 && self.step(at - 1) {}
            for _ in 0..after {
                self.step(at);
            }
            self.pass(Time::from_ms(at));
            self.act(action);
            self.look();
        }
        let bounds = &self.question.bounds;
        let end = match bounds.faults[Fault::Partition].count > 0
            || bounds.faults[Fault::LocketPause].count > 0
        {
            false => END,
            true => END_WITH_PINGS,
        };
        while self.step(end) {}
        self.pass(Time::from_ms(end));
        self.is_broken
    }

    /// Does the next thing that is due by a moment. Says whether there was one.
    fn step(&mut self, limit: u64) -> bool {
        let next = self.world.next_time();
        let Some(next) = next.filter(|next| next.as_ms() <= limit) else {
            return false;
        };
        self.pass(next);
        self.world.step(next, &mut self.script, &mut self.events);
        self.look();
        true
    }

    fn act(&mut self, action: Action) {
        let mut step = self.world.act(&mut self.script, &mut self.events);
        match action {
            Action::Crash(client) => step.crash_client(client),
            Action::CrashDatabase => step.crash_database(),
            Action::CrashLocket(process) => step.crash_process(process),
            Action::Disconnect(client) => step.disconnect(client),
            Action::DrainLocket(process) => step.drain_process(process),
            Action::Evict => drop(step.delete_row(KEY)),
            Action::FailOver => {
                step.fail_over(self.question.bounds.faults[Fault::Failover].lost_commits.into())
            }
            Action::Cut(from, to) => self.world.network().cut(from, to),
            Action::Heal(from, to) => self.world.network().heal(from, to),
            Action::Lose(from, to) => self.world.network().drop_next(&[(from, to)], 1),
            Action::LoseAnswer => step.lose_commit_answers(1),
            Action::Pause(node, length) => step.pause(node, Some(length), false),
            Action::Stall(length) => step.stall_database(length),
            Action::Start(client) => step.start_client(client),
            Action::StartDatabase => step.start_database(),
            Action::StartLocket(process) => step.start_process(process),
            Action::Stop(client) => step.signal_client(client),
        }
    }
}

/// The state that the property sees.
impl Run<'_> {
    /// Looks at what is so, or has happened, if only for an instant.
    fn look(&mut self) {
        self.had |= match self.question.property {
            Property::PresenceGap { .. } => self.owner().is_some(),
            Property::NoClientActs { .. } | Property::Acquired { .. } => {
                let gets_it = |it: &WorldEvent| matches!(it.what, What::Runner(Event::Acquired));
                self.believers(self.world.now()) > 0 || self.events.iter().any(gets_it)
            }
            Property::FalseLoss
            | Property::NoWrongWrite
            | Property::OneOwner { .. }
            | Property::Own { .. }
            | Property::BeliefMatchesRow { .. } => false,
        };
        let events = std::mem::take(&mut self.events);
        let mut lost =
            events.iter().filter(|event| matches!(event.what, What::Runner(Event::Lost(_))));
        if self.question.property == Property::FalseLoss {
            self.is_broken |= lost.any(|event| {
                let mut clients = 0..self.question.clients.len();
                clients.any(|it| self.world.client(it) == event.node && self.owns(it))
            });
        }
    }

    /// Lets time pass; nothing but beliefs that end by themselves changes meanwhile.
    fn pass(&mut self, until: Time) {
        let mut now = self.world.now();
        while now < until {
            let clients = 0..self.question.clients.len();
            let ends = clients.clone().map(|it| self.world.belief_ends(it));
            let next = ends.filter(|end| *end > now).fold(until, Time::min);
            for client in clients {
                let lasts = self.wrong_for[client] + next.since(now).as_ms();
                let is_wrong = self.is_wrong(client, now);
                self.wrong_for[client] = if is_wrong { lasts } else { 0 };
                self.is_broken |= self.wrong_for[client] > bound(self.question.property).as_ms();
            }
            now = next;
        }
        self.world.pass_to(until);
    }

    /// True if it is as it must not last, with a client where that is about one.
    fn is_wrong(&self, client: usize, now: Time) -> bool {
        let nobody = self.believers(now) == 0 && self.is_wanted();
        match self.question.property {
            Property::FalseLoss | Property::NoWrongWrite => false,
            Property::NoClientActs { .. } => self.had && !self.acts(now) && self.is_wanted(),
            Property::OneOwner { .. } => self.believers(now) > 1,
            Property::Own { never, .. } => never.contains(self.state(now)),
            Property::Acquired { .. } => !self.had && nobody,
            Property::PresenceGap { .. } => self.had && self.owner().is_none() && self.is_wanted(),
            Property::BeliefMatchesRow { .. } => self.believes(client, now) && !self.owns(client),
        }
    }

    fn state(&self, now: Time) -> VisibleState {
        let clients = 0..self.question.clients.len();
        let bits = |is_so: &dyn Fn(usize) -> bool| {
            let set = clients.clone().filter(|&client| is_so(client));
            set.fold(0, |bits, client| bits | 1 << client)
        };
        VisibleState {
            believers: bits(&|client| self.believes(client, now)),
            running: bits(&|client| self.runs(client)),
            owner: clients.clone().position(|client| self.owns(client)).map(|it| it as u8),
        }
    }

    fn owner(&self) -> Option<String> {
        self.world.row(KEY).and_then(|row| row.owner)
    }

    fn owns(&self, client: usize) -> bool {
        self.owner() == Some(owner(self.question, client).to_string())
    }

    fn believes(&self, client: usize, now: Time) -> bool {
        self.world.believes_held(client) && self.world.belief_ends(client) > now
    }

    fn believers(&self, now: Time) -> usize {
        let clients = 0..self.question.clients.len();
        clients.filter(|&it| self.believes(it, now)).count()
    }

    /// True if a client believes and runs.
    fn acts(&self, now: Time) -> bool {
        let runs = |it| self.world.status(self.world.client(it)) == NodeStatus::Running;
        let mut clients = 0..self.question.clients.len();
        clients.any(|it| self.believes(it, now) && runs(it))
    }

    fn is_wanted(&self) -> bool {
        let mut clients = 0..self.question.clients.len();
        clients.any(|client| self.runs(client))
    }

    /// True if a runner has started and not ended: it waits, or calls.
    fn runs(&self, client: usize) -> bool {
        let is_alive =
            |runner: &Runner| runner.deadline().is_some() || runner.call_under_way().is_some();
        self.world.runner(client).is_some_and(is_alive)
    }
}

/// A question's runner for an owner.
fn runner(client: &ClientQuestion, owner: u8) -> RunnerSettings {
    let resource = Resource {
        key: KEY.to_owned(),
        owner: owner.to_string(),
        type_code: TypeCode::Lock,
        ..Resource::default()
    };
    let ttl = (client.ttl.as_ms() / 1000) as i64;
    let mut settings =
        RunnerSettings::new(resource, ttl, client.retry_interval, client.runner.rule());
    if client.first_attempt_deadline {
        settings.limit_first_attempt();
    }
    if let Some(margin) = client.margin {
        settings.shorten_lease(margin);
    }
    match client.kind {
        ClientKind::Presence => settings.presence(),
        ClientKind::Lock => settings,
    }
}
