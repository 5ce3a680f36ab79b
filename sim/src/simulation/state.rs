//! How everything is at the moment: nodes and what they believe, the table, what is to come.

use serde::Serialize;

use super::player::Simulation;
use crate::protocol::row::Row;
use crate::scenario::ClientKind;
use crate::scenario::nodes::Node;
use crate::time::{Duration, Time};
use crate::trace::asks;
use crate::world::network::NodeId;
use crate::world::view::{NodeStatus, Pending, PendingWhat};

/// The state of a simulation at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SimulationState"))]
pub struct State {
    /// The time.
    #[serde(rename = "timeMs")]
    pub time: Time,
    /// The database, the Locket processes, and the clients.
    pub nodes: Vec<NodeView>,
    /// The truth: the rows of the `locks` table.
    pub rows: Vec<Row>,
    /// When each row expires without a renewal.
    pub expiries: Vec<ExpiryView>,
    /// The future events, in order.
    pub pending: Vec<PendingView>,
}

/// When a row expires without a renewal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ExpiryView {
    /// The key.
    pub path: String,
    /// When it expires; `null` if no running process has a timer for it.
    #[serde(rename = "endsMs")]
    pub ends: Option<Time>,
}

/// The state of a node at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SimulationNode"))]
pub struct NodeView {
    /// The name.
    pub name: String,
    /// The name of a client's entry in the scenario, as written; all clients of an entry with a
    /// `count` share it.
    pub entry: Option<String>,
    /// True if a client has a runner. The others call by hand.
    pub is_runner: bool,
    /// The kind of node.
    pub kind: NodeKind,
    /// Whether it runs.
    pub status: RunStatus,
    /// The number of messages that wait for it while it is paused.
    pub waiting: usize,
    /// The time of its own clock.
    #[serde(rename = "localTimeMs")]
    pub local_time: Time,
    /// The key that a client wants.
    pub key: Option<String>,
    /// The owner name of a client.
    pub owner: Option<String>,
    /// The request that a client waits for, in words.
    pub asks: Option<String>,
    /// The Locket process that a client is connected to.
    pub connected_to: Option<String>,
    /// True if links are cut between a client and every Locket process.
    pub is_cut_off: bool,
    /// True if a client believes it holds its key, whatever the table says.
    pub believes: bool,
    /// When this belief ends without a further event; `null` if never.
    #[serde(rename = "beliefEndsMs")]
    pub belief_ends: Option<Time>,
    /// The TTL that a client requests.
    #[serde(rename = "ttlMs")]
    pub ttl: Option<Duration>,
    /// The retry interval of a client's runner.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Option<Duration>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum NodeKind {
    /// The database.
    Database,
    /// A client that wants a lock.
    Lock,
    /// A Locket process.
    Locket,
    /// A client that announces a presence.
    Presence,
}

/// Whether a node runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum RunStatus {
    /// It is not there.
    Down,
    /// It is paused, and messages to it wait.
    Paused,
    /// It runs.
    Running,
}

/// A future event, unless another event prevents it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SimulationPending"))]
pub struct PendingView {
    /// When it happens.
    #[serde(rename = "timeMs")]
    pub time: Time,
    /// The node.
    pub who: String,
    /// The kind of event.
    pub kind: PendingKind,
    /// The sender of a message or an answer.
    pub from: Option<String>,
    /// The request of a call under way, in words.
    pub asks: Option<String>,
}

/// The kind of a future event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum PendingKind {
    /// An answer arrives.
    Answer,
    /// A call or a query arrives.
    Message,
    /// The database resumes after a stall.
    StallEnds,
    /// A timer fires: a runner's, a process's for a TTL, or the table's.
    Timer,
    /// A paused node resumes.
    Wakes,
}

impl Simulation {
    /// The state now.
    pub fn state(&self) -> State {
        let world = &self.running.world;
        let processes = (0..world.processes()).map(Node::Process);
        let clients = (0..world.clients()).map(Node::Client);
        let nodes = std::iter::once(Node::Database).chain(processes).chain(clients);
        let rows = world.expiries().into_iter();
        let pending = world.pending().into_iter();
        State {
            time: self.now(),
            nodes: nodes.map(|node| self.node_view(node)).collect(),
            rows: world.rows(),
            expiries: rows.map(|(key, ends)| ExpiryView { path: key.to_string(), ends }).collect(),
            pending: pending.map(|it| self.pending_view(it)).collect(),
        }
    }

    fn node_view(&self, node: Node) -> NodeView {
        let world = &self.running.world;
        let id = node.id(world.processes());
        let name = |id: NodeId| self.names().of(id).to_owned();
        let (status, waiting) = match world.status(id) {
            NodeStatus::Down => (RunStatus::Down, 0),
            NodeStatus::Paused { waiting, .. } => (RunStatus::Paused, waiting),
            NodeStatus::Running => (RunStatus::Running, 0),
        };
        let mut view = NodeView {
            name: name(id),
            entry: None,
            is_runner: false,
            kind: NodeKind::Database,
            status,
            waiting,
            local_time: world.local_time(id),
            key: None,
            owner: None,
            believes: false,
            belief_ends: None,
            ttl: None,
            retry_interval: None,
            asks: None,
            connected_to: None,
            is_cut_off: false,
        };
        match node {
            Node::Database => {}
            Node::Process(_) => view.kind = NodeKind::Locket,
            Node::Client(index) => {
                let client = self.scenario().clients.at(index);
                let runner = world.runner(index);
                view.entry = Some(client.entry_name().to_owned());
                view.is_runner = client.is_runner();
                view.kind = match client.kind {
                    ClientKind::Lock => NodeKind::Lock,
                    ClientKind::Presence => NodeKind::Presence,
                };
                view.key = Some(client.key.clone());
                let resource = runner.map(|runner| runner.resource());
                let owner = resource.map_or_else(|| client.owner(), |it| &it.owner);
                view.owner = Some(owner.to_owned());
                view.believes = world.believes_held(index);
                let ends = world.belief_ends(index);
                view.belief_ends = (view.believes && ends < Time::MAX).then_some(ends);
                view.ttl = Some(client.ttl);
                view.retry_interval = runner.map(|runner| runner.settings().retry_interval);
                view.asks = world.call_under_way(index).map(|request| asks(request));
                let process = world.connected_to(index);
                view.connected_to = process.map(|process| name(world.process(process)));
                view.is_cut_off = (0..world.processes()).all(|it| world.is_cut_between(index, it));
            }
        }
        view
    }

    fn pending_view(&self, pending: Pending) -> PendingView {
        let name = |node: NodeId| self.names().of(node).to_owned();
        let (kind, from, request) = match pending.what {
            PendingWhat::Arrival { from, request, is_answer: false, .. } => {
                (PendingKind::Message, Some(from), request)
            }
            PendingWhat::Arrival { from, request, .. } => {
                (PendingKind::Answer, Some(from), request)
            }
            PendingWhat::StallEnds => (PendingKind::StallEnds, None, None),
            PendingWhat::Timer => (PendingKind::Timer, None, None),
            PendingWhat::Wakes => (PendingKind::Wakes, None, None),
        };
        PendingView {
            time: pending.time,
            who: name(pending.node),
            kind,
            from: from.map(name),
            asks: request.map(|request| asks(&request)),
        }
    }
}
