//! The runners under the same faults. Each number comes from complete searches.
//!
//! [`comparison_text`](super::comparison_text) writes them.

use serde::Serialize;

use super::boundary_search::BoundarySearch;
use crate::check::answer::ClientCount;
use crate::check::answer::view::{ClientCountView, VerdictView};
use crate::check::explorer::Reductions;
use crate::check::question::bounds::Bounds;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::check::question::text::{QuestionText, read};
use crate::check::question::{Property, Question, QuestionError};
use crate::check::search::why_unknown::WhyUnknown;
use crate::check::search::{Search, Verdict};
use crate::scenario::RunnerKind;
use crate::time::Duration;

/// How many leases an overlap, or a time without an owner, is looked for at most.
const LEASES_MAX: u64 = 4;
/// How many leases a pause is looked for at most.
const PAUSE_LEASES_MAX: u64 = 2;

/// A comparison under way. Let it [`run`](Self::run) in slices until it is done.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// For each runner; the step of its numbers is the grid.
    questions: Vec<Question>,
    states_max: usize,
    rows: Vec<ComparisonRow>,
    asked: Option<Asked>,
    /// The bounds of what is asked about two owners and false loss.
    bounds: String,
}

/// The numbers and verdicts about a runner, in the order of their searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    TwoOwners,
    Overlap,
    BreakingPause,
    FalseLoss,
    Crash,
    Stop,
}

/// A number that is being found out, of the last row.
#[derive(Clone, Debug)]
struct Asked {
    column: Column,
    /// In steps. A verdict has one.
    least: BoundarySearch,
    search: Search,
}

/// The results of a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonRow {
    /// Which runner.
    pub runner: RunnerKind,
    /// The first reason of a verdict that is unknown. Then a number that is missing is unknown, too.
    pub because: Option<WhyUnknown>,
    /// Its lease; the Cloud Controller's loop has its own.
    pub ttl: Duration,
    /// Its retry interval; the Cloud Controller's loop has its own.
    pub retry_interval: Duration,
    /// Whether there can be two owners at the same time.
    pub two_owners: Verdict,
    /// For how many clients that holds.
    pub clients: ClientCount,
    /// The longest overlap of two owners, if it is not longer than four leases.
    pub overlap: Option<Duration>,
    /// The shortest pause that leads to two owners, if one of up to two leases does.
    pub breaking_pause: Option<Duration>,
    /// Whether an owner gives up a lock that is still its own.
    pub false_loss: Verdict,
    /// The longest time without an owner after the holder crashed, if it is not longer than four
    /// leases.
    pub crash: Option<Duration>,
    /// The same after the holder was stopped.
    pub stop: Option<Duration>,
}

/// The results of a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunnerComparison"))]
pub struct ComparisonRowView {
    /// The runner.
    pub runner: RunnerKind,
    /// The reason, if a verdict is unknown: then a number that is `null` is unknown as well.
    pub because: Option<WhyUnknown>,
    /// Its lease; the Cloud Controller's loop has its own.
    #[serde(rename = "ttlMs")]
    pub ttl: Duration,
    /// Its retry interval; the Cloud Controller's loop has its own.
    #[serde(rename = "retryIntervalMs")]
    pub retry_interval: Duration,
    /// Whether there can be two owners at the same time: `unsafe` if so.
    pub two_owners: VerdictView,
    /// For how many clients that holds: `any`, or the number of the question's clients.
    pub clients: ClientCountView,
    /// The longest overlap of two owners; `null` if it exceeds four leases.
    #[serde(rename = "overlapMs")]
    pub overlap: Option<Duration>,
    /// The shortest pause that leads to two owners, with all else as asked; `null` if none up to two
    /// leases does.
    #[serde(rename = "breakingPauseMs")]
    pub breaking_pause: Option<Duration>,
    /// Whether an owner gives up a lock that it still holds: `unsafe` if so.
    pub false_loss: VerdictView,
    /// The longest time without an owner after the holder crashed, with latency alone; `null` if it
    /// exceeds four leases.
    #[serde(rename = "crashMs")]
    pub crash: Option<Duration>,
    /// The same after the holder was stopped.
    #[serde(rename = "stopMs")]
    pub stop: Option<Duration>,
}

impl Comparison {
    /// The runners, in the order of their rows.
    const RUNNERS: [RunnerKind; 4] = [
        RunnerKind::UpstreamBefore202510,
        RunnerKind::Upstream,
        RunnerKind::CloudController,
        RunnerKind::Safe,
    ];

    /// A comparison whose searches keep at most `states_max` states each. The question is that of two
    /// clients, and names no runner and no property.
    ///
    /// # Errors
    ///
    /// The first validation error, with its path.
    pub fn from_json(text: &str, states_max: usize) -> Result<Self, QuestionError> {
        let questions = Self::RUNNERS.into_iter().map(|runner| {
            let question = read::<QuestionText>(text)?.of_runner(runner)?;
            question.check()?;
            for column in Column::ALL {
                let most = column.end(&question) - 1;
                column.question(&question, most).check()?;
            }
            Ok(question)
        });
        Ok(Self {
            questions: questions.collect::<Result<_, QuestionError>>()?,
            states_max,
            rows: Vec::new(),
            asked: None,
            bounds: String::new(),
        })
    }

    /// Visits up to about `budget` states more. Says whether the comparison is complete.
    pub fn run(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 {
            let Some(mut asked) = self.asked.take().or_else(|| self.next_row()) else {
                return true;
            };
            self.asked = if asked.search.run_within(&mut left) == Verdict::Running {
                Some(asked)
            } else {
                self.note(asked)
            };
        }
        self.asked.is_none() && self.rows.len() == self.questions.len()
    }

    /// How many runners are done.
    pub const fn done(&self) -> usize {
        match self.asked {
            Some(_) => self.rows.len() - 1,
            None => self.rows.len(),
        }
    }

    /// How many states the search of now has found.
    pub fn states(&self) -> usize {
        self.asked.as_ref().map_or(0, |it| it.search.states())
    }

    /// The results so far.
    pub fn rows(&self) -> &[ComparisonRow] {
        &self.rows
    }

    /// The bounds of the columns about two owners and false loss, as a sentence.
    pub fn bounds_words(&self) -> &str {
        &self.bounds
    }

    fn next_row(&mut self) -> Option<Asked> {
        let question = self.questions.get(self.rows.len())?;
        let client = &question.clients[0];
        self.rows.push(ComparisonRow {
            runner: client.runner,
            because: None,
            ttl: client.ttl,
            retry_interval: client.retry_interval,
            two_owners: Verdict::Running,
            clients: ClientCount::Of(question.clients.len()),
            overlap: None,
            breaking_pause: None,
            false_loss: Verdict::Running,
            crash: None,
            stop: None,
        });
        self.ask(Column::TwoOwners, None)
    }

    /// Asks the next number of a column, or the first one.
    fn ask(&self, column: Column, least: Option<BoundarySearch>) -> Option<Asked> {
        let question = &self.questions[self.rows.len() - 1];
        let least = least.unwrap_or_else(|| BoundarySearch::of_rising(column.end(question)));
        // The searches are exact. The grid is only the step of the numbers.
        let asked = column.question(question, least.asked()?).in_exact_steps();
        // All were checked with the largest number.
        let search = Search::new(asked, Reductions::default(), self.states_max).ok()?;
        Some(Asked { column, least, search })
    }

    /// Takes an answer, and asks the next question about the runner, if there is one.
    fn note(&mut self, asked: Asked) -> Option<Asked> {
        let Asked { column, mut least, search } = asked;
        let (verdict, because) = search.judged();
        let row = self.rows.last_mut().expect("a row is being filled");
        row.because = row.because.or(because);
        match column {
            Column::TwoOwners => {
                (row.two_owners, row.clients) = (verdict, search.clients());
                self.bounds = search.question().bounds_words();
            }
            Column::FalseLoss => row.false_loss = verdict,
            Column::Overlap | Column::BreakingPause | Column::Crash | Column::Stop => {
                let is_unsafe = verdict == Verdict::Unsafe;
                // A longer pause allows every schedule of a shorter one.
                least.note(is_unsafe == (column == Column::BreakingPause));
                if because.is_none() {
                    let found = least.found();
                    if found.is_none() && least.asked().is_some() {
                        return self.ask(column, Some(least));
                    }
                    let step = self.questions[self.rows.len() - 1].step().as_ms();
                    self.set(column, found.map(|it| Duration::from_ms(it * step)));
                }
            }
        }
        column.next().and_then(|next| self.ask(next, None))
    }

    fn set(&mut self, column: Column, found: Option<Duration>) {
        let row = self.rows.last_mut().expect("a row is being filled");
        match column {
            Column::Overlap => row.overlap = found,
            Column::BreakingPause => row.breaking_pause = found,
            Column::Crash => row.crash = found,
            Column::Stop => row.stop = found,
            Column::FalseLoss | Column::TwoOwners => {}
        }
    }
}

impl Column {
    const ALL: [Self; 6] = [
        Self::TwoOwners,
        Self::Overlap,
        Self::BreakingPause,
        Self::FalseLoss,
        Self::Crash,
        Self::Stop,
    ];

    fn next(self) -> Option<Self> {
        let place = Self::ALL.iter().position(|it| *it == self)?;
        Self::ALL.get(place + 1).copied()
    }

    /// How many numbers of steps can be asked for.
    fn end(self, question: &Question) -> u64 {
        let leases = match self {
            Self::TwoOwners | Self::FalseLoss => 0,
            Self::BreakingPause => PAUSE_LEASES_MAX,
            Self::Overlap | Self::Crash | Self::Stop => LEASES_MAX,
        };
        leases * question.clients[0].ttl.as_ms() / question.step().as_ms().max(1) + 1
    }

    /// The question with so many steps.
    fn question(self, about: &Question, steps: u64) -> Question {
        let mut question = about.clone();
        let length = Duration::from_ms(steps * about.step().as_ms());
        let bounds = &mut question.bounds;
        match self {
            Self::TwoOwners => {}
            Self::Overlap => question.property = Property::OneOwner { allow: length },
            Self::BreakingPause => {
                let pause = &mut bounds.faults[Fault::Pause];
                (pause.count, pause.length) = (pause.count.max(Count::UpTo(1)), length);
            }
            Self::FalseLoss => question.property = Property::FalseLoss,
            Self::Crash | Self::Stop => {
                // With latency alone.
                let fault = if self == Self::Crash { Fault::Crash } else { Fault::Stop };
                *bounds = Bounds { latency: bounds.latency, ..Bounds::default() }.with(fault, 1);
                question.property = Property::NoClientActs { allow: length };
            }
        }
        question
    }
}
