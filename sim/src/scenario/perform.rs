//! Performs the actions of a scenario, and of a user who watches the run.

use std::sync::Arc;

use super::nodes::Node;
use super::running::Running;
use super::{Action, ActionKind, Client, TTL_DEFAULT};
use crate::protocol::resource::LOCK;
use crate::protocol::row::Row;
use crate::trace::Recorder;
use crate::world::Step;
use crate::world::network::{LinkChange, NodeId};

impl Running {
    /// Does an action now.
    pub(crate) fn perform(&mut self, action: &Action, recorder: &mut Recorder) {
        if action.kind == ActionKind::Note {
            let text = action.text.clone().unwrap_or_default();
            recorder.note(self.world.now(), text);
            return;
        }
        let named = action
            .node
            .as_deref()
            .map(|name| self.cast.nodes.resolve(name))
            .unwrap_or_default();
        for node in named {
            self.perform_on(action, node, recorder);
        }
        self.perform_on_link(action, recorder);
        self.perform_on_database(action, recorder);
    }

    /// Does what concerns one node; an action without a meaning for a node does nothing.
    fn perform_on(&mut self, action: &Action, node: Node, recorder: &mut Recorder) {
        let id = node.id(self.cast.scenario.processes);
        match (action.kind, node) {
            (ActionKind::Crash, Node::Client(client)) => {
                self.act(recorder, |step| step.crash_client(client))
            }
            (ActionKind::Crash, Node::Process(process)) => {
                self.act(recorder, |step| step.crash_process(process))
            }
            (ActionKind::Crash, Node::Database) => self.act(recorder, |step| step.crash_database()),
            (ActionKind::Disconnect, Node::Client(client)) => {
                self.act(recorder, |step| step.disconnect(client))
            }
            (ActionKind::Disconnect, Node::Process(process)) => {
                self.act(recorder, |step| step.disconnect_all(process))
            }
            (ActionKind::Drain, Node::Process(process)) => {
                self.act(recorder, |step| step.drain_process(process))
            }
            (ActionKind::Start, Node::Database) => self.act(recorder, |step| step.start_database()),
            (ActionKind::Restart, Node::Database) => self.act(recorder, |step| {
                step.crash_database();
                step.start_database();
            }),
            (ActionKind::Pause | ActionKind::Suspend, _) => {
                let suspended = action.kind == ActionKind::Suspend;
                self.act(recorder, |step| step.pause(id, action.duration, suspended));
            }
            (ActionKind::Restart, Node::Client(client)) => {
                let scenario = &self.cast.scenario.clients[client];
                let settings = action.owner.as_ref().filter(|_| scenario.is_runner());
                let settings = settings.map(|owner| scenario.machine_settings(owner));
                self.act(recorder, |step| {
                    step.crash_client(client);
                    if let Some(settings) = settings {
                        step.reconfigure_client(client, settings);
                    }
                    step.start_client(client);
                });
            }
            (ActionKind::Restart, Node::Process(process)) => self.act(recorder, |step| {
                step.crash_process(process);
                step.start_process(process);
            }),
            (ActionKind::Resume, _) => self.act(recorder, |step| step.resume(id)),
            (ActionKind::Start, Node::Process(process)) => {
                self.act(recorder, |step| step.start_process(process))
            }
            (kind, Node::Client(client)) => {
                let cast = Arc::clone(&self.cast);
                let scenario = &cast.scenario.clients[client];
                self.act(recorder, |step| scenario.perform(client, kind, step));
            }
            _ => {}
        }
    }

    fn perform_on_link(&mut self, action: &Action, recorder: &mut Recorder) {
        let (Some(from), Some(to)) = (&action.from, &action.to) else {
            return;
        };
        let both = !action
            .one_way
            .unwrap_or(action.kind == ActionKind::LoseMessages);
        let links = self.links(from, to, both);
        if action.kind == ActionKind::LoseMessages {
            let network = self.world.network();
            network.drop_next_of_all(&links, action.count.unwrap_or(1));
        } else if let Some(change) = action.link_change() {
            self.act(recorder, |step| {
                step.change_links(&links, change, action.duration);
            });
        }
    }

    /// The directions of the links between the nodes of two names.
    fn links(&self, from: &str, to: &str, both: bool) -> Vec<(NodeId, NodeId)> {
        let processes = self.cast.scenario.processes;
        let is_client = |node: Node| matches!(node, Node::Client(_));
        let (from, to) = (self.cast.nodes.resolve(from), self.cast.nodes.resolve(to));
        let servers = to.iter().copied().filter(|&node| !is_client(node));
        let servers: Vec<Node> = servers.collect();
        // Clients have no links to each other, and there may be many on both sides.
        let there = from.iter().flat_map(|&a| {
            let ends = if is_client(a) { &servers } else { &to };
            ends.iter()
                .map(move |&b| (a.id(processes), b.id(processes)))
        });
        there
            .flat_map(|(a, b)| std::iter::once((a, b)).chain(both.then_some((b, a))))
            .collect()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other actions are not about the database"
    )]
    fn perform_on_database(&mut self, action: &Action, recorder: &mut Recorder) {
        let count = action.count.unwrap_or(1);
        let key = action.key.clone().unwrap_or_default();
        match action.kind {
            ActionKind::DeleteRow => self.act(recorder, |step| {
                step.delete_row(&key);
            }),
            ActionKind::DropTable => self.act(recorder, |step| step.drop_table()),
            ActionKind::FailOver => self.act(recorder, |step| {
                step.fail_over(action.lost_commits.unwrap_or(1) as usize)
            }),
            ActionKind::LoseReplies => self.act(recorder, |step| step.lose_commit_answers(count)),
            ActionKind::PutRow => {
                let row = operators_row(action, key);
                self.act(recorder, |step| {
                    // The lengths of its texts were checked when the scenario was read.
                    let _ = step.put_row(row);
                });
            }
            ActionKind::Stall => self.act(recorder, |step| {
                step.stall_database(action.duration.unwrap_or_default())
            }),
            _ => {}
        }
    }
}

impl Action {
    /// The change of a link that it makes.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other action changes a link"
    )]
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
