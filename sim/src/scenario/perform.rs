//! Performs the actions of a scenario, and of a user who watches the run.

use std::sync::Arc;

use super::cast::Cast;
use super::nodes::Node;
use super::running::Running;
use super::{Action, ActionKind, Client, TTL_DEFAULT};
use crate::protocol::resource::LOCK;
use crate::protocol::row::Row;
use crate::trace::Recorder;
use crate::world::Step;
use crate::world::network::{Link, LinkChange};

impl Running {
    /// Does an action now.
    pub(crate) fn perform(&mut self, action: &Action, recorder: &mut Recorder) {
        if action.kind == ActionKind::Note {
            let text = action.text.clone().unwrap_or_default();
            recorder.note(self.world.now(), text);
            return;
        }
        let cast = Arc::clone(&self.cast);
        if action.kind.is_of_storage() {
            return self.perform_on_storage(action, recorder);
        }
        for node in cast.nodes.resolve(action.node.as_deref().unwrap_or_default()) {
            self.act(recorder, |step| cast.perform_on(action, node, step));
        }
        self.act(recorder, |step| {
            step.change(action, &cast.links(action));
            step.perform_on_database(action);
        });
    }
}

/// The storage.
impl Running {
    fn perform_on_storage(&mut self, action: &Action, recorder: &mut Recorder) {
        let cast = Arc::clone(&self.cast);
        let nodes = cast.nodes.resolve(action.node.as_deref().unwrap_or_default());
        for node in nodes {
            if let Node::Client(client) = node {
                self.write(recorder, |writes, world, recorder| {
                    writes.perform((action.kind, client), action.duration, world, recorder);
                });
            }
        }
    }
}

impl Cast {
    /// Does what concerns one node; an action without a meaning for a node does nothing.
    pub(super) fn perform_on(&self, action: &Action, node: Node, step: &mut Step<'_>) {
        let id = node.id(self.scenario.processes);
        match (action.kind, node) {
            (ActionKind::Crash, Node::Client(client)) => step.crash_client(client),
            (ActionKind::Crash, Node::Process(process)) => step.crash_process(process),
            (ActionKind::Crash, Node::Database) => step.crash_database(),
            (ActionKind::Disconnect, Node::Client(client)) => step.disconnect(client),
            (ActionKind::Disconnect, Node::Process(process)) => step.disconnect_all(process),
            (ActionKind::Drain, Node::Process(process)) => step.drain_process(process),
            (ActionKind::Start, Node::Database) => step.start_database(),
            (ActionKind::Restart, Node::Database) => {
                step.crash_database();
                step.start_database();
            }
            (ActionKind::Pause | ActionKind::Suspend, _) => {
                let suspended = action.kind == ActionKind::Suspend;
                step.pause(id, action.duration, suspended);
            }
            (ActionKind::Restart, Node::Client(client)) => {
                let scenario = self.scenario.clients.at(client);
                let owner = action.owner.as_ref().filter(|_| scenario.is_runner());
                step.crash_client(client);
                if let Some(owner) = owner {
                    step.reconfigure_client(client, scenario.runner_settings(owner).into());
                }
                step.start_client(client);
            }
            (ActionKind::Restart, Node::Process(process)) => {
                step.crash_process(process);
                step.start_process(process);
            }
            (ActionKind::Resume, _) => step.resume(id),
            (ActionKind::Start, Node::Process(process)) => step.start_process(process),
            (kind, Node::Client(client)) => {
                self.scenario.clients.at(client).perform(client, kind, step);
            }
            _ => {}
        }
    }

    /// The directions of the links that an action is about.
    pub(super) fn links(&self, action: &Action) -> Vec<Link> {
        let (Some(from), Some(to)) = (&action.from, &action.to) else {
            return Vec::new();
        };
        let both = !action.one_way.unwrap_or(action.kind == ActionKind::LoseMessages);
        let processes = self.scenario.processes;
        let is_client = |node: Node| matches!(node, Node::Client(_));
        let (from, to) = (self.nodes.resolve(from), self.nodes.resolve(to));
        let servers = to.iter().copied().filter(|&node| !is_client(node));
        let servers: Vec<Node> = servers.collect();
        // Clients have no links to each other, and there may be many on both sides.
        let there = from.iter().flat_map(|&a| {
            let ends = if is_client(a) { &servers } else { &to };
            ends.iter().map(move |&b| (a.id(processes), b.id(processes)))
        });
        there.flat_map(|(a, b)| std::iter::once((a, b)).chain(both.then_some((b, a)))).collect()
    }
}

impl Step<'_> {
    /// Does to these links what an action does to links.
    pub(super) fn change(&mut self, action: &Action, links: &[Link]) {
        if action.kind == ActionKind::LoseMessages {
            self.lose_messages(links, action.count.unwrap_or(1));
        } else if let Some(change) = action.link_change() {
            self.change_links(links, change, action.duration);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other actions are not about the database"
    )]
    fn perform_on_database(&mut self, action: &Action) {
        let count = action.count.unwrap_or(1);
        let key = action.key.clone().unwrap_or_default();
        match action.kind {
            ActionKind::DeleteRow => {
                self.delete_row(&key);
            }
            ActionKind::DropTable => self.drop_table(),
            ActionKind::FailOver => self.fail_over(action.lost_commits.unwrap_or(1) as usize),
            ActionKind::LoseReplies => self.lose_commit_answers(count),
            ActionKind::PutRow => {
                // The lengths of its texts were checked when the scenario was read.
                let _ = self.put_row(operators_row(action, key));
            }
            ActionKind::SetTransactionTime => {
                let time = action.transaction_time.unwrap_or_default();
                self.set_transaction_time(time.link_rule(), action.duration);
            }
            ActionKind::Stall => self.stall_database(action.duration.unwrap_or_default()),
            _ => {}
        }
    }
}

impl Action {
    /// The change of a link that it makes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other action changes a link")]
    fn link_change(&self) -> Option<LinkChange> {
        match self.kind {
            ActionKind::Cut => Some(LinkChange::Cut(true)),
            ActionKind::Heal => Some(LinkChange::Cut(false)),
            ActionKind::SetLatency => {
                let latency = self.latency.unwrap_or_default();
                Some(LinkChange::Latency(latency.link_rule()))
            }
            ActionKind::SetLoss => {
                let loss = self.loss.unwrap_or_default();
                Some(LinkChange::Loss(loss.per_mille()))
            }
            _ => None,
        }
    }
}

impl Client {
    /// Performs an action of the client itself: it starts, stops or calls.
    pub(super) fn perform(&self, client: usize, kind: ActionKind, step: &mut Step<'_>) {
        if kind == ActionKind::Start {
            step.start_client(client);
        } else if kind == ActionKind::Stop {
            step.signal_client(client);
        } else if kind.is_call()
            && let Some(request) = self.request(kind)
        {
            step.call(client, request, None);
        }
    }
}

/// The row that an operator writes by hand.
fn operators_row(action: &Action, path: String) -> Row {
    let ttl = action.ttl.unwrap_or(TTL_DEFAULT);
    Row {
        path,
        owner: action.owner.clone(),
        value: Some(String::new()),
        type_name: Some(LOCK.to_owned()),
        ttl: i64::try_from(ttl.as_ms() / 1000).ok(),
        modified_id: Some(String::new()),
        modified_index: Some(0),
    }
}
