//! A question with any number of faults that no proof answers: it is searched with one of each, then
//! with two, and so on, for a schedule that breaks the property.

use std::ops::ControlFlow;

use serde::Serialize;

use super::{Ended, Search, Verdict};
use crate::check::explorer::Reductions;
use crate::check::question::Question;
use crate::check::question::count::Count;
use crate::check::question::faults::Fault;
use crate::check::question::limits::FAULT_COUNT_MAX;

/// Up to how many of the faults without a limit no schedule breaks the property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Edge {
    /// The faults that may happen any number of times, by their names in the question.
    pub faults: Vec<&'static str>,
    /// The question is safe with up to this many of each.
    pub safe_up_to: u8,
    /// With so many, a schedule breaks the property; `null` if none was found.
    pub unsafe_with: Option<u8>,
}

/// The counts that are searched in place of any number.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    reductions: Reductions,
    states_max: usize,
    /// How many of each fault are searched; 0 while each client is asked with any number.
    now: u8,
    /// With this many of each fault, no schedule breaks the property.
    safe_up_to: u8,
    /// The bound that each client alone gives for any number.
    lower_bound: Option<(u32, u64)>,
    /// True if a client alone breaks the property, if each was asked to the end.
    is_broken: bool,
}

impl Counts {
    /// `None` for a question with limits.
    pub(super) fn of(
        question: &Question,
        reductions: Reductions,
        states_max: usize,
    ) -> Option<Self> {
        question.is_without_limit().then_some(Self {
            reductions,
            states_max,
            now: 0,
            safe_up_to: 0,
            lower_bound: None,
            is_broken: false,
        })
    }

    /// True if no count is searched yet.
    pub(super) const fn is_first(&self) -> bool {
        self.now == 0
    }

    pub(super) const fn lower_bound(&self) -> Option<(u32, u64)> {
        self.lower_bound
    }

    /// How far everything was visited, of what was with this count.
    pub(super) fn reached(&self, reached: (u32, u64)) -> (u32, u64) {
        let is_done = self.safe_up_to == self.now;
        let next = (u32::from(self.safe_up_to) + 1, 0);
        if is_done { next } else { reached.min(next) }
    }

    /// True if no proof is possible in this way, not only too large.
    pub(super) const fn is_broken(&self) -> bool {
        self.is_broken
    }
}

impl Search {
    /// Goes on with one more of each fault without a limit, after there is no proof with any number,
    /// or no violation with fewer. Breaks off where that is not possible.
    pub(super) fn raise_counts(&mut self) -> ControlFlow<()> {
        let Some(mut counts) = self.counts.clone() else {
            return ControlFlow::Break(());
        };
        if counts.is_first() {
            counts.lower_bound = self.each_client.lower_bound();
            counts.is_broken = counts.reductions.each_client && !self.each_client.is_cut();
        } else if self.verdict() != Verdict::Preview {
            counts.safe_up_to = counts.now;
        }
        let visited = usize::try_from(self.visits()).unwrap_or(usize::MAX);
        let left = counts.states_max.saturating_sub(visited);
        let is_over = self.asked.any_clients || counts.now == FAULT_COUNT_MAX || left == 0;
        if is_over {
            self.ended = Some(Ended::Cut);
        } else {
            counts.now += 1;
            let (asked, visits_before) = (self.asked.clone(), self.visits());
            let search = Self::begin(asked.with_counts(counts.now), counts.reductions, left);
            *self = Self { asked, visits_before, ..search };
        }
        self.counts = Some(counts);
        match is_over {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Asks about one of each fault without a limit after any number was neither proved nor broken, if
    /// one is safe and none was given a count. Breaks off otherwise.
    pub(super) fn ask_once(&mut self) -> ControlFlow<()> {
        let is_unknown = self.ended == Some(Ended::Cut) && self.has_ended() && self.first.is_none();
        let counts = self.counts.as_ref().filter(|it| is_unknown && it.safe_up_to > 0);
        let Some((counts, question)) = counts.zip(self.asked.with_uncounted_once()) else {
            return ControlFlow::Break(());
        };
        let search = Self::begin(question, counts.reductions, counts.states_max);
        *self = Self { visits_before: self.visits(), ..search };
        ControlFlow::Continue(())
    }

    /// Up to how many of the faults without a limit the question is safe, if that was searched.
    pub fn edge(&self) -> Option<Edge> {
        let counts = self.counts.as_ref().filter(|it| !it.is_first())?;
        let faults = self.asked.faults_without_limit();
        Some(Edge {
            faults: faults.map(Fault::name).collect(),
            safe_up_to: counts.safe_up_to,
            unsafe_with: self.first.map(|_| counts.now),
        })
    }
}

impl Edge {
    /// The edge as a sentence.
    pub(in crate::check) fn words(&self) -> String {
        let named = |it: &Fault| it.name() == self.faults[0];
        let one = Fault::ALL.into_iter().find(named);
        let one = one.filter(|_| self.faults.len() == 1);
        let of = |count: u8| match one.map(Fault::nouns) {
            Some((one, several)) => Count::UpTo(count).words(one, several),
            None => format!("up to {count} of each fault without a count"),
        };
        match (self.safe_up_to, self.unsafe_with) {
            (0, Some(breaks)) => format!(" Unsafe with {}.", of(breaks)),
            (0, None) => String::new(),
            (safe, Some(breaks)) => format!(" Safe with {}, unsafe with {breaks}.", of(safe)),
            (safe, None) => format!(" Safe with {}.", of(safe)),
        }
    }
}
