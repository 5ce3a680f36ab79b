//! Which production settings are safe?, as the page `docs/reference/settings.md`.
//!
//!     cargo run --release -p locket-sim --example production > docs/reference/settings.md

use std::fmt::Write as _;

use locket_sim::check::{Answer, ClientCount, Question, Reductions, Search, Verdict};

/// The most states that a search may keep; none of the page's needs as many.
const STATES_MAX: usize = 10_000_000;

/// A row of the page: who runs with which settings, and what may go wrong.
pub(crate) struct Row {
    pub(crate) runner: &'static str,
    pub(crate) retry_interval: &'static str,
    pub(crate) latency: &'static str,
    pub(crate) pause: &'static str,
    pub(crate) environment: Environment,
}

/// What else may go wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Environment {
    FailOver,
    OneProcess,
    Restart,
    TwoProcesses,
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (runner, retry_interval) in
        [("upstream", "5s"), ("upstream", "1s"), ("safe", "5s"), ("safe", "1s")]
    {
        for environment in [
            Environment::OneProcess,
            Environment::TwoProcesses,
            Environment::Restart,
            Environment::FailOver,
        ] {
            for pause in ["0s", "1s", "5s"] {
                let delay = "1s";
                rows.push(Row { runner, retry_interval, latency: delay, pause, environment });
            }
        }
    }
    for runner in ["upstream", "safe"] {
        for (delay, pause) in [
            ("1s", "7s"),
            ("1s", "8s"),
            ("1s", "16s"),
            ("3s", "5s"),
            ("5s", "0s"),
            ("5s", "1s"),
            ("6s", "0s"),
        ] {
            let (retry_interval, environment) = ("5s", Environment::OneProcess);
            rows.push(Row { runner, retry_interval, latency: delay, pause, environment });
        }
    }
    rows
}

impl Environment {
    /// It in words, how many Locket processes there are, and what else its bounds have.
    const fn details(self) -> (&'static str, usize, &'static str) {
        match self {
            Self::FailOver => ("a failover that loses the last commit", 1, r#", "failover": 1"#),
            Self::OneProcess => ("one Locket process", 1, ""),
            Self::Restart => (
                "one Locket process, which may be down once for up to 2 s",
                1,
                r#", "locketCrash": {"length": "2s", "count": 1}"#,
            ),
            Self::TwoProcesses => ("two Locket processes", 2, ""),
        }
    }
}

impl Row {
    /// The question of the row, as JSON, and how its line begins.
    fn texts(&self) -> (String, String) {
        let Self { runner, retry_interval, latency, pause, environment } = self;
        let (words, processes, more) = environment.details();
        (
            format!(
                r#"{{"runner": "{runner}", "profile": "upstream", "ttl": "15s", "retryInterval": "{retry_interval}", "processes": {processes}, "latency": "{latency}", "faults": {{"pause": {{"length": "{pause}", "count": 1}}{more}}}}}"#
            ),
            format!("| {runner} | {retry_interval} | ≤ {latency} | ≤ {pause} | {words} |"),
        )
    }

    /// The answer of the row.
    pub(crate) fn answer(&self) -> Answer {
        let question = Question::from_json(&self.texts().0).expect("the question makes sense");
        let mut search =
            Search::new(question, Reductions::default(), STATES_MAX).expect("it was read");
        search.run(u64::MAX);
        search.run_to_longest(u64::MAX);
        search.answer().expect("the world repeats what was found")
    }

    /// How the row's line begins.
    pub(crate) fn line_start(&self) -> String {
        self.texts().1
    }

    /// The row as a line of a table.
    pub(crate) fn line(&self, answer: &Answer) -> String {
        let verdict = match &answer.longest {
            Some(longest) if answer.has_longest => {
                format!("**two owners** for up to {}", longest.lasted)
            }
            Some(longest) => format!("**two owners** for {} or more", longest.lasted),
            None if answer.verdict == Verdict::Safe => match answer.clients {
                ClientCount::Any => "safe for any number".to_owned(),
                ClientCount::AnyWithoutSharedKeys | ClientCount::Of(_) => "safe".to_owned(),
            },
            None => answer.summary(),
        };
        format!("{} {verdict} | {} |", self.line_start(), answer.states)
    }
}

const HEAD: &str = "\
# Which production settings are safe?

Two runners with a TTL of 15 s want the same lock. For each line the search tried every schedule within its bounds, with the shipped
runner and the shipped Locket rules. *safe* means: no schedule has two owners at the same time, however long it runs. Otherwise the
answer says how long two owners last at most, and the smallest schedule stands below. The simulator repeated both.

A row that is *safe for any number* is [proved for any number of clients](../understand/any-number.md), each paused once at most.

Bounds: each message takes any time up to the latency, and one runner is paused once for up to the pause; no message is lost. Faults
begin and messages arrive at any time, and events at one instant happen in every order. A paused runner that believes it holds the
lock counts as an owner. *Not* covered: clocks that run at different rates, more than one pause, restarts of runners, partitions, a
slow database.

`safe` is this package's runner with its margin of 1 s. It is safe if each row lives as long as its TTL. A failover that loses commits
breaks that for every runner.

The shipped runner is that of releases since November 2025. [The releases](releases.md) have the runner and the retry interval of
each job, and [`--runner diego-bbs@2.102.0`](../do/bosh.md) asks about one.

This page is written by `cargo run --release -p locket-sim --example production`.

| runner | retry interval | latency | pause | environment | answer | states |
|---|---|---|---|---|---|---|
";

#[allow(clippy::print_stdout, reason = "the page is this program's output")]
fn main() {
    let mut page = HEAD.to_owned();
    let mut stories: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows() {
        let answer = row.answer();
        let line = row.line(&answer);
        let _ = writeln!(page, "{line}");
        if let Some((_, story)) = &answer.counterexample {
            let story = story.to_string();
            match stories.iter_mut().find(|(known, _)| *known == story) {
                Some((_, lines)) => lines.push(line),
                None => stories.push((story, vec![line])),
            }
        }
    }
    page.push_str("\n## How two owners happen\n");
    for (story, lines) in stories {
        page.push_str(
            "\n| runner | retry interval | latency | pause | environment | answer | states |\n",
        );
        page.push_str("|---|---|---|---|---|---|---|\n");
        for line in lines {
            let _ = writeln!(page, "{line}");
        }
        let _ = write!(page, "\n```text\n{story}```\n");
    }
    print!("{page}");
}
