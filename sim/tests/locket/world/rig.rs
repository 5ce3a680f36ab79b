//! A world whose events are kept, and short questions about them.

pub(crate) use crate::common::resource;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::runner::{Event, RunnerSettings};
use locket_sim::time::{Duration, Time};
use locket_sim::world::choice::Script;
use locket_sim::world::event::{What, WorldEvent};
use locket_sim::world::network::{LinkRule, Network, NodeId};
use locket_sim::world::{ClientSettings, DATABASE, Step, World, WorldSettings};

pub(crate) const R: Duration = Duration::from_seconds(5);

pub(crate) const fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

pub(crate) struct Rig {
    pub(crate) world: World,
    pub(crate) script: Script,
    pub(crate) events: Vec<WorldEvent>,
}

pub(crate) fn upstream(key: &str, owner: &str) -> RunnerSettings {
    RunnerSettings::upstream(resource(key, owner), 15, R)
}

pub(crate) fn presence(key: &str, owner: &str) -> RunnerSettings {
    RunnerSettings::upstream(resource(key, owner), 15, R).presence()
}

pub(crate) fn safe(key: &str, owner: &str) -> RunnerSettings {
    RunnerSettings::safe(resource(key, owner), 15, R)
}

pub(crate) fn client(runner: RunnerSettings) -> ClientSettings {
    ClientSettings { runner: Some(runner.into()), ..ClientSettings::default() }
}

/// A client whose calls are made by the test.
pub(crate) fn by_hand() -> ClientSettings {
    ClientSettings::default()
}

pub(crate) fn settings(clients: Vec<ClientSettings>) -> WorldSettings {
    WorldSettings {
        profile: Profile::UPSTREAM,
        seed: 1,
        processes: 1,
        clients,
        ..WorldSettings::default()
    }
}

/// Links of this latency to the processes, which have none to the database.
pub(crate) fn distant(latency: Duration) -> Network {
    let mut network = Network::new(LinkRule::fixed(latency));
    for process in (1..=2).map(NodeId) {
        network.set_rule(process, DATABASE, LinkRule::default());
        network.set_rule(DATABASE, process, LinkRule::default());
    }
    network
}

pub(crate) fn lock(key: &str, owner: &str) -> Request {
    crate::common::lock(key, owner, 15)
}

/// Runs.
impl Rig {
    pub(crate) fn new(settings: WorldSettings) -> Self {
        Self { world: World::new(settings), script: Script::default(), events: Vec::new() }
    }

    /// One lock runner of the key `k` and the owner `a`, started; with these clients after it.
    pub(crate) fn holder_and(others: Vec<ClientSettings>) -> Self {
        Self::distant_holder_and(others, ms(0))
    }

    /// The same, far from Locket, which is near its database.
    pub(crate) fn distant_holder_and(others: Vec<ClientSettings>, latency: Duration) -> Self {
        let mut clients = vec![client(upstream("k", "a"))];
        clients.extend(others);
        let mut rig = Self::new(WorldSettings { network: distant(latency), ..settings(clients) });
        rig.act(|step| step.start_client(0));
        rig
    }

    /// Heals a link, in both directions.
    pub(crate) fn heal(&mut self, a: NodeId, b: NodeId) {
        self.world.network().heal(a, b);
        self.world.network().heal(b, a);
    }

    pub(crate) fn act<T>(&mut self, input: impl FnOnce(&mut Step<'_>) -> T) -> T {
        input(&mut self.world.act(&mut self.script, &mut self.events))
    }

    /// Lets time pass to `ms` milliseconds.
    pub(crate) fn run_to(&mut self, ms: u64) {
        let until = Time::from_ms(ms);
        self.world.run_until(until, &mut self.script, &mut self.events);
    }

    pub(crate) fn a(&self) -> NodeId {
        self.world.client(0)
    }

    pub(crate) fn b(&self) -> NodeId {
        self.world.client(1)
    }

    pub(crate) fn locket(&self) -> NodeId {
        self.world.process(0)
    }
}

/// The events, each with its milliseconds.
impl Rig {
    /// When it happened at this node.
    pub(crate) fn times(&self, node: NodeId, is: impl Fn(&What) -> bool) -> Vec<u64> {
        let events = self.events.iter();
        events
            .filter(|event| event.node == node && is(&event.what))
            .map(|event| event.time.as_ms())
            .collect()
    }

    pub(crate) fn called(&self, node: NodeId) -> Vec<u64> {
        self.times(node, |what| matches!(what, What::Called { .. }))
    }

    pub(crate) fn acquired(&self, node: NodeId) -> Vec<u64> {
        self.times(node, |what| matches!(what, What::Runner(Event::Acquired)))
    }

    pub(crate) fn renewed(&self, node: NodeId) -> Vec<u64> {
        self.times(node, |what| matches!(what, What::Runner(Event::Renewed)))
    }

    pub(crate) fn lost(&self, node: NodeId) -> Vec<u64> {
        self.times(node, |what| matches!(what, What::Runner(Event::Lost(_))))
    }

    pub(crate) fn expired(&self) -> Vec<u64> {
        let events = self.events.iter();
        events
            .filter(|event| matches!(event.what, What::Expired { .. }))
            .map(|event| event.time.as_ms())
            .collect()
    }

    /// The rows written: when, by whom, and their index.
    pub(crate) fn written(&self) -> Vec<(u64, String, i64)> {
        let events = self.events.iter();
        events
            .filter_map(|event| match &event.what {
                What::RowWritten(row) => Some((
                    event.time.as_ms(),
                    row.owner().unwrap_or_default().to_owned(),
                    row.to_row().modified_index.unwrap_or_default(),
                )),
                _ => None,
            })
            .collect()
    }

    /// When rows were written.
    pub(crate) fn commits(&self) -> Vec<u64> {
        self.written().iter().map(|(at, ..)| *at).collect()
    }

    pub(crate) fn messages_lost(&self) -> usize {
        let is_lost = |event: &&WorldEvent| matches!(event.what, What::MessageLost { .. });
        self.events.iter().filter(is_lost).count()
    }

    pub(crate) fn believers(&self) -> Vec<usize> {
        let clients = 0..self.world.clients();
        clients.filter(|client| self.world.believes_held(*client)).collect()
    }

    /// The answers that a client got, in words.
    pub(crate) fn answers(&self, node: NodeId) -> Vec<(u64, String)> {
        let events = self.events.iter().filter(|event| event.node == node);
        events
            .filter_map(|event| match &event.what {
                What::Answered { result: Ok(response), .. } => {
                    Some((event.time.as_ms(), answered(response).to_owned()))
                }
                What::Answered { result: Err(error), .. } => {
                    Some((event.time.as_ms(), error.code().name().to_owned()))
                }
                _ => None,
            })
            .collect()
    }
}

const fn answered(response: &Response) -> &'static str {
    match response {
        Response::Fetch(_) => "Fetch",
        Response::FetchAll(_) => "FetchAll",
        Response::Lock => "Lock",
        Response::Release => "Release",
    }
}
