//! Which production settings are safe, and which margin covers which drift, as the page `docs/reference/settings.md`.
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

/// What else may go wrong: in words, how many Locket processes there are, and what else its bounds have.
type Environment = (&'static str, usize, &'static str);
const ONE_PROCESS: Environment = ("one Locket process", 1, "");
const ENVIRONMENTS: [Environment; 4] = [
    ONE_PROCESS,
    ("two Locket processes", 2, ""),
    (
        "one Locket process, which may be down once for up to 2 s",
        1,
        r#", "locketCrash": {"length": "2s", "count": 1}"#,
    ),
    ("a failover that loses the last commit", 1, r#", "failover": 1"#),
];

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (runner, retry_interval) in
        [("upstream", "5s"), ("upstream", "1s"), ("safe", "5s"), ("safe", "1s")]
    {
        for environment in ENVIRONMENTS {
            for pause in ["0s", "1s", "5s"] {
                rows.push(Row { runner, retry_interval, latency: "1s", pause, environment });
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
            let (retry_interval, environment) = ("5s", ONE_PROCESS);
            rows.push(Row { runner, retry_interval, latency: delay, pause, environment });
        }
    }
    rows
}

impl Row {
    /// The question of the row, as JSON, and how its line begins.
    fn texts(&self) -> (String, String) {
        let Self { runner, retry_interval, latency, pause, environment } = self;
        let (words, processes, more) = environment;
        (
            format!(
                r#"{{"runner": "{runner}", "profile": "upstream", "ttl": "15s", "retryInterval": "{retry_interval}", "processes": {processes}, "latency": "{latency}", "faults": {{"pause": {{"length": "{pause}", "count": 1}}{more}}}}}"#
            ),
            format!("| {runner} | {retry_interval} | ≤ {latency} | ≤ {pause} | {words} |"),
        )
    }

    /// The answer of the row.
    pub(crate) fn answer(&self) -> Answer {
        let mut search = search(&self.texts().0);
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

pub(crate) const HEAD: &str = "\
# Which production settings are safe?

Two runners with a TTL of 15 s want the same lock. For each line the search tried every schedule within its bounds, with the shipped
runner and the shipped Locket rules. *safe* means: no schedule has two owners at the same time, however long it runs. Otherwise the
answer says how long two owners last at most, which the simulator repeated; `explore` shows the schedule.

A row that is *safe for any number* is [proved for any number of clients](../understand/any-number.md), each paused once at most.

Bounds: each message takes any time up to the latency, and one runner is paused once for up to the pause; no message is lost. Faults
begin and messages arrive at any time, and events at one instant happen in every order. A paused runner that believes it holds the
lock counts as an owner. *Not* covered: more than one pause, restarts of runners, partitions, a slow database.

`safe` is this package's runner with its margin of 1 s. It is safe if each row lives as long as its TTL. A failover that loses commits
breaks that for every runner.

The shipped runner is that of releases since November 2025. [The releases](releases.md) have the runner and the retry interval of
each job, and [`--runner diego-bbs@2.102.0`](../do/bosh.md) asks about one.

This page is written by `cargo run --release -p locket-sim --example production`.

| runner | retry interval | latency | pause | environment | answer | states |
|---|---|---|---|---|---|---|
";

/// The TTLs of the table of margins, in seconds.
pub(crate) const TTLS: [u64; 8] = [3, 5, 6, 10, 15, 30, 45, 60];

/// A line of the table of margins: for each, the largest drift that is proved.
pub(crate) fn margins_line(ttl: u64) -> String {
    let cells = [1_000, 2_000, 3_000].map(|margin_ms| {
        if 2 * margin_ms > 1_000 * ttl {
            return "–".to_owned();
        }
        let drift = 1_000 * margin_ms / (2_000 * ttl - margin_ms);
        let drifts = [drift, drift + 1].map(|it| format!("{}.{} %", it / 10, it % 10));
        let proved = drifts.each_ref().map(|it| is_proved(ttl, margin_ms, it));
        assert_eq!(proved, [true, false], "TTL {ttl} s, margin {margin_ms} ms: {drifts:?}");
        drifts[0].clone()
    });
    format!("| {ttl} s | {} |", cells.join(" | "))
}

/// Whether a safe runner is proved with a margin, for any number of clients and faults.
fn is_proved(ttl: u64, margin_ms: u64, drift: &str) -> bool {
    let text = format!(
        r#"{{"clients": "any", "profile": "upstream", "ttl": "{ttl}s", "retryInterval": "{}s", "margin": "{margin_ms}ms", "latency": "1s", "drift": "{drift}", "faults": {{"lostMessage": "any", "pause": "5s", "crash": "any", "restart": "any", "locketCrash": "60s", "stall": "5s", "partition": "60s"}}}}"#,
        ttl / 3
    );
    search(&text).run(u64::MAX) == Verdict::Safe
}

fn search(text: &str) -> Search {
    let question = Question::from_json(text).expect("the question makes sense");
    Search::new(question, Reductions::default(), STATES_MAX).expect("it was read")
}

pub(crate) const MARGINS: &str = "
## Which margin covers which drift?

The largest share by which the rates of all clocks may differ from real time, and vary, with a safe runner of this TTL and margin that
retries after a third of its TTL. It is proved for any number of clients and Locket processes, with any number of lost messages,
crashes, restarts, pauses ≤ 5 s and stalls ≤ 5 s, and of crashes of Locket and partitions ≤ 60 s; 0.1 % more is not proved.

| TTL | margin 1 s | 2 s | 3 s |
|---|---|---|---|
";

#[allow(clippy::print_stdout, reason = "the page is this program's output")]
fn main() {
    let mut page = HEAD.to_owned();
    for row in rows() {
        let _ = writeln!(page, "{}", row.line(&row.answer()));
    }
    page.push_str(MARGINS);
    for ttl in TTLS {
        let _ = writeln!(page, "{}", margins_line(ttl));
    }
    page.push_str("\nNext: [how much each runner can take](edges.md).\n");
    print!("{page}");
}
