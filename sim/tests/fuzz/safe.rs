//! Random runs whose faults are within the bounds of a question that is safe: none has two owners.
//!
//! A run shares with the search neither the order in which events are tried nor the grid of times.
//! Its faults begin at any millisecond, messages take any time up to their bound, and events of one
//! instant come in any order.

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::Write as _;

use locket_sim::check::{Bounds, ClientQuestion, Count, Fault, Property, Question, Verdict};
use locket_sim::protocol::profile::Profile;
use locket_sim::scenario::{ClientKind, RunnerKind, Scenario};
use locket_sim::time::Duration;
use proptest::prelude::*;
use rand_pcg::Pcg64Mcg;

use super::questions::{Asked, asked};
use super::round::fuzz;
use crate::random_question::verdict;

/// How many runs a safe question has.
const RUNS: u64 = 50;
const NAMES: [&str; 3] = ["a", "b", "c"];

#[test]
fn safe_runs() {
    let (questions, runs) = (Cell::new(0), Cell::new(0));
    fuzz("safe_runs", 12, &(asked(), any::<u64>()), |(Asked(question), seed)| {
        let question = one_owner(question);
        if verdict(&question)? != Verdict::Safe {
            return Ok(());
        }
        questions.set(questions.get() + 1);
        for number in 0..RUNS {
            runs.set(runs.get() + 1);
            check(&question, seed.wrapping_add(number))?;
        }
        Ok(())
    });
    let line = format!("{} runs of {} safe questions\n", runs.get(), questions.get());
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// The question of two owners, with two clients at least.
fn one_owner(mut question: Question) -> Question {
    if let [alone] = &question.clients[..] {
        question.clients = vec![alone.clone(), alone.clone()];
    }
    question.property = Property::OneOwner { allow: Duration::ZERO };
    question
}

fn check(question: &Question, seed: u64) -> Result<(), String> {
    let text = RandomRun::new(question, seed).text();
    let scenario = Scenario::from_json(&text).map_err(|error| format!("{error}: {text}"))?;
    match &scenario.run().failures[..] {
        [] => Ok(()),
        failures => Err(format!("safe, but {failures:?}: {text}")),
    }
}

/// A run that is made up.
struct RandomRun<'a> {
    question: &'a Question,
    random: Pcg64Mcg,
    seed: u64,
    actions: Vec<String>,
}

impl<'a> RandomRun<'a> {
    fn new(question: &'a Question, seed: u64) -> Self {
        Self { question, random: Pcg64Mcg::new(seed.into()), seed, actions: Vec::new() }
    }

    fn up_to(&mut self, most: u64) -> u64 {
        self.random.next_u64() % (most + 1)
    }

    fn client(&mut self) -> &'static str {
        NAMES[self.up_to(self.question.clients.len() as u64 - 1) as usize]
    }

    fn process(&mut self) -> String {
        format!("locket-{}", self.up_to(self.question.processes as u64 - 1))
    }

    fn text(mut self) -> String {
        let Bounds { latency, database_latency, .. } = self.question.bounds;
        self.add_faults_of_clients();
        self.add_faults_of_links();
        self.add_faults_of_processes();
        self.add_faults_of_the_database();
        let clients: Vec<String> =
            (0..self.question.clients.len()).map(|index| self.client_text(index)).collect();
        let profile = match self.question.profile == Profile::UPSTREAM {
            true => "upstream",
            false => "documented",
        };
        format!(
            r#"{{"name":"safe","profile":"{profile}","until":"60s","random":true,"seed":{},"processes":{},
            "network":{{"latency":{{"max":"{}ms"}}}},"database":{{"latency":{{"max":"{}ms"}}}},
            "clients":[{}],"actions":[{}],"expect":[{{"key":"k","twoOwnersFor":"0s"}}]}}"#,
            self.seed % 1_000_000,
            self.question.processes,
            latency.as_ms(),
            database_latency.as_ms(),
            clients.join(","),
            self.actions.join(","),
        )
    }

    fn client_text(&mut self, index: usize) -> String {
        let question = self.question;
        let client: &ClientQuestion = &question.clients[index];
        let (kind, runner) = (kind(client.kind), runner(client.runner));
        let mut text = format!(
            r#"{{"name":"{}","kind":"{kind}","runner":"{runner}","ttl":"{}ms","retryInterval":"{}ms","startAt":"{}ms","process":{},"key":"k""#,
            NAMES[index],
            client.ttl.as_ms(),
            client.retry_interval.as_ms(),
            self.up_to(12_000),
            index % question.processes,
        );
        if let Some(owner) = &client.owner {
            let _ = write!(text, r#","owner":"{owner}""#);
        }
        if let Some(margin) = client.margin {
            let _ = write!(text, r#","margin":"{}ms""#, margin.as_ms());
        }
        if client.first_attempt_deadline {
            text += r#","firstAttemptDeadline":true"#;
        }
        if client.rate_ppm != 0 {
            let _ = write!(text, r#","clock":{{"ratePpm":{}}}"#, client.rate_ppm);
        }
        text + "}"
    }
}

/// Faults, each as often and as long as the bounds allow.
impl RandomRun<'_> {
    /// Something at any moment, the end of which may follow.
    fn add(&mut self, count: Count, action: &mut dyn FnMut(&mut Self) -> String) {
        for _ in 0..count.limit().unwrap_or_default() {
            let (at, action) = (self.up_to(40_000), action(self));
            self.actions.push(format!(r#"{{"at":"{at}ms",{action}}}"#));
        }
    }

    /// Something that a second action ends within `longest`.
    fn add_ended(&mut self, count: Count, begin: &str, end: &str, node: &str, longest: Duration) {
        for _ in 0..count.limit().unwrap_or_default() {
            let (at, lasts) = (self.up_to(40_000), self.up_to(longest.as_ms()));
            for (at, what) in [(at, begin), (at + lasts, end)] {
                let action = format!(r#"{{"at":"{at}ms","do":"{what}","node":"{node}"}}"#);
                self.actions.push(action);
            }
        }
    }

    fn add_faults_of_clients(&mut self) {
        let bounds = self.question.bounds;
        self.add(bounds.faults[Fault::Pause].count, &mut |it| {
            let (node, lasts) = (it.client(), it.up_to(bounds.faults[Fault::Pause].length.as_ms()));
            format!(r#""do":"pause","node":"{node}","for":"{lasts}ms""#)
        });
        self.add(bounds.faults[Fault::Suspend].count, &mut |it| {
            let (node, lasts) =
                (it.client(), it.up_to(bounds.faults[Fault::Suspend].length.as_ms()));
            format!(r#""do":"suspend","node":"{node}","for":"{lasts}ms""#)
        });
        for (count, what) in [
            (bounds.faults[Fault::Crash].count, "crash"),
            (bounds.faults[Fault::Restart].count, "start"),
            (bounds.faults[Fault::Stop].count, "stop"),
            (bounds.faults[Fault::Disconnect].count, "disconnect"),
        ] {
            self.add(count, &mut |it| format!(r#""do":"{what}","node":"{}""#, it.client()));
        }
    }

    /// The two ends of a link, in either direction.
    fn ends(&mut self) -> String {
        let (client, process) = (self.client(), self.process());
        match self.up_to(1) {
            0 => format!(r#""from":"{client}","to":"{process}""#),
            _ => format!(r#""from":"{process}","to":"{client}""#),
        }
    }

    fn add_faults_of_links(&mut self) {
        let bounds = self.question.bounds;
        self.add(bounds.faults[Fault::LostMessage].count, &mut |it| {
            format!(r#""do":"lose-messages",{}"#, it.ends())
        });
        self.add(bounds.faults[Fault::Partition].count, &mut |it| {
            let (lasts, one_way) =
                (it.up_to(bounds.faults[Fault::Partition].length.as_ms()), it.up_to(1) == 0);
            let ends = it.ends();
            format!(r#""do":"cut",{ends},"for":"{lasts}ms","oneWay":{one_way}"#)
        });
    }

    fn add_faults_of_processes(&mut self) {
        let bounds = self.question.bounds;
        self.add(bounds.faults[Fault::LocketPause].count, &mut |it| {
            let (node, lasts) =
                (it.process(), it.up_to(bounds.faults[Fault::LocketPause].length.as_ms()));
            format!(r#""do":"pause","node":"{node}","for":"{lasts}ms""#)
        });
        let process = self.process();
        let longest = Fault::LocketCrash.longest(&bounds);
        self.add_ended(
            bounds.faults[Fault::LocketCrash].count,
            "crash",
            "start",
            &process,
            longest,
        );
        // The first process drains first.
        let drains = bounds.faults[Fault::LocketDrain].count.min(Count::UpTo(1));
        self.add_ended(drains, "drain", "start", "locket-0", longest);
    }

    fn add_faults_of_the_database(&mut self) {
        let bounds = self.question.bounds;
        self.add(bounds.faults[Fault::Stall].count, &mut |it| {
            let lasts = it.up_to(bounds.faults[Fault::Stall].length.as_ms());
            format!(r#""do":"stall","for":"{lasts}ms""#)
        });
        let (count, longest) =
            (bounds.faults[Fault::DatabaseCrash].count, bounds.faults[Fault::DatabaseCrash].length);
        self.add_ended(count, "crash", "start", "database", longest);
        self.add(bounds.faults[Fault::LostReply].count, &mut |_| {
            r#""do":"lose-replies","count":1"#.to_owned()
        });
        self.add(bounds.faults[Fault::Failover].count, &mut |_| {
            format!(
                r#""do":"fail-over","lostCommits":{}"#,
                bounds.faults[Fault::Failover].lost_commits
            )
        });
        self.add(bounds.faults[Fault::RowDeletion].count, &mut |_| {
            r#""do":"delete-row","key":"k""#.to_owned()
        });
    }
}

const fn kind(kind: ClientKind) -> &'static str {
    match kind {
        ClientKind::Lock => "lock",
        ClientKind::Presence => "presence",
    }
}

const fn runner(runner: RunnerKind) -> &'static str {
    match runner {
        RunnerKind::CloudController => "cloud-controller",
        RunnerKind::Safe => "safe",
        RunnerKind::Upstream => "upstream",
        RunnerKind::UpstreamBefore202510 => "upstream-before-2025-10",
    }
}
