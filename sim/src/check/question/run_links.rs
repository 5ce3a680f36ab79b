//! The links of a run, as bounds: which are cut, how long messages take, and how many are lost.

use super::faults::Fault;
use super::run_faults::Tally;
use crate::scenario::nodes::Node;
use crate::scenario::{Action, ActionKind, Scenario};
use crate::time::Time;
use crate::world::choice::SiteKind;
use crate::world::event::Flight;

#[expect(clippy::wildcard_enum_match_arm, reason = "the other actions are about nodes")]
impl Tally<'_> {
    pub(super) fn note_links(&mut self, action: &Action, times: u64) {
        let (from, to) = (self.named(action.from.as_deref()), self.named(action.to.as_deref()));
        for &one in &from {
            for &other in &to {
                if self.is_asked_link(one, other) {
                    self.note_client_link((one, other), action, times);
                } else if is_database_link(one, other) {
                    self.note_database_link(one, action, times);
                }
            }
        }
    }

    fn note_client_link(&mut self, (one, other): (Node, Node), action: &Action, times: u64) {
        match action.kind {
            ActionKind::Cut => {
                let heals = |it: &Action| {
                    let ends = [&it.from, &it.to].map(|end| self.named(end.as_deref()));
                    it.kind == ActionKind::Heal
                        && [one, other].iter().all(|node| ends.iter().any(|end| end.contains(node)))
                };
                let length = action.duration;
                let length = length.unwrap_or_else(|| self.run.until_undone(action, heals));
                let begins = Time::ZERO + action.at;
                // With repetitions until the last one is over.
                self.cuts.push((one, other, begins, action.last() + length));
                self.count(Fault::Partition, times);
                self.lasts(Fault::Partition, length);
            }
            ActionKind::LoseMessages if self.is_planned => {
                let ways = if action.one_way == Some(false) { 2 } else { 1 };
                let lost = ways * u64::from(action.count.unwrap_or(1));
                self.count(Fault::LostMessage, lost * times);
            }
            ActionKind::SetLatency if self.is_planned => {
                let latency = action.latency.unwrap_or_default();
                self.last(|it| &mut it.latency, latency.max);
            }
            ActionKind::SetLoss if self.is_planned => {
                self.never_by_chance("messages lost", action.loss.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn note_database_link(&mut self, from: Node, action: &Action, times: u64) {
        let asks = matches!(from, Node::Process(_)) || action.one_way == Some(false);
        match action.kind {
            ActionKind::Cut => self.never("a cut between a Locket process and the database"),
            ActionKind::LoseMessages if asks => self.never("a query that is lost"),
            ActionKind::LoseMessages if self.is_planned => {
                let lost = u64::from(action.count.unwrap_or(1));
                self.count(Fault::LostReply, lost * times);
            }
            ActionKind::SetLatency if self.is_planned => {
                let latency = action.latency.unwrap_or_default();
                self.last(|it| &mut it.database_latency, latency.max);
            }
            ActionKind::SetLoss => {
                self.never_by_chance("queries and replies lost", action.loss.unwrap_or_default());
            }
            _ => {}
        }
    }

    /// The rules of the scenario for all its messages.
    pub(super) fn note_rules(&mut self) {
        let Scenario { network, database, overrides, random, .. } = self.run.scenario;
        self.last(|it| &mut it.latency, network.latency.max);
        self.last(|it| &mut it.database_latency, database.latency.max);
        if *random {
            self.never_by_chance("messages lost", network.loss);
            self.never_by_chance("messages that arrive twice", network.duplicates);
            self.never_by_chance("database replies lost", database.reply_loss);
        }
        let decided = overrides.iter().flatten().filter(|(_, picked)| **picked > 0);
        for (site, _) in decided {
            match site.kind {
                SiteKind::CommitAnswer => self.count(Fault::LostReply, 1),
                SiteKind::Duplicate => self.count(Fault::Duplicate, 1),
                SiteKind::Loss => self.count(Fault::LostMessage, 1),
                // Within the latency, and any order is tried.
                SiteKind::Delay | SiteKind::Tie => {}
            }
        }
    }

    /// The fates of the messages of a run. A message that a broken connection took with it has a time
    /// at which it would have arrived, and is no lost message.
    pub(super) fn note_flights(&mut self, flights: &[Flight]) {
        let processes = self.run.scenario.processes;
        for flight in flights {
            let [from, to] = [flight.from, flight.to].map(|id| Node::of_id(id, processes));
            let took = flight.arrives.map(|at| at.since(flight.sent));
            let is_lost = took.is_none();
            let took = took.unwrap_or_default();
            if self.is_asked_link(from, to) {
                self.last(|it| &mut it.latency, took);
                if is_lost && !self.is_cut(from, to, flight.sent) {
                    self.count(Fault::LostMessage, 1);
                }
            } else if is_database_link(from, to) {
                self.last(|it| &mut it.database_latency, took);
                if is_lost && from == Node::Database {
                    self.count(Fault::LostReply, 1);
                }
            }
        }
        let Scenario { random, network, .. } = self.run.scenario;
        if *random {
            self.never_by_chance("messages that arrive twice", network.duplicates);
        }
    }

    fn is_cut(&self, from: Node, to: Node, at: Time) -> bool {
        self.cuts.iter().any(|&(one, other, begins, ends)| {
            let is_link = (one, other) == (from, to) || (other, one) == (from, to);
            is_link && (begins..=ends).contains(&at)
        })
    }

    /// True if it is a link of a client of the question.
    fn is_asked_link(&self, one: Node, other: Node) -> bool {
        let is_member =
            |node| matches!(node, Node::Client(client) if self.members.contains(&client));
        let is_process = |node| matches!(node, Node::Process(_));
        (is_member(one) && is_process(other)) || (is_process(one) && is_member(other))
    }
}

fn is_database_link(one: Node, other: Node) -> bool {
    let ends = [one, other];
    ends.contains(&Node::Database) && ends.iter().any(|it| matches!(it, Node::Process(_)))
}
