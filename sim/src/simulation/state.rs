//! How everything is at the moment: nodes and what they believe, the table, what is to come.

use std::sync::Arc;

use super::player::Simulation;
use crate::json::Json;
use crate::protocol::row::Row;
use crate::scenario::ClientKind;
use crate::scenario::nodes::Node;
use crate::time::{Duration, Time};
use crate::trace::asks;
use crate::world::network::NodeId;
use crate::world::view::{NodeStatus, Pending, PendingWhat};

/// How everything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The time.
    pub time: Time,
    /// The nodes: the database, the Locket processes, the clients.
    pub nodes: Vec<NodeView>,
    /// The truth: the rows of the table.
    pub rows: Vec<Row>,
    /// When each row expires without a renewal, by key; `None` if no running process has a timer.
    pub leases: Vec<(Arc<str>, Option<Time>)>,
    /// The next event, unless an act changes it.
    pub pending: Vec<Pending>,
}

/// How a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// The name.
    pub name: String,
    /// The name of a client's entry in the scenario, as written; of one with a `count`, many
    /// clients share it.
    pub entry: Option<String>,
    /// Whether a client is a runner; else calls are made by hand.
    pub is_runner: bool,
    /// The kind of node.
    pub kind: NodeKind,
    /// Whether it runs.
    pub status: NodeStatus,
    /// The time of its own clock.
    pub local_time: Time,
    /// The key that a client wants; of a joint lock the first.
    pub key: Option<String>,
    /// All keys that a client wants together, in the order in which it takes them.
    pub keys: Vec<String>,
    /// The owner that a client presents.
    pub owner: Option<String>,
    /// Belief: whether a client believes it holds its key.
    pub believes: bool,
    /// When that belief ends if nothing happens; `None` if never.
    pub belief_ends: Option<Time>,
    /// The lease that a client asks for.
    pub ttl: Option<Duration>,
    /// How long a client's runner waits between attempts.
    pub retry_interval: Option<Duration>,
    /// The reason why a client waits.
    pub asks: Option<String>,
    /// The Locket process that a client is connected to.
    pub connected_to: Option<String>,
    /// Whether links are cut, in one direction at least, between a client and every process.
    pub is_cut_off: bool,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The database.
    Database,
    /// A client that wants several locks together.
    Joint,
    /// A client that wants a lock.
    Lock,
    /// A Locket process.
    Locket,
    /// A client that announces a presence.
    Presence,
}

impl NodeKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Joint => "joint",
            Self::Lock => "lock",
            Self::Locket => "locket",
            Self::Presence => "presence",
        }
    }
}

impl Simulation {
    /// How everything is now.
    pub fn state(&self) -> State {
        let world = &self.running.world;
        let processes = (0..world.processes()).map(Node::Process);
        let clients = (0..world.clients()).map(Node::Client);
        let nodes = std::iter::once(Node::Database)
            .chain(processes)
            .chain(clients);
        State {
            time: self.now(),
            nodes: nodes.map(|node| self.node_view(node)).collect(),
            rows: world.rows(),
            leases: world.leases(),
            pending: world.pending(),
        }
    }

    fn node_view(&self, node: Node) -> NodeView {
        let world = &self.running.world;
        let id = node.id(world.processes());
        let name = |id: NodeId| self.names().of(id).to_owned();
        let mut view = NodeView {
            name: name(id),
            entry: None,
            is_runner: false,
            kind: NodeKind::Database,
            status: world.status(id),
            local_time: world.local_time(id),
            key: None,
            keys: Vec::new(),
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
                let client = &self.scenario().clients[index];
                let runner = world.runner(index);
                view.entry = Some(client.entry_name().to_owned());
                view.is_runner = client.is_runner();
                view.kind = match client.kind {
                    ClientKind::Joint => NodeKind::Joint,
                    ClientKind::Lock => NodeKind::Lock,
                    ClientKind::Presence => NodeKind::Presence,
                };
                view.key = Some(client.key().to_owned());
                view.keys = client.wanted_keys().to_vec();
                let resource = runner.map(|runner| &runner.settings().resource);
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

    /// [How everything is](Self::state) but the rows, as JSON.
    pub fn state_json(&self) -> String {
        let mut json = Json::default();
        let state = self.state();
        json.open('{').key("timeMs").plain(state.time.as_ms());
        json.key("nodes").open('[');
        for node in &state.nodes {
            write_node(node, &mut json);
        }
        json.close(']').key("leases").open('[');
        for (path, ends) in &state.leases {
            json.open('{').key("path").string(path);
            json.key("endsMs")
                .optional_plain(ends.map(Time::as_ms))
                .close('}');
        }
        json.close(']').key("pending").open('[');
        for pending in &state.pending {
            self.write_pending(pending, &mut json);
        }
        json.close(']').close('}');
        json.take()
    }

    fn write_pending(&self, pending: &Pending, json: &mut Json) {
        let names = self.names();
        let who = names.of(pending.node);
        let (kind, from) = match &pending.what {
            PendingWhat::Arrival {
                from, is_answer, ..
            } => (if *is_answer { "answer" } else { "message" }, Some(*from)),
            PendingWhat::StallEnds => ("stall-ends", None),
            PendingWhat::Timer => ("timer", None),
            PendingWhat::Wakes => ("wakes", None),
        };
        json.open('{').key("timeMs").plain(pending.time.as_ms());
        json.strings(&[("who", who), ("kind", kind)]);
        json.key("from")
            .optional_string(from.map(|from| names.of(from)));
        let request = match &pending.what {
            PendingWhat::Arrival { request, .. } => request.as_deref().map(asks),
            PendingWhat::StallEnds | PendingWhat::Timer | PendingWhat::Wakes => None,
        };
        json.key("asks")
            .optional_string(request.as_deref())
            .close('}');
    }
}

fn write_node(node: &NodeView, json: &mut Json) {
    let (status, waiting) = match node.status {
        NodeStatus::Down => ("down", 0),
        NodeStatus::Paused { waiting, .. } => ("paused", waiting),
        NodeStatus::Running => ("running", 0),
    };
    json.open('{');
    json.strings(&[
        ("name", &node.name),
        ("kind", node.kind.name()),
        ("status", status),
    ]);
    json.key("waiting").plain(waiting);
    json.key("localTimeMs").plain(node.local_time.as_ms());
    json.key("isRunner").plain(node.is_runner);
    for (key, text) in [
        ("entry", &node.entry),
        ("key", &node.key),
        ("owner", &node.owner),
        ("asks", &node.asks),
        ("connectedTo", &node.connected_to),
    ] {
        json.key(key).optional_string(text.as_deref());
    }
    json.key("keys").open('[');
    for key in &node.keys {
        json.string(key);
    }
    json.close(']');
    json.key("isCutOff").plain(node.is_cut_off);
    json.key("believes").plain(node.believes);
    let ends = node.belief_ends.map(Time::as_ms);
    json.key("beliefEndsMs").optional_plain(ends);
    json.key("ttlMs")
        .optional_plain(node.ttl.map(Duration::as_ms));
    let retry_interval = node.retry_interval.map(Duration::as_ms);
    json.key("retryIntervalMs")
        .optional_plain(retry_interval)
        .close('}');
}
