//! Performs the actions of a scenario, and of a user who watches the run.

use std::sync::Arc;

use super::nodes::Node;
use super::running::Running;
use super::{Action, ActionKind, Client, TTL_DEFAULT};
use crate::protocol::resource::LOCK;
use crate::protocol::row::Row;
use crate::trace::Recorder;
use crate::world::Step;
use crate::world::network::LinkRule;

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
        self.perform_on_link(action);
        self.perform_on_database(action, recorder);
    }

    /// Does what concerns one node; an action without a meaning for a node does nothing.
    fn perform_on(&mut self, action: &Action, node: Node, recorder: &mut Recorder) {
        let id = node.id(self.cast.scenario.processes);
        match (action.kind, node) {
            (ActionKind::Crash, Node::Client(client)) => {
                self.act(recorder, |step| step.crash_client(client))
            }
            (ActionKind::Crash | ActionKind::Stop, Node::Process(process)) => {
                self.act(recorder, |step| step.crash_process(process, None))
            }
            (ActionKind::Crash | ActionKind::Stop, Node::Database) => {
                self.act(recorder, |step| step.crash_database())
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
                step.crash_process(process, None);
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

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "of the actions with two ends only SetLatency is left"
    )]
    fn perform_on_link(&mut self, action: &Action) {
        let (Some(from), Some(to)) = (&action.from, &action.to) else {
            return;
        };
        let both = !action
            .one_way
            .unwrap_or(action.kind == ActionKind::LoseMessages);
        let processes = self.cast.scenario.processes;
        let ends = |name: &str| -> Vec<_> {
            self.cast
                .nodes
                .resolve(name)
                .into_iter()
                .map(|node| node.id(processes))
                .collect()
        };
        let (from, to) = (ends(from), ends(to));
        let network = self.world.network();
        for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))) {
            let directions = if both {
                vec![(a, b), (b, a)]
            } else {
                vec![(a, b)]
            };
            for (from, to) in directions {
                match action.kind {
                    ActionKind::Cut => network.cut(from, to),
                    ActionKind::LoseMessages => {
                        network.drop_next(from, to, action.count.unwrap_or(1))
                    }
                    ActionKind::Heal => network.heal(from, to),
                    ActionKind::SetLoss => {
                        let loss_per_mille = action.loss.unwrap_or_default().per_mille();
                        let kept = network.rule(from, to);
                        network.set_rule(
                            from,
                            to,
                            LinkRule {
                                loss_per_mille,
                                ..kept
                            },
                        );
                    }
                    _ => {
                        let latency = action.latency.unwrap_or_default().link_rule();
                        let kept = network.rule(from, to);
                        network.set_rule(
                            from,
                            to,
                            LinkRule {
                                loss_per_mille: kept.loss_per_mille,
                                duplicates_per_mille: kept.duplicates_per_mille,
                                ..latency
                            },
                        );
                    }
                }
            }
        }
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
