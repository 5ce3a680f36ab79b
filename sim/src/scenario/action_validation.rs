//! The validation of an action.

use super::action::{Action, ActionKind, missing};
use super::nodes::{Node, Nodes};
use crate::time::Duration;

/// An optional member of an action, and whether it is there.
type Member = (&'static str, bool);

impl Action {
    /// Its validation error, if it has one: the field and a message.
    pub(crate) fn validation_error(&self, nodes: &Nodes) -> Option<(&'static str, String)> {
        if self.at == missing() {
            return Some(("at", "missing field `at`".to_owned()));
        }
        self.member_error()
            .or_else(|| self.node_error(nodes))
            .or_else(|| self.value_error())
            .or_else(|| self.repetition_error())
    }

    /// A member that is missing, or one that means nothing here.
    fn member_error(&self) -> Option<(&'static str, String)> {
        let (needed, allowed) = self.kind.members();
        for (name, is_there) in self.members() {
            if needed.contains(&name) && !is_there {
                return Some((name, format!("missing; this action needs {}", needed.join(", "))));
            }
            if is_there && !needed.contains(&name) && !allowed.contains(&name) {
                let known = [needed, allowed].concat().join(", ");
                let known = if known.is_empty() { "no members".to_owned() } else { known };
                return Some((name, format!("means nothing to this action; it takes: {known}")));
            }
        }
        None
    }

    const fn members(&self) -> [Member; 14] {
        [
            ("node", self.node.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("for", self.duration.is_some()),
            ("count", self.count.is_some()),
            ("lostCommits", self.lost_commits.is_some()),
            ("latency", self.latency.is_some()),
            ("loss", self.loss.is_some()),
            ("transactionTime", self.transaction_time.is_some()),
            ("text", self.text.is_some()),
            ("key", self.key.is_some()),
            ("owner", self.owner.is_some()),
            ("ttl", self.ttl.is_some()),
            ("oneWay", self.one_way.is_some()),
        ]
    }

    fn node_error(&self, nodes: &Nodes) -> Option<(&'static str, String)> {
        for (field, name) in [("node", &self.node), ("from", &self.from), ("to", &self.to)] {
            if let Some(name) = name
                && nodes.resolve(name).is_empty()
            {
                return Some((
                    field,
                    format!("no node is named {name:?}; there are {}", nodes.names()),
                ));
            }
        }
        let name = self.node.as_deref()?;
        let of_kind = self.kind_error(nodes.resolve(name).first(), nodes, name);
        of_kind.or_else(|| self.owner_error(&nodes.clients_named(name)))
    }

    /// Whether it is for nodes of another kind.
    fn kind_error(
        &self,
        node: Option<&Node>,
        nodes: &Nodes,
        name: &str,
    ) -> Option<(&'static str, String)> {
        let wrong = |field, message: &str| Some((field, message.to_owned()));
        match (self.kind, node?) {
            (kind, Node::Client(client)) if kind.is_call() && nodes.is_runner(*client) => {
                let why =
                    "is a runner and makes its own calls; leave out its retryInterval and runner";
                wrong("node", &format!("{name} {why}"))
            }
            (kind, Node::Database | Node::Process(_)) if kind.is_call() => {
                wrong("node", "only a client makes calls")
            }
            (kind, Node::Database | Node::Process(_)) if kind.is_of_storage() => {
                wrong("node", "only a client writes to the storage")
            }
            (ActionKind::Disconnect, Node::Database) => {
                wrong("node", "only connections between clients and Locket processes break")
            }
            (ActionKind::Drain, Node::Client(_)) => {
                wrong("do", "only a Locket process drains; a client stops: use `stop`")
            }
            (ActionKind::Drain | ActionKind::Stop, Node::Database) => {
                wrong("do", "the database has no stop in order; use `crash`")
            }
            (ActionKind::Stop, Node::Process(_)) => {
                wrong("do", "only a client stops; a Locket process drains: use `drain`")
            }
            _ => None,
        }
    }

    fn owner_error(&self, clients: &[usize]) -> Option<(&'static str, String)> {
        if self.kind != ActionKind::Restart || self.owner.is_none() {
            return None;
        }
        match clients {
            [] => Some(("owner", "only a client has an owner".into())),
            [_] => None,
            _ => Some((
                "owner",
                "several clients would have one owner; restart them one by one".into(),
            )),
        }
    }

    fn value_error(&self) -> Option<(&'static str, String)> {
        if self.ttl.is_some_and(|ttl| !ttl.as_ms().is_multiple_of(1000)) {
            return Some(("ttl", "expected whole seconds: Locket has no fractions".into()));
        }
        let times = [("latency", &self.latency), ("transactionTime", &self.transaction_time)];
        let mut times = times.into_iter();
        times.find_map(|(field, it)| Some((field, it.as_ref()?.validation_error()?)))
    }

    fn repetition_error(&self) -> Option<(&'static str, String)> {
        let wrong = |field, message: &str| Some((field, message.to_owned()));
        match (self.every, self.until) {
            (Some(Duration::ZERO), _) => wrong("every", "expected more than 0"),
            (Some(_), None) => {
                wrong("until", "missing; `every` needs the moment of the last repetition")
            }
            (None, Some(_)) => {
                wrong("every", "missing; `until` needs the interval of the repetitions")
            }
            (Some(_), Some(until)) if until < self.at => {
                wrong("until", "expected a moment not before `at`")
            }
            _ => None,
        }
    }
}
