//! The map of settings: for each TTL and retry interval the smallest pause, latency or number
//! of losses that breaks the property, each cell by complete searches.
//!
//! More of any of these allows every schedule that less of it allows. So a value that breaks a
//! cell below which the next smaller one is safe is the smallest. The cell before in the same row
//! says where to look first, so rows are independent of each other.

use std::fmt;

use super::map_cell::{Cell, CellView};
use super::map_question::MapQuestion;
use crate::check::explorer::Reductions;
use crate::check::question::axis::Axis;
use crate::check::question::limits::FAULT_COUNT_MAX;
use crate::check::question::{Question, QuestionError};
use crate::check::search::{Search, Verdict};

/// A map under way. Let it [`run`](Self::run) in slices until it is done.
#[derive(Clone, Debug)]
pub struct SettingsMap {
    question: MapQuestion,
    cells: Vec<Cell>,
    /// The search for the last cell.
    attempt: Option<Attempt>,
}

/// A search for a cell.
#[derive(Clone, Debug)]
struct Attempt {
    /// How many steps of the axis it is about.
    steps: u32,
    /// How far from there the next one is, as long as all had the same verdict.
    stride: u32,
    search: Search,
}

/// The most cells.
const CELLS_MAX: usize = 10_000;

impl SettingsMap {
    /// A map without any results yet.
    ///
    /// # Errors
    ///
    /// If the question of any cell makes no sense.
    pub fn new(question: MapQuestion) -> Result<Self, QuestionError> {
        let count = question.ttls.len().saturating_mul(question.retries.len());
        if !(1..=CELLS_MAX).contains(&count) {
            let message = format!("expected 1 to {CELLS_MAX} cells, not {count}");
            return Err(QuestionError::new("", &message));
        }
        question.question.check_grid()?;
        let mut question = question;
        question.max_steps = question.max_steps.min(match question.axis {
            Axis::LostMessage => FAULT_COUNT_MAX.into(),
            Axis::Latency | Axis::Pause => u32::MAX,
        });
        let map = Self { question, cells: Vec::new(), attempt: None };
        for index in 0..count {
            let cell = map.unknown_cell(index);
            map.question_of(&cell, map.question.max_steps).check()?;
        }
        Ok(map)
    }

    /// Visits up to about `budget` states more. Says whether the map is done.
    pub fn run(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 && !self.is_done() {
            left = left.saturating_sub(self.run_search(left).max(1));
        }
        self.is_done()
    }

    /// Runs to the end on all cores; the result is what [`run`](Self::run) finds.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn complete(&mut self) {
        use rayon::prelude::*;

        let question = &self.question;
        let rows = question.ttls.par_iter().map(|&ttl| {
            let question = MapQuestion { ttls: vec![ttl], ..question.clone() };
            let mut row = Self { question, cells: Vec::new(), attempt: None };
            row.run(u64::MAX);
            row.cells
        });
        self.cells = rows.collect::<Vec<_>>().concat();
        self.attempt = None;
    }

    /// The question of the map.
    pub const fn question(&self) -> &MapQuestion {
        &self.question
    }

    /// How many cells there are.
    pub const fn total(&self) -> usize {
        self.question.ttls.len() * self.question.retries.len()
    }

    /// True if every cell is known.
    pub const fn is_done(&self) -> bool {
        // The last cell is known as soon as there is no search for it.
        self.cells.len() == self.total() && self.attempt.is_none()
    }

    /// The cells so far, row by row; the last one may be under way.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Within which bounds the cells hold, as a sentence.
    pub fn bounds_words(&self) -> String {
        let MapQuestion { question, axis, .. } = &self.question;
        question.bounds_of_map(*axis)
    }

    /// The question of a cell with this many steps of the axis.
    pub fn question_of(&self, cell: &Cell, steps: u32) -> Question {
        let amount = self.question.amount(steps);
        self.question.of_cell(cell.ttl, cell.retry_interval, amount)
    }

    /// Goes on with the search under way, or begins the next. Says how many states it visited.
    fn run_search(&mut self, budget: u64) -> u64 {
        let Some(mut attempt) = self.attempt.take().or_else(|| self.next_cell()) else {
            return 0;
        };
        let before = attempt.search.visits();
        let verdict = attempt.search.run(budget);
        let visited = attempt.search.visits() - before;
        if verdict == Verdict::Running {
            self.attempt = Some(attempt);
            return visited;
        }
        let Some(cell) = self.cells.last_mut() else {
            return visited;
        };
        let max_steps = self.question.max_steps;
        cell.states += attempt.search.states();
        cell.note(attempt.steps, &attempt.search, max_steps);
        let cell = *cell;
        let next = cell.next_steps(attempt.stride, max_steps);
        let stride = attempt.stride.saturating_mul(2);
        self.attempt = next.and_then(|steps| self.attempt(&cell, steps, stride));
        visited
    }

    /// Begins the next cell, close to where its edge should be.
    fn next_cell(&mut self) -> Option<Attempt> {
        let index = self.cells.len();
        let max_steps = self.question.max_steps;
        let is_first = index.is_multiple_of(self.question.retries.len());
        let neighbour = self.cells.last().filter(|_| !is_first);
        let cell = self.unknown_cell(index);
        let (steps, stride) = match neighbour {
            Some(neighbour) => (neighbour.breaks_at.unwrap_or(max_steps), 1),
            None => match self.question.axis {
                // However long a pause is, the schedules that break the property come as early.
                Axis::Pause => (max_steps, u32::MAX),
                // More of these makes for many more states.
                Axis::Latency | Axis::LostMessage => (0, 1),
            },
        };
        self.cells.push(cell);
        self.attempt(&cell, steps.min(max_steps), stride)
    }

    fn attempt(&self, cell: &Cell, steps: u32, stride: u32) -> Option<Attempt> {
        let question = self.question_of(cell, steps);
        // Every cell's question was checked with the largest number of steps.
        let search = Search::new(question, Reductions::default(), self.question.states_max).ok()?;
        Some(Attempt { steps, stride, search })
    }

    fn unknown_cell(&self, index: usize) -> Cell {
        let columns = self.question.retries.len();
        let (ttl, retry_interval) =
            (self.question.ttls[index / columns], self.question.retries[index % columns]);
        Cell::unknown(ttl, retry_interval)
    }

    /// The cells so far as they are written.
    // Compiled by its caller, as what serde derives: the wasm crate is compiled for size.
    #[inline]
    pub fn view(&self) -> Vec<CellView> {
        let amount = |steps: u32| self.question.amount(steps);
        self.cells.iter().map(|cell| cell.view(amount)).collect()
    }
}

impl fmt::Display for SettingsMap {
    /// A table: rows are TTLs, columns retry intervals, cells the smallest value that breaks the
    /// property. `>5s` is safe as far as it was tried, `≤5s` breaks with 5s and perhaps with less,
    /// `?` is unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>6}", "")?;
        for retry_interval in &self.question.retries {
            write!(f, " {:>6}", format!("r {retry_interval}"))?;
        }
        writeln!(f)?;
        for row in self.cells.chunks(self.question.retries.len()) {
            write!(f, "{:>6}", format!("T {}", row[0].ttl))?;
            for cell in row {
                let text = match (cell.breaks_at, cell.safe_up_to) {
                    (Some(steps), _) if cell.because().is_some() => {
                        format!("≤{}", self.question.value(steps))
                    }
                    (Some(steps), _) => self.question.value(steps),
                    (None, Some(steps)) if cell.because().is_none() => {
                        format!(">{}", self.question.value(steps))
                    }
                    (None, _) => "?".to_owned(),
                };
                write!(f, " {text:>6}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
