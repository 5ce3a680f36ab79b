//! Up to which pause and latency is each shipped runner safe for any number of clients?, as the page
//! `docs/reference/edges.md`.
//!
//!     cargo run --release -p locket-sim --example edges > docs/reference/edges.md

use std::fmt::Write as _;

use locket_sim::check::{Axis, Cell, ClientCount, MapQuestion, Question, SettingsMap};
use locket_sim::time::Duration;

/// The most states of one search.
const STATES_MAX: usize = 1_000_000;
/// The longest pause that is tried, in seconds.
const PAUSE_MAX: u32 = 60;
/// The longest latency that is tried, in seconds.
const LATENCY_MAX: u32 = 15;
/// The latencies of the columns, in seconds.
const LATENCIES: [u64; 7] = [0, 1, 2, 3, 4, 5, 6];
/// The shipped runners, each with its retry intervals in seconds.
const RUNNERS: [(&str, &[u64]); 4] = [
    ("upstream-before-2025-10", &[1, 5]),
    ("upstream", &[1, 5]),
    ("cloud-controller", &[1]),
    ("safe", &[1, 5]),
];

/// How many pauses there may be, how many messages may be lost, and how far clocks may drift; and all in words.
const FAULTS: [(&str, &str, &str, &str); 6] = [
    ("1", "0", "0%", "one pause"),
    ("1", "1", "0%", "one pause, one lost message"),
    (ANY, "0", "0%", "any number of pauses"),
    (ANY, "0", "1%", "any number of pauses, clocks that drift by up to 1 %"),
    (ANY, ANY, "0%", "any number of pauses and lost messages"),
    (ANY, ANY, "1%", "any number of pauses and lost messages, clocks that drift by up to 1 %"),
];
const ANY: &str = "\"any\"";

/// A row of the page: a runner, and what may go wrong.
pub(crate) struct Row {
    runner: &'static str,
    retry_interval: u64,
    /// One of `FAULTS`.
    faults: (&'static str, &'static str, &'static str, &'static str),
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    let rows = FAULTS.into_iter().flat_map(|faults| {
        RUNNERS.into_iter().flat_map(move |(runner, retries)| {
            retries.iter().map(move |&retry_interval| Row { runner, retry_interval, faults })
        })
    });
    rows.collect()
}

impl Row {
    /// How the row's line begins.
    pub(crate) fn line_start(&self) -> String {
        let Self { runner, retry_interval, faults: (.., words) } = self;
        format!("| {words} | {runner} | {retry_interval} s |")
    }

    /// The row as a line of the table.
    pub(crate) fn line(&self) -> String {
        let cells = LATENCIES.map(|latency| self.cell(Axis::Pause, latency, PAUSE_MAX));
        let latency = self.cell(Axis::Latency, 0, LATENCY_MAX);
        let states = cells.iter().chain([&latency]).map(|it| it.states);
        let states: usize = states.sum();
        let pauses = cells.iter().map(|cell| words(cell, PAUSE_MAX));
        let pauses = pauses.collect::<Vec<_>>().join(" | ");
        let (start, latency) = (self.line_start(), words(&latency, LATENCY_MAX));
        format!("{start} {pauses} | {latency} | {states} |")
    }

    /// The one cell of a map.
    fn cell(&self, axis: Axis, latency: u64, max_steps: u32) -> Cell {
        let Self { runner, retry_interval, faults: (pauses, lost_messages, drift, _) } = self;
        let pauses = if axis == Axis::Pause { pauses } else { &"0" };
        let text = format!(
            r#"{{"runner": "{runner}", "profile": "upstream", "ttl": "15s", "retryInterval": "{retry_interval}s", "grid": "1s", "latency": "{latency}s", "drift": "{drift}", "faults": {{"lostMessage": {lost_messages}, "pause": {{"length": "0s", "count": {pauses}}}}}}}"#
        );
        let question = MapQuestion {
            question: Question::from_json(&text).expect("the question makes sense"),
            ttls: vec![Duration::from_seconds(15)],
            retries: vec![Duration::from_seconds(*retry_interval)],
            axis,
            max_steps,
            states_max: STATES_MAX,
        };
        let mut map = SettingsMap::new(question).expect("the question was read");
        map.run(u64::MAX);
        map.cells()[0]
    }
}

/// The longest that is safe for any number of clients. A second more has two owners with two clients, or
/// was not tried, or its search was cut.
fn words(cell: &Cell, max_steps: u32) -> String {
    let Some(safe) = cell.safe_up_to else {
        return match cell.breaks_at {
            Some(0) => "–".to_owned(),
            Some(breaks) => format!("< {breaks} s"),
            None => "?".to_owned(),
        };
    };
    assert_eq!(cell.clients, Some(ClientCount::Any), "{cell:?}");
    match (cell.breaks_at, cell.because()) {
        (Some(breaks), None) if breaks == safe + 1 => format!("{safe} s"),
        (None, None) if safe == max_steps => format!("≥ {safe} s"),
        (_, Some(_)) => format!("≥ {safe} s"),
        _ => panic!("no edge: {cell:?}"),
    }
}

pub(crate) const HEAD: &str = "\
# How much can each runner take?

Any number of clients with a TTL of 15 s want the same lock. The table has the longest pause with which no schedule has two owners at
the same time, for each latency. It was [proved for any number of clients](../understand/any-number.md).

* **7 s** is an edge: with a pause of 8 s, two clients are enough for two owners. All values are whole seconds.
* **≥ 60 s** is no edge: nothing longer was tried, or the search of it had no answer.
* **< 7 s** has two owners with a pause of 7 s, and no shorter one was proved. **?** is unknown.
* **–** has two owners without a pause.

The column *no pause* has the longest latency without a pause; 15 s is the longest that was tried. Pauses and lost messages are those
of each client. Bounds: one Locket process of the shipped Locket, no other fault. A paused client that believes it holds the lock
counts as an owner.

`upstream` is the runner of releases since November 2025, and `upstream-before-2025-10` the one before. `safe` is this package's
runner with its margin of 1 s. [The releases](releases.md) have the runner and the retry interval of each job.

This page is written by `cargo run --release -p locket-sim --example edges`.

| faults of each client | runner | retry interval | latency 0 s | 1 s | 2 s | 3 s | 4 s | 5 s | 6 s | no pause | states |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

#[allow(clippy::print_stdout, reason = "the page is this program's output")]
fn main() {
    let mut page = HEAD.to_owned();
    for row in rows() {
        let _ = writeln!(page, "{}", row.line());
    }
    page.push_str(
        "\nNext: [which production settings are safe](settings.md), or [the proof in words](../understand/any-number.md).\n",
    );
    print!("{page}");
}
