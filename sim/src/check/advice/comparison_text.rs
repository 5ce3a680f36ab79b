//! A comparison of runners as a table for people, and as it is written.

use serde::Serialize;

use super::comparison::{Comparison, ComparisonRow, ComparisonRowView};
use crate::amounts::Seconds;
use crate::check::answer::ClientCount;
use crate::check::search::Verdict;
use crate::time::Duration;

const HEADS: [&str; 9] = [
    "runner",
    "lease",
    "retry interval",
    "two owners",
    "for",
    "breaking pause",
    "false loss",
    "handover: crash",
    "stop",
];

/// The comparison of the runners.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Comparison"))]
pub struct ComparisonView {
    /// A row for each runner.
    pub rows: Vec<ComparisonRowView>,
    /// The heads of a table.
    pub heads: Vec<&'static str>,
    /// The cells of the table, row by row.
    pub cells: Vec<Vec<String>>,
    /// The bounds of the columns about two owners and false loss, as a sentence.
    pub bounds: String,
    /// The table as text, and the bounds.
    pub text: String,
}

impl Comparison {
    /// The comparison as it is written.
    // Compiled by its caller, as what serde derives: the wasm crate is compiled for size.
    #[inline]
    pub fn view(&self) -> ComparisonView {
        let cells: Vec<_> = self.rows().iter().map(ComparisonRow::cells).collect();
        ComparisonView {
            rows: self.rows().iter().map(ComparisonRow::view).collect(),
            heads: HEADS.to_vec(),
            bounds: self.bounds_words().to_owned(),
            text: self.text(&cells),
            cells: cells.into_iter().map(Vec::from).collect(),
        }
    }

    fn text(&self, cells: &[[String; 9]]) -> String {
        let heads = HEADS.map(str::to_owned);
        let rows: Vec<_> = [&heads].into_iter().chain(cells).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
        let line = |row: &&[String; 9]| {
            let cells = row.iter().zip(&widths);
            let cells: Vec<_> = cells.map(|(cell, width)| format!("{cell:width$}")).collect();
            cells.join("  ").trim_end().to_owned()
        };
        let mut lines: Vec<String> = rows.iter().map(line).collect();
        lines.push(self.bounds_words().to_owned());
        lines.extend(self.words_of_any_number());
        lines.join("\n")
    }

    /// Which runners never have two owners, however many clients there are.
    fn words_of_any_number(&self) -> Option<String> {
        let is_never =
            |it: &&ComparisonRow| (it.two_owners, it.clients) == (Verdict::Safe, ClientCount::Any);
        let never = self.rows().iter().filter(is_never);
        let never: Vec<_> = never.map(|it| it.runner.name()).collect();
        let names = never.join(", ");
        (!never.is_empty())
            .then(|| format!("Never two owners with any number of clients: {names}."))
    }
}

impl ComparisonRow {
    fn view(&self) -> ComparisonRowView {
        ComparisonRowView {
            runner: self.runner,
            because: self.because,
            ttl: self.ttl,
            retry_interval: self.retry_interval,
            two_owners: self.two_owners.into(),
            clients: self.clients.into(),
            overlap: self.overlap,
            breaking_pause: self.breaking_pause,
            false_loss: self.false_loss.into(),
            crash: self.crash,
            stop: self.stop,
        }
    }

    fn cells(&self) -> [String; 9] {
        let known = |number: Option<Duration>, none: &str| match (number, self.because) {
            (Some(number), _) => Seconds(number).to_string(),
            (None, Some(_)) => "?".to_owned(),
            (None, None) => none.to_owned(),
        };
        let overlap = if self.two_owners == Verdict::Unsafe {
            known(self.overlap, "> 4 leases")
        } else {
            "-".to_owned()
        };
        [
            self.runner.name().to_owned(),
            Seconds(self.ttl).to_string(),
            Seconds(self.retry_interval).to_string(),
            possible(self.two_owners).to_owned(),
            overlap,
            known(self.breaking_pause, "none"),
            possible(self.false_loss).to_owned(),
            known(self.crash, "> 4 leases"),
            known(self.stop, "> 4 leases"),
        ]
    }
}

/// Whether what breaks a property can be.
const fn possible(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "never",
        Verdict::Unsafe => "possible",
        Verdict::NeverExercised | Verdict::NotFinished | Verdict::Preview | Verdict::Running => {
            "unknown"
        }
    }
}
