//! A run answers a call in one go where nothing comes between. Random scenarios compare it with a
//! simulation, which does one thing at a time.
//!
//! A failure prints its seed and case. `SEED=7 CASES=5000 cargo test -p locket-sim-tests --test locket fast_path`
//! tries others, or more of them; with `CASE=249`, only this one. `make test-fast-path` tries 10,000.

#![allow(clippy::print_stdout, reason = "a seed is printed to be tried again")]

use crate::random_numbers::{Random, number};
use locket_sim::scenario::{Execution, STEPS_DEFAULT, Scenario};
use locket_sim::simulation::{Simulation, SimulationError};

const CASES: u64 = 300;
/// How long each scenario takes, in milliseconds.
const END_MS: u64 = 60_000;
const JITTER: &str =
    r#"{ "lease": { "from": "request" }, "retry": { "from": "request", "jitter": "700ms" } }"#;

impl Random {
    fn client(&mut self, index: u64, processes: u64) -> String {
        let keys = match self.below(9) {
            0 => r#""kind": "presence", "key": "p", "value": "v""#.to_owned(),
            1 | 2 => format!(r#""key": "own-{index}""#),
            // Which the database cuts, so that no timer but that of a poll stands for it.
            3 => format!(r#""key": "{} ""#, "k".repeat(255)),
            // As long as it may be, and with the space that the database does not see.
            4 => format!(r#""key": "{}""#, "k".repeat(255)),
            5 => r#""key": "k ""#.to_owned(),
            6 => format!(r#""kind": "presence", "key": "own-{index}", "value": " v ""#),
            _ => r#""key": "k""#.to_owned(),
        };
        let owner = match self.below(6) {
            0 => r#", "owner": "one for all""#.to_owned(),
            1 => format!(r#", "owner": "{index} ""#),
            2 => format!(r#", "owner": "{}{index}""#, "o".repeat(254)),
            _ => String::new(),
        };
        let runner =
            self.pick(&["\"upstream\"", "\"upstream-before-2025-10\"", "\"safe\"", JITTER]);
        let clock = self.pick(&[
            "",
            "",
            r#", "clock": { "offset": "3s" }"#,
            r#", "clock": { "ratePpm": 50000 }"#,
            r#", "clock": { "offset": "7ms", "ratePpm": -20001 }"#,
        ]);
        // A client that rests for longer than 32 s pings its connection in between.
        let times = self.pick(&[
            r#""ttl": "6s", "retryInterval": "2s""#,
            r#""ttl": "6s", "retryInterval": "2s""#,
            r#""ttl": "15s", "retryInterval": "5s""#,
            r#""ttl": "7s", "retryInterval": "333ms""#,
            r#""ttl": "2s", "retryInterval": "1s""#,
            r#""ttl": "9s", "retryInterval": "1003ms""#,
            r#""ttl": "110s", "retryInterval": "35s""#,
        ]);
        // At odd times calls pass each other on their way, and at even ones they meet.
        let start = self.below(4) * 500 + self.below(2) * self.below(12);
        let process = self.below(processes);
        format!(
            r#"{{ "name": "c{index}", {keys}{owner}, {times}, "runner": {runner}, "startAt": "{start}ms", "process": {process}{clock} }}"#
        )
    }

    fn act(&mut self, clients: u64, processes: u64) -> String {
        let at = self.below(END_MS / 500) * 500;
        let (client, process) = (self.below(clients), self.below(processes));
        let place = match self.below(3) {
            0 => format!(r#", "after": {}"#, self.below(4)),
            _ => String::new(),
        };
        let what = match self.below(24) {
            0 => format!(r#""do": "pause", "node": "c{client}", "for": "5s""#),
            1 => format!(r#""do": "pause", "node": "locket-{process}", "for": "3s""#),
            2 => format!(r#""do": "crash", "node": "locket-{process}""#),
            3 => format!(r#""do": "start", "node": "locket-{process}""#),
            4 => format!(r#""do": "drain", "node": "locket-{process}""#),
            5 => format!(r#""do": "restart", "node": "c{client}""#),
            6 => r#""do": "stall", "for": "4s""#.to_owned(),
            7 => r#""do": "drop-table""#.to_owned(),
            8 => r#""do": "fail-over", "lostCommits": 2"#.to_owned(),
            9 => r#""do": "lose-replies", "count": 2"#.to_owned(),
            10 => format!(
                r#""do": "cut", "from": "c{client}", "to": "locket-{process}", "for": "7s""#
            ),
            11 => r#""do": "set-latency", "from": "locket", "to": "database", "latency": "300ms", "for": "6s""#
                .to_owned(),
            12 => format!(r#""do": "disconnect", "node": "c{client}""#),
            13 => format!(r#""do": "suspend", "node": "c{client}", "for": "5s""#),
            14 => r#""do": "crash", "node": "database""#.to_owned(),
            15 => r#""do": "start", "node": "database""#.to_owned(),
            16 => format!(r#""do": "put-row", "key": "own-{client}", "owner": "c{client}""#),
            17 => format!(r#""do": "delete-row", "key": "own-{client}""#),
            18 => format!(
                r#""do": "lose-messages", "from": "locket-{process}", "to": "c{client}", "count": 2"#
            ),
            19 => format!(r#""do": "stop", "node": "c{client}""#),
            20 => format!(
                r#""do": "set-latency", "from": "c{client}", "to": "locket-{process}", "latency": "41ms", "for": "9s", "oneWay": true"#
            ),
            21 => r#""do": "set-latency", "from": "locket", "to": "database", "latency": "0s""#.to_owned(),
            22 => format!(r#""do": "put-row", "key": "own-{client}", "owner": "c{client}", "ttl": "9s""#),
            _ => r#""do": "delete-row", "key": "k""#.to_owned(),
        };
        format!(r#"{{ "at": "{at}ms"{place}, {what} }}"#)
    }

    /// The links between clients and processes, and those to the database.
    fn links(&mut self, is_random: bool) -> String {
        const NETWORKS: [&str; 8] = [
            "",
            "",
            r#""latency": "1ms""#,
            r#""latency": "5ms""#,
            r#""latency": "40ms""#,
            r#""latency": "700ms""#,
            r#""latency": { "min": "2ms", "max": "1200ms", "step": "2ms" }, "loss": "2%""#,
            r#""latency": "5ms", "loss": "3%", "duplicates": "4%""#,
        ];
        const DATABASES: [&str; 5] = ["", "", "", r#""latency": "3ms""#, r#""replyLoss": "2%""#];
        // A run that is not random has no faults by chance.
        let chance = usize::from(!is_random);
        let network = self.pick(&NETWORKS[..NETWORKS.len() - 2 * chance]);
        let database = self.pick(&DATABASES[..DATABASES.len() - chance]);
        format!(r#""network": {{ {network} }}, "database": {{ {database} }},"#)
    }

    fn scenario(&mut self) -> String {
        let (clients, processes) = (1 + self.below(6), 1 + self.below(3));
        let people: Vec<String> = (0..clients).map(|it| self.client(it, processes)).collect();
        let actions: Vec<String> =
            (0..self.below(6)).map(|_| self.act(clients, processes)).collect();
        let profile = self.pick(&["upstream", "documented"]);
        let random = self.below(2) == 0;
        let links = self.links(random);
        format!(
            r#"{{ "name": "fast-path", "profile": "{profile}", "processes": {processes}, "random": {random}, {links} "until": "{END_MS}ms",
  "clients": [{}],
  "actions": [{}],
  "expect": [{{ "key": "k", "twoOwnersFor": "0s" }}, {{ "key": "k", "noRowFor": "3s" }}] }}"#,
            people.join(", "),
            actions.join(", ")
        )
    }
}

fn scenarios() -> impl Iterator<Item = (u64, String)> {
    let seed = number("SEED").unwrap_or(1);
    println!("SEED={seed}");
    let all = 0..number("CASES").unwrap_or(CASES);
    let cases = number("CASE").map_or(all, |one| one..one + 1);
    cases.map(move |case| (case, Random::of(seed, case).scenario()))
}

fn execution(text: &str, max_steps: u64) -> Execution {
    let scenario = Scenario::from_json(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    Execution::new(scenario, max_steps)
}

#[test]
fn a_run_on_the_fast_path_reports_what_single_steps_report() {
    for (case, text) in scenarios() {
        let mut fast = execution(&text, STEPS_DEFAULT);
        assert_eq!(fast.run(u64::MAX), Ok(true), "case {case}: {text}");
        let mut stepping = Simulation::from_json(&text).expect("it was read before");
        stepping.run_to_end().expect("it takes few steps");
        let (fast, stepped) = (fast.finish(), stepping.to_run());
        for (one, other) in fast.events.iter().zip(&stepped.events) {
            assert_eq!(one, other, "case {case}: {text}");
        }
        assert_eq!(fast, stepped, "case {case}: {text}");
    }
}

#[test]
fn a_limit_of_steps_ends_both_at_the_same_moment() {
    for (case, text) in scenarios() {
        let limit = 20 + case * 7;
        let mut stepping = Simulation::from_json_within(&text, limit).expect("it was read before");
        let stepped = match stepping.run_to_end() {
            Ok(()) => None,
            Err(SimulationError::Steps(exceeded)) => Some(exceeded),
            Err(other) => panic!("case {case}: {other}"),
        };
        let fast = execution(&text, limit).run(u64::MAX).err();
        assert_eq!(fast, stepped, "case {case}, limit {limit}: {text}");
    }
}

/// How many turns a quiet run takes that may take one step after each, and how many steps it has.
fn turns_and_steps(network: &str) -> (u32, u32) {
    let text = format!(
        r#"{{ "name": "quiet", "until": "10m", "network": {{ {network} }}, "clients": [{{ "name": "a", "key": "k", "retryInterval": "1s", "runner": "safe" }}] }}"#
    );
    let mut stepping = Simulation::from_json(&text).expect("it makes sense");
    let mut steps = 0;
    while stepping.step() == Ok(true) {
        steps += 1;
    }
    (turns(&text), steps)
}

#[test]
fn an_undisturbed_run_takes_the_fast_path() {
    let (turns, steps) = turns_and_steps("");
    assert!(turns * 3 < steps, "{turns} turns, {steps} steps");
}

#[test]
fn a_process_that_has_got_a_call_answers_it_in_one_go() {
    let (turns, steps) = turns_and_steps(r#""latency": "40ms""#);
    // The query and its answer are no things of their own.
    assert!(turns * 5 < steps * 4, "{turns} turns, {steps} steps");
}

/// How many turns a run takes that may take one step after each.
fn turns(text: &str) -> u32 {
    let mut fast = execution(text, STEPS_DEFAULT);
    let mut turns = 1;
    while fast.run(1) == Ok(false) {
        turns += 1;
    }
    turns
}

#[test]
fn clients_of_one_instant_take_the_fast_path_one_after_the_other() {
    let run = |start_every: &str| {
        turns(&format!(
            r#"{{ "name": "cells", "until": "10m", "clients": [{{ "name": "a-{{i}}", "count": 20, "key": "k-{{i}}", "retryInterval": "1s", "runner": "safe", "startEvery": "{start_every}" }}] }}"#
        ))
    };
    let (together, apart) = (run("0s"), run("1ms"));
    assert!(together < apart + apart / 10, "{together} turns, {apart} if nothing happens together");
}

#[test]
fn a_poll_takes_the_fast_path() {
    let run = |profile: &str| {
        turns(&format!(
            r#"{{ "name": "polls", "profile": "{profile}", "until": "1h", "clients": [{{ "name": "a", "key": "k", "retryInterval": "5s", "runner": "safe" }}] }}"#
        ))
    };
    // Only upstream's processes poll, every 5 s.
    let (polls, none) = (run("upstream"), run("documented"));
    let timers = 3600 / 5;
    assert!(polls - none < 2 * timers, "{polls} turns, {none} without polls");
}
