//! Searches each client alone, among any number of others, before it searches all schedules: that
//! takes few states, and a proof holds for any number of clients.
//!
//! Knows single questions and the order in which they are asked. Why their answers hold for all
//! clients: see [`local`](crate::check::question::local).

use std::collections::VecDeque;

use super::coverage::Coverage;
use super::{Search, Verdict};
use crate::check::question::Question;
use crate::check::question::local::Local;
use crate::scenario::Share;

/// Every schedule has as many faults, and is as late.
const NO_BOUND: (u32, u64) = (0, 0);

/// The questions of single clients under way.
#[derive(Clone, Debug, Default)]
pub(super) struct EachClient {
    /// The questions that are not answered yet, for each way to follow Locket: one is enough for a
    /// proof.
    ways: VecDeque<VecDeque<(Question, Local)>>,
    states_max: usize,
    search: Option<Box<Search>>,
    /// The answers in the way that is asked.
    in_way: InWay,
    /// The most that is known of a violation, as faults and milliseconds.
    lower_bound: Option<(u32, u64)>,
    proved: Option<Proved>,
    /// True if a question was too large.
    is_cut: bool,
    /// How many states were found, in all ways.
    states: usize,
    visits: u64,
}

/// The answers in one way.
#[derive(Clone, Debug, Default)]
struct InWay {
    proved: Proved,
    is_exercised: bool,
    /// The smallest violation, as faults and milliseconds, or how far a search came that was cut; none
    /// if every one was searched and found safe.
    least: Option<(u32, u64)>,
}

/// A proof for any number of clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Proved {
    /// The states of all its questions.
    pub(super) states: usize,
    /// The faults and milliseconds of the last of them.
    pub(super) reached: (u32, u64),
    /// Their coverage.
    pub(super) coverage: Coverage,
    /// True if no process was followed.
    pub(super) any_processes: bool,
    /// By how much clocks may drift.
    pub(super) drift: Share,
}

impl EachClient {
    /// The questions about single clients, each limited to this many states.
    pub(super) fn of(question: &Question, states_max: usize) -> Self {
        let ways = question.locals().into_iter().map(VecDeque::from);
        Self { ways: ways.collect(), states_max, ..Self::default() }
    }

    /// Visits up to `budget` more states. Returns true when it has an answer.
    pub(super) fn run(&mut self, budget: u64) -> bool {
        let until = self.visits.saturating_add(budget);
        while self.visits < until {
            let Some(mut search) = self.search.take().or_else(|| self.next()) else {
                return true;
            };
            let before = search.visits();
            let verdict = search.run(until - self.visits);
            self.visits += (search.visits() - before).max(1);
            if verdict == Verdict::Running {
                self.search = Some(search);
            } else {
                self.note(&search, verdict);
            }
        }
        self.search.is_none() && self.ways.is_empty()
    }

    /// The search of the next question.
    fn next(&mut self) -> Option<Box<Search>> {
        let (question, local) = self.ways.front_mut()?.pop_front()?;
        Some(Box::new(Search::local(question, local, self.states_max)))
    }

    fn note(&mut self, search: &Search, verdict: Verdict) {
        self.states += search.states();
        let in_way = &mut self.in_way;
        in_way.proved.states += search.states();
        in_way.proved.reached = in_way.proved.reached.max(search.reached());
        in_way.proved.coverage.join(search.coverage());
        in_way.proved.any_processes = !search.explorer.follows_calls();
        in_way.proved.drift = search.explorer.local.map(|it| it.drift).unwrap_or_default();
        match verdict {
            Verdict::Safe => in_way.is_exercised = true,
            // A client that is never an owner is no obstacle.
            Verdict::NeverExercised => {}
            Verdict::Unsafe => {
                let reached = search.reached();
                in_way.least = Some(in_way.least.map_or(reached, |it| it.min(reached)));
            }
            // The others would take as long, and prove nothing without this one.
            Verdict::NotFinished | Verdict::Preview | Verdict::Running => {
                let left = self.ways.front_mut().map(std::mem::take);
                let are_left = left.is_some_and(|it| !it.is_empty());
                let reached = if are_left { NO_BOUND } else { search.reached() };
                in_way.least = Some(in_way.least.map_or(reached, |it| it.min(reached)));
                self.is_cut = true;
            }
        }
        if self.ways.front().is_some_and(VecDeque::is_empty) {
            self.conclude_way();
        }
    }

    /// All is known in a way: a violation breaks it.
    fn conclude_way(&mut self) {
        let in_way = std::mem::take(&mut self.in_way);
        self.ways.pop_front();
        match in_way.least {
            Some(_) => self.lower_bound = self.lower_bound.max(in_way.least),
            None if in_way.is_exercised => {
                self.proved = Some(in_way.proved);
                self.ways.clear();
            }
            None => {}
        }
    }

    /// The proof, if there is one.
    pub(super) const fn proved(&self) -> Option<&Proved> {
        self.proved.as_ref()
    }

    /// No schedule of any number of clients has a violation with fewer faults, or with as many before
    /// that time in milliseconds.
    pub(super) fn lower_bound(&self) -> Option<(u32, u64)> {
        self.lower_bound.filter(|it| *it > NO_BOUND)
    }

    /// True if a question of some client was too large to be answered.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) const fn visits(&self) -> u64 {
        self.visits
    }

    /// How many states were found so far.
    pub(super) fn states(&self) -> usize {
        self.states + self.search.as_ref().map_or(0, |it| it.states())
    }
}
