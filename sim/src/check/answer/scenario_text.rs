//! A scenario that is taken down while a schedule is played, as JSON.

use std::collections::BTreeMap;

use super::schedule::{Fate, Schedule};
use crate::check::explorer;
use crate::check::question::faults::{Fault, On};
use crate::check::question::limits::{KEY, NAMES, TIME_MAX};
use crate::check::question::visible::VisibleState;
use crate::check::question::{Property, Question};
use crate::environment::acts::{Act, Happening};
use crate::environment::happening::{Directions, Due, Node};
use crate::json::Json;
use crate::scenario::nodes::{ALL_PROCESSES, DATABASE_NAME, process_name};
use crate::scenario::{self, Action, Running, ScenarioError};
use crate::time::{Duration, Time};
use crate::trace::Recorder;
use crate::world::choice::Site;

/// The scenario so far.
pub(in crate::check) struct ScenarioText {
    /// The overrides of latencies, losses and the order of events of one instant.
    pub(in crate::check) overrides: BTreeMap<Site, u32>,
    /// The grid: all delays are multiples of it.
    step: Duration,
    is_lossy: bool,
    has_duplicates: bool,
    loses_answers: bool,
    /// When each client starts, and after how many things of that instant.
    starts: [Option<(Time, u32)>; NAMES.len()],
    actions: Vec<String>,
    expectations: Vec<String>,
}

fn name(node: Node) -> String {
    match node {
        Node::Client(client) => NAMES[usize::from(client)].to_owned(),
        Node::Database => DATABASE_NAME.to_owned(),
        Node::Locket(process) => process_name(process.into()),
    }
}

/// A process, or all of them.
fn process_of(process: Option<u8>) -> String {
    process.map_or_else(|| ALL_PROCESSES.to_owned(), |it| name(Node::Locket(it)))
}

impl ScenarioText {
    /// Everything that the schedule does, though not in its place among the things of its instant.
    pub(in crate::check) fn of(
        schedule: &Schedule,
        question: &Question,
    ) -> Result<Self, ScenarioError> {
        let mut text = Self::without_actions(schedule);
        for decision in &schedule.decisions {
            if let Happening::Act(act) = decision.what {
                text.add_action(act, (decision.at, decision.lasts), 0, question)?;
            }
        }
        Ok(text)
    }

    pub(in crate::check) fn without_actions(schedule: &Schedule) -> Self {
        let mut starts = [None; NAMES.len()];
        for decision in &schedule.decisions {
            if let Happening::Due(Due::Start(client)) = decision.what {
                starts[usize::from(client)] = Some((decision.at, 0));
            }
        }
        let mut decisions = schedule.decisions.iter();
        let mut sent = schedule.decisions.iter().flat_map(|it| &it.sent);
        let is_twice = |fate| matches!(fate, explorer::Fate::Sent { second: Some(_) });
        Self {
            overrides: BTreeMap::new(),
            step: schedule.step,
            is_lossy: schedule.fates.values().any(|it| *it == Fate::Lost),
            has_duplicates: sent.any(|it| is_twice(it.fate)),
            loses_answers: decisions.any(|it| it.unanswered != 0),
            starts,
            actions: Vec::new(),
            expectations: Vec::new(),
        }
    }

    pub(in crate::check) const fn start(&mut self, client: u8, at: Time, after: u32) {
        self.starts[client as usize] = Some((at, after));
    }

    /// Does something from outside at this very place of a run, and takes it down.
    pub(in crate::check) fn act(
        &mut self,
        running: &mut Running,
        recorder: &mut Recorder,
        act: Act,
        lasts: Option<Duration>,
        question: &Question,
    ) -> Result<(), ScenarioError> {
        let now = running.world.now();
        let after = running.done_at(now);
        let action = self.add_action(act, (now, lasts), after, question)?;
        running.act_in_place(recorder, |running, recorder| {
            running.perform(&action, recorder);
        });
        Ok(())
    }

    /// Adds what is done from outside, when and for how long, and says what it is.
    fn add_action(
        &mut self,
        act: Act,
        (at, lasts): (Time, Option<Duration>),
        after: u32,
        question: &Question,
    ) -> Result<Action, ScenarioError> {
        let bounds = &question.bounds;
        let fault = Fault::of(act);
        let longest = fault.map(|fault| fault.longest(bounds));
        let (kind, on) = act.action();
        let mut json = Json::default();
        json.open('{').key("at").moment(at);
        json.key("after").plain(after).key("do").string(kind.name());
        match act {
            Act::Cut { client, process, ways } => {
                let (client, process) = (name(Node::Client(client)), process_of(process));
                let (from, to) = match ways {
                    Directions::Both | Directions::ToLocket => (client, process),
                    Directions::FromLocket => (process, client),
                };
                json.strings(&[("from", &from), ("to", &to)]);
                if ways != Directions::Both {
                    json.key("oneWay").plain(true);
                }
            }
            Act::DeleteRow => {
                json.strings(&[("key", KEY)]);
            }
            Act::FailOver => {
                json.key("lostCommits");
                json.plain(bounds.faults[Fault::Failover].lost_commits);
            }
            Act::Heal { client, process } => {
                let (client, process) = (name(Node::Client(client)), process_of(process));
                json.strings(&[("from", &client), ("to", &process)]);
            }
            Act::Slow(client) => {
                json.strings(&[("from", &name(Node::Client(client))), ("to", ALL_PROCESSES)]);
                json.key("latency").open('{').key("max");
                json.duration(bounds.latency + longest.unwrap_or_default());
                json.key("step").duration(self.step).close('}');
            }
            Act::Stall => {}
            Act::Store { .. } => {
                json.strings(&[("node", &name(act.node()))]);
                // Otherwise it arrives by an action of its own.
                if lasts == Some(Duration::ZERO) {
                    json.key("for").duration(Duration::ZERO);
                }
            }
            Act::Crash(_)
            | Act::Disconnect(_)
            | Act::Drain(_)
            | Act::Pause(_)
            | Act::Start(_)
            | Act::Stop(_)
            | Act::Suspend(_) => {
                json.strings(&[("node", &name(act.node()))]);
            }
        }
        // A cut link waits for its end.
        if on != On::Link && fault.is_some_and(Fault::lasts) {
            json.key("for").duration(lasts.or(longest).unwrap_or_default());
        }
        json.close('}');
        let text = json.take();
        let action = scenario::read(&text)?;
        self.actions.push(text);
        Ok(action)
    }

    /// Adds how the property is broken: who owns the lock and who believes it from `at` on, and
    /// for how long there are two owners.
    pub(in crate::check) fn expect(
        &mut self,
        at: Time,
        view: VisibleState,
        two_owners_for: Duration,
        question: &Question,
    ) {
        let mut json = Json::default();
        // A write is wrong in the midst of an instant, after which others may believe.
        if question.property.is_about_storage() {
            json.open('{').key("wrongWrites").plain(1).close('}');
            return self.expectations.push(json.take());
        }
        json.open('{').key("at").moment(at);
        json.strings(&[("key", KEY)]);
        json.key("owner");
        json.optional_string(view.owner.map(|client| NAMES[usize::from(client)]));
        json.key("believers").open('[');
        for (client, name) in NAMES.iter().enumerate() {
            if view.believers >> client & 1 != 0 {
                json.string(name);
            }
        }
        json.close(']').close('}');
        self.expectations.push(json.take());
        if matches!(question.property, Property::OneOwner { .. }) {
            let mut json = Json::default();
            json.open('{').strings(&[("key", KEY)]);
            json.key("twoOwnersFor").duration(two_owners_for);
            json.close('}');
            self.expectations.push(json.take());
        }
    }

    pub(in crate::check) fn to_json(&self, question: &Question, end: Time) -> String {
        let mut json = Json::default();
        json.open('{').key("name");
        json.string(&question.property.words());
        json.key("profile");
        json.string(question.profile_name().unwrap_or_default());
        json.key("processes").plain(question.processes);
        self.write_environment(question, &mut json);
        if let Some(storage) = question.asked_storage() {
            json.key("storage").open('{');
            json.strings(&[("guard", storage.guard.name())]);
            let longest = storage.write_latency.limit().unwrap_or(TIME_MAX);
            json.key("writeLatency").duration(longest).close('}');
        }
        json.key("until").moment(end);
        json.key("overrides").open('{');
        for (site, picked) in &self.overrides {
            json.key(&site.to_string()).plain(picked);
        }
        json.close('}').key("clients").open('[');
        for index in 0..question.clients.len() {
            self.write_client(question, index, &mut json);
        }
        json.close(']');
        for (name, list) in [("actions", &self.actions), ("expect", &self.expectations)] {
            json.key(name).open('[');
            for text in list {
                json.plain(text);
            }
            json.close(']');
        }
        json.close('}');
        json.take()
    }

    fn write_environment(&self, question: &Question, json: &mut Json) {
        json.key("network").open('{').key("latency").open('{');
        json.key("max").duration(question.bounds.latency);
        json.key("step").duration(self.step).close('}');
        if self.is_lossy {
            json.key("loss").string("0.1%");
        }
        if self.has_duplicates {
            json.key("duplicates").string("0.1%");
        }
        json.close('}');
        let is_slow = question.bounds.slow_database();
        let holds_rows = question.bounds.hold_rows();
        let has_rules = is_slow || holds_rows || self.loses_answers;
        if has_rules {
            json.key("database").open('{');
        }
        if is_slow {
            json.key("latency").open('{');
            json.key("max").duration(question.bounds.database_latency);
            json.key("step").duration(self.step).close('}');
        }
        if self.loses_answers {
            json.key("replyLoss").string("0.1%");
        }
        if holds_rows {
            json.key("transactionTime").open('{');
            json.key("max").duration(question.bounds.transaction_time);
            json.key("step").duration(self.step).close('}');
        }
        if has_rules {
            json.close('}');
        }
    }

    fn write_client(&self, question: &Question, index: usize, json: &mut Json) {
        let client = &question.clients[index];
        json.open('{');
        json.strings(&[("name", NAMES[index]), ("key", KEY)]);
        // A client that does not take part has no runner.
        let Some((start, after)) = self.starts[index] else {
            json.close('}');
            return;
        };
        let owner = question.owners().first(index as u8);
        if usize::from(owner) != index {
            json.strings(&[("owner", NAMES[usize::from(owner)])]);
        }
        json.strings(&[("kind", client.kind.name())]);
        json.key("runner").plain(client.runner.json());
        json.key("ttl").duration(client.ttl);
        json.key("retryInterval").duration(client.retry_interval);
        if let Some(margin) = client.margin {
            json.key("margin").duration(margin);
        }
        if client.first_attempt_deadline {
            json.key("firstAttemptDeadline").plain(true);
        }
        if let Some(connection) = client.connection {
            json.strings(&[("connection", connection.name())]);
        }
        json.key("startAt").moment(start);
        json.key("startAfter").plain(after);
        json.key("process").plain(index % question.processes);
        if client.rate_ppm != 0 {
            json.key("clock").open('{').key("ratePpm");
            json.plain(client.rate_ppm).close('}');
        }
        json.close('}');
    }
}
